import { describe, expect, it } from "vitest";
import { createEngine, type Engine, ErrorReply } from "../src/index.ts";
import { replyJson } from "../src/rest/index.ts";
import { same } from "./support/same.ts";
import { useRedis } from "./support/use-redis.ts";

const real = useRedis();
const engineOf = (): Engine => createEngine({ dialect: "redis", now: Date.now, random: () => 0.5 });
const r = (text: string, count: number): string => text.repeat(count);
const list = (count: number, item: (at: number) => string, between = ""): string =>
  Array.from({ length: count }, (_, at) => item(at)).join(between);

type Make = (count: number) => string;

/** Forms of Lua that nest, with a number at which Redis refuses them and the one before. */
const NESTED: readonly (readonly [what: string, make: Make, limit: number])[] = [
  ["parentheses", (n) => `return ${r("(", n)}1${r(")", n)}`, 198],
  ["parentheses on lines", (n) => `return ${r("(\n", n)}1${r(")", n)}`, 198],
  ["parentheses in operations", (n) => `local a = 1 return ${r("(a + ", n)}a${r(")", n)}`, 99],
  ["not", (n) => `return ${r("not ", n)}1`, 198],
  ["minus", (n) => `local a = 1 return ${r("- ", n)}a`, 198],
  ["lengths", (n) => `local a = {} return ${r("# ", n)}a`, 1],
  ["concatenations", (n) => `local a = 'x' return ${r("a .. ", n)}a`, 198],
  ["powers", (n) => `local a = 1 return ${r("a ^ ", n)}a`, 198],
  ["tables", (n) => `return #{${r("{", n)}${r("}", n)}}`, 197],
  ["tables as values", (n) => `local t = ${r("{ a = ", n)}1${r("}", n)} return 1`, 198],
  ["tables as keys", (n) => `local t = ${r("{ [", n)}1${r("] = 1 }", n)} return 1`, 198],
  ["indexes", (n) => `local t = {} t[1] = 1 return ${r("t[", n)}1${r("]", n)}`, 198],
  ["calls", (n) => `local f = tostring return ${r("f(", n)}1${r(")", n)}`, 198],
  ["blocks", (n) => `${r("do ", n)}${r("end ", n)} return 1`, 199],
  ["conditions", (n) => `${r("if true then ", n)}${r("end ", n)} return 1`, 199],
  ["other branches", (n) => `${r("if false then else ", n)}${r("end ", n)} return 1`, 199],
  ["loops", (n) => `${r("while false do ", n)}${r("end ", n)} return 1`, 199],
  ["repetitions", (n) => `${r("repeat ", n)}${r("until true ", n)} return 1`, 199],
  ["counting loops", (n) => `${r("for i = 1, 1 do ", n)}${r("end ", n)} return 1`, 50],
  ["loops over tables", (n) => `${r("for k in pairs({ 1 }) do ", n)}${r("end ", n)} return 1`, 50],
  ["loops over pairs", (n) => `${r("for k, v in pairs({ 1 }) do ", n)}${r("end ", n)} return 1`, 40],
  ["functions", (n) => `${r("local function f() ", n)}${r("end ", n)} return 1`, 199],
  ["function expressions", (n) => `local f = ${r("function() return ", n)}1${r(" end", n)} return 1`, 99],
  ["called functions", (n) => `return ${r("(function() return ", n)}1${r(" end)()", n)}`, 66],
  ["mixed", (n) => `return ${r("(not { 'x' .. type(", n)}1${r(") })", n)} and 1`, 39],
];

