/**
 * Every option of every public function, and values of every wrong type: each is refused at the call, by its name, and
 * before anything is sent. What a function accepts is read from its own refusal of an unknown option, so that no option
 * is forgotten here.
 */
import "reflect-metadata";
import { Cron } from "@nestjs/schedule";
import { expect, it } from "vitest";
import { chatState } from "../../agents/src/chat/index.ts";
import { turn } from "../../agents/src/index.ts";
import { idempotentTool } from "../../agents/src/mcp/index.ts";
import { createGateway } from "../../gateway/src/index.ts";
import { LeaseholdModule, RunCron, RunOnce, WithLock } from "../../nest/src/index.ts";
import { createRuntime } from "../../nest/src/runtime.ts";
import { cloudflareCron, cronExpression, cronRoute, runCron, slotOf, vercelSchedule } from "../../src/cron/index.ts";
import { elect } from "../../src/elect/index.ts";
import { forgetTokens, guardedUpdate, guardedUpsert, redisFence, s3Fence } from "../../src/fence/index.ts";
import { dedupe as dedupeOfHono } from "../../src/hono/index.ts";
import { dedupe, dedupeKey, github, idempotencyKey } from "../../src/http/index.ts";
import {
  connect,
  createLocks,
  exponentialBackoff,
  fromEnv,
  group,
  multiLock,
  quorumLock,
  singleFlight,
} from "../../src/index.ts";
import { inspect, list } from "../../src/list/index.ts";
import { otel } from "../../src/otel/index.ts";
import { takeOver } from "../../src/queue/index.ts";

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
const locks = createLocks(options);
const work = (): number => 1;
const payload = btoa(JSON.stringify([3, "lock", ["a"], null, "a".repeat(36), 5, 30_000])).replace(/=+$/, "");
const lease = () => locks.resume(payload);
const stopped = AbortSignal.abort(new Error("stopped"));

class Thing {
  readonly own = 1;
  method(): void {}
}
/** Values as they come from a mistake: a forgotten await, a string of the environment, an object of another kind. */
const VALUES = {
  true: true,
  false: false,
  "0": 0,
  "-0": -0,
  "1": 1,
  "-1": -1,
  "0.5": 0.5,
  NaN: Number.NaN,
  Infinity: Number.POSITIVE_INFINITY,
  "-Infinity": Number.NEGATIVE_INFINITY,
  "2n": 2n,
  '""': "",
  '"0"': "0",
  '"1"': "1",
  '"true"': "true",
  '"some text"': "some text",
  "[]": [],
  '["a"]': ["a"],
  "{}": {},
  "{ own: 1 }": { own: 1 },
  "a Date": new Date(),
  "a Promise": Promise.resolve(1),
  "a Map": new Map(),
  "a RegExp": /a/,
  "an Error": new Error("x"),
  "a Proxy of a function": new Proxy(work, {}),
  "an instance": new Thing(),
  "a class": Thing,
  "a function": work,
  "a symbol": Symbol("x"),
} as const;
type Value = keyof typeof VALUES;

const FLAG: readonly Value[] = ["true", "false"];
const TEXT: readonly Value[] = ['"0"', '"1"', '"true"', '"some text"'];
const EMPTY: readonly Value[] = ['""'];
const FUNCTION: readonly Value[] = ["a function", "a Proxy of a function", "a class"];
const OBJECT: readonly Value[] = ["{}"];
const COUNT: readonly Value[] = ["1", "Infinity"];
const ZERO: readonly Value[] = ["0", "-0"];
const MS: readonly Value[] = ["1", "0.5"];
const NONE: readonly Value[] = [];
/** What JSON carries, or its `toJSON` makes of it. */
const JSON_VALUES: readonly Value[] = [
  ...[...FLAG, ...TEXT, ...EMPTY, ...ZERO, ...OBJECT],
  ...(["1", "-1", "0.5", "[]", '["a"]', "{ own: 1 }", "a Date"] as const),
];

