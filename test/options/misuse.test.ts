import { Redis as Ioredis } from "ioredis";
import { describe, expect, it } from "vitest";
import { createGateway, serveGateway } from "../../gateway/src/index.ts";
import { cloudflareCron, cronRoute, lastRun, runCron, slotOf } from "../../src/cron/index.ts";
import { guardedUpdate, redisFence, s3Fence } from "../../src/fence/index.ts";
import { dedupe, dedupeKey, github, idempotencyKey, stripe } from "../../src/hono/index.ts";
import {
  type AcquireOptions,
  type ConnectionSettings,
  type CounterOptions,
  connect,
  createLocks,
  type ExponentialBackoffOptions,
  exponentialBackoff,
  type FairLockOptions,
  fairLock,
  type LatchOptions,
  type LockOptions,
  latch,
  lock,
  multiLock,
  type OnceOptions,
  once,
  type QuorumLockOptions,
  query,
  quorumLock,
  readWriteLock,
  request,
  resume,
  type SemaphoreOptions,
  semaphore,
} from "../../src/index.ts";

let sent = 0;
const options = {
  url: "http://127.0.0.1:9",
  token: "token",
  requestTimeout: 50,
  fetch: async () => {
    sent++;
    throw new Error("nothing should be sent");
  },
};
const connection = connect(options);
const locks = createLocks(options);
const work = () => 1;
const any = <T>(value: unknown): T => value as T;
const call = async (run: () => unknown): Promise<unknown> => run();
const refusal = (run: () => unknown): Promise<Error> =>
  call(run).then(
    (value) => {
      throw new Error(`it was taken: ${typeof value}`);
    },
    (error: Error) => error,
  );

type Run = (given: never) => unknown;
const lease = () =>
  locks.resume(`${btoa(JSON.stringify([3, "lock", ["a"], null, "a".repeat(36), 5, 30_000])).replace(/=+$/, "")}`);
const replicas = any<AcquireOptions["replicas"]>({ min: 1, timeOut: 5 });