/** Forms that Lua reads without nesting. */
const CHAINED: readonly (readonly [what: string, make: Make])[] = [
  ["sums", (n) => `local a = 1 return ${r("a + ", n)}a`],
  ["differences of strings", (n) => `local a = '1' return ${r("a - ", n)}a`],
  [
    "sums with tables",
    (n) => `local t = setmetatable({}, { __add = function(a) return a end }) return type(t${r("+ 1", n)})`,
  ],
  ["comparisons", (n) => `local a = 1 return ${r("a == ", n)}a`],
  ["fields", (n) => `local a = {} a.a = a return type(a${r(".a", n)})`],
  ["indexes", (n) => `local a, k = {}, 1 a[1] = a return type(a${r("[k]", n)})`],
  ["calls", (n) => `local f function f() return f end return type(f${r("()", n)})`],
  [
    "calls with calls",
    (n) => `local n, f = 0 function f(x) n = n + 1 return f end local g = f${r("(f(1))", n)} return n`,
  ],
  [
    "calls that call themselves",
    (n) =>
      `local n, f = 0 function f(x) if x > 0 then f(x - 1)(0)(0)(0)(0)(0)(0) end n = n + x return f end local g = f(3)${r("(1)", n)} return n`,
  ],
  [
    "methods",
    (n) => `local o = { n = 0 } function o:m(x) self.n = self.n + x return self end return o${r(":m(1)", n)}.n`,
  ],
  ["strings", (n) => `local s = '' local f function f(x) s = s .. x return f end local g = f${r("'a'", n)} return #s`],
  ["targets", (n) => `local a = {} a.a = a a${r(".a", n)} = 1 return a.a`],
  ["targets of functions", (n) => `local a = {} a.a = a function a${r(".a", n)}() return 7 end return a.a()`],
  ["items", (n) => `return #{ ${r("1,", n)} }`],
  ["statements", (n) => `local a = 0 ${r("a = a + 1 ", n)} return a`],
];
/** These have a limit in Redis, which is larger. */
const LONG: readonly (readonly [what: string, make: Make])[] = [
  ["conjunctions", (n) => `local a = 1 return ${r("a and ", n)}a`],
  ["disjunctions", (n) => `local a = false return ${r("a or ", n)}1`],
  ["both", (n) => `local a = false return ${r("a and a or ", n)}1`],
  [
    "branches",
    (n) => `local a = 0 if a == 1 then ${list(n, (at) => `elseif a == ${at + 2} then `)} else a = 7 end return a`,
  ],
];

describe("a text that nests", () => {
  it.each(NESTED)("as deep as Redis allows: %s (B6)", async (_, make, limit) => {
    await same(
      real,
      [1, 2, limit - 1, limit, limit + 1, limit + 2, 1_000, 5_000, 30_000].map((count) => [make(count)]),
    );
  });

  it("as calls of methods, of which Redis allows fewer inside each other (B6)", async () => {
    const make: Make = (n) => `local t = {} function t:m(x) return x end return ${r("t:m(", n)}1${r(")", n)}`;
    await same(
      real,
      [1, 2, 50, 120].map((count) => [make(count)]),
    );
    for (const count of [199, 1_000, 5_000, 30_000])
      expect(engineOf().run(["EVAL", make(count), "0"])).toEqual(
        new ErrorReply("ERR Error compiling script (new function): user_script:1: chunk has too many syntax levels"),
      );
  });

  it("is compiled in a time that does not double with each level (B6)", () => {
    const calls = `local f = tostring return ${r("f(", 190)}1${r(")", 190)}`;
    expect(engineOf().run(["EVAL", calls, "0"])).toBe("1");
    const functions = `${r("local f = function() ", 60)}${r("end ", 60)} return 1`;
    expect(engineOf().run(["EVAL", functions, "0"])).toBe(1);
  });

  it("counts the levels of the script that loads it (B6)", async () => {
    const load = (count: number): string =>
      `loadstring('return ' .. ('('):rep(${count}) .. 1 .. (')'):rep(${count}), '@user_script')`;
    const ways: Make[] = [
      (count) => `local f, e = ${load(count)} return { e or '', f and f() }`,
      (count) => `return { pcall(function() local f, e = ${load(count)} return e or f() end) }`,
      (count) => `return { pcall(pcall, function() local f, e = ${load(count)} return e or f() end) }`,
      (count) => `local s = string.gsub('a', 'a', function() local f, e = ${load(count)} return e or f() end) return s`,
    ];
    await same(
      real,
      ways.flatMap((way) => [194, 195, 196, 197, 198, 199].map((count) => [way(count)] as const)),
    );
  });
});

describe("a chain of any length", () => {
  it.each(CHAINED)("is not nested: %s (B6)", async (_, make) => {
    await same(
      real,
      [1, 2, 3, 4, 5, 6, 7, 200, 20_000].map((count) => [make(count)]),
    );
  });
  it.each(LONG)("is not nested: %s (B6)", async (_, make) => {
    await same(
      real,
      [1, 2, 3, 4, 5, 6, 7, 200, 20_000].map((count) => [make(count)]),
    );
  });
});

