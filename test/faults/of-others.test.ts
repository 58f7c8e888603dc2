/**
 * Faults that users of other locks reported, and what happens here instead, in virtual time: docs/faults-of-others.md
 * has a row for each title.
 */
import { expect, it } from "vitest";
import { redisFence } from "../../src/fence/index.ts";
import { createLocks, type LeaseholdEvent, type Locks } from "../../src/index.ts";
import { createTestRedis, type TestRedis } from "../../testing/src/index.ts";

const NAME = "invoice:42";

interface Scene {
  readonly redis: TestRedis;
  /** Two instances. */
  readonly ours: Locks;
  readonly theirs: Locks;
  /** Events of ours. */
  readonly events: LeaseholdEvent[];
  /** How many requests were sent for this. */
  count(operation: string): number;
}

function scene(settings: object = {}): Scene {
  const redis = createTestRedis();
  const events: LeaseholdEvent[] = [];
  const onEvent = (event: LeaseholdEvent): unknown => events.push(event);
  return {
    redis,
    ours: createLocks({ ...redis.options, onEvent, ...settings }),
    theirs: createLocks({ ...redis.options, ...settings }),
    events,
    count: (wanted) => redis.requests.filter(({ operation }) => operation === wanted).length,
  };
}

/** Work that goes on until it is told to end. */
function gate() {
  let open = (): void => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

/** The number of keys, as the server answers it. */
async function keysOf({ options: { url, token, fetch } }: TestRedis): Promise<unknown> {
  const headers = { authorization: `Bearer ${token}` };
  return (await fetch(url, { method: "POST", headers, body: '["DBSIZE"]' })).json();
}

const failure = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => "no error",
    (error) => error,
  );

it("node-redlock 168: the release of a lease that ran out says so, and does not throw", async () => {
  const { redis, ours, count } = scene();
  const lease = await ours.lock(NAME).acquire({ lease: "10s" });
  await redis.advance("11s");
  expect(await lease.release()).toBe(false);
  expect(count("release")).toBeLessThanOrEqual(1);
});

it("node-redlock 283: work that outlives its lease keeps it, or only its own call reports the loss", async () => {
  const { redis, ours, theirs } = scene();
  const { opened, open } = gate();
  const kept = ours.lock(NAME).run({ lease: "10s", keepAlive: true }, () => opened);
  await redis.advance("5m");
  expect(await theirs.lock(NAME).tryAcquire()).toBeNull();
  open();
  await kept;

  const lost = ours.lock(NAME).run({ lease: "10s" }, async (lease) => {
    await redis.advance("11s");
    lease.signal.throwIfAborted();
  });
  expect(await failure(lost)).toMatchObject({ code: "lease_lost", reason: "expired" });
});

it("node-redlock 299: after a wait longer than the lease, the whole lease is left", async () => {
  const { redis, ours } = scene();
  await redis.hold(NAME, { lease: "30s" });
  const waiting = ours.lock(NAME).acquire({ lease: "10s", wait: "1m" });
  await redis.advance("31s");
  const lease = await waiting;
  expect(lease.remaining).toBeGreaterThan(8000);
  expect(await lease.verify()).toBe(true);
});

it("node-redlock 309: work that stops when its lease is over ends at once, without tries to release", async () => {
  const { redis, ours, count } = scene();
  const work = ours.lock(NAME).run({ lease: "10s" }, async (lease) => {
    await redis.advance("10s");
    lease.signal.throwIfAborted();
  });
  // The clock stands still from here on, so that nothing that waits would end.
  expect(await failure(work)).toMatchObject({ code: "lease_lost" });
  expect(count("release")).toBeLessThanOrEqual(1);
});

it("node-redlock 369: an attempt whose answer was lost is not in the way of the next one", async () => {
  const { redis, ours, theirs, count } = scene();
  redis.fault({ on: "acquire", kind: "answer lost" });
  const asking = ours.lock(NAME).tryAcquire();
  await redis.advance("2s");
  const lease = await asking;
  expect(count("acquire")).toBe(2);
  expect(await lease?.release()).toBe(true);
  expect(await theirs.lock(NAME).tryAcquire()).not.toBeNull();
});

