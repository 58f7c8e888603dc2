/** The ready Worker with objects that a test can end, and with a path on which the Worker itself waits. */
import { createLocks } from "../../../src/index.ts";
import { LeaseholdObject as Base, durableObject } from "../../src/index.ts";
import ready, { type Env } from "../../worker/index.ts";

/** The objects' class. `end` is what Cloudflare does to one that moves, fails or is replaced. */
export class LeaseholdObject extends Base {
  end(): void {
    (this.ctx as unknown as { abort(reason: string): void }).abort("the object was reset by a test");
  }
}

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
    return ready.fetch(request, env);
  },
};