describe("local variables", () => {
  it.each<readonly [string, Make, number]>([
    ["in a list", (n) => `local ${list(n, (at) => `a${at}`, ",")} return 1`, 200],
    ["one by one", (n) => `${list(n, (at) => `local a${at} = 1 `)} return 1`, 200],
    ["on lines", (n) => `${list(n, (at) => `local a${at} = 1\n`)} return 1`, 200],
    ["functions", (n) => `${r("local function f() end ", n)} return 1`, 200],
    ["parameters", (n) => `local function f(${list(n, (at) => `a${at}`, ",")}) end return 1`, 200],
    ["parameters of a method", (n) => `local t = {} function t:f(${list(n, (at) => `a${at}`, ",")}) end return 1`, 199],
    ["parameters before more", (n) => `local function f(${r("a,", n)}...) end return 1`, 199],
    ["in a function", (n) => `\nlocal x local function f()\n${r("local a ", n)} end return 1`, 200],
    ["of a loop", (n) => `for ${list(n, (at) => `a${at}`, ",")} in pairs({}) do end return 1`, 197],
    ["in blocks that have ended", (n) => `${r("do local a, b, c end ", n)} return 1`, 1000],
  ])("are as many as Redis allows: %s (B6)", async (_, make, limit) => {
    await same(
      real,
      [1, limit - 1, limit, limit + 1, 1_000].map((count) => [make(count)]),
    );
  });
});

/** Scripts that call themselves without an end. */
const ENDLESS: readonly (readonly [what: string, script: string])[] = [
  ["a function", "local function f() return 1 + f() end return f()"],
  ["a function with arguments", "local function f(a, ...) return 1 + f(a, ...) end return f(1, 2, 3)"],
  ["a function in nested parts", `local function f() return ${r("(1 + ", 90)}f()${r(")", 90)} end return f()`],
  ["a function in blocks", `local function f() ${r("do if true then ", 90)}f()${r("end end ", 90)} end return f()`],
  ["two functions", "local f, g function f() return 1 + g() end function g() return f() .. '' end return f()"],
  ["a table that is called", "local t t = setmetatable({}, { __call = function(s) return s() + 1 end }) return t()"],
  ["a caught error", "local function f() local ok, e = pcall(f) if not ok then error(e, 0) end end return f()"],
  [
    "pcall",
    "local n = 0 local function f() n = n + 1 return pcall(f) end local all = { f() } return { n, #all, all[#all] }",
  ],
  [
    "xpcall",
    "local n = 0 local function f() n = n + 1 return xpcall(f, function(e) return e end) end return { f(), n }",
  ],
  ["a handler", "return { xpcall(function() error('a') end, function(e) error('b') end) }"],
  ["a handler that is none", "return { xpcall(function() error('a') end, 7) }"],
  [
    "a handler with one error",
    "local n = 0 return { xpcall(error, function(e) n = n + 1 if n < 3 then error('x', 0) end return tostring(e) end) }",
  ],
  ["gsub", "local function f() return (string.gsub('a', 'a', f)) end return f()"],
  ["sort", "local function f() table.sort({ 2, 1 }, f) end return f()"],
  ["foreach", "local function f() table.foreach({ 1 }, f) end return f()"],
  ["foreachi", "local function f() table.foreachi({ 1 }, f) end return f()"],
  ["tostring", "local t = setmetatable({}, { __tostring = function(s) return tostring(s) end }) return tostring(t)"],
  ["an index", "local t = setmetatable({}, { __index = function(t, k) return t[k + 1] end }) return t[1]"],
  ["a new index", "local t = setmetatable({}, { __newindex = function(t, k, v) t[k + 1] = v end }) t[1] = 1"],
  ["a sum", "local t = setmetatable({}, { __add = function(a, b) return a + b end }) return t + 1"],
  ["a minus", "local t = setmetatable({}, { __unm = function(a) return -a end }) return -t"],
  ["a concatenation", "local t = setmetatable({}, { __concat = function(a, b) return a .. b end }) return t .. 1"],
  [
    "an equality",
    "local m = {} m.__eq = function(a, b) return a == b end return setmetatable({}, m) == setmetatable({}, m)",
  ],
  [
    "a comparison",
    "local m = {} m.__lt = function(a, b) return a < b end return setmetatable({}, m) < setmetatable({}, m)",
  ],
  ["an iterator", "local function f() for x in f do end end return f()"],
  ["a chain of indexes", "local t = {} setmetatable(t, { __index = t }) return t.x"],
  ["a chain of new indexes", "local t = {} setmetatable(t, { __newindex = t }) t.x = 1"],
];

