/** Work that may run without a lease does not start before the lease of a reported holder ends, in virtual time. */
import { describe, expect, it } from "vitest";
import { connect, createLocks, type Duration, type Locks, quorumLock, retryAfter } from "../../src/index.ts";
import { createTestRedis, type TestRedis } from "../../testing/src/index.ts";

const HELD = "a held";
const FREE = "a free";
const open = { wait: "20s", onUnavailable: "run" } as const;
type Work = () => string;

/** How each kind's work meets a holder, and who that is: a lease of `lease`. */
const DOORS: Record<
  string,
  readonly [
    hold: (locks: Locks, lease: Duration) => Promise<unknown>,
    run: (locks: Locks, work: Work) => Promise<unknown>,
  ]
> = {
  lock: [(locks, lease) => locks.lock(HELD).acquire({ lease }), (locks, work) => locks.lock(HELD).run(open, work)],
  fairLock: [
    (locks, lease) => locks.fairLock(HELD).acquire({ lease }),
    (locks, work) => locks.fairLock(HELD).run(open, work),
  ],
  "readWriteLock.read": [
    (locks, lease) => locks.readWriteLock(HELD).write.acquire({ lease }),
    (locks, work) => locks.readWriteLock(HELD).read.run(open, work),
  ],
  "readWriteLock.write": [
    (locks, lease) => locks.readWriteLock(HELD).read.acquire({ lease }),
    (locks, work) => locks.readWriteLock(HELD).write.run(open, work),
  ],
  semaphore: [
    (locks, lease) => locks.semaphore(HELD, { permits: 1 }).acquire({ lease }),
    (locks, work) => locks.semaphore(HELD, { permits: 1 }).run(open, work),
  ],
  "a fair semaphore": [
    (locks, lease) => locks.semaphore(HELD, { permits: 1, fair: true }).acquire({ lease }),
    (locks, work) => locks.semaphore(HELD, { permits: 1, fair: true }).run(open, work),
  ],
  "multiLock of a group": [
    (locks, lease) => locks.group("g").multiLock([HELD]).acquire({ lease }),
    (locks, work) => locks.group("g").multiLock([FREE, HELD]).run(open, work),
  ],
  "multiLock whose first part is held": [
    (locks, lease) => locks.lock(HELD).acquire({ lease }),
    (locks, work) => locks.multiLock([HELD, "z free"]).run(open, work),
  ],
  "multiLock whose last part is held": [
    (locks, lease) => locks.lock(HELD).acquire({ lease }),
    (locks, work) => locks.multiLock([FREE, HELD]).run(open, work),
  ],
  once: [
    (locks, lease) => locks.once(HELD, { lease }).begin(),
    (locks, work) => locks.once(HELD).run({ wait: "20s", onUnavailable: "run" }, work),
  ],
};

const FAULTS = ["away", "request lost", "answer lost", "late", "status 503"] as const;

/** Moves the clock on until the call has ended; returns its error, or its result. */
async function ended(call: Promise<unknown>, ...all: readonly TestRedis[]): Promise<unknown> {
  let isOver = false;
  const over = (): void => {
    isOver = true;
  };
  call.then(over, over);
  while (!isOver) for (const redis of all) await redis.advance("250ms");
  return call.catch((error: unknown) => error);
}

/** A waiter that a server has refused, and that then loses the server. */
async function lostAfterRefusal(door: keyof typeof DOORS, kind: (typeof FAULTS)[number], lease: Duration) {
  const redis = createTestRedis();
  const [hold, run] = DOORS[door] as (typeof DOORS)[string];
  await hold(createLocks(redis.options), lease);
  const unprotected: string[] = [];
  const locks = createLocks({
    ...redis.options,
    requestTimeout: "2s",
    onEvent: (event) => event.type === "unprotected" && unprotected.push(event.why),
  });
  let runs = 0;
  const call = run(locks, () => `run ${++runs}`);
  call.catch(() => {});
  // Some of its polls are refused.
  await redis.advance("1s");
  redis.fault({ kind, by: "1h", times: Number.POSITIVE_INFINITY });
  const end = await ended(call, redis);
  return { end, runs, unprotected };
}

