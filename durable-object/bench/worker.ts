/** The ready Worker, with paths that measure what a Worker sees that is bound to the objects. */
import { createLocks } from "../../src/index.ts";
import { durableObject } from "../src/index.ts";
import ready, { type Env } from "../worker/index.ts";

export { LeaseholdObject } from "../src/index.ts";

export default {
  async fetch(request: Request, env: Env): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url);
    const count = Number(searchParams.get("count"));
    const locks = createLocks({ redis: durableObject(env.LEASEHOLD) });
    const began = performance.now();
    if (pathname === "/cycles") {
      const lock = locks.lock(searchParams.get("name") ?? "");
      for (let n = 0; n < count; n++) await (await lock.acquire()).release();
    } else if (pathname === "/names") {
      const parallel = Number(searchParams.get("parallel") ?? 1);
      for (let n = 0; n < count; n += parallel)
        await Promise.all(Array.from({ length: parallel }, () => locks.lock(crypto.randomUUID()).acquire()));
    } else return ready.fetch(request, env);
    return Response.json((performance.now() - began) / count);
  },
};