it("node-redlock 369: the work's own error is not hidden by a release that fails", async () => {
  const { redis, ours } = scene();
  redis.fault({ on: "release", kind: "away", times: Number.POSITIVE_INFINITY });
  const work = failure(
    ours.lock(NAME).run(() => {
      throw new Error("out of stock");
    }),
  );
  await redis.advance("1m");
  expect(await work).toMatchObject({ message: "out of stock" });
});

it("node-redlock 103: a lease that was extended is the same object, and is extended again", async () => {
  const { redis, ours } = scene();
  const lease = await ours.lock(NAME).acquire({ lease: "10s" });
  for (let round = 0; round < 5; round++) {
    await redis.advance("8s");
    await lease.extend();
  }
  expect(await lease.release()).toBe(true);
});

it("node-redlock 43: held by somebody else and no answer are two errors", async () => {
  const { redis, ours } = scene();
  await redis.hold(NAME, { lease: "1h" });
  const held = failure(ours.lock(NAME).acquire({ wait: "5s" }));
  await redis.advance("10s");
  expect(await held).toMatchObject({ code: "lock_timeout" });
  redis.fault({ kind: "away", times: Number.POSITIVE_INFINITY });
  const away = failure(ours.lock(NAME).acquire({ wait: "5s" }));
  await redis.advance("20s");
  expect(await away).toMatchObject({ code: "unreachable" });
});

it("redis-semaphore 175: a lease that was somebody else's meanwhile does not come back", async () => {
  const { redis, ours, theirs, events } = scene();
  const lease = await ours.lock(NAME).acquire({ lease: "10s" });
  redis.freeze(ours, "20s");
  await redis.advance("11s");
  await theirs.lock(NAME).run(() => {});
  await redis.advance("10s");
  expect(await failure(lease.extend())).toMatchObject({ code: "lease_lost" });
  expect(lease.signal.aborted).toBe(true);
  expect(events).toContainEqual(expect.objectContaining({ type: "lost" }));
  expect(redis.held()).toEqual([]);
});

it("redis-semaphore 205: a release beside an extension on its way is neither a loss nor a crash", async () => {
  const { redis, ours, events, count } = scene();
  const { opened, open } = gate();
  redis.fault({ on: "extend", kind: "late", by: "2s" });
  const work = ours.lock(NAME).run({ lease: "30s", keepAlive: true }, () => opened);
  while (count("extend") === 0) await redis.advance("1s");
  open();
  await redis.advance("10s");
  expect(await failure(work)).toBe("no error");
  expect(events.filter(({ type }) => type === "lost")).toEqual([]);
  expect(redis.held()).toEqual([]);
});

it("Redisson 2714: an acquisition that was interrupted leaves nothing held, and nothing extends it", async () => {
  const { redis, ours, count } = scene();
  const caller = new AbortController();
  redis.fault({ on: "acquire", kind: "late", by: "2s" });
  const work = failure(
    ours.lock(NAME).run({ keepAlive: true, signal: caller.signal }, () => expect.unreachable("nobody may work")),
  );
  await redis.advance("1s");
  caller.abort(new Error("interrupted"));
  await redis.advance("10s");
  expect(await work).toMatchObject({ message: "interrupted" });
  expect(redis.held()).toEqual([]);
  expect(count("extend")).toBe(0);
});

it("Redisson 7272: nothing is sent for a lease that was released", async () => {
  const { redis, ours } = scene();
  for (let round = 0; round < 5; round++) await ours.lock(NAME).run({ lease: "10s", keepAlive: true }, () => {});
  const { length } = redis.requests;
  await redis.advance("10m");
  expect(redis.requests).toHaveLength(length);
  expect(redis.held()).toEqual([]);
});

