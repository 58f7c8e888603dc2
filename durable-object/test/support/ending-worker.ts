/** The ready Worker with objects that a test can end, and with paths on which the Worker itself waits. */
import { createLocks, type Locks } from "../../../src/index.ts";
import { LeaseholdObject as Base, durableObject } from "../../src/index.ts";
import ready, { type Env } from "../../worker/index.ts";

/** The objects' class. `end` is what Cloudflare does to one that moves, fails or is replaced. */
export class LeaseholdObject extends Base {
  end(): void {
    (this.ctx as unknown as { abort(reason: string): void }).abort("the object was reset by a test");
  }
}

/** Waits for a name of each kind, for longer than the invocation lives. */
const WAITS: Readonly<Record<string, (locks: Locks, name: string) => Promise<unknown>>> = {
  lock: (locks, name) => locks.lock(name).acquire({ lease: "10m", wait: "25s" }),
  fairLock: (locks, name) => locks.fairLock(name).acquire({ lease: "10m", wait: "25s" }),
  semaphore: (locks, name) => locks.semaphore(name, { permits: 1 }).acquire({ lease: "10m", wait: "25s" }),
  "readWriteLock.write": (locks, name) => locks.readWriteLock(name).write.acquire({ lease: "10m", wait: "25s" }),
  "once.run": (locks, name) => locks.once(name, { lease: "10m" }).run({ wait: "25s" }, async () => undefined),
};

type Ending = { end(): Promise<void> };

export default {
  async fetch(request: Request, env: Env): Promise<Response> {
    const { pathname, searchParams } = new URL(request.url);
    const name = searchParams.get("name") ?? "";
    if (pathname === "/end") {
      const { LEASEHOLD: objects } = env;
      const stub = objects.get(objects.idFromName(name) as never) as Ending;
      // The call that ends an object fails.
      await stub.end().catch(() => {});
      return new Response("ended");
    }
    if (pathname === "/wait") {
      const locks = createLocks({ redis: durableObject(env.LEASEHOLD) });
      const lease = await locks.lock(name).acquire({ wait: "25s" });
      return Response.json({ ticket: lease.ticket(), token: lease.token });
    }
    if (pathname === "/leave") {
      // As Promise.race with a time-out of the application's own does: the response ends the invocation.
      WAITS[searchParams.get("kind") ?? ""]?.(createLocks({ redis: durableObject(env.LEASEHOLD) }), name).catch(
        () => {},
      );
      await new Promise((resolve) => setTimeout(resolve, 300));
      return new Response("gave up", { status: 202 });
    }
    return ready.fetch(request, env);
  },
};
