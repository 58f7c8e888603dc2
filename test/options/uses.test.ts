/** Which options each call of each kind uses: it accepts those and refuses all others, and so do the types. */
import { expect, it } from "vitest";
import { type CollectOptions, type TurnOptions, turn } from "../../agents/src/index.ts";
import {
  type CloudflareCronOptions,
  type CronRouteOptions,
  cloudflareCron,
  cronRoute,
  type RunCronOptions,
  runCron,
} from "../../src/cron/index.ts";
import { type ElectOptions, elect } from "../../src/elect/index.ts";
import { type DedupeOptions, dedupe } from "../../src/http/index.ts";
import {
  type Acquirable,
  type BeginOptions,
  type Counter,
  type CounterOptions,
  createLocks,
  type Duration,
  type FairLockOptions,
  type KeepAliveLimits,
  type Latch,
  type LatchOptions,
  type Lease,
  type Lock,
  type LockOptions,
  type MultiLock,
  type OnceOptions,
  type OnceRunOptions,
  type QuorumLock,
  type QuorumLockOptions,
  quorumLock,
  type ReadWriteLock,
  type RequestOptions,
  type RunOptions,
  type Semaphore,
  type SemaphoreOptions,
  type SingleFlightOptions,
  singleFlight,
} from "../../src/index.ts";
import { type TakeOverOptions, takeOver } from "../../src/queue/index.ts";

const options = {
  url: "http://127.0.0.1:9",
  token: "token",
  requestTimeout: 50,
  fetch: async () => {
    throw new Error("nobody is there");
  },
};
const locks = createLocks(options);
const work = () => 1;
const payload = btoa(JSON.stringify([3, "lock", ["a"], null, "a".repeat(36), 5, 30_000])).replace(/=+$/, "");
const lease = (): Promise<Lease> => locks.resume(payload);

const TRY = ["lease", "reentryKey", "label", "signal", "waitUntil", "replicas"] as const;
const WAIT = ["wait", "maxPolls", "backoff"] as const;
const RUN = ["keepAlive", "onUnavailable"] as const;
const LOCK = [...TRY, ...WAIT, "reentrant"] as const;
const PERMITS = ["lease", "label", "signal", "waitUntil", "replicas", "permits"] as const;
const SPREAD = ["lease", "reentryKey", "label", "signal", "waitUntil"] as const;
const LIMITS = ["maxHold", "maxExtends"] as const;
const CRON = ["locks", "maxDuration", "lease", "maxHold", "ttl", "waitUntil", "onUnavailable", "onReport"] as const;

