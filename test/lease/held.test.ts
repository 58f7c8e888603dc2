import { describe, expect, it } from "vitest";
import { type ConnectOptions, createLocks, type LeaseholdEvent, type Locks } from "../../src/index.ts";
import { sleep } from "../../src/shared/timers.ts";
import { type ClientOptions, createTestRedis, type TestRedis } from "../../testing/src/index.ts";

type Fetch = ClientOptions["fetch"];

/** A client whose requests and answers can be changed, with the preferences that it sent. */
function client(redis: TestRedis, more: Partial<ConnectOptions> = {}, via: (fetch: Fetch) => Fetch = (own) => own) {
  const options = redis.options;
  const preferences: (string | null)[] = [];
  const events: LeaseholdEvent[] = [];
  const send = via(options.fetch);
  const fetch: Fetch = (url, init) => {
    preferences.push(new Headers(init?.headers).get("prefer"));
    return send(url, init);
  };
  const locks = createLocks({ ...options, fetch, onEvent: (event) => events.push(event), ...more } as ConnectOptions);
  return { locks, preferences, events, clock: options.clock };
}

/** Answers with other headers than the server gave. */
const answering =
  (change: (headers: Headers) => void) =>
  (fetch: Fetch): Fetch =>
  async (url, init) => {
    const response = await fetch(url, init);
    const headers = new Headers(response.headers);
    change(headers);
    return new Response(await response.text(), { status: response.status, headers });
  };

/** A server that knows nothing of the preference. */
const ignoring =
  (fetch: Fetch): Fetch =>
  (url, init) => {
    const headers = new Headers(init?.headers);
    headers.delete("prefer");
    return fetch(url, { ...init, headers });
  };

/** The server with its scripts known, so that one request is one answer. */
async function warm(redis: TestRedis): Promise<void> {
  const locks = createLocks(redis.options);
  const lease = await locks.lock("warm").acquire();
  await lease.extend();
  await lease.release();
  await (await locks.fairLock("warm fair").acquire()).release();
}

const acquires = ({ requests }: TestRedis, name: string): number =>
  requests.filter((each) => each.operation === "acquire" && each.name === name).length;

async function stage(): Promise<TestRedis> {
  const redis = createTestRedis();
  await warm(redis);
  return redis;
}

const freeAgain = async (locks: Locks, name: string): Promise<boolean> =>
  (await locks.lock(name).inspect()).state === "free";