describe("a script that calls itself without an end", () => {
  it.each(ENDLESS)("gets Redis's error: %s (B6)", async (_, script) => {
    const caught = `local ok, e = pcall(loadstring(${JSON.stringify(script)}, '@user_script')) return { tostring(ok), e }`;
    await same(real, [[script], ["return 1"], [caught], [script]]);
  });

  it("as often as Redis allows, where a library function calls (B6)", async () => {
    const ways: Make[] = [
      (n) =>
        `local function f(n) if n == 0 then return 0 end local ok, e = pcall(f, n - 1) return ok and e or error(e, 0) end return f(${n})`,
      (n) =>
        `local function f(n) if n == 0 then return 0 end table.foreach({ 1 }, function() f(n - 1) end) end return f(${n})`,
      (n) =>
        `local t t = setmetatable({}, { __index = function(_, k) return k == 0 and 'end' or t[k - 1] end }) return t[${n}]`,
    ];
    await same(
      real,
      ways.flatMap((way) => [1, 100, 196, 197, 198, 199, 200].map((count) => [way(count)] as const)),
    );
  });

  it("a few hundred times, where only Lua calls, also in nested parts (B6)", async () => {
    const scripts = [
      "local function f(n) if n == 0 then return 0 end return 1 + f(n - 1) end return f(500)",
      `local function f(n) if n == 0 then return 0 end return ${r("(0 + ", 20)}1 + f(n - 1)${r(")", 20)} end return f(100)`,
      "local function walk(t, d) if d == 0 then return 1 end local n = 0 for _, x in ipairs(t) do n = n + walk(t, d - 1) end return n end return walk({ 1 }, 180)",
    ];
    await same(
      real,
      scripts.map((script) => [script]),
    );
  });

  /** Parts of a function around a call of itself. */
  const AROUND: readonly (readonly [before: string, after: string])[] = [
    ["return 1 + ", ""],
    ["local a, b, c = 1, 2, ", ""],
    ["local t = {} t.x, t.y = 1, ", ""],
    [`return ${r("(1 + ", 90)}`, r(")", 90)],
    [`return ${r("(1 + ", 60)}`, r(" + 1 + 1 + 1)", 60)],
    [`return ${r("(1 + ", 60)}`, r(" + 1 + 1 + 1 + 1 + 1 + 1 + 1)", 60)],
    [`return ${r("'a' .. ", 150)}`, ""],
    [`return ${r("2 ^ ", 150)}`, ""],
    [`return ${r("not ", 150)}`, ""],
    [`return ${r("- ", 150)}`, ""],
    [`return ${r("(1 and ", 90)}`, r(")", 90)],
    [`return ${r("{", 90)}`, r("}", 90)],
    [`return ${r("{ a = 1, ", 90)}`, r("}", 90)],
    [`return ${r("{ [", 90)}`, r("] = 1 }", 90)],
    [`return ${r("tostring(", 90)}`, r(")", 90)],
    [`return ${r("tostring(1, 2, 3, 4, ", 90)}`, r(")", 90)],
    [`return ${r("('x'):rep(", 90)}`, r(")", 90)],
    [`local t = {} return ${r("t[", 90)}`, r("]", 90)],
    [r("if true then ", 90), r(" end", 90)],
    [r("do local x = 1 ", 90), r(" end", 90)],
    [r("while true do local x ", 90), r(" end", 90)],
    [r("for i = 1, 2 do local x ", 40), r(" end", 40)],
    [r("for i in pairs({ 1 }) do local x ", 40), r(" end", 40)],
    ["return pcall(f, ", ")"],
    ["return (string.gsub('a', '((a))', function() ", " end))"],
    ["table.sort({ 1, 2, 3 }, function() ", " end)"],
    ["return setmetatable({}, { __index = function() ", " end }).x"],
    ["return setmetatable({}, { __call = function() return 1 + ", " end })()"],
    ["return setmetatable({}, { __add = function() return 1 + ", " end }) + 1"],
  ];
  it.each(AROUND)("leaves room for commands at every depth: %s … %s (B6)", (before, after) => {
    const ROOM = 1_000;
    let min = ROOM;
    let calls = 0;
    const probe = (): number => {
      let frames = 0;
      const down = (): void => {
        if (++frames < ROOM) down();
      };
      try {
        down();
      } catch {}
      min = Math.min(min, frames);
      return ++calls;
    };
    const commands = { probe: [1, "", probe] } as const;
    const engine = createEngine({ dialect: "redis", now: Date.now, random: () => 0.5, commands });
    const script = `local f function f() ${before}f(redis.call('PROBE'))${after} end f()`;
    // The second time, other code of the host may be optimized.
    for (let n = 0; n < 2; n++) {
      const reply = engine.run(["EVAL", script, "0"]);
      expect(String(reply)).toMatch(/stack overflow|null/);
    }
    expect(calls).toBeGreaterThan(20);
    expect(min).toBe(ROOM);
  });

  it("and changes nothing by halves: a command runs whole or not at all (B6)", () => {
    const engine = engineOf();
    const members = list(300, (at) => `'${at}', 'm${at}'`, ",");
    const script = `
      local last = 0
      local function f(n)
        last = n
        redis.call('ZADD', 'set' .. n, ${members})
        redis.call('HSET', 'hash' .. n, ${members})
        return 1 + f(n + 1)
      end
      local ok, e = pcall(f, 1)
      return { last, tostring(ok), e }`.replaceAll("\n", " ");
    const [last, ok, error] = engine.run(["EVAL", script, "0"]) as [number, string, string];
    expect([ok, error]).toEqual(["false", "user_script:1: stack overflow"]);
    expect(last).toBeGreaterThan(200);
    for (let n = 1; n <= last; n++) {
      expect(engine.run(["ZCARD", `set${n}`])).toBe(300);
      expect((engine.run(["ZRANGE", `set${n}`, "0", "-1"]) as unknown[]).length).toBe(300);
      expect(engine.run(["HLEN", `hash${n}`])).toBe(300);
    }
  });
});

