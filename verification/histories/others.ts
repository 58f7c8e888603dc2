/**
 * Two other locks under the same orders: `SET NX` with `DEL`, and `@upstash/lock`. The checker must find their faults.
 */
import { Lock } from "@upstash/lock";
import { Redis } from "@upstash/redis";
import type { Others } from "./client.ts";
import type { Endpoint } from "./orders.ts";

export function createOthers({ url, token }: Endpoint): Others {
  const redis = new Redis({ url, token, retry: false, enableTelemetry: false });
  const locks = new Map<number, Lock>();

  return async ({ id, kind, name, action, lease, hold }) => {
    if (action === "acquire") {
      // The types of its `redis` are resolved in another module format.
      const lock = new Lock({ id: name, lease, redis: redis as never, retry: { attempts: 1, delay: 0 } });
      locks.set(id, lock);
      const isOurs = kind === "upstash" ? await lock.acquire() : await redis.set(name, id, { nx: true, px: lease });
      return { status: isOurs ? "ok" : "refused" };
    }
    if (kind === "naive") {
      await redis.del(name);
      return { status: "ok" };
    }
    const isReleased = await locks.get(hold)?.release();
    return { status: isReleased ? "ok" : "lost" };
  };
}