/** The values that an option accepts, in every function. */
const ACCEPTED: Readonly<Record<string, readonly Value[]>> = {
  // Acquisitions.
  ...{ lease: NONE, reentryKey: TEXT, label: TEXT, signal: NONE, waitUntil: FUNCTION, replicas: NONE },
  ...{ wait: [...MS, ...ZERO], maxPolls: COUNT, backoff: FUNCTION, keepAlive: [...FLAG, ...OBJECT] },
  ...{ onUnavailable: NONE, reentrant: FLAG, grace: MS, serverTimeout: MS, permits: ["1"], fair: FLAG },
  ...{ ttl: NONE, generation: ["1"], maxAttempts: COUNT, fingerprint: [...TEXT, ...EMPTY], mode: NONE },
  ...{ ifAvailable: FLAG, steal: FLAG, maxHold: MS, maxExtends: [...COUNT, ...ZERO] },
  // Connections.
  ...{ url: NONE, token: ['"0"', '"1"', '"true"'], redis: NONE, fetch: FUNCTION, prefix: [...TEXT, ...EMPTY] },
  ...{
    retention: NONE,
    requestTimeout: MS,
    maxHeld: [...COUNT, ...ZERO],
    wake: NONE,
    dialect: NONE,
    holder: TEXT,
    serverId: TEXT,
    onEvent: FUNCTION,
  },
  ...{ trace: FUNCTION, around: FUNCTION, ticketKey: TEXT, clock: NONE, random: FUNCTION },
  // Back-offs.
  ...{ floor: MS, cap: NONE, factor: ["Infinity"] },
  // Everything else.
  ...{ onGained: FUNCTION, onLost: FUNCTION, key: FUNCTION, onBusy: NONE, id: TEXT, checkEvery: NONE },
  ...{
    locks: FUNCTION,
    maxDuration: ["1"],
    onReport: FUNCTION,
    name: TEXT,
    slot: FUNCTION,
    secret: [...TEXT, ...EMPTY],
  },
  ...{ every: NONE, schedule: NONE, timezone: NONE, clockTolerance: [...ZERO, ...MS] },
  ...{ scope: [...TEXT, '["a"]', ...FUNCTION], replay: [...FLAG, ...OBJECT], onRunning: FUNCTION },
  ...{ onExhausted: FUNCTION, onMismatch: FUNCTION, headers: ["[]", '["a"]'], maxBytes: ["1", ...ZERO] },
  ...{
    sender: TEXT,
    required: FLAG,
    verify: FUNCTION,
    olderThan: NONE,
    table: TEXT,
    set: ["{}", "{ own: 1 }", "an instance"],
  },
  ...{
    column: TEXT,
    kind: NONE,
    held: FLAG,
    pageSize: ["1"],
    tracer: NONE,
    meter: NONE,
    nameOf: FUNCTION,
    spanNameOf: FUNCTION,
  },
  ...{ maxNames: COUNT, min: ["1"], timeout: MS, meta: TEXT, argument: TEXT, onMissing: NONE, whileRunning: NONE },
  ...{ shutdownTimeout: [...MS, ...ZERO], onShutdown: FUNCTION },
};

interface Call {
  /** Options without which the call is refused. */
  readonly fixed?: object;
  /** What its options accept otherwise than in other functions. */
  readonly accepts?: Readonly<Record<string, readonly Value[]>>;
  call(given: never): unknown;
}
const cron = { locks, name: "n" } as const;
const row = { table: "t", key: { id: 1 }, set: { a: 1 }, token: 1 } as const;

