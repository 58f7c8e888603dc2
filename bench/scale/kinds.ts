import { type Connection, fairLock, lock, once, readWriteLock, semaphore } from "../../src/index.ts";

/** A measured kind: each name is acquired once, and released. */
export interface Kind {
  readonly label: string;
  /** Acquires a name, and returns the function that releases it. */
  take(redis: Connection, name: string): Promise<() => Promise<unknown>>;
}

const LEASE = "1h";

type Release = () => Promise<unknown>;

function held(lease: { release(): Promise<unknown> } | null): Release {
  if (lease === null) throw new Error("a free name was not given");
  return () => lease.release();
}

export const KINDS: readonly Kind[] = [
  { label: "lock", take: async (redis, name) => held(await lock(redis, name, { lease: LEASE }).tryAcquire()) },
  { label: "fair lock", take: async (redis, name) => held(await fairLock(redis, name, { lease: LEASE }).tryAcquire()) },
  {
    label: "read-write lock, a reader",
    take: async (redis, name) => held(await readWriteLock(redis, name, { lease: LEASE }).read.tryAcquire()),
  },
  {
    label: "semaphore, a permit of 10",
    async take(redis, name) {
      return held(await semaphore(redis, name, { permits: 10, lease: LEASE }).tryAcquire());
    },
  },
  {
    label: "once",
    async take(redis, name) {
      const turn = await once(redis, name, { lease: LEASE }).begin();
      if (turn.status !== "started") throw new Error("a new key was not begun");
      return () => turn.complete(1);
    },
  },
];
