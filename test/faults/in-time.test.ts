/** Calls end within their limits and leave no holds, in virtual time. */
import { expect, it } from "vitest";
import { connect, createLocks, type LeaseholdEvent, quorumLock } from "../../src/index.ts";
import { createTestRedis, type TestRedis } from "../../testing/src/index.ts";

const NAME = "invoice:42";

/** Moves the clocks on until the call has ended, and gives the time that it took, in ms. */
async function timeOf(call: Promise<unknown>, ...all: readonly [TestRedis, ...TestRedis[]]): Promise<number> {
  const { clock } = all[0].options;
  const start = clock.now();
  let tookMs: number | undefined;
  const note = (): void => {
    tookMs = clock.now() - start;
  };
  call.then(note, note);
  while (tookMs === undefined) for (const redis of all) await redis.advance("10ms");
  return tookMs;
}

it("work that ends while its extension waits for a retry leaves no timer and no request behind (R5)", async () => {
  const redis = createTestRedis();
  const { clock, fetch, ...options } = redis.options;
  const pending = new Set<unknown>();
  const timers = {
    setTimeout(callback: () => void, ms: number) {
      const timer = clock.timers.setTimeout(() => {
        pending.delete(timer);
        callback();
      }, ms);
      pending.add(timer);
      return timer;
    },
    clearTimeout(timer: never) {
      pending.delete(timer);
      clock.timers.clearTimeout(timer);
    },
  };
  let isLimited = false;
  const limited: typeof fetch = async (...request) => {
    if (!isLimited) return fetch(...request);
    isLimited = false;
    return new Response("{}", { status: 429, headers: { "retry-after": "3" } });
  };
  const locks = createLocks({ ...options, fetch: limited, clock: { ...clock, timers } });
  let end = (): void => {};
  const work = new Promise<void>((resolve) => {
    end = resolve;
  });
  const run = locks.lock(NAME).run({ lease: "9s", keepAlive: true }, () => work);
  await redis.advance("1s");
  isLimited = true;
  await redis.advance("3s");
  expect(isLimited).toBe(false);
  end();
  await run;
  expect(pending.size).toBe(0);
  const sent = redis.requests.length;
  await redis.advance("30s");
  expect(redis.requests).toHaveLength(sent);
});

it("a try with replicas ends within requestTimeout and the time for the replicas", async () => {
  const redis = createTestRedis();
  const locks = createLocks({ ...redis.options, requestTimeout: "5s" });
  redis.fault({ kind: "late", on: "acquire", by: "60s" });
  redis.fault({ kind: "late", on: "extend", by: "60s", times: Number.POSITIVE_INFINITY });
  const call = locks.lock(NAME, { replicas: { min: 1, timeout: 200 } }).tryAcquire();
  expect(await timeOf(call, redis)).toBeLessThanOrEqual(5_200);
  await expect(call).rejects.toMatchObject({ code: "not_replicated" });
});

/** Three servers, and a quorum lock on them. */
function quorum(seed = 1, onEvent: (event: LeaseholdEvent) => void = () => {}) {
  const create = () => createTestRedis({ seed });
  const all = [create(), create(), create()] as const;
  const url = (n: number): string => `https://server${n}.invalid`;
  const connections = all.map(({ options }, n) => connect({ ...options, url: url(n), requestTimeout: "1s", onEvent }));
  const faults = (...list: Parameters<TestRedis["fault"]>) => all.map((redis) => redis.fault(...list));
  return { all, lock: quorumLock(connections, NAME), faults };
}

it.each([1, 2, 3, 4])("a try of a quorum that nobody answers ends within requestTimeout: seed %i", async (seed) => {
  const { all, lock, faults } = quorum(seed);
  faults({ kind: "late", by: "60s", times: Number.POSITIVE_INFINITY });
  expect(await timeOf(lock.tryAcquire().catch(String), ...all)).toBeLessThanOrEqual(1_000);
});

it("a quorum's pause between two rounds goes by its clock", async () => {
  let isBetween = false;
  const { all, lock, faults } = quorum(1, (event) => {
    isBetween ||= event.type === "retried" && event.why.includes("no majority");
  });
  faults({ kind: "late", by: "60s", times: Number.POSITIVE_INFINITY });
  const call = lock.tryAcquire().catch(String);
  while (!isBetween) for (const redis of all) await redis.advance("10ms");
  const sent = () => all.reduce((sum, { requests }) => sum + requests.length, 0);
  const before = sent();
  // In real time, the pause is over by now.
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect(sent()).toBe(before);
  await timeOf(call, ...all);
  expect(sent()).toBeGreaterThan(before);
});

it("a release of a quorum whose servers have forgotten it, and then fall silent, ends within requestTimeout", async () => {
  const { all, lock, faults } = quorum();
  const call = lock.acquire({ lease: "1m" });
  await timeOf(call, ...all);
  const lease = await call;
  for (const redis of all) await redis.lose(NAME, "flushed");
  faults({ kind: "late", on: "release", by: "60s" });
  faults({ kind: "late", on: "cancel", by: "60s", times: Number.POSITIVE_INFINITY });
  expect(await timeOf(lease.release(), ...all)).toBeLessThanOrEqual(1_000);
});

it.each(["late", "answer lost"] as const)(
  "a lease that ends while its verification has no answer is not ours: %s",
  async (kind) => {
    const answers: unknown[] = [];
    for (let seed = 1; seed <= 20; seed++) {
      const redis = createTestRedis({ seed });
      const locks = createLocks({ ...redis.options, requestTimeout: "2s" });
      const lease = await locks.lock(NAME).acquire({ lease: 300 });
      redis.fault({ kind, times: Number.POSITIVE_INFINITY });
      const call = lease.verify().catch((error: unknown) => error);
      expect(await timeOf(call, redis)).toBeLessThanOrEqual(310);
      answers.push(await call);
    }
    expect(new Set(answers)).toEqual(new Set([false]));
  },
);

it("a verification without an answer says so at once while the lease lasts", async () => {
  const redis = createTestRedis();
  const locks = createLocks({ ...redis.options, requestTimeout: "2s" });
  const lease = await locks.lock(NAME).acquire({ lease: "30s" });
  redis.fault({ kind: "late", by: "60s", times: Number.POSITIVE_INFINITY });
  const call = lease.verify();
  expect(await timeOf(call, redis)).toBeLessThanOrEqual(2_000);
  await expect(call).rejects.toMatchObject({ code: "outcome_unknown" });
  expect(lease.remaining).toBeGreaterThan(27_000);
});

it("a result that is refused late leaves the mark without it only the rest of the time", async () => {
  const redis = createTestRedis();
  const { fetch, ...options } = redis.options;
  let isOut = false;
  let completions = 0;
  /** The first attempt gets no answer, the second is refused, and later ones get no answer. */
  const failing: typeof fetch = (url, init) => {
    if (!isOut) return fetch(url, init);
    completions++;
    if (completions === 2) return Promise.resolve(Response.json({ error: "ERR refused" }, { status: 400 }));
    return new Promise((_, reject) => init?.signal?.addEventListener("abort", () => reject(init.signal?.reason)));
  };
  const locks = createLocks({ ...options, fetch: failing, requestTimeout: "2s" });
  const begun = locks.once(NAME).begin();
  await timeOf(begun, redis);
  const turn = await begun;
  if (turn.status !== "started") throw new Error(`not started: ${turn.status}`);
  isOut = true;
  const tookMs = await timeOf(turn.complete("result"), redis);
  expect(completions).toBeGreaterThan(2);
  expect(tookMs).toBeLessThanOrEqual(2000);
});
