import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type RedisServer, startRedis } from "../../tools/redis.ts";
import { pause, until } from "./support/harness.ts";
import { type RawServer, startRawServer } from "./support/raw-server.ts";
import {
  ask,
  fullToken,
  type Outcome,
  readOnlyToken,
  startTenants,
  type Tenants,
  waitDuring,
} from "./support/tenants.ts";

/** The long form, which runs every combination: EVERY_REPLY=1. */
const IS_LONG = process.env["EVERY_REPLY"] === "1";
const MIN_MS = 200;
/** So many times what the neighbour waits in the same run while nobody else asks. */
const MAX_TIMES = 10;
const ROUNDS = 4;

let redis: RedisServer;
let neighbourRedis: RedisServer;
let raw: RawServer;
let tenants: Tenants;
/** The longest that the neighbour has waited so far while nobody else asked. */
let aloneMs = 0;

async function measureAlone(forMs: number): Promise<void> {
  const { worstMs } = await waitDuring(tenants.url, fullToken("quiet"), () => pause(forMs));
  aloneMs = Math.max(aloneMs, worstMs);
}

beforeAll(async () => {
  [redis, neighbourRedis, raw] = await Promise.all([startRedis(), startRedis(), startRawServer()]);
  await redis.command("SADD", "one", "member");
  for (let at = 0; at < 20; at++) {
    await redis.command("EVAL", "for i = 1, 50000 do redis.call('RPUSH', 'list', 'item' .. i) end", "0");
    if (at >= 6) continue;
    const fill = `for i = ${at * 50_000}, ${(at + 1) * 50_000} do redis.call('SADD', 'set', i .. 'x') redis.call('SET', 'key' .. i, '') end`;
    await redis.command("EVAL", fill, "0");
  }
  tenants = await startTenants({ loud: redis.url, scripted: raw.url, quiet: neighbourRedis.url });
  for (const name of ["quiet", "loud", "scripted"]) {
    const isUp = async (): Promise<number> =>
      (await ask(tenants.url, { token: fullToken(name), body: ["PING"] })).status;
    await until(isUp, (status) => status === 200);
  }
  await measureAlone(2_000);
});
afterAll(async () => {
  await tenants?.stop();
  await Promise.all([redis?.stop(), neighbourRedis?.stop(), raw?.close()]);
});

/** One way of asking for a large reply. */
interface Attack {
  readonly database: "loud" | "scripted";
  readonly access: "full" | "read-only";
  readonly format: "json" | "base64" | "resp2";
  readonly command: readonly (string | readonly string[])[];
  readonly path?: string;
  readonly atOnce?: number;
}

const HEADERS = {
  json: {},
  base64: { "upstash-encoding": "base64" },
  resp2: { "upstash-response-format": "resp2" },
} as const;

const tokenOf = ({ access, database }: Attack): string => (access === "full" ? fullToken : readOnlyToken)(database);

const send = (attack: Attack): Promise<Outcome[]> =>
  Promise.all(
    Array.from({ length: attack.atOnce ?? 1 }, () =>
      ask(tenants.url + (attack.path ?? ""), {
        token: tokenOf(attack),
        body: attack.command,
        headers: HEADERS[attack.format],
      }),
    ),
  );

/** Sends it until the neighbour has waited as little as it should, a few times at max: a busy machine may stop. */
async function survive(attack: Attack): Promise<Outcome[]> {
  let outcomes: Outcome[] = [];
  let min = Number.POSITIVE_INFINITY;
  const max = (): number => Math.max(MIN_MS, MAX_TIMES * aloneMs);
  for (let round = 0; round < ROUNDS && min > max(); round++) {
    await measureAlone(200);
    const neighbour = await waitDuring(tenants.url, fullToken("quiet"), async () => {
      outcomes = await send(attack);
    });
    expect(neighbour.failures).toEqual([]);
    expect(tenants.isAlive).toBe(true);
    min = Math.min(min, neighbour.worstMs);
  }
  expect(min).toBeLessThan(max());
  return outcomes;
}

/** An expression of Lua for a long text. Of long pieces it is made in a tenth of the time. */
const longText = (bytes: number): string => `string.rep(string.rep('x', 1000), ${bytes / 1_000})`;

const TOO_LARGE = "the reply is larger than there is room for: what was sent has run";
const EVAL = (text: string, access: Attack["access"]): string[] => [access === "full" ? "EVAL" : "EVAL_RO", text, "0"];

describe("a reply that is larger than there is room for", () => {
  it.each<[string, readonly string[]]>([
    ["members drawn from a set of one", ["SRANDMEMBER", "one", "-5000000"]],
    ["a status of 200 MB", EVAL(`return {ok = ${longText(2e8)}}`, "read-only")],
  ])(
    "is counted while it arrives, and the neighbour notices nothing: %s",
    async (_, command) => {
      const outcomes = await survive({ database: "loud", access: "read-only", format: "json", command });
      for (const { status, text } of outcomes)
        expect([status, text]).toEqual([504, JSON.stringify({ error: TOO_LARGE })]);
    },
    120_000,
  );
});

const nested = (width: number, depth: number): string =>
  `local r = {} for i = 1, ${width} do local t = {} for j = 1, ${depth} do t = {t} end r[i] = t end return r`;

