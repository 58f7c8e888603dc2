/** Why a wait ended, and what its error reports, in virtual time. */
import { describe, expect, it } from "vitest";
import { createLocks, type LeaseholdEvent, type Locks, type LockTimeoutError } from "../../src/index.ts";
import { createTestRedis, type TestRedis } from "../../testing/src/index.ts";

/** Moves the clocks on until the call has ended; returns its error, or its result. */
async function ended(call: Promise<unknown>, ...all: readonly TestRedis[]): Promise<unknown> {
  let isOver = false;
  const over = (): void => {
    isOver = true;
  };
  call.then(over, over);
  while (!isOver) for (const redis of all) await redis.advance("10ms");
  return call.catch((error: unknown) => error);
}
const messageOf = (error: unknown): string => (error as Error).message;

describe("maxPolls of a multi-lock", () => {
  it("does not count a part that is granted (B23)", async () => {
    const redis = createTestRedis();
    const names = ["a", "b", "c"];
    const locks = createLocks(redis.options);
    const lease = await ended(locks.multiLock(names).acquire({ maxPolls: 1 }), redis);
    expect(lease).toMatchObject({ name: "a, b, c" });
    await (lease as Awaited<ReturnType<ReturnType<Locks["multiLock"]>["acquire"]>>).release();
    const queued = locks.multiLock([locks.fairLock("d"), locks.semaphore("e", { permits: 1 }), "f"]);
    expect(await ended(queued.acquire({ maxPolls: 1 }), redis)).toMatchObject({ name: "d, e, f" });
  });

  it("counts a part that is refused, whichever it is, and does not count renewals (B23)", async () => {
    for (const held of ["a", "b", "c"]) {
      const redis = createTestRedis();
      await createLocks(redis.options).lock(held).acquire({ lease: "1h" });
      const polls: LeaseholdEvent[] = [];
      const onEvent = (event: LeaseholdEvent): unknown => event.type === "polled" && polls.push(event);
      const locks = createLocks({ ...redis.options, onEvent });
      const options = { wait: "1m", lease: "3s", maxPolls: 4, backoff: () => 2000 } as const;
      const error = await ended(locks.multiLock(["a", "b", "c"]).acquire(options), redis);
      expect(error).toMatchObject({ code: "lock_timeout" });
      expect(messageOf(error)).toContain("was not acquired in 4 polls (maxPolls)");
      // Not after the last one.
      expect(polls).toHaveLength(3);
    }
  });

  it("counts what has no answer (B23)", async () => {
    const redis = createTestRedis();
    redis.fault({ kind: "status 503", on: "acquire", times: Number.POSITIVE_INFINITY });
    const error = await ended(createLocks(redis.options).multiLock(["a", "b"]).acquire({ maxPolls: 3 }), redis);
    expect(error).toMatchObject({ code: "lock_timeout", cause: { code: "outcome_unknown" } });
    expect(messageOf(error)).toMatch(/^multiLock\("a, b"\) was not acquired in 3 polls \(maxPolls\): no answer/);
  });
});

describe("the error of a wait says what ended it", () => {
  it.each<[string, (locks: Locks) => Promise<unknown>]>([
    ["lock", (locks) => locks.lock("a").acquire({ maxPolls: 1 })],
    ["fairLock", (locks) => locks.fairLock("fair").acquire({ maxPolls: 1 })],
    ["once", (locks) => locks.once("once").run({ wait: "10s", maxPolls: 1 }, () => 1)],
  ])("polls: %s (B23)", async (_, wait) => {
    const redis = createTestRedis();
    const holder = createLocks(redis.options);
    await Promise.all([holder.lock("a").acquire(), holder.fairLock("fair").acquire(), holder.once("once").begin()]);
    const error = await ended(wait(createLocks(redis.options)), redis);
    expect(error).toMatchObject({ code: "lock_timeout" });
    expect(messageOf(error)).toContain("was not acquired in 1 poll (maxPolls): held");
    expect((error as LockTimeoutError).waitedMs).toBeLessThan(5000);
  });

  it("time (B23)", async () => {
    const redis = createTestRedis();
    await createLocks(redis.options).lock("a").acquire();
    const { lock } = createLocks(redis.options);
    const error = await ended(lock("a").acquire({ wait: "2s", maxPolls: 500 }), redis);
    expect(messageOf(error)).toContain("was not acquired within 2000 ms: held");
    // A wait of 0 has one poll anyway.
    expect(messageOf(await ended(lock("a").acquire({ wait: 0, maxPolls: 1 }), redis))).toContain("within 0 ms");
  });

  it("time, by a clock that was set ahead: not that the wait had lasted as long (B23)", async () => {
    const redis = createTestRedis();
    await createLocks(redis.options).lock("a").acquire({ lease: "1h" });
    const { clock, ...options } = redis.options;
    let aheadMs = 0;
    const locks = createLocks({ ...options, clock: { ...clock, now: () => clock.now() + aheadMs } });
    const call = locks.lock("a").acquire({ wait: "10s" });
    call.catch(() => {});
    await redis.advance("60ms");
    aheadMs = 600_000;
    const error = await ended(call, redis);
    expect(error).toMatchObject({ code: "lock_timeout" });
    expect(messageOf(error)).not.toContain("within 10000 ms");
    expect(messageOf(error)).toMatch(
      /^lock\("a"\) was not acquired: its wait of 10000 ms ended early, since this machine's clock went ahead by 600 s or the machine slept: held/,
    );
  });

  it("grants that arrive too late are not called no answer (B23)", async () => {
    const redis = createTestRedis();
    redis.fault({ kind: "late", by: "300ms", on: "acquire", times: Number.POSITIVE_INFINITY });
    const locks = createLocks(redis.options);
    const error = await ended(locks.lock("a").acquire({ lease: "100ms", maxPolls: 2 }), redis);
    expect(error).toMatchObject({ code: "lock_timeout" });
    expect(messageOf(error)).toBe(
      'lock("a") was not acquired in 2 polls (maxPolls): each grant of "a" arrived after its lease had ended',
    );
  });
});