/** What each call uses. */
const USES = {
  lock: LOCK,
  "lock().tryAcquire": TRY,
  "lock().acquire": [...TRY, ...WAIT],
  "lock().run": [...TRY, ...WAIT, ...RUN],
  "lease.keepAlive": ["waitUntil"],
  "lease.keepAlive's limits": LIMITS,
  fairLock: [...LOCK, "grace"],
  "fairLock().tryAcquire": TRY,
  "fairLock().acquire": [...TRY, ...WAIT],
  readWriteLock: LOCK,
  "readWriteLock().read.tryAcquire": TRY,
  "readWriteLock().write.acquire": [...TRY, ...WAIT],
  multiLock: LOCK,
  "multiLock().tryAcquire": TRY,
  "multiLock().acquire": [...TRY, ...WAIT],
  quorumLock: [...SPREAD, ...WAIT, "serverTimeout"],
  "quorumLock().tryAcquire": SPREAD,
  "quorumLock().acquire": [...SPREAD, ...WAIT],
  "quorumLock().run": [...SPREAD, ...WAIT, ...RUN],
  semaphore: [...PERMITS, ...WAIT, "ttl", "fair", "grace"],
  "semaphore().tryAcquire": PERMITS,
  "semaphore().acquire": [...PERMITS, ...WAIT],
  "semaphore().run": [...PERMITS, ...WAIT, ...RUN],
  counter: ["permits", "ttl", "signal", "waitUntil", ...WAIT],
  "counter().tryAcquire": ["permits", "signal", "waitUntil"],
  "counter().acquire": ["permits", "signal", "waitUntil", ...WAIT],
  latch: ["ttl"],
  "latch().countDown": ["generation"],
  "latch().wait": ["signal", ...WAIT],
  once: ["lease", "ttl", "maxAttempts", "fingerprint"],
  "once().begin": ["signal", "waitUntil"],
  "once().run": ["signal", "waitUntil", ...WAIT, ...RUN],
  request: [...TRY, ...WAIT, ...LIMITS, "mode", "ifAvailable", "steal"],
  elect: ["lease", "label", "backoff", "signal", "onGained", "onLost"],
  takeOver: ["lease", "ttl", "key", ...LIMITS],
  turn: ["onBusy", "id", "lease", "wait", "label", "ttl", "checkEvery", "maxHold", "signal", "waitUntil"],
  "turn, collect": [
    ...["onBusy", "id", "lease", "wait", "label", "ttl", "checkEvery", "maxHold", "signal", "waitUntil"],
    ...["message", "quiet"],
  ] as const,
  singleFlight: ["ttl", "lease", "wait", "signal", "waitUntil"],
  cronRoute: [...CRON, "name", "slot", "secret", "every", "schedule", "timezone", "clockTolerance"],
  cloudflareCron: [...CRON, "name"],
  runCron: [...CRON, "name", "slot"],
  dedupe: [
    ...["locks", "key", "scope", "lease", "maxHold", "ttl", "fingerprint", "maxAttempts", "replay"],
    ...["onUnavailable", "waitUntil", "onRunning", "onExhausted", "onMismatch"],
  ] as const,
} as const satisfies Record<string, readonly string[]>;
type Call = keyof typeof USES;
type Option = (typeof USES)[Call][number];

/** A valid value of each option. */
const VALUES: Readonly<Record<Option, unknown>> = {
  ...{ lease: "5s", reentryKey: "r", label: "l", signal: new AbortController().signal, waitUntil: work },
  ...{ replicas: { min: 1 }, wait: 1, maxPolls: 1, backoff: () => 1, keepAlive: true, onUnavailable: "refuse" },
  ...{ reentrant: false, grace: "1s", serverTimeout: "10ms", permits: 1, ttl: "1d", fair: true },
  ...{ message: "m", quiet: "1ms" },
  ...{ generation: 1, maxAttempts: 3, fingerprint: false, mode: "exclusive", ifAvailable: true, steal: true },
  ...{ maxHold: "20s", maxExtends: 3, onGained: work, onLost: work, key: "k", locks, maxDuration: 10, onReport: work },
  ...{ name: "n", slot: () => "s", secret: "s".repeat(32), every: "1h", schedule: "0 * * * *", timezone: "UTC" },
  ...{ clockTolerance: "5s", onBusy: "queue", id: "i", checkEvery: "1s" },
  ...{ scope: "s", replay: true, onRunning: work, onExhausted: work, onMismatch: work },
};
const NAMES = Object.keys(VALUES) as Option[];

