import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createEngine } from "../src/index.ts";
import { ErrorReply, type Reply, Status } from "../src/redis/reply.ts";
import { type Script, same } from "./support/same.ts";
import { useRedis } from "./support/use-redis.ts";

/** What became limited, or was written anew to be linear, still answers as a real Redis does. */
const real = useRedis();

const RUNS = Number(process.env["LUA_RUNS"] ?? 15);
const AT_ONCE = 50;

function shown(reply: Reply): unknown {
  if (reply instanceof Status) return { status: reply.text };
  if (reply instanceof ErrorReply) return { error: real.isExact ? reply.message : reply.message.split(" ")[0] };
  if (typeof reply === "bigint") return { integer: String(reply) };
  return Array.isArray(reply) ? reply.map((item) => shown(item as Reply)) : reply;
}

/** Runs commands in memory and on the real server, and expects the same of each. */
async function sameCommands(commands: readonly (readonly string[])[]): Promise<void> {
  const engine = createEngine({ dialect: "redis", now: Date.now, random: Math.random });
  const [, ...theirs] = await real.client.send([["FLUSHALL"], ...commands]);
  for (const [at, words] of commands.entries()) {
    const both = [engine.run(words), theirs[at] as Reply].map(shown);
    // Keys, fields and members are in no order.
    if (/^(KEYS|SCAN|.SCAN)$/.test(words[0] ?? ""))
      for (const each of words[0] === "KEYS" ? both : both.flat()) if (Array.isArray(each)) each.sort();
    expect(both[0], JSON.stringify(words).slice(0, 2000)).toEqual(both[1]);
  }
}

const check = <T>(draw: fc.Arbitrary<T>, compare: (drawn: T[]) => Promise<void>): Promise<void> =>
  fc.assert(fc.asyncProperty(fc.array(draw, { minLength: AT_ONCE, maxLength: AT_ONCE }), compare), {
    numRuns: RUNS,
    endOnFailure: true,
  });

/** Runs one script with many random arguments. */
const random = (text: string, ...draws: fc.Arbitrary<string>[]): Promise<void> =>
  check(fc.tuple(...draws), (list) =>
    same(
      real,
      list.map((args): Script => [text, ...args]),
    ),
  );

const textOf = (parts: readonly string[], max: number, min = 0): fc.Arbitrary<string> =>
  fc.array(fc.constantFrom(...parts), { minLength: min, maxLength: max }).map((list) => list.join(""));