describe("D: an option that does not exist is refused by its name, with the nearest that does", () => {
  it.each<[where: string, wrong: string, nearest: string, run: Run]>([
    ["connect", "keyPrefix", "prefix", (o: object) => connect({ ...options, ...o })],
    ["connect", "timeout", "requestTimeout", (o: object) => connect({ ...options, ...o })],
    ["createLocks", "retentionMs", "retention", (o: object) => createLocks({ ...options, ...o })],
    ["lock", "ttl", "lease", (o: object) => lock(connection, "a", o)],
    ["lock", "leaseMs", "lease", (o: object) => locks.lock("a", o)],
    ["lock, undefined", "reEntrant", "reentrant", () => locks.lock("a", any({ reEntrant: undefined }))],
    ["fairLock", "graceMs", "grace", (o: object) => locks.fairLock("a", o)],
    ["readWriteLock", "ttl", "lease", (o: object) => locks.readWriteLock("a", o)],
    ["multiLock", "attempts", "maxPolls", (o: object) => locks.multiLock(["a", "b"], o)],
    ["multiLock with a group", "leases", "lease", (o: object) => locks.group("g").multiLock(["a"], o)],
    ["quorumLock", "serverTimeoutMs", "serverTimeout", (o: object) => quorumLock([connection], "a", o)],
    ["semaphore", "limit", "permits", (o: object) => locks.semaphore("a", o)],
    ["semaphore", "reentryKey", "", (o: object) => locks.semaphore("a", o)],
    ["counter", "fair", "", (o: object) => locks.counter("a", o)],
    ["latch", "ttlMs", "ttl", (o: object) => locks.latch("a", o)],
    ["once", "attempts", "maxAttempts", (o: object) => locks.once("a", o)],
    ["tryAcquire", "ttl", "lease", (o: object) => locks.lock("a").tryAcquire(o)],
    ["tryAcquire", "waits", "", (o: object) => locks.lock("a").tryAcquire(o)],
    ["acquire", "timeout", "wait", (o: object) => locks.lock("a").acquire(o)],
    ["acquire of many", "leaseMs", "lease", (o: object) => locks.multiLock(["a", "b"]).acquire(o)],
    ["run", "attempts", "maxPolls", (o: object) => locks.fairLock("a").run(o, work)],
    ["run beside a waitUntil", "ttl", "lease", (o: object) => locks.lock("a").run({ ...o, waitUntil: work }, work)],
    [
      "run beside a waitUntil and another option",
      "zzz",
      "",
      (o: object) => locks.lock("a").run({ ...o, lease: "5s", waitUntil: work }, work),
    ],
    ["a side", "reentrant", "", (o: object) => locks.readWriteLock("a").read.acquire(o)],
    ["permits", "count", "", (o: object) => locks.semaphore("a").acquire(o)],
    ["counter, lease", "lease", "", (o: object) => locks.counter("a", o)],
    ["a counter's call", "lease", "", (o: object) => locks.counter("a").acquire(o)],
    ["replicas", "timeOut", "timeout", () => locks.lock("a").acquire({ replicas })],
    ["replicas of a lock", "timeOut", "timeout", () => locks.lock("a", { replicas })],
    ["begin", "lease", "", (o: object) => locks.once("a").begin(o)],
    ["once().run", "ttl", "", (o: object) => locks.once("a").run(o, work)],
    ["latch.wait", "timeout", "wait", (o: object) => locks.latch("a").wait(o)],
    ["countDown", "gen", "generation", (o: object) => locks.latch("a").countDown("p", o)],
    ["request", "shared", "", (o: object) => locks.request("a", o, work)],
    ["keepAlive", "maxHold", "limits", async (o: object) => (await lease()).keepAlive(o, work)],
    ["keepAlive's limits", "maxExtend", "maxExtends", async (o: object) => (await lease()).keepAlive({}, work, o)],
    ["exponentialBackoff", "min", "", (o: object) => exponentialBackoff(o)],
    ["dedupe", "retries", "maxAttempts", (o: object) => dedupe({ locks, key: () => "a", ...o })],
    ["dedupe's replay", "maxByte", "maxBytes", (o: object) => dedupe({ locks, key: () => "a", replay: o })],
    ["a sender", "secret", "verify", (o: object) => stripe({ verify: () => true, ...o })],
    ["idempotencyKey", "require", "required", (o: object) => idempotencyKey(o)],
    ["dedupeKey", "scopes", "scope", (o: object) => dedupeKey({ sender: "github", id: "1", ...o })],
    ["cronRoute", "timeZone", "timezone", (o: object) => cronRoute(any({ locks, name: "a", every: "1h", ...o }), work)],
    ["cloudflareCron", "maxDurationMs", "maxDuration", (o: object) => cloudflareCron({ locks, name: "a", ...o }, work)],
    ["runCron", "timeout", "maxDuration", (o: object) => runCron({ locks, name: "a", slot: "slot", ...o }, work)],
    ["slotOf", "tz", "schedule", (o: object) => slotOf(any({ every: "1h", ...o }))],
    ["redisFence", "lease", "ttl", (o: object) => redisFence(locks, o)],
    ["s3Fence", "bucket", "url", (o: object) => s3Fence(any({ fetch: work, url: "https://s3.example/b", ...o }))],
    [
      "guardedUpdate",
      "where",
      "key",
      (o: object) => guardedUpdate({ table: "t", key: { id: 1 }, set: { a: 1 }, token: 1, ...o }),
    ],
    ["createGateway", "timeout", "timeoutMs", (o: object) => createGateway({ redis: "redis://h", token: "t", ...o })],
    ["serveGateway", "hostname", "", (o: object) => serveGateway({ redis: "redis://h", token: "t", ...o })],
    [
      "a database of the gateway",
      "tokens",
      "token",
      (o: object) => createGateway({ databases: [{ redis: "redis://h", token: "t", ...o }] }),
    ],
    [
      "the gateway's tls",
      "serverName",
      "servername",
      (tls: object) => createGateway({ redis: "rediss://h", token: "t", tls }),
    ],
  ])("%s: %s → %s", async (_where, wrong, nearest, run) => {
    const error = await refusal(() => run({ [wrong]: undefined } as never));
    expect(error).toBeInstanceOf(TypeError);
    expect(error.message).toContain(`"${wrong}"`);
    expect(error.message).toMatch(new RegExp(`"${nearest || "[a-zA-Z]+"}"\\??$`));
  });

  it.each<[string, unknown]>([
    ["a number", 5000],
    ["a text", "5s"],
    ["null", null],
    ["a function", work],
  ])("options that are %s are refused", async (_what, given) => {
    const wrong = any<never>(given);
    for (const run of [
      () => lock(connection, "a", wrong),
      () => locks.semaphore("a", wrong),
      () => locks.latch("a", wrong),
      () => locks.once("a", wrong),
      () => locks.multiLock(["a", "b"], wrong),
      () => quorumLock([connection], "a", wrong),
      () => locks.lock("a").acquire(wrong),
      () => locks.semaphore("a", { permits: 1 }).tryAcquire(wrong),
      () => locks.once("a").begin(wrong),
      () => locks.latch("a").wait(wrong),
      () => redisFence(locks, wrong),
      () => idempotencyKey(wrong),
      () => slotOf(wrong),
    ]) {
      const error = await refusal(run);
      expect(error).toBeInstanceOf(TypeError);
      expect(error.message).toMatch(/options must be an object|null/);
    }
  });
});

