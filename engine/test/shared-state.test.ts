import { describe, expect, it } from "vitest";
import { createEngine, createScriptCache, type Engine, ErrorReply, type Reply } from "../src/index.ts";
import { same } from "./support/same.ts";
import { useRedis } from "./support/use-redis.ts";

const real = useRedis();

/** Every table that scripts share. */
const TABLES = ["_G", "string", "table", "math", "bit", "cjson", "redis", "getmetatable('')", "getmetatable(_G)"];

/** Every way to change a table `t`. */
const WAYS = [
  "t.x = 1",
  "t['x'] = 1",
  "t[1] = 1",
  "t.len = nil",
  "t.x, t.y = 1, 2",
  "function t.x() end",
  "function t:x() end",
  "rawset(t, 'x', 1)",
  "rawset(t, 1, 1)",
  "setmetatable(t, {})",
  "setmetatable(t, nil)",
  "setmetatable(t, { __index = function() return 1 end })",
  "table.insert(t, 1)",
  "table.insert(t, 1, 1)",
  "table.remove(t)",
  "table.remove(t, 1)",
  "table.sort(t)",
  "t.__index = function() return 1 end",
  "t.__index = {}",
  "t.__metatable = false",
  "t.__newindex = function() end",
  "for key in next, t do t[key] = 1 end",
  "for key in next, t do rawset(t, key, nil) end",
  "loadstring('local t = ... t.x = 1', '@user_script')(t)",
  "loadstring('local t = ... rawset(t, 1, 1)', '@user_script')(t)",
  "xpcall(function() t.x = 1 end, error)",
  "string.gsub('a', 'a', function() t.x = 1 end)",
  "table.foreach({ 1 }, function() t.x = 1 end)",
  "table.sort({ 2, 1 }, function() t.x = 1 end)",
  "local own = setmetatable({}, { __newindex = t }) own.x = 1",
  "local own = setmetatable({}, { __index = t }) own.x = 1 return own.x",
];

describe("a script that changes what all scripts share gets Redis's error", () => {
  it.each(TABLES)("%s (B1)", async (table) => {
    const plain = WAYS.map((way) => `local t = ${table}\n${way}\nreturn 'changed'`);
    const caught = WAYS.map(
      (way) => `local t = ${table} local ok, e = pcall(function()\n${way}\nend) return tostring(e)`,
    );
    await same(
      real,
      [...plain, ...caught].map((text) => [text]),
    );
  });

  it.each([
    "x = 1",
    "KEYS = {}",
    "ARGV = nil",
    "_G = {}",
    "_VERSION = 1",
    "string = {}",
    "redis = { call = redis.pcall }",
    "function x() end",
    "function KEYS() end",
    "function string.x() end",
    "function string:x() end",
    "redis.call = nil",
    "math.random = function() return 1 end",
    "cjson.null = 1",
    "_G.ARGV = {}",
    "_G._G._G.x = 1",
    "('').x = 1",
    "('').len = nil",
    "getmetatable('').__index.x = 1",
    "getmetatable('').__index = function() return 'left' end",
    "getmetatable('').__tostring = function() return 'left' end",
    "getmetatable('').__concat = function() return 'left' end",
    "getmetatable('').__metatable = 'locked'",
    "getmetatable(getmetatable('')).x = 1",
    "getmetatable(1).x = 1",
    "getmetatable(print).x = 1",
    "setmetatable('', {})",
    "setmetatable(redis.call, {})",
    "setfenv(1, {})",
    "getfenv(0).x = 1",
    "debug.setmetatable('', {})",
    "debug.sethook(function() end)",
    "newproxy(true)",
    "module('x')",
    "require('os')",
    "package.loaded.x = 1",
    "os.setlocale('C')",
    "KEYS.x = 1 ARGV.x = 2 setmetatable(KEYS, { __index = ARGV }) return KEYS.x + ARGV.x",
  ])("%s (B1)", async (way) => {
    await same(real, [
      [way],
      [`return tostring(select(2, pcall(function()\n${way}\nend)))`],
      [`return tostring(select(2, pcall(loadstring(${JSON.stringify(way)}, '@user_script'))))`],
    ]);
  });
});

/** Lists everything that a script can reach, by its path, and what else one script could leave for another. */
const LOOK = `
local seen, told = {}, {}
local function tell(path, value)
  table.insert(told, path .. ' ' .. type(value) .. ' ' .. tostring(value))
  if type(value) ~= 'table' or seen[value] then return end
  seen[value] = true
  local keys = {}
  for key in next, value do table.insert(keys, key) end
  table.sort(keys, function(a, b) return tostring(a) < tostring(b) end)
  for _, key in ipairs(keys) do tell(path .. '.' .. tostring(key), rawget(value, key)) end
  tell(path .. ' meta', getmetatable(value))
end
tell('_G', _G)
tell('string', getmetatable(''))
tell('KEYS', KEYS) tell('ARGV', ARGV) tell('_G.KEYS', _G.KEYS) tell('_G.ARGV', _G.ARGV)
tell('unknown', ('').unknown)
tell('method', ('text'):upper())
tell('random', math.random()) tell('random', math.random(1000))
tell('table', {}) tell('function', function() end)
tell('format', string.format('%5.1f|%s', 2.25, 'x')) tell('match', ('key = 1'):match('^(%w+) = (%d)$'))
tell('ping', redis.call('PING')) tell('error', redis.pcall('NOPE'))
tell('json', cjson.encode({ 1, { a = cjson.null } }))
return told`;

