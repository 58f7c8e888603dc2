/** Waits through a time in which a primary refuses all writes. */
import { describe, expect, it } from "vitest";
import type { Lease, Locks } from "../../src/index.ts";
import { createLocks } from "../../src/index.ts";
import { freshName, pause, useStack } from "../support/use-stack.ts";

const stack = useStack();
const WAITS: Readonly<Record<string, (locks: Locks, name: string) => Promise<Pick<Lease, "release">>>> = {
  lock: (locks, name) => locks.lock(name).acquire({ wait: "20s" }),
  fairLock: (locks, name) => locks.fairLock(name).acquire({ wait: "20s" }),
  write: (locks, name) => locks.readWriteLock(name).write.acquire({ wait: "20s" }),
  "fair semaphore": (locks, name) =>
    locks.semaphore(name, { permits: 1, fair: true }).acquire({ wait: "20s" }) as Promise<Pick<Lease, "release">>,
};

describe("a primary without enough replicas", () => {
  it.each(Object.entries(WAITS))(
    "is waited out by %s, and refuses a call that does not wait (49.2)",
    async (_, wait) => {
      const { redis } = stack;
      const locks = createLocks({ url: stack.url, token: stack.token });
      await redis.command("CONFIG", "SET", "min-replicas-to-write", "1");
      try {
        await expect(locks.lock(freshName()).tryAcquire()).rejects.toThrow(/NOREPLICAS/);
        const waiting = wait(locks, freshName());
        waiting.catch(() => {});
        await pause(400);
        await redis.command("CONFIG", "SET", "min-replicas-to-write", "0");
        expect(await (await waiting).release()).toBe(true);
      } finally {
        await redis.command("CONFIG", "SET", "min-replicas-to-write", "0");
      }
    },
  );
});