describe("a server that holds requests", () => {
  it("answers a waiter when the lock is released, to its first request", async () => {
    const redis = await stage();
    const theirs = await redis.hold("a", { lease: "20s" });
    const { locks, preferences } = client(redis);
    const waiting = locks.lock("a").acquire({ wait: "10s" });
    await redis.advance(3000);
    await theirs.release();
    await redis.advance(0);
    expect((await waiting).token).toBeGreaterThan(theirs.token);
    expect(acquires(redis, "a")).toBe(1);
    expect(preferences).toEqual(["wait=4; ms=3500"]);
  });

  it("is retried immediately when a held request ends, without a back-off", async () => {
    const redis = await stage();
    await redis.hold("a", { lease: "1m" });
    const { locks, events } = client(redis);
    const waiting = locks.lock("a").acquire({ wait: "30s" });
    const ended = waiting.catch((error: unknown) => error);
    await redis.advance("29s");
    // Held for 1.6 to 4.5 s each.
    expect(acquires(redis, "a")).toBeLessThan(11);
    const delays = events.flatMap((event) => (event.type === "polled" ? event.delayMs : []));
    expect(new Set(delays)).toEqual(new Set([0]));
    await redis.advance("2s");
    expect(await ended).toMatchObject({ code: "lock_timeout" });
  });

  it("is not asked to hold a try that does not wait", async () => {
    const redis = await stage();
    await redis.hold("a", { lease: "20s" });
    const { locks, preferences } = client(redis);
    expect(await locks.lock("a").tryAcquire()).toBeNull();
    await expect(locks.lock("a").acquire({ wait: 0 })).rejects.toMatchObject({ code: "lock_timeout" });
    expect(await locks.once("b").begin()).toMatchObject({ status: "started" });
    expect(preferences.every((each) => each === null)).toBe(true);
  });

  it("does not make a short wait longer", async () => {
    const redis = await stage();
    await redis.hold("a", { lease: "20s" });
    const { locks, preferences, clock } = client(redis);
    const start = clock.now();
    const ended = locks
      .lock("a")
      .acquire({ wait: 300 })
      .catch(() => clock.now() - start);
    await redis.advance(290);
    await redis.advance(60);
    expect(await ended).toBeLessThan(360);
    expect(preferences[0]).toBe("wait=1; ms=300");
  });

  it("answers in the time of an attempt, whatever requestTimeout is", async () => {
    const redis = await stage();
    await redis.hold("a", { lease: "1m" });
    const { locks, events, preferences } = client(redis, { requestTimeout: 400 });
    const ended = locks
      .lock("a")
      .acquire({ wait: "3s" })
      .catch((error: unknown) => error);
    await redis.advance("3500ms");
    expect(await ended).toMatchObject({ code: "lock_timeout" });
    expect(events.filter(({ type }) => type === "retried")).toEqual([]);
    const held = preferences.filter((preference) => preference !== null);
    expect(held.length).toBeGreaterThan(5);
    for (const preference of held) expect(Number(/ms=(\d+)/.exec(preference)?.[1])).toBeLessThan(400);
  });

  it("notices an abort at once, and nothing is left", async () => {
    const redis = await stage();
    const theirs = await redis.hold("a", { lease: "20s" });
    const { locks } = client(redis);
    const abort = new AbortController();
    const ended = locks
      .lock("a")
      .acquire({ wait: "10s", signal: abort.signal })
      .catch((error: unknown) => error);
    await redis.advance(1000);
    abort.abort(new Error("not wanted any more"));
    await redis.advance(0);
    expect(String(await ended)).toContain("not wanted any more");
    await theirs.release();
    await redis.advance("1s");
    expect(await freeAgain(locks, "a")).toBe(true);
  });

  it("counts the wait of a waiter that was held", async () => {
    const redis = await stage();
    const theirs = await redis.hold("a", { lease: "20s" });
    const { locks, events } = client(redis);
    const waiting = locks.lock("a").acquire({ wait: "10s" });
    await redis.advance(2000);
    await theirs.release();
    await redis.advance(0);
    await waiting;
    expect(events.find(({ type }) => type === "ended")).toMatchObject({ waited: true, status: "granted" });
  });

  it("reports how long the lease that blocks still runs when the wait ends", async () => {
    const redis = await stage();
    await redis.hold("a", { lease: "20s" });
    const { locks } = client(redis);
    const ended = locks
      .lock("a")
      .acquire({ wait: "4s" })
      .catch((error: unknown) => error);
    await redis.advance("5s");
    const { remainingMs } = (await ended) as { remainingMs: number };
    expect(remainingMs).toBeGreaterThan(15_500);
    expect(remainingMs).toBeLessThan(16_500);
  });

  it("holds what waits for all kinds", async () => {
    const redis = await stage();
    const { locks } = client(redis);
    const other = createLocks(redis.options);
    const write = await other.readWriteLock("rw").write.acquire();
    const permit = await other.semaphore("s", { permits: 1 }).acquire();
    const inTurn = await other.semaphore("fs", { permits: 1, fair: true }).acquire();
    const fair = await other.fairLock("f").acquire();
    const group = await other.group("g").lock("x").acquire();
    const attempt = await other.once("o").begin();
    const parts = other.latch("l");
    await parts.trySetCount(2);
    const { generation } = await parts.inspect();
    await parts.countDown("one", { generation });
    const before = redis.requests.length;
    const waiting = [
      locks.readWriteLock("rw").read.acquire({ wait: "10s" }),
      locks.semaphore("s", { permits: 1 }).acquire({ wait: "10s" }),
      locks.semaphore("fs", { permits: 1, fair: true }).acquire({ wait: "10s" }),
      locks.fairLock("f").acquire({ wait: "10s" }),
      locks.group("g").multiLock(["x", "y"]).acquire({ wait: "10s" }),
      locks.once("o").run({ wait: "10s" }, () => "never"),
      locks.latch("l").wait({ wait: "10s" }),
    ];
    await redis.advance(2500);
    await parts.countDown("two", { generation });
    for (const lease of [write, permit, inTurn, fair, group]) await lease.release();
    if (attempt.status === "started") await attempt.complete("result");
    await redis.advance(10);
    const ended = await Promise.all(waiting);
    expect(ended.at(-2)).toMatchObject({ status: "done", result: "result" });
    expect(ended.at(-1)).toBe(true);
    // One each, the release of each, and what made scripts known.
    expect(redis.requests.length - before).toBeLessThanOrEqual(7 + 7 + 7);
  });

  it("holds a waiter for one name no longer than its lease of another allows", async () => {
    const redis = await stage();
    const theirs = await redis.hold("b", { lease: "1m" });
    const { locks } = client(redis);
    const waiting = locks.multiLock(["a", "b"]).acquire({ wait: "30s", lease: "3s" });
    await redis.advance(100);
    const { token } = await locks.lock("a").inspect();
    await redis.advance("10s");
    await theirs.release();
    await redis.advance(500);
    const lease = await waiting;
    expect(lease.tokens["a"]).toBe(token);
    expect(await lease.verify()).toBe(true);
  });

  it("holds who waits for a latch, over its generations, until it is lost", async () => {
    const redis = await stage();
    const { locks, events } = client(redis);
    const parts = createLocks(redis.options).latch("l");
    // It is not set yet.
    const early = locks.latch("l").wait({ wait: "10s" });
    await redis.advance(2000);
    await parts.trySetCount(1);
    await parts.countDown();
    await redis.advance(10);
    expect(await early).toBe(true);
    await parts.trySetCount(1);
    const removed = locks
      .latch("l")
      .wait({ wait: "10s" })
      .catch((error: unknown) => error);
    await redis.advance(2000);
    await parts.forceRelease();
    await redis.advance(10);
    expect(await removed).toMatchObject({ code: "state_lost" });
    await parts.trySetCount(1);
    const late = locks.latch("l").wait({ wait: "300ms" });
    await redis.advance(290);
    await redis.advance(60);
    expect(await late).toBe(false);
    const delays = events.flatMap((event) => (event.type === "polled" ? event.delayMs : []));
    // The script was not known to the server at first.
    expect(delays.slice(1).every((delayMs) => delayMs === 0)).toBe(true);
  });
});