describe("linear algorithms answer as Redis does (B3)", () => {
  it("patterns of names", async () => {
    const name = textOf(["a", "b", "c", "-", "]", "[", "*", "?", "\\", "^", "\xff", "\0", "\n"], 8);
    const part = fc.constantFrom(
      ...["a", "b", "c", "-", "]", "*", "*", "**", "?", "\\", "\\*", "\\a", "^", "\xff", "\n"],
      ...[
        "[",
        "[a",
        "[ab]",
        "[^ab]",
        "[a-c]",
        "[c-a]",
        "[^a-b]",
        "[]",
        "[^]",
        "[\\]]",
        "[a\\-c]",
        "[a-]",
        "[-a]",
        "[\\",
        "[^",
      ],
    );
    const pattern = fc.array(part, { maxLength: 7 }).map((list) => list.join(""));
    await check(fc.tuple(fc.array(name, { minLength: 1, maxLength: 12 }), pattern), (list) =>
      sameCommands(
        list.flatMap(([names, glob]) => [
          ["FLUSHALL"],
          ["MSET", ...names.flatMap((each) => [each, "v"])],
          ["KEYS", glob],
          ["SCAN", "0", "COUNT", "1000", "MATCH", glob],
          ["DEL", "h", "s", "z"],
          ["HSET", "h", ...names.flatMap((each) => [each, "v"])],
          ["HSCAN", "h", "0", "COUNT", "1000", "MATCH", glob],
          ["SADD", "s", ...names],
          ["SSCAN", "s", "0", "COUNT", "1000", "MATCH", glob],
        ]),
      ),
    );
  });

  const number = fc.oneof(
    textOf(["0", "1", "9", ".", "e", "-", "+", "x", "a", "F", "p", " ", "inf", "\0", "\t", "00", "e5"], 6),
    fc.double({ noNaN: true }).map(String),
    fc.integer().map(String),
    fc
      .tuple(fc.integer({ min: -400, max: 400 }), fc.constantFrom("1e", "-2.5E", "0x1p", "0x.8P", ".1e+", "0e"))
      .map(([power, begin]) => begin + power),
    textOf(["9", "0", "5"], 40, 1),
    textOf(["9", "0", "5", "."], 40, 1),
    fc.constantFrom("Infinity", "-infinity", "0x", "0x1F", "0xffffffffffffffffff", "-0x10", "-0", "(1", "(", "(inf"),
  );

  it("numbers of commands", async () => {
    await check(number, (list) =>
      sameCommands([
        ["ZADD", "z", "0", "zero", "1", "one", "99", "many"],
        ...list.flatMap((text) => [
          ["ZADD", "z", text, "member"],
          ["ZSCORE", "z", "member"],
          ["ZCOUNT", "z", text, "+inf"],
          ["ZCOUNT", "z", "-inf", text],
          ["ZREM", "z", "member"],
        ]),
      ]),
    );
  });

  it("increments", async () => {
    // Redis computes with binary fractions, so others than eighths are not exact there.
    const sane = fc
      .tuple(fc.integer({ min: -9_999_999, max: 9_999_999 }), fc.constantFrom("", ".0", ".125", ".5", ".875000", "e2"))
      .map(([whole, part]) => whole + part);
    const scaled = fc.integer({ min: -99_999, max: 99_999 }).map((n) => `${n * 125}e-3`);
    const strange = textOf(["0", "1", ".", "e", "-", "+", "x", " ", "nan", "inf", "\0"], 5);
    const edge = fc.constantFrom(
      ...["1e-4000", "1e-4940", "1e-5000", "1e-300000000", "-1e-4900", "0e-99999", "0e99999", "0x10", "-0x1f"],
      ...[`0.${"9".repeat(5117)}`, `0.${"9".repeat(5118)}`, `${"0".repeat(5118)}1`, "1e5000", "1e300000000"],
    );
    await check(fc.oneof(sane, scaled, strange, edge), (list) =>
      sameCommands(
        list.flatMap((text) => [
          ["SET", "n", "10.5"],
          ["INCRBYFLOAT", "n", text],
          ["HSET", "h", "n", "10.5"],
          ["HINCRBYFLOAT", "h", "n", text],
        ]),
      ),
    );
  });

  it("numbers of scripts", async () => {
    await random("return { tostring(tonumber(ARGV[1])), tostring(pcall(function() return ARGV[1] + 0 end)) }", number);
    await random(
      "return tostring(tonumber(ARGV[1], ARGV[2]))",
      fc.oneof(number, textOf(["0", "1", "7", "9", "a", "f", "z", "Z", "-", "+", "0x", " ", "\t", "\0", "\xa0"], 14)),
      fc.integer({ min: 2, max: 36 }).map(String),
    );
    await random("return { tostring(tonumber(ARGV[1]) or 'x'), (tonumber(ARGV[1]) or 'x') .. '' }", number);
  });

  it("searches of plain texts, short and long", async () => {
    const text = textOf(["a", "aa", "aaaaaaaaaaaaaaaa", "b", "ab"], 20);
    await random(
      "return { string.find(ARGV[1], ARGV[2], tonumber(ARGV[3]), true) }",
      text,
      text,
      fc.constantFrom("1", "3", "-4", "99"),
    );
    const inside = fc.tuple(text, textOf(["a", "b"], 90), text);
    await check(inside, (list) =>
      same(
        real,
        list.map((parts): Script => ["return { string.find(ARGV[1], ARGV[2], 1, true) }", parts.join(""), parts[1]]),
      ),
    );
  });

  it("replacements", async () => {
    await random(
      `local function all(...) return { tostring((select(1, ...))), tostring((select(2, ...))) } end
       return all(pcall(string.gsub, ARGV[1], ARGV[2], ARGV[3], tonumber(ARGV[4])))`,
      textOf(["a", "b", "%", "1", "\0"], 12),
      fc.constantFrom("a", "(a)(b)", "()", "(a*)", "", ".", "^a", "b$", "[^a]", "%%", "(a", "(()b)", ".-"),
      textOf(["%0", "%1", "%2", "%%", "%", "x", "%a", "\0"], 4),
      fc.constantFrom("0", "1", "2", "100", "-1"),
    );
    await random(
      "return { ARGV[1]:upper(), ARGV[1]:lower(), ARGV[1]:reverse(), #ARGV[1]:rep(3) }",
      textOf(["a", "Z", "\xe4", "\xc4", "\0", "1"], 30),
    );
  });

  it("positions in tables", async () => {
    const at = fc.constantFrom("-3", "-1", "0", "1", "2", "3", "4", "5", "9");
    const list = "local t = {} for n = 1, tonumber(ARGV[1]) do t[n] = 'v' .. n end";
    const look = "local seen = {} for n = -5, 12 do seen[#seen + 1] = n .. '=' .. tostring(t[n]) end return seen";
    await random(`${list} table.insert(t, tonumber(ARGV[2]), 'new') ${look}`, fc.constantFrom("0", "1", "4"), at);
    await random(
      `${list} local gone = table.remove(t, tonumber(ARGV[2])) or 'none' ${look}`,
      fc.constantFrom("0", "1", "4"),
      at,
    );
    await random(
      `${list} local function all(...) return { tostring((...)), select('#', ...) } end
       return { all(pcall(table.concat, t, ',', tonumber(ARGV[2]), tonumber(ARGV[3]))), { pcall(unpack, t, tonumber(ARGV[2]), tonumber(ARGV[3])) } }`,
      fc.constantFrom("0", "1", "4"),
      at,
      at,
    );
  });

  it("keys that are numbers of any size", async () => {
    const key = fc.constantFrom(
      ...["0", "1", "-1", "2", "0.5", "-0.5", "2147483647", "2147483648", "-2147483648", "-2147483649"],
      ...["4294967296", "1e15", "9007199254740993", "1e300", "-1e300", "1/0", "-1/0"],
    );
    await check(fc.array(fc.tuple(key, fc.constantFrom("1", "nil", "2")), { maxLength: 12 }), (list) =>
      same(
        real,
        list.map(
          (changes): Script => [
            `local t = {} ${changes.map(([each, value]) => `t[${each}] = ${value}`).join(" ")}
           local seen = {} for k, v in pairs(t) do seen[#seen + 1] = string.format('%.17g=%s', k + 0, v) end table.sort(seen)
           return { seen, tostring(t[0]), tostring(t[1/0]), tostring(t[-1/0]), tostring(t[2147483648]), tostring(t[0.5]) }`,
          ],
        ),
      ),
    );
  });

  it("JSON, whole and damaged", async () => {
    const whole = fc.json({ maxDepth: 4 });
    const damaged = fc
      .tuple(whole, fc.nat(), fc.constantFrom("", "]", "}", "[", "{", ",", ":", '"', "x", "\\", "\0", "1", "-", "nul"))
      .map(([text, at, part]) => {
        const place = at % (text.length + 1);
        return text.slice(0, place) + part + text.slice(place + 1);
      });
    const strange = textOf(
      [
        '"',
        "\\u00e9",
        "\\u",
        "\\ud83d\\ude00",
        "\\ud83d",
        "\\n",
        "\\x",
        "\xe9",
        "[",
        "]",
        "{",
        "}",
        ":",
        ",",
        "1",
        "-inf",
        "0x1f",
        "+1",
        "01",
        "true",
        "fals",
        "null",
        " ",
        "\t",
        "\x01",
      ],
      6,
    );
    const bytes = (draw: fc.Arbitrary<string>): fc.Arbitrary<string> =>
      draw.map((text) => Buffer.from(text).toString("latin1"));
    const show = `local function show(v)
        if v == cjson.null then return 'null' end
        if type(v) ~= 'table' then return type(v) .. ':' .. tostring(v) end
        local all = {} for k, item in pairs(v) do all[#all + 1] = tostring(k) .. '=' .. show(item) end
        table.sort(all) return '{' .. table.concat(all, ',') .. '}' end
      local isRead, value = pcall(cjson.decode, ARGV[1]) return { tostring(isRead), isRead and show(value) or value }`;
    await random(show, fc.oneof(bytes(whole), bytes(damaged), bytes(damaged), bytes(strange)));
    await random(
      "return cjson.encode(cjson.decode(ARGV[1]))",
      bytes(fc.array(fc.oneof(fc.string(), fc.double(), fc.boolean())).map((list) => JSON.stringify(list))),
    );
  });
});

