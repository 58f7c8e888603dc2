/** Calls that wait through an outage, in virtual time: when they come back after the server did, and how. */
import { describe, expect, it } from "vitest";
import { createLocks, type Lease, type Locks } from "../../src/index.ts";
import { createTestRedis } from "../../testing/src/index.ts";

const WAITERS = 50;
const STEP_MS = 100;
/** The bound: a pause of three seconds, and the attempt after it. */
const BACK_MS = 5000;

/** How each kind waits; a grant is given back at once. */
const WAITS: Readonly<Record<string, (locks: Locks, wait: string) => Promise<unknown>>> = {
  lock: (locks, wait) =>
    locks
      .lock("a")
      .acquire({ wait: wait as "1m" })
      .then(giveBack),
  fairLock: (locks, wait) =>
    locks
      .fairLock("a")
      .acquire({ wait: wait as "1m" })
      .then(giveBack),
  write: (locks, wait) =>
    locks
      .readWriteLock("a")
      .write.acquire({ wait: wait as "1m" })
      .then(giveBack),
  read: (locks, wait) =>
    locks
      .readWriteLock("a")
      .read.acquire({ wait: wait as "1m" })
      .then(giveBack),
  semaphore: (locks, wait) =>
    locks
      .semaphore("a", { permits: 1, fair: true })
      .acquire({ wait: wait as "1m" })
      .then(giveBack),
};
const giveBack = (lease: Pick<Lease, "release">): Promise<boolean> => lease.release();

/** With `status 503` nobody knows whether a request was run, so that an ID grows older than the server remembers. */
const OUTAGES = (["away", "status 503"] as const).flatMap((kind) => [
  { kind, awayMs: 15_000, wait: "1m" },
  { kind, awayMs: 180_000, wait: "30m" },
]);

describe.each(Object.entries(WAITS))("%s", (_, waitFor) => {
  it.each(OUTAGES)(
    "waiters are back within 5 s of an outage ($kind) of $awayMs ms in a wait of $wait (49.2)",
    async (outage) => {
      const redis = createTestRedis();
      let requests = 0;
      /** When the first request of each client arrived after the outage, in ms of virtual time. */
      const backAt = new Map<number, number>();
      let nowMs = 0;
      const endFault = redis.fault({ kind: outage.kind, times: Number.POSITIVE_INFINITY });
      const waiting = Array.from({ length: WAITERS }, (_, client) => {
        const { options } = redis;
        const counting: typeof options.fetch = async (...request) => {
          requests++;
          const response = await options.fetch(...request);
          if (nowMs >= outage.awayMs && !backAt.has(client)) backAt.set(client, nowMs - outage.awayMs);
          return response;
        };
        return waitFor(createLocks({ ...options, fetch: counting }), outage.wait);
      });
      let settled = 0;
      for (const each of waiting) each.finally(() => settled++).catch(() => {});
      for (; nowMs < outage.awayMs; nowMs += STEP_MS) await redis.advance(STEP_MS);
      // Less than one request each two seconds, or so.
      expect(requests / WAITERS).toBeLessThan(6 + outage.awayMs / 1500);
      endFault();
      for (; settled < WAITERS && nowMs < outage.awayMs + 60_000; nowMs += STEP_MS) await redis.advance(STEP_MS);
      expect(await Promise.all(waiting)).toEqual(waiting.map(() => true));
      const backs = [...backAt.values()];
      expect(backs).toHaveLength(WAITERS);
      expect(Math.max(...backs)).toBeLessThanOrEqual(BACK_MS);
      // They do not come in one moment: at most a third of them in any half second.
      for (let from = 0; from < BACK_MS; from += 500)
        expect(backs.filter((at) => at >= from && at < from + 500).length).toBeLessThanOrEqual(WAITERS / 3 + 1);
    },
  );
});

it.each([
  { lease: "30s", code: "lock_timeout", why: "what an earlier ID may have been granted has ended" },
  { lease: "10m", code: "outcome_unknown", why: "an earlier ID may have been granted a lease that lasts" },
] as const)(
  "a wait that outlasts an outage and fails with a lease of $lease: $code, since $why (49.2, R4)",
  async (row) => {
    const redis = createTestRedis();
    await redis.hold("a", { lease: "1h" });
    const endFault = redis.fault({ kind: "status 503", times: Number.POSITIVE_INFINITY });
    const waiting = createLocks(redis.options)
      .lock("a")
      .acquire({ lease: row.lease, wait: "3m" })
      .catch((error: unknown) => error);
    await redis.advance("70s");
    endFault();
    await redis.advance("2m");
    expect(await waiting).toMatchObject({ code: row.code });
  },
);