it("a waiter that was held leaves the queue when its first answer is an error", async () => {
  const redis = await stage();
  const { locks } = client(redis);
  const semaphore = locks.semaphore("s", { permits: 3, fair: true });
  const setting = semaphore.setPermits(3);
  await redis.advance(0);
  await setting;
  const holder = await createLocks(redis.options).semaphore("s", { permits: 3, fair: true }).acquire();
  const waiting = semaphore.acquire({ permits: 3, wait: "20s" }).catch((error: unknown) => error);
  await redis.advance(1000);
  await semaphore.setPermits(2);
  await redis.advance(10);
  expect(await waiting).toBeInstanceOf(RangeError);
  expect((await semaphore.inspect()).waiters).toBe(0);
  await holder.release();
});

describe("a held request that dies", () => {
  it.each(["lock", "fairLock"] as const)(
    "is a lost answer: the waiter of a %s polls while that request may still run, and is held again after that (R4)",
    async (kind) => {
      const redis = await stage();
      const { clock } = redis.options;
      const { locks, preferences } = client(redis);
      const theirs = await client(redis).locks[kind]("a").acquire({ lease: "2m" });
      redis.fault({ kind: "request lost", on: "acquire", name: "a" });
      const waiting = locks[kind]("a").acquire({ wait: "1m" });
      await redis.advance(4000);
      expect(preferences[0]).not.toBeNull();
      expect(preferences.slice(1).length).toBeGreaterThan(2);
      expect(preferences.slice(1).every((each) => each === null)).toBe(true);
      await redis.advance("16s");
      expect(preferences.at(-1)).not.toBeNull();
      await theirs.release();
      const start = clock.now();
      await redis.advance(2100);
      const lease = await waiting;
      expect(await lease.verify()).toBe(true);
      expect(lease.expiresAt - start).toBeLessThan(30_100);
    },
  );

  it("does not end the holds of a call, however many die", async () => {
    const redis = await stage();
    const theirs = await redis.hold("a", { lease: "5m" });
    const { locks, preferences } = client(redis);
    const waiting = locks.lock("a").acquire({ wait: "4m" });
    for (let minute = 0; minute < 3; minute++) {
      redis.fault({ kind: "request lost", on: "acquire", name: "a" });
      await redis.advance("1m");
      expect(preferences.at(-1)).not.toBeNull();
    }
    await theirs.release();
    await redis.advance(100);
    expect(await (await waiting).release()).toBe(true);
  });

  it("is asked for once more, for a shorter time, where the way was too slow for its answer", async () => {
    const redis = await stage();
    const theirs = await redis.hold("a", { lease: "1m" });
    const { clock } = redis.options;
    const pause = (ms: number): Promise<void> => new Promise((resolve) => clock.timers.setTimeout(resolve, ms));
    const slowly =
      (fetch: Fetch): Fetch =>
      async (url, init) => {
        await pause(250);
        const response = await fetch(url, init);
        await pause(250);
        return response;
      };
    const { locks, preferences, events } = client(redis, { requestTimeout: "2s" }, slowly);
    const start = clock.now();
    const granted = locks
      .lock("a")
      .acquire({ wait: "30s" })
      .then(() => clock.now() - start);
    await redis.advance("10s");
    await theirs.release();
    await redis.advance("1s");
    // The way back.
    expect(await granted).toBeLessThan(10_300);
    expect(preferences.slice(0, 2)).toEqual(["wait=2; ms=1600", "wait=2; ms=1200"]);
    expect(events.filter(({ type }) => type === "retried").length).toBe(1);
  });

  it("leaves nothing when its grant was lost and the wait ends (R4)", async () => {
    const redis = await stage();
    const theirs = await redis.hold("a", { lease: "20s" });
    const { locks } = client(redis);
    redis.fault({ kind: "answer lost", on: "acquire", name: "a", times: Number.POSITIVE_INFINITY });
    const ended = locks
      .lock("a")
      .acquire({ wait: "3s" })
      .catch((error: unknown) => error);
    await redis.advance(1000);
    await theirs.release();
    await redis.advance("10s");
    expect(await ended).toMatchObject({ code: "lock_timeout" });
    expect(redis.held()).toEqual([]);
  });

  it("arrives twice, and is one waiter (R3a)", async () => {
    const redis = await stage();
    const theirs = await redis.hold("a", { lease: "20s" });
    const { locks } = client(redis);
    redis.fault({ kind: "twice", on: "acquire", name: "a" });
    const waiting = locks.lock("a").acquire({ wait: "10s" });
    await redis.advance(1000);
    await theirs.release();
    await redis.advance(10);
    const lease = await waiting;
    expect(redis.held().length).toBe(1);
    await lease.release();
    await redis.advance("2s");
    expect(redis.held()).toEqual([]);
  });
});

