import { Redis } from "ioredis";
import Redlock from "redlock";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import {
  type Acquirable,
  type Backoff,
  connect,
  constantBackoff,
  createLocks,
  type Lease,
  type LeaseholdEvent,
  LeaseLostError,
  type Locks,
  LockTimeoutError,
  multiLock,
  type PollInfo,
  quorumLock,
} from "../../../src/index.ts";
import { ioredis } from "../../../src/tcp/ioredis.ts";
import { pause, useStack } from "../../support/use-stack.ts";
import {
  evaluate,
  expectExclusion,
  expectSamePatience,
  type Holding,
  holdingBy,
  type Row,
  rowsOf,
  testRows,
  underLoad,
} from "./rows.ts";

interface TheirLock {
  readonly expiration: number;
  extend(ms: number): Promise<TheirLock>;
  release(): Promise<unknown>;
}
interface TheirRedlock {
  readonly settings: Readonly<Record<string, number>>;
  acquire(names: readonly string[], ms: number): Promise<TheirLock>;
  using(
    names: readonly string[],
    ms: number,
    work: (signal: AbortSignal & { error?: Error }) => unknown,
  ): Promise<unknown>;
  on(event: "error", listener: (error: Error) => void): void;
}
const Theirs = Redlock as unknown as new (clients: readonly Redis[], settings?: object) => TheirRedlock;

const stacks = [useStack(), useStack(), useStack()] as const;
let clients: Redis[];
let client: Redis;
let locks: Locks;
const patient = { retryCount: -1, retryDelay: 20, retryJitter: 5 };
const theirs = (settings: object = { retryCount: 0 }): TheirRedlock => new Theirs([client], settings);
const ourLocks = (more: object = {}): Locks => createLocks({ redis: ioredis(client), ...more });

beforeAll(() => {
  clients = stacks.map(({ redis }) => new Redis(redis.url));
  [client] = clients as [Redis];
});
beforeEach(async () => {
  await Promise.all(clients.map((each) => each.flushall()));
  locks = ourLocks();
});
afterAll(() => {
  for (const each of clients) each.disconnect();
});

/** The rows whose code holds "a", alone or among others. */
const HOLDING_A = [
  'redlock.acquire(["a"], 5000)',
  'redlock.acquire(["a", "b"], 5000)',
  'redlock.using(["a"], 5000, work)',
];

/** Holds what a piece of code of the guide acquires or runs. */
function holdingOf(code = ""): Holding {
  const scope = { redlock: theirs(patient), locks: ourLocks() };
  if (code.includes("work")) return holdingBy((work) => evaluate(code, { ...scope, work }));
  return async () => {
    const lease = await evaluate<Promise<{ release(): Promise<unknown> }>>(code, scope);
    return () => lease.release();
  };
}

/** The rows that hold "a" exclude each other, in both columns and in either order. */
async function excludesAll(row: Row): Promise<void> {
  for (const other of HOLDING_A) {
    const { theirs: left, ours: right } = rowsByName.get(other) as Row;
    await expectExclusion(holdingOf(row.theirs[0]), holdingOf(left[0]));
    await expectExclusion(holdingOf(row.ours[0]), holdingOf(right[0]));
  }
}

const caught = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  );

const rowsByName = rowsOf("From redlock 5");