/** As the platforms have it: methods that must be called on their object, and things of its own. */
class ExecutionContext {
  readonly #taken: Promise<unknown>[] = [];
  readonly props = {};
  waitUntil(promise: Promise<unknown>): void {
    this.#taken.push(promise);
  }
  passThroughOnException(): void {}
}
const plain = { waitUntil: work, passThroughOnException: work, props: {}, exports: {}, tracing: {} };
const netlify = { waitUntil: work, geo: {}, ip: "::1", site: {}, params: {}, cookies: {}, account: {}, server: {} };
const vercel = { waitUntil: work, headers: {}, url: "https://x", cache: {}, purge: {}, flags: {} };

describe("D: a platform's context may be passed as it is", () => {
  const away = createLocks({ ...options, requestTimeout: 100 });
  it.concurrent.each<[string, { waitUntil(promise: Promise<unknown>): void }]>([
    ["of Workers", new ExecutionContext()],
    ["of Workers, as tests make it", plain],
    ["of Netlify", netlify],
    ["of Vercel", vercel],
  ])("%s: run, keepAlive, begin and request take it", async (_what, ctx) => {
    const before = sent;
    const once_ = (run: () => Promise<unknown>) => expect(run()).rejects.not.toBeInstanceOf(TypeError);
    await Promise.all([
      once_(() => away.lock("a").run(ctx, work)),
      once_(() => away.once("a").run(ctx, work)),
      once_(() => away.request("a", any<AcquireOptions>({ waitUntil: (p: never) => ctx.waitUntil(p), wait: 1 }), work)),
      once_(async () => (await lease()).keepAlive(ctx, work)),
    ]);
    expect(sent).toBeGreaterThan(before);
  });

  it("but not where the function should be", async () => {
    const ctx = any<() => void>(new ExecutionContext());
    const before = sent;
    for (const run of [
      () => locks.lock("a").run({ waitUntil: ctx }, work),
      () => locks.lock("a", { waitUntil: ctx }),
      () => locks.once("a").begin({ waitUntil: ctx }),
      async () => (await lease()).keepAlive({ waitUntil: ctx }, work),
      () => cronRoute({ locks, name: "a", every: "1h", waitUntil: ctx }, work),
    ]) {
      const message = expect.stringMatching(
        /^[a-zA-Z.("a)]+: waitUntil must be a function, not an object \(ExecutionContext\)$/,
      );
      expect(await refusal(run)).toMatchObject({ name: "TypeError", message });
    }
    expect(sent).toBe(before);
  });
});

describe("D: a lease under a tenth of a second is asked for in so many words", () => {
  it.each<[string, Run]>([
    ["connect", (given: never) => connect({ ...options, lease: given })],
    ["lock", (given: never) => locks.lock("a", { lease: given })],
    ["tryAcquire", (given: never) => locks.lock("a").tryAcquire({ lease: given })],
    ["run", (given: never) => locks.lock("a").run({ lease: given }, work)],
    ["semaphore", (given: never) => locks.semaphore("a", { permits: 1, lease: given })],
    ["once", (given: never) => locks.once("a", { lease: given })],
    ["once's ttl", (given: never) => locks.once("a", { ttl: given })],
    ["a latch's ttl", (given: never) => locks.latch("a", { ttl: given })],
    ["dedupe", (given: never) => dedupe({ locks, key: () => "a", lease: given })],
    ["cloudflareCron", (given: never) => cloudflareCron({ locks, name: "a", lease: given }, work)],
  ])("%s", async (_where, run) => {
    const before = sent;
    for (const bare of [20, 99]) {
      const error = await refusal(() => run(bare as never));
      expect(error).toBeInstanceOf(RangeError);
      expect(error.message).toContain(`"${bare}ms"`);
    }
    expect(sent).toBe(before);
  });
  it("as text it is taken, and passed on", async () => {
    const short = connect({ ...options, lease: "20ms" });
    expect(short.leaseMs).toBe(20);
    expect(() => lock(short, "a")).not.toThrow();
    expect(() => once(short, "a", { lease: "20ms", ttl: "20ms" })).not.toThrow();
    expect(() => dedupe({ locks, key: () => "a", lease: "20ms", ttl: "50ms" })).not.toThrow();
    expect(() => locks.lock("a", { lease: 100, wait: 5 })).not.toThrow();
  });
});

describe("D: each mistake has a message of its own, and nothing is sent", () => {
  const ioredis = new Ioredis({ lazyConnect: true });
  const ticket = "x";
  it.each<[string, RegExp, () => unknown]>([
    ["a name that is a number", /^lock: name must be a string, not a number$/, () => lock(connection, any(42))],
    ["a name that is missing", /^lock: name must be a string, not undefined$/, () => locks.lock(any(undefined))],
    ["a name that is a list", /^lock: name must be a string, not a list$/, () => locks.lock(any(["a", "b"]))],
    ["a key that is an object", /^once: name must be a string, not an object$/, () => locks.once(any({ id: 1 }))],
    [
      "a name in a list",
      /^multiLock: a part must be a name or a lock, not 7$/,
      () => locks.multiLock([any<string>(7), "b"]),
    ],
    [
      "a name instead of a list",
      /^multiLock: parts must be a list of names and locks, not "abc"$/,
      () => locks.multiLock(any<string[]>("abc")),
    ],
    ["a name to be queried", /^query: names must be a list, not "abc"$/, () => locks.query(any("abc"))],
    ["no connection", /a connection is missing/, () => lock(any(undefined), "a")],
    ["a name where the connection should be", /a connection is missing/, () => fairLock(any("a"), any(undefined))],
    ["options where the connection should be", /a connection is missing/, () => once(any(options), "a")],
    [
      "a connection instead of a list",
      /^quorumLock: connections must be a list/,
      () => quorumLock(any(connection), "a"),
    ],
    [
      "swapped arguments of lastRun",
      /^lastRun: the locks come before the name/,
      () => lastRun(any("export"), any(locks)),
    ],
    ["no locks for runCron", /a connection is missing/, () => runCron(any({ name: "a", slot: "s" }), work)],
    [
      "once().run() without a function",
      /^once\("a"\)\.run: work is missing: run\(options, work\)$/,
      () => once(connection, "a").run(any(undefined)),
    ],
    [
      "lock().run() with options alone",
      /^lock\("a"\)\.run: work is missing: run/,
      () => locks.lock("a").run(any<never>({})),
    ],
    [
      "lock().run() with a text for work",
      /^fairLock\("a"\)\.run: work must be a function: run/,
      () => locks.fairLock("a").run({}, any<never>("work")),
    ],
    [
      "lock().run() with swapped arguments",
      /^lock\("a"\)\.run: the options come before work: run\(options, work\)$/,
      () => locks.lock("a").run(any(work), any<never>({})),
    ],
    [
      "once().run() with swapped arguments",
      /^once\("a"\)\.run: the options come before work: run\(options, work\)$/,
      () => locks.once("a").run(any(work), any<never>({})),
    ],
    ["a sender that was not called", /call it/, () => dedupe({ locks, key: stripe as never })],
    ["another", /call it/, () => dedupe({ locks, key: github as never })],
    ["one that needs nothing", /call it/, () => dedupe({ locks, key: idempotencyKey as never, scope: "a" })],
    ["an ioredis client", /must be an @upstash\/redis client/, () => connect({ redis: any(ioredis) })],
    [
      "an onEvent that is none",
      /^connect: onEvent must be a function, not "log"$/,
      () => connect({ ...options, onEvent: any("log") }),
    ],
    [
      "a random that is none",
      /^connect: random must be a function, not 4$/,
      () => connect({ ...options, random: any(4) }),
    ],
    ["a ticket instead of a connection", /a connection is missing/, () => resume(any(ticket), any(connection))],
  ])("%s", async (_what, message, run) => {
    const before = sent;
    const error = await refusal(run);
    expect(error).toBeInstanceOf(TypeError);
    expect(error.message).toMatch(message);
    expect(sent).toBe(before);
  });

  it("what createLocks gave is taken for a connection", async () => {
    const made = [
      lock(locks, "a"),
      fairLock(locks, "a"),
      readWriteLock(locks, "a"),
      semaphore(locks, "a", { permits: 1 }),
      latch(locks, "a"),
      once(locks, "a"),
      multiLock(locks, ["a", "b"]),
      multiLock(locks.group("g"), ["c", "d"]),
      quorumLock(
        [
          locks,
          connect({ ...options, url: "http://127.0.0.2:9" }),
          createLocks({ ...options, url: "http://127.0.0.3:9" }),
        ],
        "e",
      ),
    ];
    expect(made.every((kind) => typeof kind === "object")).toBe(true);
    const outage = createLocks({ ...options, requestTimeout: 50 });
    await expect(query(outage, ["a"])).rejects.not.toBeInstanceOf(TypeError);
    await expect(request(outage, "a", { wait: 1 }, work)).rejects.not.toBeInstanceOf(TypeError);
    expect(() => quorumLock([locks, locks.connection], "a")).toThrow(/another server/);
  });
});

it("D: every option that the types have is taken: the compiler asks for all of them here", async () => {
  const { signal } = new AbortController();
  const tries = {
    lease: "5s",
    reentryKey: "o",
    label: "l",
    signal,
    waitUntil: work,
    replicas: { min: 1, timeout: "1s" },
  } as const;
  const acquire: Required<AcquireOptions> = { ...tries, wait: "1s", maxPolls: 3, backoff: work };
  const lockOptions: Required<LockOptions> = { ...acquire, reentrant: false };
  const fair: Required<FairLockOptions> = { ...lockOptions, grace: "1s" };
  const { reentryKey: _, label: __, replicas: servers, ...plainly } = acquire;
  const permits: Required<SemaphoreOptions> = {
    ...plainly,
    label: "l",
    replicas: servers,
    permits: 1,
    ttl: "1d",
    fair: true,
    grace: "1s",
  };
  const { lease: ____, ...unlent } = plainly;
  const counter: Required<CounterOptions> = { ...unlent, permits: 1, ttl: "1d" };
  const once_: Required<OnceOptions> = { lease: "5s", ttl: "1d", maxAttempts: 3, fingerprint: "f" };
  const latch_: Required<LatchOptions> = { ttl: "1d" };
  const { replicas: ___, ...several } = acquire;
  const quorum: Required<Omit<QuorumLockOptions, "replicas">> = { ...several, serverTimeout: "1s" };
  const settings: Required<ConnectionSettings> = {
    prefix: "p:",
    lease: "5s",
    retention: "1m",
    requestTimeout: "1s",
    maxHeld: 2,
    wake: "poll",
    dialect: "plain",
    holder: "h",
    onEvent: work,
    trace: () => "here",
    around: (_, run) => run(),
    serverId: "eu",
    ticketKey: "key",
    clock: connection.clock,
    random: Math.random,
  };
  const all = createLocks({ ...options, ...settings });
  for (const make of [all.lock, all.readWriteLock, all.fairLock]) make("a", lockOptions);
  all.fairLock("a", fair);
  all.multiLock(["a", "b"], lockOptions);
  all.semaphore("a", permits);
  all.counter("a", counter);
  all.once("a", once_);
  all.latch("a", latch_);
  quorumLock([all], "a", quorum);
  exponentialBackoff({ floor: 1, cap: 5, factor: 2 } satisfies Required<ExponentialBackoffOptions>);
  await expect(all.lock("a").acquire({ ...acquire, maxPolls: 1, wait: 1 })).rejects.not.toBeInstanceOf(TypeError);
  await expect(all.lock("a").tryAcquire(tries)).rejects.not.toBeInstanceOf(TypeError);
});

/** Never run: what must not compile, and what must. */
function types(): void {
  const o = { ttl: "5s" } as const;
  // @ts-expect-error no option of its own has this name
  void locks.lock("a").acquire(o);
  // @ts-expect-error
  void locks.lock("a").tryAcquire(o);
  // @ts-expect-error
  void locks.lock("a").run(o, work);
  // @ts-expect-error
  void locks.semaphore("a").acquire(o);
  // @ts-expect-error
  void locks.multiLock(["a"]).acquire(o);
  // @ts-expect-error
  locks.lock("a", o);
  // @ts-expect-error
  void locks.lock("a").acquire(5000);
  const ctx = new ExecutionContext();
  void locks.lock("a").run(ctx, work);
  void locks.semaphore("a").acquire({ permits: 2, lease: "5s" });
}

it("D: the compiler refuses what it can", () => {
  expect(types).toBeTypeOf("function");
});
