import { expect, it } from "vitest";
import { createEngine, ErrorReply } from "../src/index.ts";

const OPTIONS = { dialect: "redis", now: Date.now, random: () => 0.5 } as const;
const engine = createEngine(OPTIONS);
const run = (script: string) => engine.run(["EVAL", script, "0"]);

const ENDLESS: readonly (readonly [what: string, script: string, why: RegExp])[] = [
  ["a loop", "while true do end", /^ERR the script takes too many steps script: [\da-f]{40}$/],
  ["a loop that catches its errors", "while true do pcall(function() while true do end end) end", /too many steps/],
  ["a loop in the handler of an error", "xpcall(error, function() while true do end end)", /too many steps/],
  [
    "tables that are kept",
    "local t = {} while true do t = { t } end",
    /^ERR the script takes too much memory script: /,
  ],
];

it.each(ENDLESS)("a script ends by itself at the end of its budget: %s", (_, script, why) => {
  const reply = run(script);
  expect(reply).toBeInstanceOf(ErrorReply);
  expect((reply as ErrorReply).message).toMatch(why);
  // The next one has a whole budget again.
  expect(run("local n = 0 for i = 1, 1000000 do n = n + 1 end return n")).toBe(1_000_000);
});

it("what a script wrote before the end of its budget stays", () => {
  const small = createEngine({ ...OPTIONS, maxSteps: 1000 });
  const reply = small.run(["EVAL", "redis.call('SET', 'a', 1) while true do end", "0"]);
  expect(reply).toBeInstanceOf(ErrorReply);
  expect(small.run(["GET", "a"])).toBe("1");
});

it("the commands of a request share its budget, and others do not (B3)", () => {
  const small = createEngine({ ...OPTIONS, maxSteps: 2000 });
  const half = ["EVAL", "for i = 1, 700 do end return 1", "0"];
  const budget = small.budget();
  const refused = expect.objectContaining({ message: expect.stringMatching(/^ERR the \w+ takes too many steps/) });
  expect([1, 2, 3].map(() => small.run(half, budget))).toEqual([1, 1, refused]);
  expect([1, 2, 3].map(() => small.run(half))).toEqual([1, 1, 1]);
  expect(small.transact([half, half, half])).toEqual([1, 1, refused]);
});

it("what follows the end of a budget is an error, also a refused command (B3)", () => {
  const small = createEngine({ ...OPTIONS, maxSteps: 1000 });
  const budget = small.budget();
  small.run(["EVAL", "while true do end", "0"], budget);
  const spent = expect.objectContaining({ message: "ERR the command takes too many steps" });
  expect([["PING"], ["NOPE"], ["SET", "a", "1"]].map((words) => small.run(words, budget))).toEqual([
    spent,
    spent,
    spent,
  ]);
  expect(small.run(["GET", "a"])).toBeNull();
});

const MANY = Array.from({ length: 3000 }, (_, n) => String(n));
it.each<readonly [what: string, before: readonly string[], words: readonly string[], look: readonly string[]]>([
  ["LREM", ["RPUSH", "k", ...MANY], ["LREM", "k", "0", "7"], ["LLEN", "k"]],
  ["LPOP", ["RPUSH", "k", ...MANY], ["LPOP", "k", "9000"], ["LLEN", "k"]],
  ["LTRIM", ["RPUSH", "k", ...MANY], ["LTRIM", "k", "1", "-1"], ["LLEN", "k"]],
  ["SPOP", ["SADD", "k", ...MANY], ["SPOP", "k", "9000"], ["SCARD", "k"]],
  ["SUNIONSTORE", ["SADD", "k", ...MANY], ["SUNIONSTORE", "k", "k", "none"], ["SCARD", "k"]],
  [
    "ZADD",
    ["ZADD", "k", ...MANY.flatMap((n) => [n, n])],
    ["ZADD", "k", ...MANY.flatMap((n) => [`-${n}`, n])],
    ["ZCARD", "k"],
  ],
  ["ZPOPMIN", ["ZADD", "k", ...MANY.flatMap((n) => [n, n])], ["ZPOPMIN", "k", "9000"], ["ZCARD", "k"]],
  [
    "ZREMRANGEBYRANK",
    ["ZADD", "k", ...MANY.flatMap((n) => [n, n])],
    ["ZREMRANGEBYRANK", "k", "0", "-1"],
    ["ZCARD", "k"],
  ],
  ["APPEND", ["SET", "k", "x".repeat(3000)], ["APPEND", "k", "y".repeat(100)], ["STRLEN", "k"]],
  ["SETRANGE", ["SET", "k", "x".repeat(3000)], ["SETRANGE", "k", "90000", "y"], ["STRLEN", "k"]],
])("%s is done whole, or not at all (B3)", (_, before, words, look) => {
  for (let maxSteps = 1; maxSteps < 300_000; maxSteps *= 3) {
    const small = createEngine({ ...OPTIONS, maxSteps, maxBytes: 10 * maxSteps });
    const ample = createEngine(OPTIONS);
    for (const each of [small, ample]) each.run(before, ample.budget());
    const whole = [ample.run(words), ample.run(look)];
    const reply = small.run(words);
    if (reply instanceof ErrorReply) expect(small.run(look, ample.budget())).toBe(3000);
    else expect([reply, small.run(look, ample.budget())]).toEqual(whole);
  }
});