const reentryKey = "job 1";

/** Requests of these clients lose the answer of their first attempt, and their cancels are never answered. */
function inDoubt(redis: TestRedis) {
  redis.fault({ kind: "request lost", on: "acquire" });
  redis.fault({ kind: "request lost", on: "cancel", times: Number.POSITIVE_INFINITY });
  return createLocks(redis.options);
}

describe("a final answer is returned although the clean-up has no answer", () => {
  it("once: done, exhausted and mismatch (B24)", async () => {
    const done = createTestRedis();
    await createLocks(done.options)
      .once("k")
      .run(() => 42);
    expect(await ended(inDoubt(done).once("k").begin(), done)).toMatchObject({ status: "done", result: 42 });
    const exhausted = createTestRedis();
    const turn = await createLocks(exhausted.options).once("k", { maxAttempts: 1 }).begin();
    if (turn.status === "started") await turn.fail();
    const again = inDoubt(exhausted).once("k", { maxAttempts: 1 }).begin();
    expect(await ended(again, exhausted)).toMatchObject({ status: "exhausted", attempts: 1 });
    const mismatch = createTestRedis();
    await createLocks(mismatch.options).once("k", { fingerprint: "a" }).begin();
    const other = inDoubt(mismatch).once("k", { fingerprint: "b" }).begin();
    expect(await ended(other, mismatch)).toEqual({ status: "mismatch" });
  });

  it("once that waits, and finds it done at last (B24)", async () => {
    const redis = createTestRedis();
    const turn = await createLocks(redis.options).once("k").begin();
    const call = inDoubt(redis)
      .once("k")
      .run({ wait: "10s" }, () => expect.unreachable("it ran twice"));
    await redis.advance("2s");
    if (turn.status === "started") await turn.complete(42);
    expect(await ended(call, redis)).toMatchObject({ status: "done", result: 42, fresh: false });
  });

  it("but not while another part may be held: then the outcome is unknown (R4, B24)", async () => {
    const redis = createTestRedis();
    await createLocks(redis.options).lock("b").acquire({ reentryKey });
    redis.fault({ kind: "request lost", on: "cancel", times: Number.POSITIVE_INFINITY });
    const locks = createLocks(redis.options);
    const call = locks.multiLock(["a", "b"], { reentrant: false }).acquire({ reentryKey });
    expect(await ended(call, redis)).toMatchObject({ code: "outcome_unknown" });
  });
});

describe("an answer that may change does not settle an earlier request: what blocks it may end first", () => {
  it.each<
    [what: string, code: string, hold: (locks: Locks) => Promise<unknown>, ask: (locks: Locks) => Promise<unknown>]
  >([
    [
      "lock",
      "not_reentrant",
      (locks) => locks.lock("a").acquire({ reentryKey }),
      (locks) => locks.lock("a", { reentrant: false }).acquire({ reentryKey }),
    ],
    [
      "fairLock",
      "not_reentrant",
      (locks) => locks.fairLock("a").acquire({ reentryKey }),
      (locks) => locks.fairLock("a", { reentrant: false }).acquire({ reentryKey }),
    ],
    [
      "write",
      "upgrade_refused",
      (locks) => locks.readWriteLock("a").read.acquire({ reentryKey }),
      (locks) => locks.readWriteLock("a").write.acquire({ reentryKey }),
    ],
    [
      "multiLock in a group",
      "not_reentrant",
      (locks) => locks.group("g").multiLock(["a", "b"]).acquire({ reentryKey }),
      (locks) => locks.group("g").multiLock(["a", "b"], { reentrant: false }).acquire({ reentryKey }),
    ],
    [
      "multiLock whose first part refuses",
      "not_reentrant",
      (locks) => locks.lock("a").acquire({ reentryKey }),
      (locks) => locks.multiLock(["a", "b"], { reentrant: false }).acquire({ reentryKey }),
    ],
    ["another kind", "wrong_kind", (locks) => locks.fairLock("a").acquire(), (locks) => locks.lock("a").acquire()],
  ])("%s: %s (R4, B24)", async (_, code, hold, ask) => {
    const known = createTestRedis();
    await hold(createLocks(known.options));
    expect(await ended(ask(createLocks(known.options)), known)).toMatchObject({ code });
    const redis = createTestRedis();
    await hold(createLocks(redis.options));
    expect(await ended(ask(inDoubt(redis)), redis)).toMatchObject({ code: "outcome_unknown" });
  });

  it("semaphore: more permits than there are (R4, B24)", async () => {
    const redis = createTestRedis();
    await createLocks(redis.options).semaphore("a").setPermits(2);
    const call = inDoubt(redis).semaphore("a").acquire({ permits: 3 });
    expect(await ended(call, redis)).toMatchObject({ code: "outcome_unknown" });
  });

  it("lock: held (R4, B24)", async () => {
    const redis = createTestRedis();
    await createLocks(redis.options).lock("a").acquire({ lease: "1h" });
    expect(await ended(inDoubt(redis).lock("a").tryAcquire(), redis)).toMatchObject({ code: "outcome_unknown" });
  });
});