describe("a server that holds nothing", () => {
  it("is polled as ever", async () => {
    const counts: number[] = [];
    for (const via of [ignoring, answering((headers) => headers.delete("preference-applied"))]) {
      const redis = await stage();
      const theirs = await redis.hold("a", { lease: "20s" });
      const { locks } = client(redis, {}, via);
      const waiting = locks.lock("a").acquire({ wait: "10s" });
      await redis.advance(2000);
      await theirs.release();
      await redis.advance(2100);
      await (await waiting).release();
      counts.push(acquires(redis, "a"));
    }
    expect(counts[0]).toBeGreaterThan(3);
  });

  it("but claims to is not polled without a pause", async () => {
    const redis = await stage();
    await redis.hold("a", { lease: "20s" });
    const claim = answering((headers) => headers.set("preference-applied", "wait"));
    const { locks } = client(redis, {}, (fetch) => claim(ignoring(fetch)));
    const ended = locks
      .lock("a")
      .acquire({ wait: "2s" })
      .catch((error: unknown) => error);
    await redis.advance("4s");
    expect(await ended).toMatchObject({ code: "lock_timeout" });
    expect(acquires(redis, "a")).toBeLessThan(60);
  });

  it("and takes long to answer is polled after a back-off", async () => {
    const redis = await stage();
    await redis.hold("a", { lease: "1m" });
    const { clock, ...options } = redis.options;
    const send = ignoring(options.fetch);
    const fetch: Fetch = async (url, init) => {
      await sleep(50, undefined, clock);
      return send(url, init);
    };
    const ended = createLocks({ ...options, clock, fetch })
      .lock("a")
      .acquire({ wait: "10s", backoff: () => 1000 })
      .catch((error: unknown) => error);
    await redis.advance("12s");
    expect(await ended).toMatchObject({ code: "lock_timeout" });
    expect(acquires(redis, "a")).toBeLessThan(13);
  });
});