const stopped = AbortSignal.abort(new Error("stopped"));
/** Each call with options; `fixed` are the ones that it cannot do without. */
const CALLS: Readonly<Record<Call, { fixed?: object; call(given: never): unknown }>> = {
  lock: { call: (given) => locks.lock("a", given) },
  "lock().tryAcquire": { call: (given) => locks.lock("a").tryAcquire(given) },
  "lock().acquire": { fixed: { wait: 1 }, call: (given) => locks.lock("a").acquire(given) },
  "lock().run": { fixed: { wait: 1 }, call: (given) => locks.lock("a").run(given, work) },
  "lease.keepAlive": { call: async (given) => (await lease()).keepAlive(given, work) },
  "lease.keepAlive's limits": { call: async (given) => (await lease()).keepAlive({}, work, given) },
  fairLock: { call: (given) => locks.fairLock("a", given) },
  "fairLock().tryAcquire": { call: (given) => locks.fairLock("a").tryAcquire(given) },
  "fairLock().acquire": { fixed: { wait: 1 }, call: (given) => locks.fairLock("a").acquire(given) },
  readWriteLock: { call: (given) => locks.readWriteLock("a", given) },
  "readWriteLock().read.tryAcquire": { call: (given) => locks.readWriteLock("a").read.tryAcquire(given) },
  "readWriteLock().write.acquire": {
    fixed: { wait: 1 },
    call: (given) => locks.readWriteLock("a").write.acquire(given),
  },
  multiLock: { call: (given) => locks.multiLock(["b", "c"], given) },
  "multiLock().tryAcquire": { call: (given) => locks.multiLock(["b", "c"]).tryAcquire(given) },
  "multiLock().acquire": { fixed: { wait: 1 }, call: (given) => locks.multiLock(["b", "c"]).acquire(given) },
  quorumLock: { call: (given) => quorumLock([locks], "q", given) },
  "quorumLock().tryAcquire": { call: (given) => quorumLock([createLocks(options)], "q").tryAcquire(given) },
  "quorumLock().acquire": {
    fixed: { wait: 1 },
    call: (given) => quorumLock([createLocks(options)], "q").acquire(given),
  },
  "quorumLock().run": { fixed: { wait: 1 }, call: (given) => quorumLock([createLocks(options)], "q").run(given, work) },
  semaphore: { fixed: { fair: true }, call: (given) => locks.semaphore("a", given) },
  "semaphore().tryAcquire": { call: (given) => locks.semaphore("a").tryAcquire(given) },
  "semaphore().acquire": { fixed: { wait: 1 }, call: (given) => locks.semaphore("a").acquire(given) },
  "semaphore().run": { fixed: { wait: 1 }, call: (given) => locks.semaphore("a").run(given, work) },
  counter: { call: (given) => locks.counter("a", given) },
  "counter().tryAcquire": { call: (given) => locks.counter("a").tryAcquire(given) },
  "counter().acquire": { fixed: { wait: 1 }, call: (given) => locks.counter("a").acquire(given) },
  latch: { call: (given) => locks.latch("a", given) },
  "latch().countDown": { call: (given) => locks.latch("a").countDown("p", given) },
  "latch().wait": { fixed: { wait: 1 }, call: (given) => locks.latch("a").wait(given) },
  once: { fixed: { fingerprint: "f" }, call: (given) => locks.once("a", given) },
  "once().begin": { call: (given) => locks.once("a").begin(given) },
  "once().run": { fixed: { wait: 1 }, call: (given) => locks.once("a").run(given, work) },
  request: { fixed: { wait: 1 }, call: (given) => locks.request("a", given, work) },
  elect: { fixed: { onGained: work, signal: stopped }, call: (given) => elect(locks, "a", given) },
  takeOver: { call: (given) => takeOver(locks.lock("a"), payload, given, work) },
  turn: { fixed: { onBusy: "queue", wait: 1 }, call: (given) => turn(locks, "a", given, work) },
  "turn, collect": {
    fixed: { onBusy: "collect", id: "1", wait: 1 },
    call: (given) => turn(locks, "a", given, work),
  },
  singleFlight: { fixed: { ttl: "1d", wait: 1 }, call: (given) => singleFlight(locks, "a", given, work) },
  cronRoute: {
    fixed: { locks, name: "n", secret: "s".repeat(32), every: "1h" },
    call: (given) => cronRoute(given, work),
  },
  cloudflareCron: { fixed: { locks, name: "n" }, call: (given) => cloudflareCron(given, work) },
  runCron: { fixed: { locks, name: "n", slot: "s" }, call: (given) => runCron(given, work) },
  dedupe: { fixed: { locks, key: () => "k" }, call: (given) => dedupe(given, () => new Response()) },
};