const CALLS: Readonly<Record<string, Call>> = {
  connect: { fixed: options, call: (given) => connect(given) },
  createLocks: { fixed: options, call: (given) => createLocks(given) },
  fromEnv: { call: (given) => fromEnv({}, given) },
  lock: { call: (given) => locks.lock("a", given) },
  "lock().tryAcquire": { call: (given) => locks.lock("a").tryAcquire(given) },
  "lock().acquire": { call: (given) => locks.lock("a").acquire(given) },
  "lock().run": { call: (given) => locks.lock("a").run(given, work) },
  "lock().acquire's replicas": { call: (replicas) => locks.lock("a").acquire({ replicas }), fixed: { min: 1 } },
  "lease.keepAlive": { call: async (given) => (await lease()).keepAlive(given, work) },
  "lease.keepAlive's limits": { call: async (given) => (await lease()).keepAlive({}, work, given) },
  fairLock: { call: (given) => locks.fairLock("a", given) },
  "fairLock().tryAcquire": { call: (given) => locks.fairLock("a").tryAcquire(given) },
  "fairLock().acquire": { call: (given) => locks.fairLock("a").acquire(given) },
  readWriteLock: { call: (given) => locks.readWriteLock("a", given) },
  "readWriteLock().read.tryAcquire": { call: (given) => locks.readWriteLock("a").read.tryAcquire(given) },
  "readWriteLock().write.acquire": { call: (given) => locks.readWriteLock("a").write.acquire(given) },
  multiLock: { call: (given) => multiLock(locks, ["b", "c"], given) },
  "multiLock().tryAcquire": { call: (given) => locks.multiLock(["b", "c"]).tryAcquire(given) },
  "multiLock().acquire": { call: (given) => locks.multiLock(["b", "c"]).acquire(given) },
  "multiLock of a group": { call: (given) => multiLock(group(locks, "g"), ["d", "e"], given) },
  quorumLock: { call: (given) => quorumLock([locks], "q", given) },
  "quorumLock().acquire": { call: (given) => quorumLock([createLocks(options)], "q").acquire(given) },
  "quorumLock().run": { call: (given) => quorumLock([createLocks(options)], "q").run(given, work) },
  semaphore: { fixed: { fair: true }, call: (given) => locks.semaphore("a", given) },
  "semaphore().tryAcquire": { call: (given) => locks.semaphore("a").tryAcquire(given) },
  "semaphore().acquire": { call: (given) => locks.semaphore("a").acquire(given) },
  "semaphore().run": { call: (given) => locks.semaphore("a").run(given, work) },
  counter: { call: (given) => locks.counter("a", given), accepts: { permits: ["1", ...ZERO] } },
  "counter().tryAcquire": { call: (given) => locks.counter("a").tryAcquire(given) },
  "counter().acquire": { call: (given) => locks.counter("a").acquire(given) },
  latch: { call: (given) => locks.latch("a", given) },
  "latch().countDown": { call: (given) => locks.latch("a").countDown("p", given) },
  "latch().wait": { call: (given) => locks.latch("a").wait(given) },
  once: { call: (given) => locks.once("a", given) },
  "once().begin": { call: (given) => locks.once("a").begin(given) },
  "once().run": { fixed: { wait: 1 }, call: (given) => locks.once("a").run(given, work) },
  request: { call: (given) => locks.request("a", given, work) },
  exponentialBackoff: { call: (given) => exponentialBackoff(given) },
  singleFlight: { fixed: { ttl: "1d" }, call: (given) => singleFlight(locks, "a", given, work) },
  elect: { fixed: { onGained: work, signal: stopped }, call: (given) => elect(locks, "a", given) },
  takeOver: { call: (given) => takeOver(locks.lock("a"), payload, given, work), accepts: { key: TEXT } },
  turn: { fixed: { onBusy: "queue" }, call: (given) => turn(locks, "a", given, work) },
  "turn, collect": {
    fixed: { onBusy: "collect", id: "1" },
    call: (given) => turn(locks, "a", given, work),
    accepts: { message: JSON_VALUES, quiet: [...MS, ...ZERO] },
  },
  idempotentTool: {
    fixed: { name: "n" },
    call: (given) => idempotentTool(locks, given, () => ({})),
    accepts: { scope: [...FUNCTION, ...TEXT, '["a"]'] },
  },
  "idempotentTool's key": {
    fixed: { meta: "m" },
    call: (key) => idempotentTool(locks, { name: "n", key }, () => ({})),
  },
  chatState: { call: (given) => chatState(locks, given) },
  redisFence: { call: (given) => redisFence(locks, given) },
  s3Fence: { fixed: { url: "https://s3.example/b", fetch: work }, call: (given) => s3Fence(given) },
  forgetTokens: { call: (given) => forgetTokens(given) },
  guardedUpdate: {
    fixed: row,
    call: (given) => guardedUpdate(given),
    accepts: { token: ["1"], key: ["{ own: 1 }", "an instance"] },
  },
  guardedUpsert: {
    fixed: row,
    call: (given) => guardedUpsert(given),
    accepts: { token: ["1"], key: ["{ own: 1 }", "an instance"] },
  },
  list: { call: (given) => list(locks, given) },
  inspect: { call: (given) => inspect(locks, "a", given) },
  otel: { call: (given) => otel(given) },
  cronExpression: { call: (given) => cronExpression("0 3 * * *", given) },
  cronRoute: { fixed: { ...cron, secret: "s", every: "1h" }, call: (given) => cronRoute(given, work) },
  "cronRoute with a schedule": {
    fixed: { ...cron, secret: "s", schedule: "0 3 * * *" },
    call: (given) => cronRoute(given, work),
  },
  "cronRoute with a slot": { fixed: { ...cron, secret: "s", slot: work }, call: (given) => cronRoute(given, work) },
  cloudflareCron: {
    fixed: cron,
    call: (given) => cloudflareCron(given, work),
    accepts: { name: [...TEXT, ...FUNCTION] },
  },
  vercelSchedule: {
    fixed: { locks },
    call: (given) => vercelSchedule(given, work),
    accepts: { name: [...TEXT, ...FUNCTION] },
  },
  runCron: {
    fixed: { ...cron, slot: "s" },
    call: (given) => runCron(given, work),
    accepts: { slot: [...TEXT, "a Date"] },
  },
  slotOf: { fixed: { every: "1h" }, call: (given) => slotOf(given) },
  "slotOf an ID": {
    fixed: { id: "i" },
    call: (given) => slotOf(given) as never,
    accepts: { id: [...TEXT, "0", "-0", "1", "-1"] },
  },
  "dedupe of http": {
    fixed: { locks, key: () => "k" },
    call: (given) => dedupe(given, () => new Response()),
    accepts: { fingerprint: ["false", ...FUNCTION] },
  },
  "dedupe of hono": {
    fixed: { locks, key: () => "k" },
    call: (given) => dedupeOfHono(given),
    accepts: { fingerprint: ["false", ...FUNCTION] },
  },
  "dedupe's replay": { call: (replay) => dedupe({ locks, key: () => "k", replay }, () => new Response()) },
  dedupeKey: {
    fixed: { sender: "s", id: "i" },
    call: (given) => dedupeKey(given),
    accepts: { scope: [...TEXT, '["a"]'], id: [...TEXT, ...EMPTY, "[]", '["a"]'] },
  },
  idempotencyKey: { call: (given) => idempotencyKey(given) },
  github: { fixed: { verify: work }, call: (given) => github(given) },
  WithLock: { call: (given) => decorated(WithLock("n", given)) },
  RunOnce: { call: (given) => decorated(RunOnce("n", given)) },
  RunCron: { call: (given) => decorated(RunCron("n", given)) },
  LeaseholdModule: { fixed: options, call: (given) => LeaseholdModule.forRoot(given) },
};