describe.each(Object.keys(DOORS))("with onUnavailable: run, %s", (door) => {
  it.each(FAULTS)("is refused while the lease that the server reported still runs: %s (E1)", async (kind) => {
    const { end, runs, unprotected } = await lostAfterRefusal(door, kind, "1m");
    expect({ runs, unprotected }).toEqual({ runs: 0, unprotected: [] });
    expect(end).toMatchObject({ code: "lock_timeout", remainingMs: expect.any(Number) });
    const { remainingMs = 0 } = end as { remainingMs?: number };
    // The lease had between 60 s and the wait's 22 s less.
    expect(remainingMs).toBeGreaterThan(37_000);
    expect(remainingMs).toBeLessThan(61_000);
    expect(retryAfter(end)).toBeGreaterThan(36);
  });

  it("runs without a lease once the lease that the server reported has ended (E1)", async () => {
    const { runs, unprotected } = await lostAfterRefusal(door, "away", "4s");
    expect({ runs, unprotected }).toMatchObject({ runs: 1, unprotected: [expect.any(String)] });
  });
});

it("one attempt without an answer, a refusal, and a cancel without an answer: refused (E1)", async () => {
  const redis = createTestRedis();
  await createLocks(redis.options).lock(HELD).acquire({ lease: "1m" });
  redis.fault({ kind: "request lost", on: "acquire" });
  redis.fault({ kind: "away", on: "cancel", times: Number.POSITIVE_INFINITY });
  let runs = 0;
  const work = () => ++runs;
  const call = createLocks(redis.options).lock(HELD).run({ wait: 0, onUnavailable: "run" }, work);
  expect(await ended(call, redis)).toMatchObject({ code: "lock_timeout" });
  expect(runs).toBe(0);
});

it("is refused by the error of its wait where the cancel was answered (E1)", async () => {
  const redis = createTestRedis();
  await createLocks(redis.options).lock(HELD).acquire({ lease: "1m" });
  let runs = 0;
  const call = createLocks({ ...redis.options, requestTimeout: "2s" })
    .lock(HELD)
    .run({ wait: "5s", onUnavailable: "run" }, () => ++runs);
  call.catch(() => {});
  await redis.advance("1s");
  redis.fault({ kind: "away", on: "acquire", times: Number.POSITIVE_INFINITY });
  const cause = { code: "unreachable" };
  expect(await ended(call, redis)).toMatchObject({ code: "lock_timeout", waitedMs: expect.any(Number), cause });
  expect(runs).toBe(0);
});

it("without onUnavailable the error stays that of the outage, and says how long the lease still runs (E1)", async () => {
  const redis = createTestRedis();
  await createLocks(redis.options).lock(HELD).acquire({ lease: "1m" });
  const call = createLocks(redis.options).lock(HELD).acquire({ wait: "5s" });
  call.catch(() => {});
  await redis.advance("1s");
  redis.fault({ kind: "away", times: Number.POSITIVE_INFINITY });
  const { remainingMs } = (await ended(call, redis)) as { readonly remainingMs?: number };
  expect(remainingMs).toBeGreaterThan(53_000);
});

it("a quorum lock is refused by what one server said, though the others never answered (E1)", async () => {
  const all = [createTestRedis(), createTestRedis(), createTestRedis()] as const;
  const connectionsOf = () =>
    all.map(({ options }, n) => connect({ ...options, url: `https://server${n}.invalid`, requestTimeout: "2s" }));
  const held = quorumLock(connectionsOf(), HELD).acquire({ lease: "1m" });
  await ended(held, ...all);
  for (const redis of all.slice(1)) redis.fault({ kind: "away", times: Number.POSITIVE_INFINITY });
  let runs = 0;
  const call = quorumLock(connectionsOf(), HELD).run({ wait: 0, onUnavailable: "run" }, () => ++runs);
  expect(await ended(call, ...all)).toMatchObject({ code: "lock_timeout", cause: { code: "no_quorum" } });
  expect(runs).toBe(0);
});

it("a part that was lost meanwhile does not hide that another is held (E1)", async () => {
  const redis = createTestRedis();
  await createLocks(redis.options).lock(HELD).acquire({ lease: "1m" });
  let runs = 0;
  const locks = createLocks({ ...redis.options, requestTimeout: "2s" });
  const call = locks.multiLock([FREE, HELD]).run({ ...open, wait: "12s" }, () => ++runs);
  call.catch(() => {});
  await redis.advance("1s");
  await redis.lose(FREE, "forced");
  // Its next extension learns of the loss; nothing is answered after that.
  redis.fault({ kind: "away", on: "acquire", times: Number.POSITIVE_INFINITY });
  expect(await ended(call, redis)).toMatchObject({ code: "lock_timeout" });
  expect(runs).toBe(0);
});
