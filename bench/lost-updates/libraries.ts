import { Lock as UpstashLock } from "@upstash/lock";
import { Redis as UpstashRedis } from "@upstash/redis";
import { Verrou } from "@verrou/core";
import { redisStore } from "@verrou/core/drivers/redis";
import { Redis } from "ioredis";
import { Mutex } from "redis-semaphore";
import Redlock from "redlock";
import { createLock, IoredisAdapter } from "redlock-universal";
import { redisFence, StaleTokenError } from "../../src/fence/index.ts";
import { connect, lock } from "../../src/index.ts";
import type { Endpoint } from "../stage.ts";
import { twoFetches } from "../subjects.ts";

/** The lock, held for one append. */
export interface Held {
  /** Whether the lock is still held, by the check that the library offers. */
  isOurs(): boolean | Promise<boolean>;
  /** Null when the list refused the read because the write would be too late. */
  read(): Promise<string | null>;
  /** False when the list refused the write. */
  write(list: string): Promise<boolean>;
  release(): Promise<unknown>;
}

/** How one worker appends under one library's lock. */
export interface Appender {
  /** Null when the lock was not acquired and must be retried. */
  acquire(): Promise<Held | null>;
  /** The delay after null, in ms. */
  readonly retryMs: () => number;
  close(): void;
}

/** @param lossy reaches the servers through proxies that lose answers. The list itself is reached by `direct`. */
type Open = (lossy: Endpoint, direct: Endpoint, name: string, leaseMs: number) => Appender;

const keyOf = (name: string): string => `list:${name}`;
type Lock = Pick<Held, "isOurs" | "release">;

/** A list that accepts every write: a Redis key. */
function unguarded({ redisUrl }: Endpoint, name: string) {
  const client = new Redis(redisUrl);
  const key = keyOf(name);
  return {
    hold: (held: Lock | null): Held | null =>
      held && {
        ...held,
        read: async () => (await client.get(key)) ?? "[]",
        write: async (list) => (await client.set(key, list)) === "OK",
      },
    close: () => client.disconnect(),
  };
}

const DEFAULT_RETRY_MS = 50;

const twoRawFetches: Open = (lossy, direct, name, leaseMs) => {
  const list = unguarded(direct, name);
  const contender = twoFetches.open(lossy, name, { leaseMs });
  return {
    async acquire() {
      const grant = await contender.acquire();
      // The library offers no check.
      return list.hold(grant && { isOurs: () => true, release: () => grant.release() });
    },
    retryMs: () => DEFAULT_RETRY_MS,
    close: list.close,
  };
};

const upstashLock: Open = ({ url, token }, direct, name, leaseMs) => {
  const list = unguarded(direct, name);
  type Config = ConstructorParameters<typeof UpstashLock>[0];
  // The same class: its types are resolved once as ESM and once as CommonJS.
  const redis = new UpstashRedis({ url, token }) as unknown as Config["redis"];
  return {
    async acquire() {
      const one = new UpstashLock({ id: name, redis, lease: leaseMs, retry: { attempts: 100, delay: 100 } });
      if (!(await one.acquire())) return null;
      return list.hold({
        isOurs: () =>
          one.getStatus().then(
            (status) => status === "ACQUIRED",
            () => false,
          ),
        release: () => one.release(),
      });
    },
    retryMs: () => DEFAULT_RETRY_MS,
    close: list.close,
  };
};

/**
 * One attempt per call, with the library's delay of 200 ms ± 100 in between: `acquire` counts the lease from its first
 * attempt, so after a longer wait its `expiration` has passed although the lock was granted just now.
 */
const redlock: Open = ({ redisUrl }, direct, name, leaseMs) => {
  const list = unguarded(direct, name);
  const client = new Redis(redisUrl);
  client.on("error", () => {});
  const one = new Redlock([client], { retryCount: 0 });
  return {
    async acquire() {
      const held = await one.acquire([name], leaseMs);
      return list.hold({ isOurs: () => held.expiration > Date.now(), release: () => held.release() });
    },
    retryMs: () => 100 + 200 * Math.random(),
    close() {
      client.disconnect();
      list.close();
    },
  };
};

const redisSemaphore: Open = ({ redisUrl }, direct, name, leaseMs) => {
  const list = unguarded(direct, name);
  const client = new Redis(redisUrl);
  client.on("error", () => {});
  return {
    async acquire() {
      // By default it ends the process when a lock is lost.
      const options = { lockTimeout: leaseMs, acquireTimeout: 60_000, onLockLost: () => {} };
      const one = new Mutex(client, name, options);
      await one.acquire();
      return list.hold({ isOurs: () => one.isAcquired, release: () => one.release() });
    },
    retryMs: () => DEFAULT_RETRY_MS,
    close() {
      client.disconnect();
      list.close();
    },
  };
};