async function refusal(call: () => unknown): Promise<string | undefined> {
  try {
    await call();
  } catch (error) {
    return error instanceof TypeError ? error.message : undefined;
  }
  return undefined;
}

it.each(Object.entries(CALLS))(
  "%s accepts the options that it uses, and refuses all others (E19)",
  async (name, one) => {
    const uses: readonly string[] = USES[name as Call];
    const wrong = await Promise.all(
      NAMES.map(async (option) => {
        const message = await refusal(() => one.call({ [option]: VALUES[option], ...one.fixed } as never));
        const isRefused = message?.includes(`: no option "${option}"`) ?? false;
        return isRefused === uses.includes(option) ? [`${option}: ${message ?? "accepted"}`] : [];
      }),
    );
    expect(wrong.flat()).toEqual([]);
  },
);

type KeysOf<Options> = Options extends unknown ? keyof Options : never;
type Same<A, B> = [A, B] extends [B, A] ? true : { readonly missing: Exclude<A, B>; readonly unused: Exclude<B, A> };
type Checked<Name extends Call, Options> = Same<KeysOf<NonNullable<Options>>, (typeof USES)[Name][number]>;
type Try<Kind extends Pick<Acquirable, "tryAcquire">> = Parameters<Kind["tryAcquire"]>[0];
type Acquire<Kind extends { acquire(given: never): unknown }> = Parameters<Kind["acquire"]>[0];

/** The types take the same options: the compiler refuses a line that differs. */
const _types: {
  readonly [Name in Exclude<Call, "quorumLock().run" | "semaphore().run">]: true;
} = {
  lock: true satisfies Checked<"lock", LockOptions>,
  "lock().tryAcquire": true satisfies Checked<"lock().tryAcquire", Try<Lock>>,
  "lock().acquire": true satisfies Checked<"lock().acquire", Acquire<Lock>>,
  "lock().run": true satisfies Checked<"lock().run", RunOptions>,
  "lease.keepAlive": true satisfies Checked<"lease.keepAlive", { waitUntil: unknown }>,
  "lease.keepAlive's limits": true satisfies Checked<"lease.keepAlive's limits", KeepAliveLimits>,
  fairLock: true satisfies Checked<"fairLock", FairLockOptions>,
  "fairLock().tryAcquire": true satisfies Checked<"fairLock().tryAcquire", Try<Lock>>,
  "fairLock().acquire": true satisfies Checked<"fairLock().acquire", Acquire<Lock>>,
  readWriteLock: true satisfies Checked<"readWriteLock", LockOptions>,
  "readWriteLock().read.tryAcquire": true satisfies Checked<
    "readWriteLock().read.tryAcquire",
    Try<ReadWriteLock["read"]>
  >,
  "readWriteLock().write.acquire": true satisfies Checked<
    "readWriteLock().write.acquire",
    Acquire<ReadWriteLock["write"]>
  >,
  multiLock: true satisfies Checked<"multiLock", LockOptions>,
  "multiLock().tryAcquire": true satisfies Checked<"multiLock().tryAcquire", Try<MultiLock>>,
  "multiLock().acquire": true satisfies Checked<"multiLock().acquire", Acquire<MultiLock>>,
  quorumLock: true satisfies Checked<"quorumLock", QuorumLockOptions>,
  "quorumLock().tryAcquire": true satisfies Checked<"quorumLock().tryAcquire", Try<QuorumLock>>,
  "quorumLock().acquire": true satisfies Checked<"quorumLock().acquire", Acquire<QuorumLock>>,
  semaphore: true satisfies Checked<"semaphore", SemaphoreOptions>,
  "semaphore().tryAcquire": true satisfies Checked<"semaphore().tryAcquire", Try<Semaphore>>,
  "semaphore().acquire": true satisfies Checked<"semaphore().acquire", Acquire<Semaphore>>,
  counter: true satisfies Checked<"counter", CounterOptions>,
  "counter().tryAcquire": true satisfies Checked<"counter().tryAcquire", Parameters<Counter["tryAcquire"]>[0]>,
  "counter().acquire": true satisfies Checked<"counter().acquire", Acquire<Counter>>,
  latch: true satisfies Checked<"latch", LatchOptions>,
  "latch().countDown": true satisfies Checked<"latch().countDown", Parameters<Latch["countDown"]>[1]>,
  "latch().wait": true satisfies Checked<"latch().wait", Parameters<Latch["wait"]>[0]>,
  once: true satisfies Checked<"once", OnceOptions>,
  "once().begin": true satisfies Checked<"once().begin", BeginOptions>,
  "once().run": true satisfies Checked<"once().run", OnceRunOptions>,
  request: true satisfies Checked<"request", RequestOptions>,
  elect: true satisfies Checked<"elect", ElectOptions>,
  takeOver: true satisfies Checked<"takeOver", TakeOverOptions>,
  turn: true satisfies Checked<"turn", TurnOptions>,
  "turn, collect": true satisfies Checked<"turn, collect", CollectOptions>,
  singleFlight: true satisfies Checked<"singleFlight", SingleFlightOptions>,
  cronRoute: true satisfies Checked<"cronRoute", CronRouteOptions>,
  cloudflareCron: true satisfies Checked<"cloudflareCron", CloudflareCronOptions>,
  runCron: true satisfies Checked<"runCron", RunCronOptions>,
  dedupe: true satisfies Checked<"dedupe", DedupeOptions>,
};