/** What a script on a real Redis can answer, by the type of its values. */
const SCRIPTS: Readonly<Record<string, (size: number) => string>> = {
  integers: (size) => `local t = {} for i = 1, ${size} do t[i] = i end return t`,
  strings: (size) => `local t = {} for i = 1, ${size} do t[i] = 'a' end return t`,
  statuses: (size) => `local s = {ok = 'a'} local t = {} for i = 1, ${size} do t[i] = s end return t`,
  errors: (size) => `local s = {err = 'a'} local t = {} for i = 1, ${size} do t[i] = s end return t`,
  "nothing at all": (size) => `local t = {} for i = 1, ${size} do t[i] = false end return t`,
  "empty arrays": (size) => `local s = {} local t = {} for i = 1, ${size} do t[i] = s end return t`,
  "nested arrays": (size) => nested(Math.ceil(size / 500), 500),
  "arrays nested too deep": (size) => nested(Math.ceil(size / 5_000), 5_000),
  "a string": (size) => `return ${longText(100 * size)}`,
  "a status": (size) => `return {ok = ${longText(100 * size)}}`,
  "an error": (size) => `return {err = ${longText(100 * size)}}`,
};

const SIZES = IS_LONG ? [1_000, 100_000, 400_000, 1_000_000] : [400_000];
const SHORT: readonly string[] = ["integers", "errors", "nested arrays", "a status", "an error"];
const KINDS = Object.keys(SCRIPTS).filter((kind) => IS_LONG || SHORT.includes(kind));
const FORMATS = IS_LONG ? (["json", "base64", "resp2"] as const) : (["json"] as const);
const ACCESSES = IS_LONG ? (["read-only", "full"] as const) : (["read-only"] as const);

const CASES = KINDS.flatMap((kind) =>
  SIZES.flatMap((size) => FORMATS.flatMap((format) => ACCESSES.map((access) => ({ kind, size, format, access })))),
);

it.each(CASES)(
  "a script's reply keeps no neighbour waiting: $kind, $size, in $format, with a $access token",
  async ({ kind, size, format, access }) => {
    const command = EVAL(SCRIPTS[kind]?.(size) ?? "", access);
    const outcomes = await survive({ database: "loud", access, format, command });
    for (const { status } of outcomes) expect(status).toBeOneOf([200, 400, 504]);
  },
  120_000,
);

it("800 times 500 nested arrays are answered as a whole, and keep no neighbour waiting", async () => {
  const command = EVAL(nested(800, 499), "read-only");
  const [outcome] = await survive({ database: "loud", access: "read-only", format: "json", command });
  expect(outcome).toMatchObject({ status: 200, bytes: 2 * 800 * 500 + 800 - 1 + '{"result":[]}'.length });
}, 120_000);

it.each<readonly [string, readonly string[], Attack["format"]]>([
  ["lists in resp2", ["LRANGE", "list", "0", "299999"], "resp2"],
  ["lists", ["LRANGE", "list", "0", "299999"], "json"],
  ["sets", ["SMEMBERS", "set"], "json"],
  ["names of keys", ["KEYS", "*"], "base64"],
  ...(IS_LONG ? [["a million items", ["LRANGE", "list", "0", "-1"], "json"] as const] : []),
])(
  "eight large replies at once keep no neighbour waiting: %s",
  async (_, command, format) => {
    // KEYS is not for a read-only token.
    const access = command[0] === "KEYS" ? "full" : "read-only";
    const outcomes = await survive({ database: "loud", access, format, command, atOnce: 8 });
    for (const { status } of outcomes) expect(status).toBeOneOf([200, 503, 504]);
  },
  120_000,
);

it("a pipeline of long errors keeps no neighbour waiting", async () => {
  const one = EVAL("return redis.error_reply(string.rep('x', 65000))", "full");
  const pipeline = Array.from({ length: 500 }, () => one);
  const [outcome] = await survive({
    database: "loud",
    access: "full",
    format: "json",
    path: "/pipeline",
    command: pipeline,
  });
  expect(outcome?.status).toBe(200);
  expect(outcome?.bytes).toBeGreaterThan(500 * 65_000);
}, 120_000);

/** What a broken server can send, which Redis does not. */
const BROKEN: Readonly<Record<string, () => Buffer>> = {
  "an error of 100 MB": () => Buffer.from(`-${"x".repeat(1e8)}\r\n`),
  "a status of 100 MB, with half a line break in each place": () => Buffer.from(`+${"\r".repeat(1e8)}\r\n`),
  "2 million arrays in each other": () => Buffer.from(`${"*1\r\n".repeat(2e6)}:1\r\n`),
  "an array that has more items than it will ever send": () => Buffer.from(`*4000000000\r\n${":1\r\n".repeat(5e6)}`),
  "arrays of as many items as arrays can have": () => Buffer.from("*4000000000\r\n".repeat(2e6)),
  "a string that is announced and does not come": () => Buffer.from("$4000000000\r\n"),
};

it.each(Object.entries(BROKEN))(
  "a broken server keeps no neighbour waiting: %s",
  async (_, make) => {
    const bytes = make();
    // It ends the connection, as a server that is stopped does.
    raw.answer("get", (__, socket) => {
      socket.end(bytes);
      return undefined;
    });
    const attack: Attack = { database: "scripted", access: "full", format: "json", command: ["GET", "a"] };
    const outcomes = await survive(attack);
    for (const { status } of outcomes) expect(status).toBeOneOf([200, 400, 503, 504]);
    raw.answer("get", () => "+VALUE\r\n");
    await until(
      () => ask(tenants.url, { token: fullToken("scripted"), body: ["GET", "a"] }),
      ({ text }) => text === '{"result":"VALUE"}',
    );
  },
  120_000,
);