testRows("From redlock 5", {
  async "new Redlock([client])"({ theirs: [left], ours: [right] }) {
    const redlock = evaluate<TheirRedlock>(left, { Redlock, client });
    const held = await redlock.acquire(["x"], 5000);
    await expect(theirs().acquire(["x"], 5000)).rejects.toThrow();
    await held.release();
    const made = evaluate<Locks>(right, { createLocks, ioredis, client });
    const lease = await made.lock("x").acquire();
    expect(await locks.lock("x").tryAcquire()).toBeNull();
    await lease.release();
  },
  async "new Redlock([a, b, c])"({ theirs: [left], ours: [one, several] }) {
    const [a, b, c] = clients;
    const redlock = evaluate<TheirRedlock>(left, { Redlock, a, b, c });
    const servers = clients.map((each) => connect({ redis: ioredis(each) }));
    const [redisA, redisB, redisC] = servers;
    const scope = { quorumLock, multiLock, servers, redisA, redisB, redisC, name: "a" };
    const single = evaluate<Acquirable>(one, scope);
    const pair = evaluate<Acquirable>(several, scope);
    const ofTheirs =
      (names: readonly string[]): Holding =>
      async () => {
        const held = await redlock.acquire(names, 5000);
        return () => held.release();
      };
    const ofOurs =
      (lock: Acquirable): Holding =>
      async () => {
        const lease = await lock.acquire();
        return () => lease.release();
      };
    await expectExclusion(ofTheirs(["a"]), ofTheirs(["a", "b"]));
    await expectExclusion(ofTheirs(["a", "b"]), ofTheirs(["a"]));
    await expectExclusion(ofOurs(single), ofOurs(pair));
    await expectExclusion(ofOurs(pair), ofOurs(single));
  },
  'redlock.acquire(["a"], 5000)': excludesAll,
  async 'redlock.acquire(["a", "b"], 5000)'(row) {
    await excludesAll(row);
    // It excludes what the guide says.
    const lease = await evaluate<Promise<Lease>>(row.ours[0], { locks });
    expect(await evaluate<Acquirable>(row.ours[1], { locks: ourLocks() }).tryAcquire()).toBeNull();
    await lease.release();
  },
  'redlock.using(["a"], 5000, work)': excludesAll,
  async "signal.aborted"() {
    const seen: unknown[] = [];
    await theirs()
      .using(["a"], 700, async (signal) => {
        await client.del("a");
        while (!signal.aborted) await pause(20);
        seen.push(signal.error);
      })
      .catch(() => {});
    const run = locks.lock("a").run({ lease: 2_000, keepAlive: true }, async (lease) => {
      await ourLocks().lock("a").forceRelease();
      while (!lease.signal.aborted) await pause(20);
      seen.push(lease.signal.reason);
      expect(() => lease.throwIfEnded()).toThrow(LeaseLostError);
    });
    await expect(run).rejects.toThrow(LeaseLostError);
    expect(seen).toEqual([expect.any(Error), expect.any(LeaseLostError)]);
  },
  async "lock.extend(5000)"({ theirs: [left], ours: [right] }) {
    const lock = await theirs().acquire(["a"], 20_000);
    const extended = await evaluate<Promise<TheirLock>>(left, { lock });
    expect(extended).not.toBe(lock);
    expect(await client.pttl("a")).toBeLessThanOrEqual(5_000);
    const lease = await locks.lock("a").acquire({ lease: 20_000 });
    await evaluate<Promise<void>>(right, { lease });
    expect(lease.remaining).toBeGreaterThan(10_000);
    expect(await lease.verify()).toBe(true);
  },
  async "lock.release()"({ theirs: [left], ours: [right, yes, no] }) {
    const lock = await theirs().acquire(["a"], 5000);
    await client.del("a");
    await expect(evaluate<Promise<unknown>>(left, { lock })).rejects.toThrow();
    const lease = await locks.lock("a").acquire();
    expect(await evaluate<Promise<boolean>>(right, { lease })).toBe(evaluate(yes, {}));
    expect(await evaluate<Promise<boolean>>(right, { lease })).toBe(evaluate(no, {}));
  },
  async "lock.expiration"({ theirs: [left], ours: [at, left2] }) {
    const before = Date.now();
    const lock = await theirs().acquire(["a"], 50_000);
    const lease = await locks.lock("a").acquire({ lease: 50_000 });
    const after = Date.now();
    for (const expires of [evaluate<number>(left, { lock }), evaluate<number>(at, { lease })]) {
      expect(expires).toBeGreaterThan(before + 49_000);
      expect(expires).toBeLessThanOrEqual(after + 50_000);
    }
    expect(evaluate<number>(left2, { lease })).toBeLessThanOrEqual(50_000);
  },
  async "retryCount: 10"({ theirs: [count], ours: [wait, , , polls] }) {
    const settings = evaluate<object>(`{ ${count} }`, {});
    expect(theirs({}).settings).toMatchObject(settings);
    const quiet = theirs(settings);
    quiet.on("error", () => {});
    const before: Holding = async () => {
      const held = await quiet.acquire(["a"], 5000);
      return () => held.release();
    };
    const heldWith =
      (code = ""): Holding =>
      async () => {
        const lease = await locks.lock("a").acquire(evaluate<object>(`{ ${code} }`, {}));
        return () => lease.release();
      };
    await expectSamePatience(before, heldWith(wait), async () => {
      await client.set("a", "somebody");
      await ourLocks().lock("a").acquire();
    });
    // It limits requests.
    let requests = 0;
    const onEvent = (event: LeaseholdEvent) => event.type === "request" && event.operation === "acquire" && requests++;
    const few = ourLocks({ onEvent })
      .lock("a")
      .acquire({ ...evaluate<object>(`{ ${polls} }`, {}), backoff: () => 1 });
    await expect(few).rejects.toThrow(LockTimeoutError);
    expect(requests).toBe(11);
  },
  async "retryDelay: 200"({ ours: [backoff] }) {
    expect(theirs({}).settings).toMatchObject({ retryDelay: 200, retryJitter: 100 });
    const options = evaluate<{ backoff: Backoff }>(`{ ${backoff} }`, { constantBackoff });
    for (const n of [0, 0.5, 0.999]) {
      const delay = options.backoff({ remainingMs: 30_000, random: () => n } as PollInfo);
      expect(delay).toBeCloseTo(200 * (0.9 + n / 5), 3);
    }
    const paced: Holding = async () => {
      const lease = await locks.lock("a").acquire(options);
      return () => lease.release();
    };
    expect(await underLoad(paced)).toEqual({ served: 5, refused: 0, maxInside: 1 });
  },
  async driftFactor() {
    expect(theirs({}).settings).toMatchObject({ driftFactor: 0.01 });
    const lease = await locks.lock("a").acquire({ lease: 10_000 });
    expect(lease.remaining).toBeLessThanOrEqual(10_000 * 0.99 - 2);
  },
  async automaticExtensionThreshold() {
    expect(theirs({}).settings).toMatchObject({ automaticExtensionThreshold: 500 });
    const extended: number[] = [];
    const heard = ourLocks({ onEvent: ({ type }: LeaseholdEvent) => type === "extended" && extended.push(1) });
    await heard.lock("a").run({ lease: 2_000, keepAlive: true }, () => pause(3_000));
    expect(extended.length).toBeGreaterThanOrEqual(2);
  },
  async 'redlock.on("error", listener)'({ theirs: [left] }) {
    await client.set("a", "somebody");
    await ourLocks().lock("a").acquire();
    const errors: Error[] = [];
    const redlock = theirs();
    evaluate(left, { redlock, listener: (error: Error) => errors.push(error) });
    await expect(redlock.acquire(["a"], 5000)).rejects.toThrow();
    expect(errors[0]?.constructor.name).toBe("ResourceLockedError");
    const types = new Set<string>();
    const onEvent = ({ type }: LeaseholdEvent) => types.add(type);
    await expect(ourLocks({ onEvent }).lock("a").acquire({ maxPolls: 2 })).rejects.toThrow();
    const fetch = () => Promise.reject(new Error("the connection was lost"));
    const nowhere = createLocks({ url: "http://127.0.0.1:2", token: "none", fetch, requestTimeout: 300, onEvent });
    await expect(nowhere.lock("a").tryAcquire()).rejects.toThrow();
    expect([...types]).toEqual(expect.arrayContaining(["polled", "refused", "retried", "unanswered"]));
  },
  async ExecutionError() {
    await client.set("a", "somebody");
    const away = new Redis({ port: 9, host: "127.0.0.1", lazyConnect: true, retryStrategy: () => null });
    away.on("error", () => {});
    const settings = { retryCount: 0 };
    for (const one of [client, away]) {
      const error = await caught(new Theirs([one], settings).acquire(["a"], 5000));
      expect((error as Error).name).toBe("ExecutionError");
    }
    away.disconnect();
    await ourLocks().lock("a").acquire();
    expect(await caught(locks.lock("a").acquire({ wait: 50 }))).toBeInstanceOf(LockTimeoutError);
    const nowhere = { url: "http://127.0.0.1:9", token: "none", requestTimeout: 300 };
    expect(await caught(createLocks(nowhere).lock("a").tryAcquire())).toMatchObject({ code: "unreachable" });
    const three = [9, 10, 11].map((port) => connect({ ...nowhere, url: `http://127.0.0.1:${port}` }));
    expect(await caught(quorumLock(three, "a").tryAcquire())).toMatchObject({ code: "no_quorum" });
  },
  async a({ theirs: [key = ""], ours: [ourKey = ""] }) {
    await theirs().acquire(["a"], 5000);
    await locks.lock("a").acquire();
    expect((await client.keys("*")).sort()).toEqual([key, ourKey].sort());
  },
});

it.each(HOLDING_A)("%s serves the same callers in both columns, one at a time (54.4)", async (code) => {
  const { theirs: left, ours: right } = rowsByName.get(code) as Row;
  const all = { served: 5, refused: 0, maxInside: 1 };
  expect([await underLoad(holdingOf(left[0])), await underLoad(holdingOf(right[0]))]).toEqual([all, all]);
});

it("neither column excludes the other: both have to be held while both run (E9)", async () => {
  for (const code of HOLDING_A) {
    const { theirs: left, ours: right } = rowsByName.get(code) as Row;
    const release = await holdingOf(left[0])();
    await (await holdingOf(right[0])())();
    await release();
  }
});