/** Never run: what must not compile. */
function refusedByTypes(seconds: number): void {
  // @ts-expect-error a semaphore is not reentrant
  void locks.semaphore("a").tryAcquire({ reentryKey: "r" });
  // @ts-expect-error
  void locks.semaphore("a").acquire({ reentryKey: "r" });
  // @ts-expect-error
  void locks.semaphore("a").run({ reentryKey: "r" }, work);
  // @ts-expect-error
  locks.semaphore("a", { reentryKey: "r" });
  // @ts-expect-error a semaphore lends permits for a time
  locks.semaphore("a", { lease: false });
  // @ts-expect-error a number of permits that is not lent has no lease
  locks.counter("a", { lease: "5s" });
  // @ts-expect-error
  void locks.counter("a").acquire({ lease: "5s" });
  // @ts-expect-error several servers have no replicas in common
  quorumLock([locks], "a", { replicas: { min: 1 } });
  // @ts-expect-error
  void quorumLock([locks], "a").acquire({ replicas: { min: 1 } });
  // @ts-expect-error
  void quorumLock([locks], "a").run({ replicas: { min: 1 } }, work);
  // @ts-expect-error what does not wait
  void locks.lock("a").tryAcquire({ wait: "1s" });
  // @ts-expect-error
  void locks.latch("a").wait({ lease: "1s" });
  // @ts-expect-error
  locks.latch("a", { lease: "1s" });
  // @ts-expect-error
  void locks.once("a").begin({ wait: "1s" });
  // @ts-expect-error
  void locks.once("a").run({ lease: "1s" }, work);
  // @ts-expect-error a run that does not wait does not poll
  void locks.once("a").run({ maxPolls: 3 }, work);
  // @ts-expect-error
  void locks.once("a").run({ backoff: () => 1 }, work);
  void locks.once("a").run({ wait: "1s", maxPolls: 3, backoff: () => 1 }, work);
  // @ts-expect-error the locks are made already
  locks.multiLock([locks.lock("a"), locks.fairLock("b")], { reentrant: false });
  locks.multiLock(["a", locks.fairLock("b")], { reentrant: false, reentryKey: "r" });
  // @ts-expect-error a semaphore is not reentrant
  locks.multiLock([locks.semaphore("a")], { reentryKey: "r" });
  // @ts-expect-error
  void locks.multiLock([locks.semaphore("a")]).tryAcquire({ reentryKey: "r" });
  void locks.multiLock([locks.semaphore("a"), locks.lock("b")]).tryAcquire({ reentryKey: "r" });
  // @ts-expect-error
  void locks.once("a").run({ reentryKey: "r" }, work);
  // @ts-expect-error
  locks.once("a", { reentryKey: "r" });
  // @ts-expect-error
  locks.lock("a", { permits: 1 });
  // @ts-expect-error
  locks.lock("a", { owner: "r" });
  // @ts-expect-error
  void locks.request("a", { keepAlive: true }, work);
  // @ts-expect-error
  void elect(locks, "a", { onGained: work, signal: stopped, reentryKey: "r" });
  const taken: Duration[] = ["10ms", "1.5s", "0.25h", "24h", "7d", 5000, `${seconds}s`, `${seconds * 1000}ms`];
  void taken;
  // @ts-expect-error a space between the number and its unit
  void locks.lock("a").acquire({ wait: "1 s" });
  // @ts-expect-error
  void locks.lock("a").acquire({ wait: " 1s" });
  // @ts-expect-error
  void locks.lock("a").acquire({ wait: "1e3s" });
  // @ts-expect-error
  void locks.lock("a").acquire({ wait: ".5s" });
  // @ts-expect-error
  void locks.lock("a").acquire({ wait: "5 minutes" });
  // @ts-expect-error
  void locks.lock("a").acquire({ wait: `${seconds} s` });
}

