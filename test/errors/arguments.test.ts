import { describe, expect, it } from "vitest";
import * as cron from "../../src/cron/index.ts";
import { elect } from "../../src/elect/index.ts";
import * as fence from "../../src/fence/index.ts";
import * as http from "../../src/http/index.ts";
import * as main from "../../src/index.ts";
import { list } from "../../src/list/index.ts";
import { otel } from "../../src/otel/index.ts";

const url = "https://eu1-calm-owl.upstash.io";
const token = "AXsecretsecretsecret";
let sent = 0;
const locks = main.createLocks({
  url,
  token,
  fetch: async () => {
    sent++;
    throw new Error("nothing should be sent");
  },
});
const work = (): void => {};
/** The names that the mistakes use. */
const SCOPE: Readonly<Record<string, unknown>> = {
  ...{ ...cron, ...fence, ...http, ...main },
  ...{ elect, list, otel, url, token, locks, work },
};

/** What is written, as JavaScript or past the compiler, and the whole message. */
const MISTAKES: readonly (readonly [written: string, message: string])[] = [
  ["connect({ token })", "connect: url is missing: the https URL of the REST endpoint"],
  ["connect({ url })", "connect: token is missing: the API token of the endpoint"],
  [
    "connect({ url: token, token: url })",
    'connect: url is not a URL: it must begin with "https://" or "http://". It may be a token, so it is not shown',
  ],
  [
    'connect({ url: "localhost:8079", token })',
    'connect: url "localhost:8079" has no protocol: "https://localhost:8079" or "http://localhost:8079"?',
  ],
  [
    'connect({ url: "redis://default:secret@10.0.0.7:6379", token })',
    'connect: url "redis://10.0.0.7:6379" is Redis\'s own protocol: pass the REST URL ("https://…"), or pass a TCP client as redis',
  ],
  [
    'connect({ url: "ftp://default:secret@h.example/file", token })',
    'connect: url "ftp://h.example" must begin with "https://" or "http://"',
  ],
  [
    'connect({ url: "https://default:secret@h.example", token })',
    'connect: url "https://h.example" must not contain a user or password: pass the API token as token',
  ],
  [
    'connect({ url: process.env["NO_SUCH_URL"], token })',
    "connect: url is missing: the https URL of the REST endpoint",
  ],
  ["connect({ url, token: token.concat('\\n') })", "connect: token contains spaces or line breaks: remove them"],
  [
    'connect({ url, token, retention: "5s" })',
    'connect: retention "5s" is too short: at least twice requestTimeout, 10000 ms',
  ],
  ['connect({ url, token, prefix: "app:{a}:" })', 'connect: prefix "app:{a}:" must not contain braces'],
  ['connect({ url, token, timeout: "1s" })', 'connect: no option "timeout": did you mean "requestTimeout"?'],
  ['connect({ url, token, dialect: "upstash" })', 'connect: dialect "upstash" must be "plain" or "flagged"'],
  ["connect({ url, token, onEvent: console })", "connect: onEvent must be a function, not an object (Console)"],
  [
    "connect({ redis: { get: work } })",
    "connect: redis must be an @upstash/redis client with url and token, or a TCP client wrapped by leasehold/ioredis, leasehold/node-redis or leasehold/bun, not an object",
  ],
  [
    'createLocks({ url: "eu1-calm-owl.upstash.io", token })',
    'createLocks: url "eu1-calm-owl.upstash.io" has no protocol: "https://eu1-calm-owl.upstash.io" or "http://eu1-calm-owl.upstash.io"?',
  ],
  [
    "fromEnv({ UPSTASH_REDIS_REST_URL: url }).port",
    "fromEnv: UPSTASH_REDIS_REST_TOKEN is missing, and UPSTASH_REDIS_REST_URL is set: set both",
  ],
  [
    "fromEnv({ KV_REST_API_TOKEN: token }).port",
    "fromEnv: KV_REST_API_URL is missing, and KV_REST_API_TOKEN is set: set both",
  ],
  [
    "fromEnv({}).port",
    "fromEnv: the object passed has no URL and token: set UPSTASH_REDIS_REST_URL and UPSTASH_REDIS_REST_TOKEN, or KV_REST_API_URL and KV_REST_API_TOKEN",
  ],
  [
    'fromEnv({ UPSTASH_REDIS_REST_URL: "eu1-calm-owl.upstash.io", UPSTASH_REDIS_REST_TOKEN: token }).port',
    'fromEnv: UPSTASH_REDIS_REST_URL "eu1-calm-owl.upstash.io" has no protocol: "https://eu1-calm-owl.upstash.io" or "http://eu1-calm-owl.upstash.io"?',
  ],
  ['fromEnv("production")', 'fromEnv: env must be an object of variables, not "production"'],
  ['lock("a")', "lock: a connection is missing: pass what connect() or createLocks() returned"],
  ['lock(locks, Promise.resolve("a"))', "lock: name is a Promise: await it"],
  ["locks.lock()", "lock: name must be a string, not undefined"],
  ["locks.lock(42)", "lock: name must be a string, not a number"],
  ['locks.lock("")', 'lock(""): name is empty: 1 to 512 bytes'],
  ['locks.lock("a", { leese: "10s" })', 'lock("a"): no option "leese": did you mean "lease"?'],
  ['locks.lock("a", { ttl: "10s" })', 'lock("a"): no option "ttl": did you mean "lease"?'],
  ['locks.lock("a").run({ lease: "10" }, work)', 'lock("a").run: lease "10" has no unit: "10ms" or "10s"?'],
  ['locks.lock("a").run({ lease: 10 }, work)', 'lock("a").run: lease 10 has no unit: "10ms" or "10s"?'],
  ['locks.lock("a").run({ lease: "10 seconds" }, work)', 'lock("a").run: lease "10 seconds" is not a duration: "10s"?'],
  [
    'locks.lock("a").acquire({ wait: "soon" })',
    'lock("a").acquire: wait "soon" is not a duration: use milliseconds or a string such as "500ms", "30s" or "2m"',
  ],
  ['locks.lock("a", { reentrant: "no" })', 'lock("a"): reentrant "no" must be true or false'],
  ['locks.fairLock("a", { reentrant: 0 })', 'fairLock("a"): reentrant 0 must be true or false'],
  ['locks.semaphore("a", { permits: 2, fair: "no" })', 'semaphore("a"): fair "no" must be true or false'],
  ['locks.request("a", { ifAvailable: "true" }, () => 1)', 'request: ifAvailable "true" must be true or false'],
  ['locks.lock("a").acquire({ wait: -1 })', 'lock("a").acquire: wait -1 is too short: 0 ms to 365 days'],
  [
    'locks.lock("a").acquire({ wait: Number.NaN })',
    'lock("a").acquire: wait NaN is not a duration: use milliseconds or a string such as "500ms", "30s" or "2m"',
  ],
  [
    'locks.lock("a").acquire({ wait: "2y" })',
    'lock("a").acquire: wait "2y" is not a duration: use milliseconds or a string such as "500ms", "30s" or "2m"',
  ],
  ['locks.lock("a").acquire({ lease: "400d" })', 'lock("a").acquire: lease "400d" is too long: 10 ms to 365 days'],
  ['locks.lock("a").acquire({ maxPolls: 0 })', 'lock("a").acquire: maxPolls 0 must be a whole number, 1 or more'],
  [
    'locks.lock("a").acquire({ signal: new AbortController() })',
    'lock("a").acquire: signal must be an AbortSignal, not an AbortController: pass its signal',
  ],
  [
    'locks.lock("a").acquire({ color: "red" })',
    'lock("a").acquire: no option "color": the options are "lease", "reentryKey", "label", "signal", "waitUntil", "replicas", "backoff", "wait", "maxPolls"',
  ],
  ['locks.lock("a").acquire("10s")', 'lock("a").acquire: options must be an object, not "10s"'],
  [
    'locks.lock("a").tryAcquire({ wait: "5s" })',
    'lock("a").tryAcquire: no option "wait": tryAcquire does not wait, acquire({ wait }) does',
  ],
  ['locks.lock("a").run()', 'lock("a").run: work is missing: run(options, work)'],
  ['locks.lock("a").run({ lease: "5s" })', 'lock("a").run: work is missing: run(options, work)'],
  ['locks.lock("a").run(work, { lease: "5s" })', 'lock("a").run: the options come before work: run(options, work)'],
  [
    'locks.lock("a").run({ keepAlive: { maxHold: "1 h" } }, work)',
    'lock("a").run: maxHold "1 h" is not a duration: "1h"?',
  ],
  [
    'locks.lock("a").run({ onUnavailable: "ignore" }, work)',
    'lock("a").run: onUnavailable "ignore" must be "refuse" or "run"',
  ],
  ['locks.fairLock("a", { grace: "1" })', 'fairLock("a"): grace "1" has no unit: "1ms" or "1s"?'],
  [
    'locks.readWriteLock("a").write.acquire({ label: 7 })',
    'readWriteLock("a").write.acquire: label must be a string, not a number',
  ],
  ['locks.multiLock("a")', 'multiLock: parts must be a list of names and locks, not "a"'],
  ["locks.multiLock([])", "multiLock: parts has 0 names and locks: 1 to 64 are allowed"],
  [
    'locks.multiLock([locks.lock("a"), locks.lock("a")])',
    'multiLock: "a" and "a" overlap: pass each lock once, and names of one group in one multi-lock',
  ],
  ['quorumLock([], "a")', "quorumLock: connections must be a list of 1 to 9, not 0"],
  ['locks.semaphore("a", { permits: 2.5 })', 'semaphore("a"): permits 2.5 must be a whole number, 1 or more'],
  [
    'locks.semaphore("a", { permits: 0 })',
    'semaphore("a"): permits 0 would admit nobody: use 1 or more. To pause, call setPermits(0)',
  ],
  [
    'locks.semaphore("a", { permits: 3 }).acquire({ permits: 0 })',
    'semaphore("a").acquire: permits 0 must be a whole number, 1 to 1000',
  ],
  [
    'locks.semaphore("a", { lease: false })',
    "semaphore: lease false is not possible: its permits have leases. For permits without a lease, use counter(name, options)",
  ],
  ['locks.semaphore("a", { grace: "1s" })', 'semaphore("a"): grace "1s" needs fair: true'],
  ['locks.counter("a").release(0)', 'counter("a").release: count 0 must be a whole number, 1 or more'],
  ['locks.latch("a").trySetCount("3")', 'latch("a").trySetCount: count "3" must be a whole number, 1 or more'],
  [
    'locks.latch("a").countDown("p", { generation: -1 })',
    'latch("a").countDown: generation -1 must be a whole number, 1 or more',
  ],
  [
    'singleFlight(locks, "a", { ttl: "1h", lease: "10" }, work)',
    'singleFlight: lease "10" has no unit: "10ms" or "10s"?',
  ],
  ['locks.once("a", { ttl: 60 })', 'once("a"): ttl 60 has no unit: "60ms" or "60s"?'],
  [
    'locks.once("a").begin({ lease: "5s" })',
    'once("a").begin: no option "lease": the options are "signal", "waitUntil"',
  ],
  ['locks.request("a", { mode: "read" }, work)', 'request: mode "read" must be "exclusive" or "shared"'],
  ['locks.query("a")', 'query: names must be a list, not "a"'],
  ['locks.resume("hello")', "resume: this is not a ticket: lease.ticket() returns one"],
  ["locks.resume(undefined)", "resume: ticket must be a string, not undefined"],
  ['exponentialBackoff({ floor: "2s", cap: "1s" })', 'exponentialBackoff: cap "1s" must be above floor "2s"'],
  ['exponentialBackoff({ factor: "2" })', 'exponentialBackoff: factor "2" must be a number above 1'],
  ['elect(locks, "a", { onGained: work })', "elect: signal is missing: pass an AbortSignal that ends the candidacy"],
  ['redisFence(locks).claim({ name: "a" })', "fence: token is missing: pass lease.token"],
  [
    'redisFence(locks).claim({ name: "a", token: 1, tokens: { a: 1, b: 1 } })',
    "fence: a lease of several names has no fence of its own: pass { name, token } of each of its tokens",
  ],
  [
    'redisFence(locks).call({ name: "a", token: 1 }, "RPUSH", "{a}", ...Array(4001).fill("x"))',
    "fence.call: 4001 arguments are too many: at most 4000",
  ],
  ["sqliteFence({})", "sqliteFence: db must be a SQLite database, not an object"],
  [
    "guard({ transaction: work }).write({ name: 'a', token: 1 })",
    "guard.write: work must be a function, not undefined",
  ],
  [
    'postgresFence({ query: work }).write({ name: "a", token: 1 }, "DELETE FROM t WHERE id = $1", 42)',
    "fence.write: sql must be a string, and params a list: write(lease, sql, params)",
  ],
  [
    'guardedUpdate({ table: "t", key: { id: 1 }, set: "paid", token: 7 })',
    'guardedUpdate: set must be an object of columns, not "paid"',
  ],
  ["postgresFence({})", "postgresFence: db must have a function query, not an object"],
  ["d1Fence({})", "d1Fence: db must be a D1 database, not an object"],
  ["r2Fence({})", "r2Fence: bucket must be an R2 bucket, not an object"],
  ["guard({})", "guard: storage must be a Durable Object's, not an object"],
  [
    'postgresFence({ query: work }).write({ name: "a", token: 1 }, "WITH old DELETE FROM t")',
    "fence.write: sql must be one INSERT, UPDATE or DELETE",
  ],
  ['guardedUpdate({ table: "t", key: {}, set: { a: 1 }, token: 7 })', "guardedUpdate: key must name a row"],
  ["dedupe({ locks, key: stripe }, work)", "dedupe: key makes a sender: call it, as in stripe({ verify })"],
  ['stripe({ secret: "whsec_secret" })', 'stripe: no option "secret": did you mean "verify"?'],
  [
    'runCron({ locks, name: "a", slot: new Date("never") }, work)',
    "runCron: slot is an invalid Date: pass a valid one, or a string",
  ],
  [
    'runCron({ locks, name: "a", slot: "1", maxDuration: 300_000 }, work)',
    'runCron: maxDuration 300000 must be 1 to 3600, in seconds, or a string such as "60s"',
  ],
  [
    'cloudflareCron({ locks, name: "a", lease: "30" }, work)',
    'cloudflareCron: lease "30" has no unit: "30ms" or "30s"?',
  ],
  [
    'cronRoute({ locks, name: "a", schedule: "0 3 * *" }, work)',
    'cronExpression: schedule "0 3 * *" has 4 fields, not 5: minute hour day month weekday',
  ],
  [
    'cronExpression("0 3 * * *", { timezone: "Berlin" })',
    'cronExpression: timezone "Berlin" does not exist: use a name such as "Europe/Berlin"',
  ],
  ['slotOf({ every: "5" })', 'slotOf: every "5" has no unit: "5ms" or "5s"?'],
  ["list(locks, { pageSize: 5000 })", "list: pageSize 5000 must be a whole number, 1 to 1000"],
  ["otel({ tracer: {} })", "otel: tracer must be a Tracer of OpenTelemetry, not an object"],
  ['locks.request("a", { leese: "5s" }, work)', 'request: no option "leese": did you mean "lease"?'],
  ['locks.resume("WzMsImxvY2siLFsiYSJdLG51bGws")', "resume: this ticket is truncated or changed: pass it on unchanged"],
  ['locks.once("a", { fingerprint: { id: 1 } })', 'once("a"): fingerprint must be a string, not an object'],
  ["connect(token)", "connect: options must be an object, not a string: pass { url, token }"],
  ["createLocks(token)", "createLocks: options must be an object, not a string: pass { url, token }"],
  [
    'connect({ redis: "redis://:secret@10.0.0.7" })',
    "connect: redis must be an @upstash/redis client with url and token, or a TCP client wrapped by leasehold/ioredis, leasehold/node-redis or leasehold/bun, not a string",
  ],
  ["createLocks(5)", "createLocks: options must be an object, not a number: pass { url, token }"],
  ["connect({ url: 5, token })", "connect: url must be a string, not a number"],
  ["connect({ url, token: 5 })", "connect: token must be a string, not a number"],
  ["connect({ url: new URL(url), token })", "connect: url must be a string, not a URL object: pass its href"],
  [
    'connect({ url, token: "tök" })',
    "connect: token contains characters that an HTTP header cannot have: copy it again",
  ],
  ['locks.lock("a\\ud800")', 'lock("a\\ud800"): name must be well-formed: it contains a lone surrogate'],
  [
    'locks.lock("a", { lease: new Date() })',
    'lock("a"): lease must be a duration, not an object (Date): use milliseconds or a string such as "500ms", "30s" or "2m"',
  ],
  [
    'locks.lock("a").acquire({ replicas: 1 })',
    'lock("a").acquire: replicas must be an object, not 1: replicas: { min: 1 }',
  ],
  [
    'locks.lock("a").run({ keepAlive: "yes" }, work)',
    'lock("a").run: keepAlive must be true, false or an object, not "yes": keepAlive: { maxHold: "1h" }',
  ],
  ['locks.readWriteLock("a").read.run()', 'readWriteLock("a").read.run: work is missing: run(options, work)'],
  [
    'cronExpression("61 * * * *")',
    'cronExpression: schedule "61 * * * *": minute "61" must be 0 to 59, a range such as 0-4, or a step such as */2 or 0-4/2',
  ],
  [
    'cronExpression("0 9 * * MON-FRY")',
    'cronExpression: schedule "0 9 * * MON-FRY": weekday "MON-FRY" must be 0 to 7 or a name, a range such as 0-4, or a step such as */2 or 0-4/2',
  ],
  ["cronExpression(5)", "cronExpression: schedule must be a string, not 5"],
  ['cronExpression("daily")', 'cronExpression: schedule "daily" has 1 field, not 5: minute hour day month weekday'],
  [
    'locks.lock("a").acquire({ retry: 5 })',
    'lock("a").acquire: no option "retry": the options are "lease", "reentryKey", "label", "signal", "waitUntil", "replicas", "backoff", "wait", "maxPolls"',
  ],
  ['locks.lock("a").acquire({ retries: 5 })', 'lock("a").acquire: no option "retries": did you mean "maxPolls"?'],
  ['locks.lock("a").acquire({ expires: 5 })', 'lock("a").acquire: no option "expires": did you mean "lease"?'],
  ["connect(undefined)", "connect: url is missing: the https URL of the REST endpoint"],
  ['connect({ url: "", token })', "connect: url is missing: the https URL of the REST endpoint"],
  ['connect({ url, token: "" })', "connect: token is missing: the API token of the endpoint"],
  ['locks.latch("a").wait({ timeout: "5s" })', 'latch("a").wait: no option "timeout": did you mean "wait"?'],
  ['resume(locks, "secret.signature")', "resume: this is not a ticket: lease.ticket() returns one"],
];

/** Runs what is written. */
const run = async (written: string): Promise<unknown> =>
  new Function(...Object.keys(SCOPE), `return ${written};`)(...Object.values(SCOPE));

describe("an argument error says where, what was given and what is meant", () => {
  it.each(MISTAKES)("%s", async (written, message) => {
    const error = await run(written).then(
      () => expect.fail("it was accepted"),
      (thrown: Error) => thrown,
    );
    expect(error.message).toBe(message);
    expect(error).toSatisfy((thrown) => thrown instanceof TypeError || thrown instanceof RangeError);
    // A console shows the stack, which is made with the error.
    expect(error.stack).toContain(message);
    expect(error.stack).not.toMatch(/secretsecret|:secret|whsec/);
  });

  it("each begins with the call, and nothing was sent", () => {
    expect(MISTAKES.length).toBeGreaterThanOrEqual(40);
    for (const [, message] of MISTAKES) expect(message).toMatch(/^[a-z][a-zA-Z\d]*(\(".*?"\))?(\.\w+)*: /);
    expect(sent).toBe(0);
  });
});
