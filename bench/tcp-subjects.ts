import { createHash, randomUUID } from "node:crypto";
import { Verrou } from "@verrou/core";
import { redisStore } from "@verrou/core/drivers/redis";
import { Redis } from "ioredis";
import { createClient } from "redis";
import { Mutex } from "redis-semaphore";
import Redlock from "redlock";
import { createLock, IoredisAdapter } from "redlock-universal";
import { connect, fairLock } from "../src/index.ts";
import { ioredis } from "../src/tcp/ioredis.ts";
import { nodeRedis } from "../src/tcp/node-redis.ts";
import { COMPARE_AND_DELETE, type Contender, leaseholdOf, type Subject, type Terms } from "./subjects.ts";

const open: (() => unknown)[] = [];

/** Closes the connections of all contenders. */
export function closeClients(): void {
  for (const close of open.splice(0)) close();
}

function ioredisOf(url: string): Redis {
  const client = new Redis(url);
  open.push(() => client.disconnect());
  return client;
}

/** A library over its own ioredis client. */
const overIoredis = (label: string, contend: (client: Redis, name: string, terms: Terms) => Contender): Subject => ({
  label,
  open: ({ redisUrl }, name, terms) => contend(ioredisOf(redisUrl), name, terms),
  async isHeld({ redisUrl }, name) {
    const client = new Redis(redisUrl);
    return client
      .exists(name)
      .finally(() => client.disconnect())
      .then((count) => count === 1);
  },
});

export const leaseholdOverIoredis: Subject = overIoredis("leasehold", (client, name, terms) =>
  leaseholdOf(connect({ redis: ioredis(client) }), name, terms),
);

export const leaseholdFairOverIoredis: Subject = overIoredis("leasehold, fairLock", (client, name, terms) =>
  leaseholdOf(connect({ redis: ioredis(client) }), name, terms, fairLock),
);

export const leaseholdPollingOverIoredis: Subject = overIoredis("leasehold, polling", (client, name, terms) =>
  leaseholdOf(connect({ redis: ioredis(client), wake: "poll" }), name, terms),
);

export const leaseholdOverNodeRedis: Subject = {
  label: "leasehold over node-redis",
  open({ redisUrl }, name, terms) {
    const client = createClient({ url: redisUrl });
    client.on("error", () => {});
    client.connect().catch(() => {});
    open.push(() => client.destroy());
    return leaseholdOf(connect({ redis: nodeRedis(client) }), name, terms);
  },
  isHeld: leaseholdOverIoredis.isHeld,
};

const REDLOCK_DELAY_MS = 200;

/** With its default delay of 200 ms ± 100 between tries, and without a limit if it must wait. */
export const redlock: Subject = overIoredis("redlock 5", (client, name, { leaseMs, waits, waitMs }) => {
  const retryCount = waitMs === undefined ? -1 : waitMs / REDLOCK_DELAY_MS;
  const one = new Redlock([client], waits ? { retryCount } : undefined);
  return {
    async acquire() {
      const held = await one.acquire([name], leaseMs);
      return { release: () => held.release().then(() => true) };
    },
  };
});

/** Its `Mutex`, with its default delay of 10 ms between tries. */
export const redisSemaphore: Subject = overIoredis(
  "redis-semaphore",
  (client, name, { leaseMs, waits, waitMs = 600_000 }) => {
    const one = new Mutex(client, name, { lockTimeout: leaseMs, acquireTimeout: waitMs });
    return {
      async acquire() {
        if (waits) await one.acquire();
        else if (!(await one.tryAcquire())) return null;
        return { release: () => one.release().then(() => true) };
      },
    };
  },
);

/**
 * With its default delay of 100 ms, and without a limit of tries if it must wait. Its circuit breaker never opens here.
 */
export const redlockUniversal: Subject = overIoredis(
  "redlock-universal",
  (client, name, { leaseMs, waits, waitMs }) => {
    const adapter = new IoredisAdapter(client);
    const retries = waits ? { retryAttempts: waitMs === undefined ? 1_000_000 : waitMs / 100 } : {};
    const one = createLock({ adapter, key: name, ttl: leaseMs, ...retries });
    return {
      async acquire() {
        const held = await one.acquire();
        return { release: () => one.release(held) };
      },
    };
  },
);

/** With its default delay of 250 ms between tries, and without a limit if it must wait. */
export const verrou: Subject = overIoredis("verrou", (connection, name, { leaseMs, waits }) => {
  const locks = new Verrou({ default: "redis", stores: { redis: { driver: redisStore({ connection }) } } });
  return {
    async acquire() {
      const one = locks.createLock(name, leaseMs);
      if (!(waits ? await one.acquire() : await one.acquireImmediately())) return null;
      return { release: () => one.release().then(() => true) };
    },
  };
});

const SHA = createHash("sha1").update(COMPARE_AND_DELETE).digest("hex");

/** The minimum of a lock: `SET NX PX`, and a compare-and-delete script. */
export const twoCommands: Subject = overIoredis("two raw commands", (client, name, { leaseMs }) => ({
  async acquire() {
    const id = randomUUID();
    if ((await client.set(name, id, "PX", leaseMs, "NX")) !== "OK") return null;
    return {
      async release() {
        const left = await client.evalsha(SHA, 1, name, id).catch(() => client.eval(COMPARE_AND_DELETE, 1, name, id));
        return left === 1;
      },
    };
  },
}));