describe("values with another representation answer as Redis does (B3)", () => {
  it("lists", async () => {
    const item = fc.constantFrom("a", "b", "c", "");
    const index = fc.integer({ min: -9, max: 9 }).map(String);
    const end = fc.constantFrom("LEFT", "RIGHT");
    const words = (...parts: (string | fc.Arbitrary<string>)[]): fc.Arbitrary<string[]> =>
      fc.tuple(...parts.map((part) => (typeof part === "string" ? fc.constant(part) : part)));
    const command = fc.oneof(
      words("LPUSH", "l", item, item),
      words("RPUSH", "l", item, item, item),
      words("LPOP", "l"),
      words("RPOP", "l"),
      words(fc.constantFrom("LPOP", "RPOP"), "l", fc.constantFrom("0", "1", "3", "99")),
      words("LINDEX", "l", index),
      words("LSET", "l", index, item),
      words("LREM", "l", index, item),
      words("LINSERT", "l", fc.constantFrom("BEFORE", "AFTER"), item, item),
      words("LMOVE", "l", fc.constantFrom("l", "m"), end, end),
      words("RPOPLPUSH", "m", "l"),
      fc
        .tuple(fc.nat({ max: 20 }), index, index)
        .map(([luck, from, to]) => ["LTRIM", "l", luck === 0 ? from : "0", luck === 0 ? to : "-1"]),
    );
    await check(fc.array(command, { minLength: 1, maxLength: 20 }), (list) =>
      sameCommands([...list.flat().map((each) => [...each]), ["LRANGE", "l", "0", "-1"], ["LRANGE", "m", "0", "-1"]]),
    );
  });

  it("sorted sets that are changed in bulk", async () => {
    const score = fc.integer({ min: -50, max: 50 }).map(String);
    const member = fc.nat({ max: 2500 }).map((n) => `m${n}`);
    const pairs = (min: number, max: number): fc.Arbitrary<string[]> =>
      fc.array(fc.tuple(score, member), { minLength: min, maxLength: max }).map((list) => list.flat());
    const command = fc.oneof(
      pairs(800, 1500).map((list) => ["ZADD", "z", ...list]),
      pairs(1, 3).map((list) => ["ZADD", "z", ...list]),
      pairs(500, 900).map((list) => ["ZADD", "z", "GT", "CH", ...list]),
      fc.tuple(score, member).map(([by, name]) => ["ZINCRBY", "z", by, name]),
      fc.array(member, { minLength: 500, maxLength: 900 }).map((list) => ["ZREM", "z", ...list]),
      member.map((name) => ["ZREM", "z", name]),
      fc.constantFrom(["ZPOPMIN", "z", "300"], ["ZPOPMAX", "z", "300"], ["ZPOPMIN", "z"], ["ZPOPMAX", "z", "0"]),
      fc.tuple(score, score).map((bounds) => ["ZREMRANGEBYSCORE", "z", ...bounds]),
      fc.constant(["ZREMRANGEBYRANK", "z", "10", "40"]),
    );
    const property = fc.asyncProperty(fc.array(command, { minLength: 3, maxLength: 8 }), (list) =>
      sameCommands(list.flatMap((each) => [each, ["ZRANGE", "z", "0", "-1", "WITHSCORES"]])),
    );
    await fc.assert(property, { numRuns: RUNS, endOnFailure: true });
  });

  it("random members: as many as were asked for, each of the set, and none twice unless that is wanted", () => {
    const engine = createEngine({ dialect: "redis", now: Date.now, random: Math.random });
    const members = Array.from({ length: 40 }, (_, n) => `m${n}`);
    const seen = new Set<string>();
    for (let round = 0; round < 300; round++) {
      engine.run(["DEL", "s"]);
      engine.run(["SADD", "s", ...members]);
      const some = engine.run(["SRANDMEMBER", "s", "7"]) as string[];
      expect([some.length, new Set(some).size]).toEqual([7, 7]);
      const repeated = engine.run(["SRANDMEMBER", "s", "-100"]) as string[];
      expect([repeated.length, repeated.every((each) => members.includes(each))]).toEqual([100, true]);
      const taken = engine.run(["SPOP", "s", "12"]) as string[];
      expect([new Set(taken).size, engine.run(["SCARD", "s"])]).toEqual([12, 28]);
      expect([...taken, ...(engine.run(["SMEMBERS", "s"]) as string[])].sort()).toEqual([...members].sort());
      for (const each of [...some, ...taken, engine.run(["SRANDMEMBER", "s"]) as string]) seen.add(each);
    }
    expect(seen.size).toBe(members.length);
  });

  it("the counts of random members", async () => {
    const count = fc.constantFrom("0", "1", "-1", "5", "-5", "-9223372036854775808", "9223372036854775807", "x", "-0");
    await check(count, (list) =>
      sameCommands(
        list.flatMap((each) => [
          ["SADD", "one", "member"],
          ["SRANDMEMBER", "one", each === "-9223372036854775808" || Number(each) > -10 ? each : "1"],
          ["SPOP", "one", each],
          ["SRANDMEMBER", "none", each],
        ]),
      ),
    );
  });
});

describe("the limits of Lua (B3)", () => {
  const several = (count: number, item: (n: number) => string): string =>
    Array.from({ length: count }, (_, n) => item(n + 1)).join(" ");

  it.each([
    [
      "upvalues",
      (n: number) =>
        `local ${several(n, (at) => `a${at}`).replaceAll(" ", ",")} local function f() return ${several(n, (at) => `a${at}`).replaceAll(" ", ",")} end return 1`,
      60,
    ],
    [
      "upvalues of a function between",
      (n: number) =>
        `local ${several(n, (at) => `a${at}`).replaceAll(" ", ",")}\nlocal function f()\nlocal function g() return ${several(n, (at) => `a${at}`).replaceAll(" ", ",")} end end return 1`,
      60,
    ],
    ["results of string.byte", (n: number) => `return select('#', string.byte(string.rep('a', ${n}), 1, -1))`, 7900],
    ["results of unpack", (n: number) => `return select('#', unpack({}, 1, ${n}))`, 7900],
  ])("%s", async (_, scriptOf, max) => {
    await same(real, [[scriptOf(max - 1)], [scriptOf(max)]]);
    await same(real, [[scriptOf(max === 60 ? 61 : 8100)]]);
  });
});