/** What a script can do to leave something behind. Each part is tried, whatever becomes of the others. */
const LEAVE = [
  ...TABLES.flatMap((table) => WAYS.map((way) => `local t = ${table} ${way}`)),
  "KEYS[1] = 'left' KEYS.left = ARGV[1] ARGV.left = setmetatable(ARGV, { __index = function() return 'left' end })",
  "setmetatable(KEYS, { __index = ARGV, __metatable = 'left' })",
  "math.randomseed(42) math.random()",
  "redis.setresp(3)",
  "redis.set_repl(redis.REPL_NONE)",
  "for i = 1, 1000 do tostring({}) end",
  "string.format('%5.1f|%s', 1, setmetatable({}, { __tostring = function() return 'left' end }))",
  "('key = 1'):match('^(%w+) = (%d)$')",
  "local co = cjson.decode('[1,{\"a\":null}]') co[2].a = 'left'",
  "local e = redis.pcall('NOPE') e.err = 'left' setmetatable(e, { __index = e })",
  "redis.call('PING').ok = 'left'",
  "local function deep() return 1 + deep() end deep()",
  "local function deep() return pcall(deep) end deep()",
  "string.rep('x', -1):gsub('', error)",
];
const ATTACK = `${LEAVE.map((part) => `pcall(function() ${part} end)`).join("\n")}\nerror({ err = 'left', ok = ARGV })`;

const secrets = ["tenant-a-key", "tenant-a-argument"];

/** The engines of two tenants in one isolate. */
function tenants(): readonly [Engine, Engine] {
  const scripts = createScriptCache("upstash");
  const one = () => createEngine({ dialect: "upstash", now: () => 1e12, random: () => 0.5, scripts });
  return [one(), one()];
}
const alone = (...words: string[]): Reply => tenants()[1].run(words);
const look = ["EVAL", LOOK, "1", "tenant-b-key", "tenant-b-argument"];

describe("a tenant's script leaves nothing for another tenant's", () => {
  it("whatever it tries, and with each command that runs scripts (B1)", () => {
    const untouched = alone(...look);
    expect(Array.isArray(untouched) && untouched.length > 120).toBe(true);
    for (const command of ["EVAL", "EVAL_RO"]) {
      const [a, b] = tenants();
      const attacked = a.run([command, ATTACK, "1", ...secrets]);
      expect(attacked).toBeInstanceOf(ErrorReply);
      expect((attacked as ErrorReply).message).toMatch(/^left script: /);
      expect(b.run(look)).toEqual(untouched);
      // And each way alone, so that none hides behind another.
      for (const part of LEAVE) {
        a.run([command, part, "1", ...secrets]);
        expect(b.run(look), part).toEqual(untouched);
      }
    }
  });

  it("also if the other one's was compiled before, or while its own keys were set (B1)", () => {
    const untouched = alone(...look);
    const [a, b] = tenants();
    b.run(look);
    a.run(["EVAL", ATTACK, "1", ...secrets]);
    expect(b.run(look)).toEqual(untouched);
  });

  it.each(["KEYS", "ARGV"])("not its %s, which is not that of the script compiled next (B1)", (name) => {
    const [a, b] = tenants();
    a.run(["EVAL", "return 1", "1", ...secrets]);
    const ways = [name, `_G.${name}`, `_G['${name}']`, `_G._G.${name}`, `rawget(_G, '${name}')`];
    const script = `return { ${ways.map((way) => `${way}[1]`).join(", ")} }`;
    for (const own of ["b", "c"])
      expect(b.run(["EVAL", script, "1", own, own]), script).toEqual(Array(ways.length).fill(own));
    a.run(["EVAL", "return 1", "1", ...secrets]);
    expect(b.run(["EVAL", `return { tostring(_G.${name}[1]), #${name} }`, "0"])).toEqual(["nil", 0]);
  });

  it("not even a script that is stopped, or that runs the other's text (B1)", () => {
    const untouched = alone(...look);
    const [a, b] = tenants();
    const stopped = a.run([
      "EVAL",
      `${LEAVE.map((part) => `pcall(function() ${part} end)`).join("\n")} while true do end`,
      "0",
    ]);
    expect((stopped as ErrorReply).message).toMatch(/too many steps/);
    expect(b.run(look)).toEqual(untouched);
    a.run(["EVAL", LOOK, "1", ...secrets]);
    expect(b.run(look)).toEqual(untouched);
    expect(JSON.stringify(untouched)).not.toContain("tenant-a");
  });
});