describe("the lease of a waiter that was held", () => {
  /** Waits for so long on the server, and gives the lease. */
  async function held(redis: TestRedis, { locks }: ReturnType<typeof client>, waitMs: number) {
    const theirs = await redis.hold("a", { lease: "20s" });
    const waiting = locks.lock("a").acquire({ wait: "10s", lease: "10s" });
    await redis.advance(waitMs);
    await theirs.release();
    await redis.advance(0);
    return waiting;
  }

  it("counts from the run that granted it, and not from when it was asked for (R6)", async () => {
    const redis = await stage();
    const lease = await held(redis, client(redis), 3000);
    expect(lease.remaining).toBeGreaterThan(9800);
    expect(lease.remaining).toBeLessThanOrEqual(10_000);
  });

  it("counts from when it was asked for where the server does not say how long it held it (R6)", async () => {
    const redis = await stage();
    const silent = answering((headers) => headers.delete("server-timing"));
    const lease = await held(redis, client(redis, {}, silent), 3000);
    expect(lease.remaining).toBeGreaterThan(6800);
    expect(lease.remaining).toBeLessThan(7000);
  });

  it("never counts from later than the answer, whatever the server says (R6)", async () => {
    const redis = await stage();
    const boasting = answering((headers) => headers.set("server-timing", "hold;dur=999999"));
    const lease = await held(redis, client(redis, {}, boasting), 3000);
    expect(lease.remaining).toBeLessThanOrEqual(10_000);
    await redis.advance("10s");
    expect(lease.remaining).toBe(0);
    expect(() => lease.throwIfEnded()).toThrow();
  });

  it("is over in time for a client that froze while it was held (R6)", async () => {
    const redis = await stage();
    const theirs = await redis.hold("a", { lease: "20s" });
    const frozen = client(redis);
    const waiting = frozen.locks.lock("a").acquire({ wait: "20s", lease: "10s" });
    const ended = waiting.catch((error: unknown) => error);
    await redis.advance(2000);
    redis.freeze(frozen.locks, "7s");
    await redis.advance(1000);
    await theirs.release();
    await redis.advance("6500ms");
    const lease = await ended;
    // Granted 3 s after it was asked for, and heard of at 9 s: 4 s are left at 9.5 s, at most.
    const left = redis.held().find(({ name }) => name === "a");
    expect(left).toBeDefined();
    if (typeof lease === "object" && lease && "remaining" in lease) expect(lease.remaining).toBeLessThanOrEqual(3600);
    else expect(lease).toMatchObject({ code: expect.any(String) });
  });
});

describe("the server's clock, learnt from held requests", () => {
  it("is not taken to be slow because an answer was held back (R3c)", async () => {
    const redis = await stage();
    await redis.hold("a", { lease: "1m" });
    const { locks, events } = client(redis);
    const ended = locks
      .lock("a")
      .acquire({ wait: "20s" })
      .catch((error: unknown) => error);
    await redis.advance("22s");
    expect(await ended).toMatchObject({ code: "lock_timeout" });
    const statuses = events.flatMap((event) => (event.type === "request" ? event.status : []));
    expect(statuses).not.toContain("late");
    // Each was held for its whole time: one that is taken for late sooner would end sooner.
    expect(acquires(redis, "a")).toBeLessThanOrEqual(8);
  });

  it("is learnt anew when it was set back", async () => {
    const redis = await stage();
    await redis.hold("a", { lease: "1m" });
    const { locks } = client(redis);
    const ended = locks
      .lock("a")
      .acquire({ wait: "12s" })
      .catch((error: unknown) => error);
    await redis.advance("3s");
    redis.stepClock("-10s");
    await redis.advance("6s");
    const { state } = (locks as unknown as { connection: { state: { offsets: Map<string, number> } } }).connection;
    const [offset = 0] = [...state.offsets].filter(([key]) => key.includes("{a}")).map(([, ms]) => ms);
    expect(offset).toBeLessThan(-9000);
    await redis.advance("6s");
    await ended;
  });
});