/** Decorates a method, and gives an instance what Nest injects. */
function decorated(decorate: (target: object, key: string, descriptor: PropertyDescriptor) => void): void {
  class Provider {
    async method(): Promise<void> {}
  }
  Cron("0 3 * * *")(Provider.prototype, "method", { value: Provider.prototype.method } as never);
  const descriptor = { value: Provider.prototype.method, configurable: true, writable: true };
  decorate(Provider.prototype, "method", descriptor);
  Object.defineProperty(Provider.prototype, "method", descriptor);
  const [injected] = Reflect.getMetadata("self:properties_metadata", Provider) as [{ key: symbol }];
  Reflect.set(new Provider(), injected.key, createRuntime(options));
}

async function refusal({ call, fixed }: Call, given: object): Promise<unknown> {
  try {
    return { accepted: await call({ ...fixed, ...given } as never) };
  } catch (error) {
    return error;
  }
}

const isMisuse = (error: unknown): error is Error => error instanceof TypeError || error instanceof RangeError;

it("createGateway refuses a user and a password that are no text (B30)", () => {
  for (const option of ["username", "password", "sentinelUsername", "sentinelPassword"])
    for (const [value, given] of Object.entries(VALUES))
      if (typeof given !== "string")
        expect(() => createGateway({ redis: "redis://h", token: "t", [option]: given }), value).toThrow(
          /(username|password|Username|Password).* must be text/,
        );
});

it.each(Object.entries(CALLS))("%s refuses values of a wrong type in each of its options (B30)", async (_, one) => {
  const unknown = await refusal(one, { "?": 1 });
  const [, names = ""] = /the options are "(.*)"$/.exec((unknown as Error).message) ?? [];
  const known = names.split('", "');
  expect(known.length, `${(unknown as Error).message}`).toBeGreaterThan(0);
  const taken: string[] = [];
  for (const option of known) {
    const accepts = one.accepts?.[option] ?? ACCEPTED[option];
    if (!accepts) {
      taken.push(`${option} is not in this table`);
      continue;
    }
    for (const [value, given] of Object.entries(VALUES)) {
      if (accepts.includes(value as Value)) continue;
      const before = sent;
      const error = await refusal(one, { [option]: given });
      if (!isMisuse(error)) taken.push(`${option}: ${value} is accepted: ${error}`);
      else if (!error.message.includes(option) && !/a connection is missing/.test(error.message))
        taken.push(`${option}: ${value}: ${error.message}`);
      else if (sent > before) taken.push(`${option}: ${value} is sent`);
    }
  }
  expect(taken).toEqual([]);
});