it("Redisson 1966: a lock that was granted while nobody heard of it is not extended for ever", async () => {
  const { redis, ours, count } = scene();
  redis.fault({ kind: "late", by: "6s", times: Number.POSITIVE_INFINITY });
  const work = failure(ours.lock(NAME).run({ keepAlive: true, wait: 0 }, () => expect.unreachable("nobody may work")));
  await redis.advance("31s");
  expect(await work).toMatchObject({ code: "outcome_unknown" });
  await redis.advance("30s");
  expect(redis.held()).toEqual([]);
  expect(count("extend")).toBe(0);
});

it("Redisson 7367: a request that is sent again is one hold, and one release ends it", async () => {
  const { redis, ours } = scene();
  redis.fault({ on: "acquire", kind: "twice" });
  redis.fault({ on: "acquire", kind: "answer lost" });
  const first = await ours.lock(NAME).acquire({ reentryKey: "worker 7" });
  expect(first.holds).toBe(1);
  const again = ours.lock(NAME).acquire({ reentryKey: "worker 7" });
  await redis.advance("2s");
  expect((await again).holds).toBe(2);
  await (await again).release();
  expect(await first.release()).toBe(true);
  expect(redis.held()).toEqual([]);
});

it("Redisson 5044: the resource compares the token, and remembers the highest by itself", async () => {
  const { redis, ours, theirs } = scene();
  const first = await ours.lock(NAME).acquire({ lease: "10s" });
  await redis.advance("11s");
  const second = await theirs.lock(NAME).acquire();
  await redisFence(theirs).claim(second);
  expect(await failure(redisFence(ours).write(first, "late"))).toMatchObject({ name: "StaleTokenError" });
  await redisFence(theirs).write(second, "in time");
  expect(await redisFence(ours).read(NAME)).toEqual({ token: second.token, value: "in time" });
});

it("Redisson 6510: no key of a lock stays, and yet the next token is larger", async () => {
  const { redis, ours } = scene();
  const tokens = new Set<number>();
  for (let round = 0; round < 50; round++) {
    const lease = await ours.lock(`${NAME}/${round}`).acquire({ lease: "10s" });
    tokens.add(lease.token);
    if (round % 2) await lease.release();
  }
  expect(await keysOf(redis)).toEqual({ result: 50 });
  await redis.advance("10m");
  expect(await keysOf(redis)).toEqual({ result: 0 });
  expect((await ours.lock(`${NAME}/0`).acquire()).token).toBeGreaterThan(Math.max(...tokens));
});

it("etcd 11456: a grant that arrives after the lease's end is not handed out", async () => {
  const { redis, ours } = scene({ requestTimeout: "1m" });
  redis.fault({ on: "acquire", kind: "late", by: "1s" });
  const asking = ours.lock(NAME).acquire({ lease: "5s", wait: "1m" });
  const granted = asking.then(({ token, remaining }) => ({ token, remaining }));
  await redis.advance("900ms");
  // The lock is granted, and its answer finds us frozen until long after the lease.
  redis.freeze(ours, "20s");
  await redis.advance("15s");
  const theirs = await redis.hold(NAME, { lease: "10s" });
  await redis.advance("30s");
  const { token, remaining } = await granted;
  expect(token).toBeGreaterThan(theirs.token);
  expect(remaining).toBeGreaterThan(4000);
});

it("vercel/chat 685: a handler that outlives its lease is notified, and its write is refused", async () => {
  const { redis, ours, theirs, events } = scene();
  const turn = ours.lock("thread").run({ lease: "30s" }, async (lease) => {
    await redisFence(ours).claim(lease);
    await redis.advance("31s");
    // The next message does not wait any more.
    await redisFence(theirs).claim(await theirs.lock("thread").acquire());
    expect(lease.signal.aborted).toBe(true);
    await redisFence(ours).write(lease, "the answer to the first message");
  });
  expect(await failure(turn)).toMatchObject({ name: "StaleTokenError" });
  expect(events.map(({ type }) => type)).toContain("lost");
});

it("vercel/chat 928: a waiter that joins before, at or after a release is not left behind", async () => {
  for (const by of ["100ms", "200ms", "300ms"] as const) {
    const { redis, ours, theirs } = scene();
    const held = await theirs.fairLock("thread").acquire();
    redis.fault({ on: "acquire", kind: "late", by });
    const waiting = ours.fairLock("thread").acquire({ wait: "1m" });
    await redis.advance("200ms");
    await held.release();
    await redis.advance("5s");
    expect(await (await waiting).release()).toBe(true);
  }
});