it("the types refuse what a call refuses, and durations that cannot be read (E19)", async () => {
  expect(refusedByTypes).toBeTypeOf("function");
  expect(Object.keys(_types).length).toBeGreaterThan(30);
  for (const wait of ["1 s", " 1s", "1e3s", ".5s", "5 minutes", "1s "])
    await expect(locks.lock("a").acquire({ wait: wait as never })).rejects.toThrow(
      /^lock\("a"\)\.acquire: wait ".*" is not a duration: /,
    );
  for (const wait of ["10ms", "1.5s", "0.25s"] as const)
    await expect(locks.lock("a").acquire({ wait, maxPolls: 1 })).rejects.not.toBeInstanceOf(TypeError);
});

it("a semaphore that is not fair has no use for a grace (E19)", () => {
  expect(() => locks.semaphore("a", { grace: "1s" })).toThrow(/grace "1s" needs fair: true/);
  expect(() => locks.semaphore("a", { grace: "1s", fair: true })).not.toThrow();
});

it("a multi-lock refuses the options that none of its parts uses (E19)", async () => {
  const made = [locks.lock("a"), locks.semaphore("b", { permits: 2 })];
  const semaphores = [locks.semaphore("a", { permits: 2 }), locks.semaphore("b", { permits: 2 })];
  const reentrant = { reentrant: false } as object;
  const keyed = { reentryKey: "r" } as object;
  expect(() => locks.multiLock(made, reentrant)).toThrow(/^multiLock: reentrant is for parts that are names/);
  expect(() => locks.multiLock(["c", ...made], reentrant)).not.toThrow();
  expect(() => locks.multiLock(semaphores, keyed)).toThrow(/^multiLock: .*reentryKey/);
  await expect(locks.multiLock(semaphores).tryAcquire(keyed)).rejects.toThrow(/reentryKey/);
  expect(() => locks.multiLock(made, keyed)).not.toThrow();
  expect(() => locks.multiLock(["c", ...semaphores], keyed)).not.toThrow();
});

it("a run of a once that does not wait has no use for polls (E19)", async () => {
  for (const option of ["maxPolls", "backoff"]) {
    const given = { [option]: option === "maxPolls" ? 3 : () => 1 } as object;
    await expect(locks.once("a").run(given, work)).rejects.toThrow(`once("a").run: ${option} needs wait`);
    await expect(locks.once("a").run({ wait: 1, ...given }, work)).rejects.not.toBeInstanceOf(TypeError);
  }
});
