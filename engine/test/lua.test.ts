import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, it } from "vitest";
import { type Script, same } from "./support/same.ts";
import { useRedis } from "./support/use-redis.ts";

const real = useRedis();
const compare = (scripts: readonly Script[]): Promise<void> => same(real, scripts);

const RUNS = Number(process.env["LUA_RUNS"] ?? 15);
const AT_ONCE = 50;

/** Runs one script with many random arguments. */
const random = (text: string, ...draws: fc.Arbitrary<string>[]): Promise<void> =>
  fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(...draws), { minLength: AT_ONCE, maxLength: AT_ONCE }), (list) =>
      compare(list.map((args) => [text, ...args])),
    ),
    { numRuns: RUNS, endOnFailure: true },
  );

const snippets = readFileSync(new URL("./support/snippets.lua", import.meta.url), "latin1")
  .split(/^----\n/m)
  .map((text) => text.trimEnd());

describe("Lua in memory is Lua 5.1 as Redis has it", () => {
  it.each(snippets)("%s", async (text) => {
    await compare([[text]]);
  });

  const doubles = fc
    .oneof(
      fc.double(),
      fc.integer(),
      fc.double({ min: -1e4, max: 1e4 }),
      fc.nat().map((n) => n / 8),
      fc.bigInt().map(Number),
    )
    .map((value) => (Number.isNaN(value) ? "1" : String(value)));

  it("writes and reads numbers", async () => {
    await random("return tostring(tonumber(ARGV[1])) .. ' ' .. tonumber(ARGV[1])", doubles);
    const words = fc.constantFrom(
      "0x1F",
      " 12 ",
      "1e5",
      "1e",
      "",
      " ",
      ".5",
      "5.",
      "-.5e-3",
      "0x",
      "1 2",
      "inf",
      "+7",
      "- 7",
      "1\0",
      "\t1\n",
      "1_0",
      "--1",
    );
    await random("local n = tonumber(ARGV[1]) return tostring(n)", words);
    await random(
      "return tostring(tonumber(ARGV[1], ARGV[2]))",
      fc.constantFrom("ff", "FF", "10", "zz", "8", "-11", " 7 ", "1.5"),
      fc.constantFrom("2", "8", "10", "16", "36"),
    );
  });

  it("formats numbers and texts", async () => {
    const flags = fc.subarray(["-", "+", " ", "0", "#"], { maxLength: 2 }).map((list) => list.join(""));
    const width = fc.constantFrom("", "3", "12");
    const precision = fc.constantFrom("", ".0", ".1", ".3", ".10", ".17");
    const spec = fc
      .tuple(flags, width, precision, fc.constantFrom(..."deEfgGiouxX"))
      .map((parts) => `[%${parts.join("")}]`);
    const bounded = doubles.filter((text) => Math.abs(Number(text)) < 2 ** 62);
    await random("return string.format(ARGV[1], tonumber(ARGV[2]))", spec, bounded);
    const texts = fc.constantFrom("[%s]", "[%10s]", "[%-10s]", "[%.2s]", "[%q]", "[%5.1s]");
    await random("return string.format(ARGV[1], ARGV[2])", texts, fc.constantFrom("", "abc", 'a"b\\\n\r', "\xff\x80"));
  });

  it("computes", async () => {
    const operators = ["+", "-", "*", "/", "%"].map((operator) => `a ${operator} b`).join(", ");
    await random(
      `local a, b = tonumber(ARGV[1]), tonumber(ARGV[2])
       local all = { ${operators}, math.floor(a), math.ceil(b), math.max(a, b), math.min(a, b), math.fmod(a, b), math.abs(a) }
       for n = 1, #all do all[n] = string.format('%.17g', all[n]) end
       table.insert(all, tostring(a < b)) table.insert(all, tostring(a <= b)) table.insert(all, tostring(a == b))
       return all`,
      doubles,
      doubles,
    );
  });

  it("matches patterns", async () => {
    const item = fc.constantFrom(
      "a",
      "b",
      ".",
      "%a",
      "%d",
      "%s",
      "%w",
      "%S",
      "%D",
      "%u",
      "%p",
      "%c",
      "%x",
      "[ab]",
      "[^a]",
      "[a-c%d]",
      "[]]",
      "[^]]",
      "%%",
      "%.",
      "(a)",
      "(.)",
      "()",
      "(%a+)",
      "%1",
      "%b()",
      "%f[%a]",
      "-",
      "^",
      "$",
      "[%a_-]",
      "(",
      "[",
      "%",
    );
    const pattern = fc
      .array(fc.tuple(item, fc.constantFrom("", "", "", "*", "+", "-", "?")), { maxLength: 5 })
      .map((list) => list.map((pair) => pair.join("")).join(""));
    const anchored = fc
      .tuple(fc.constantFrom("", "", "^"), pattern, fc.constantFrom("", "", "$"))
      .map((parts) => parts.join(""));
    const subject = fc
      .array(fc.constantFrom("a", "b", "A", "1", " ", "(", ")", "-", "_", "%", "^", "]", "\0", "\xff"), {
        maxLength: 12,
      })
      .map((list) => list.join(""));
    await random(
      `local function all(...) local list = { tostring(select('#', ...)) }
         for n = 1, select('#', ...) do list[n + 1] = tostring((select(n, ...))) end return list end
       return { all(pcall(string.find, ARGV[1], ARGV[2], tonumber(ARGV[3]))), all(pcall(string.match, ARGV[1], ARGV[2])),
         all(pcall(string.gsub, ARGV[1], ARGV[2], '<%0>')),
         all(pcall(function() local got = {} for a, b in string.gmatch(ARGV[1], ARGV[2]) do
           table.insert(got, tostring(a) .. ',' .. tostring(b)) end return table.concat(got, ';') end)) }`,
      subject,
      anchored,
      fc.constantFrom("1", "2", "-1", "5", "20", "-20", "0"),
    );
  });

  it("cuts texts", async () => {
    const index = fc.integer({ min: -8, max: 8 }).map(String);
    await random(
      "return { ARGV[1]:sub(ARGV[2], ARGV[3]), { ARGV[1]:byte(ARGV[2], ARGV[3]) }, ARGV[1]:reverse(), ARGV[1]:upper(), ARGV[1]:rep(3), #ARGV[1], { unpack({ 1, 2, 3, 4 }, ARGV[2], ARGV[3]) } }",
      fc.constantFrom("", "a", "hello", "\0\xff\x80x"),
      index,
      index,
    );
  });

  const key = fc.oneof(
    fc.nat({ max: 40 }).map((n) => `k${n}`),
    fc.uuid(),
    fc.nat({ max: 20 }).map((n) => `#${n}`),
    fc.integer({ min: -1000, max: 1e6 }).map((n) => `#${n / 4}`),
  );
  const changes = fc
    .array(fc.tuple(key, fc.constantFrom("+", "+", "+", "-")), { maxLength: 60 })
    .map((list) => list.map(([name, sign]) => `${sign}${name} `).join(""));
  /** Sets and removes the keys of ARGV[1] in `made`. */
  const MAKE = `
    local made = {}
    for sign, key in ARGV[1]:gmatch('([+-])(%S+) ') do
      if key:sub(1, 1) == '#' then key = tonumber(key:sub(2)) end
      made[key] = sign == '+' or nil
    end`;

  it("keeps the same entries in a table, in an order of its own", async () => {
    await random(
      `${MAKE}
       local found = {}
       for key in pairs(made) do found[#found + 1] = tostring(key) end
       table.sort(found)
       return found`,
      changes,
    );
  });

  it("visits each entry once while a loop removes and replaces entries", async () => {
    await random(
      `${MAKE}
       local found, n = {}, 0
       for key in pairs(made) do
         n = n + 1
         made[key] = n % 2 == 0 and n or nil
         table.insert(found, tostring(key))
       end
       local left = 0
       for _ in pairs(made) do left = left + 1 end
       table.sort(found)
       return { found, left }`,
      changes,
    );
  });

  it("finds a border, and the only one where the indexes have no gap", async () => {
    await random(
      `${MAKE}
       local size = #made
       return tostring((size == 0 or made[size] ~= nil) and made[size + 1] == nil)`,
      changes,
    );
    const indexes = fc
      .nat({ max: 40 })
      .map((size) => Array.from({ length: size }, (_, at) => at + 1))
      .chain((list) => fc.shuffledSubarray(list, { minLength: list.length }))
      .map((list) => list.map((index) => `+#${index} `).join(""));
    await random(
      `${MAKE}
       local sizes = { #made }
       while #made > 0 do made[#made] = nil table.insert(sizes, #made) end
       return sizes`,
      indexes,
    );
  });

  it("sorts", async () => {
    const list = fc.array(fc.integer({ min: 0, max: 20 }), { maxLength: 40 }).map((numbers) => numbers.join(" "));
    await random(
      `local list, pairs_ = {}, {}
       for n in ARGV[1]:gmatch('%d+') do table.insert(list, tonumber(n)) table.insert(pairs_, { tonumber(n), #pairs_ }) end
       table.sort(list, function(a, b) return a > b end)
       table.sort(pairs_, function(a, b) return a[1] < b[1] end)
       for n, pair in ipairs(pairs_) do pairs_[n] = pair[1] .. ':' .. pair[2] end
       return { list, pairs_ }`,
      list,
    );
  });

  it("reads and writes JSON", async () => {
    const json = fc.json({ maxDepth: 3 }).map((text) => Buffer.from(text).toString("latin1"));
    await random(
      `local ok, value = pcall(cjson.decode, ARGV[1])
       local function show(value) if type(value) ~= 'table' then return tostring(value):gsub('^userdata.*', 'null'):gsub('^function.*', 'null') end
         local all = {} for key, item in pairs(value) do table.insert(all, tostring(key) .. '=' .. show(item)) end
         table.sort(all) return '{' .. table.concat(all, ',') .. '}' end
       return { tostring(ok), ok and show(value) or '' }`,
      json,
    );
    await random(
      "return cjson.encode({ ARGV[1], tonumber(ARGV[2]), true, false })",
      fc.constantFrom("", "a/b", '"\\\n\t\0\x7f\xff'),
      doubles.filter((text) => Number.isFinite(Number(text))),
    );
  });

  it("computes with bits", async () => {
    const number = fc.oneof(fc.integer(), fc.double({ min: -1e10, max: 1e10, noNaN: true })).map(String);
    await random(
      `local a, b = tonumber(ARGV[1]), tonumber(ARGV[2])
       return { bit.tobit(a), bit.bnot(a), bit.band(a, b), bit.bor(a, b), bit.bxor(a, b), bit.lshift(a, b), bit.rshift(a, b),
         bit.arshift(a, b), bit.rol(a, b), bit.ror(a, b), bit.bswap(a), bit.tohex(a) }`,
      number,
      number,
    );
  });
});