describe("values that nest", () => {
  it.each([
    ["in texts", (n: number) => `return #cjson.encode(cjson.decode(('['):rep(${n}) .. (']'):rep(${n})))`],
    [
      "in texts of objects",
      (n: number) => `return #cjson.encode(cjson.decode(('{"a\\\\\\"[[":'):rep(${n}) .. '1' .. ('}'):rep(${n})))`,
    ],
    ["in texts without an end", (n: number) => `return { pcall(cjson.decode, ('['):rep(${n} + 1002)) }`],
    ["in tables", (n: number) => `local t = {} for i = 2, ${n} do t = { t } end return #cjson.encode(t)`],
    ["in tables by name", (n: number) => `local t = {} for i = 2, ${n} do t = { a = t } end return #cjson.encode(t)`],
    ["in themselves", (n: number) => `local t = {} t[1] = t return { ${n}, pcall(cjson.encode, t) }`],
  ])("as JSON, as deep as Redis allows: %s (B6)", async (_, make) => {
    await same(
      real,
      [1, 2, 998, 999, 1_000, 1_001, 5_000, 100_000].map((count) => [make(count)]),
    );
  });

  it("are a reply up to a depth that JSON has, and an error beyond (B6)", () => {
    const engine = engineOf();
    const nested = (count: number) =>
      engine.run(["EVAL", `local t = 1 for i = 1, ${count} do t = { t } end return t`, "0"]);
    expect(replyJson(nested(1_000), "text")).toBe(`{"result":${r("[", 1_000)}1${r("]", 1_000)}}`);
    const tooDeep = new ErrorReply("ERR reached lua stack limit");
    for (const count of [1_001, 8_000, 100_000]) expect(nested(count)).toEqual(tooDeep);
    expect(engine.run(["EVAL", "local t = {} t[1] = t return t", "0"])).toEqual(tooDeep);
    expect(engine.run(["EVAL", "local t = {} for i = 1, 3 do t[i] = { { t } } end return t", "0"])).toEqual(tooDeep);
    expect(engine.run(["PING"])).toMatchObject({ text: "PONG" });
  });
});

it("a script cannot catch that a command failed in the host, perhaps half done (B6)", () => {
  const engine = createEngine({
    dialect: "redis",
    now: Date.now,
    random: () => 0.5,
    commands: {
      fail: [
        1,
        "",
        () => {
          throw new RangeError("Maximum call stack size exceeded");
        },
      ],
    },
  });
  const script = "pcall(redis.call, 'FAIL') pcall(redis.pcall, 'FAIL') return 'went on'";
  expect(() => engine.run(["EVAL", script, "0"])).toThrow("a command failed");
  expect(engine.run(["EVAL", "return 'the next one'", "0"])).toBe("the next one");
});
