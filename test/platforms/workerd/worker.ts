export { LeaseholdObject } from "../../../durable-object/src/index.ts";

import { type ConnectOptions, createLocks, type Locks } from "../../../src/index.ts";

interface Env {
  readonly URL: string;
  readonly TOKEN: string;
}

/** Made at the first request and used by all others of the isolate, as people do at module level. */
let shared: Locks | undefined;

/**
 * `/run?client=shared|own&name=…&ms=…`: waits for a lock, works and gives what it saw. Two requests of one isolate meet
 * here: a promise, timer or body that one of them had made and the other waited for would be an error of the runtime.
 */
export default {
  async fetch(request: Request, env: Env, context: ExecutionContext): Promise<Response> {
    const { searchParams } = new URL(request.url);
    const name = searchParams.get("name") ?? "";
    const options: ConnectOptions = { url: env.URL, token: env.TOKEN };
    shared ??= createLocks(options);
    const locks = searchParams.get("client") === "shared" ? shared : createLocks(options);
    const waitUntil = (promise: Promise<unknown>): void => context.waitUntil(promise);
    const seen = await locks.lock(name).run({ wait: "20s", waitUntil }, async (lease) => {
      const entered = Date.now();
      await scheduler.wait(Number(searchParams.get("ms")));
      await lease.extend();
      return { token: lease.token, entered, left: Date.now() };
    });
    return Response.json(seen);
  },
};