it("@upstash/lock 0.2.1: an extension counts in ms and from now, however little is left", async () => {
  const { redis, ours } = scene();
  const lease = await ours.lock(NAME).acquire({ lease: "400ms" });
  await lease.extend("1500ms");
  await redis.advance("1400ms");
  expect(await lease.verify()).toBe(true);
  await redis.advance("200ms");
  expect(await lease.verify()).toBe(false);
});

it("actor-ts 984: a run that died is taken over after its lease, not after the time that results are kept", async () => {
  const { redis, ours, theirs } = scene();
  const settings = { lease: "20s", ttl: "24h" } as const;
  expect(await ours.once(NAME, settings).begin()).toMatchObject({ status: "started", attempt: 1 });
  redis.freeze(ours, "24h");
  expect(await theirs.once(NAME, settings).begin()).toMatchObject({ status: "running" });
  await redis.advance("21s");
  expect(await theirs.once(NAME, settings).begin()).toMatchObject({ status: "started", attempt: 2 });
});

it("powertools-lambda-typescript 5678: while an attempt runs, no other one begins, whatever was set", async () => {
  const { redis, ours, theirs } = scene();
  const { opened, open } = gate();
  // No option, and nothing that tells how long the invocation may still take.
  const first = ours.once(NAME).run({ keepAlive: true }, async () => {
    await opened;
    return "the first";
  });
  await redis.advance("1s");
  for (const each of [ours, theirs])
    expect(await each.once(NAME).run(() => "another")).toMatchObject({ status: "running" });
  await redis.advance("5m");
  expect(await theirs.once(NAME).begin()).toMatchObject({ status: "running" });
  open();
  expect(await first).toMatchObject({ status: "done", fresh: true });
  expect(await theirs.once(NAME).run(() => "another")).toMatchObject({ fresh: false, result: "the first" });
});

it("powertools-lambda-typescript 5705: a finished run keeps what its key stands for", async () => {
  const { ours, theirs } = scene();
  await ours.once(NAME, { fingerprint: "1.00 EUR" }).run(() => "paid");
  const again = theirs.once(NAME, { fingerprint: "1.00 EUR" });
  expect(await again.run(() => "paid twice")).toMatchObject({ status: "done", fresh: false, result: "paid" });
  const other = theirs.once(NAME, { fingerprint: "2.00 EUR" });
  expect(await other.run(() => "paid twice")).toMatchObject({ status: "mismatch" });
});

it("civitai 2905: two triggers at once are one run, and a fast run does not release a slow one's lock", async () => {
  const { redis, ours, theirs } = scene();
  redis.fault({ on: "acquire", kind: "late", by: "100ms", times: 2 });
  const both = Promise.all([ours.lock(NAME).tryAcquire(), theirs.lock(NAME).tryAcquire()]);
  await redis.advance("1s");
  expect((await both).filter((lease) => lease !== null)).toHaveLength(1);

  await redis.advance("1m");
  const fast = await ours.lock(NAME).acquire({ lease: "5s" });
  await redis.advance("6s");
  const slow = await theirs.lock(NAME).acquire({ lease: "30s" });
  expect(await fast.release()).toBe(false);
  expect(await slow.verify()).toBe(true);
});

it("durable-locks: a token is larger than those before it, however long the name was idle", async () => {
  const { redis, ours, theirs } = scene();
  const old = await ours.lock(NAME).acquire({ lease: "1m" });
  await redis.advance("2m");
  await redis.advance("2d");
  // Nothing is left of the name.
  expect(await keysOf(redis)).toEqual({ result: 0 });
  const lease = await theirs.lock(NAME).acquire({ lease: "1m" });
  expect(lease.token).toBeGreaterThan(old.token);
  expect(await old.release()).toBe(false);
  expect(await lease.verify()).toBe(true);
});