/** Without its circuit breaker, which would stop sending requests for a while after lost responses. */
const redlockUniversal: Open = ({ redisUrl }, direct, name, leaseMs) => {
  const list = unguarded(direct, name);
  const client = new Redis(redisUrl);
  client.on("error", () => {});
  const adapter = new IoredisAdapter(client);
  const one = createLock({ adapter, key: name, ttl: leaseMs, retryAttempts: 0, circuitBreaker: false });
  return {
    async acquire() {
      const held = await one.acquire();
      return list.hold({
        isOurs: () => held.acquiredAt + leaseMs > Date.now(),
        release: () => one.release(held),
      });
    },
    retryMs: () => DEFAULT_RETRY_MS + 50 * Math.random(),
    close() {
      client.disconnect();
      list.close();
    },
  };
};

const verrou: Open = ({ redisUrl }, direct, name, leaseMs) => {
  const list = unguarded(direct, name);
  const connection = new Redis(redisUrl);
  connection.on("error", () => {});
  const locks = new Verrou({ default: "redis", stores: { redis: { driver: redisStore({ connection }) } } });
  return {
    async acquire() {
      const one = locks.createLock(name, leaseMs);
      if (!(await one.acquireImmediately())) return null;
      return list.hold({ isOurs: () => !one.isExpired(), release: () => one.release() });
    },
    retryMs: () => DEFAULT_RETRY_MS + 50 * Math.random(),
    close() {
      connection.disconnect();
      list.close();
    },
  };
};

const leaseholdWithoutToken: Open = ({ url, token }, direct, name, leaseMs) => {
  const list = unguarded(direct, name);
  const one = lock(connect({ url, token }), name, { lease: leaseMs });
  return {
    async acquire() {
      const lease = await one.acquire({ wait: "1m" });
      return list.hold({ isOurs: () => lease.remaining > 0, release: () => lease.release() });
    },
    retryMs: () => DEFAULT_RETRY_MS,
    close: list.close,
  };
};

/** False when the token was stale. */
const isAccepted = (operation: Promise<void>): Promise<boolean> =>
  operation.then(
    () => true,
    (error) => {
      if (error instanceof StaleTokenError) return false;
      throw error;
    },
  );

const leaseholdWithFence: Open = (lossy, direct, name, leaseMs) => {
  const one = lock(connect({ url: lossy.url, token: lossy.token }), name, { lease: leaseMs });
  const fence = redisFence(connect({ url: direct.url, token: direct.token }));
  return {
    async acquire() {
      const lease = await one.acquire({ wait: "1m" });
      return {
        isOurs: () => lease.remaining > 0,
        async read() {
          // From now on no older holder can write.
          if (!(await isAccepted(fence.claim(lease)))) return null;
          return (await fence.read(name))?.value || "[]";
        },
        write: (list) => isAccepted(fence.write(lease, list)),
        release: () => lease.release(),
      };
    },
    retryMs: () => DEFAULT_RETRY_MS,
    close: () => {},
  };
};

export const NAIVE = "two raw fetches";
export const FENCED = "leasehold with a fence";
/** The same over Durable Objects: the lock and the list are in one object, and there is no Redis. */
export const OBJECTS = "the same in Durable Objects";
/** The libraries that must lose nothing. */
export const SAFE: ReadonlySet<string> = new Set([FENCED, OBJECTS]);

/** Every library, ordered by its level of protection. */
export const LIBRARIES: Readonly<Record<string, Open>> = {
  [NAIVE]: twoRawFetches,
  "@upstash/lock": upstashLock,
  "redlock 5": redlock,
  "redis-semaphore": redisSemaphore,
  "redlock-universal": redlockUniversal,
  verrou,
  "leasehold without its token": leaseholdWithoutToken,
  [FENCED]: leaseholdWithFence,
  [OBJECTS]: leaseholdWithFence,
};

/** The list at the end of the run. */
export async function readList(library: string, { url, token, redisUrl }: Endpoint, name: string): Promise<number[]> {
  if (SAFE.has(library)) return JSON.parse((await redisFence(connect({ url, token })).read(name))?.value || "[]");
  const client = new Redis(redisUrl);
  try {
    return JSON.parse((await client.get(keyOf(name))) ?? "[]");
  } finally {
    client.disconnect();
  }
}
