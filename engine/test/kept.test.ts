import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { beforeEach, expect, it } from "vitest";
import { buildAll } from "../../tools/lua-scripts.ts";
import { createEngine, createKnownScripts, createScriptCache, type Engine, ErrorReply } from "../src/index.ts";
import { sha1 } from "../src/redis/sha1.ts";

let engine: Engine;
beforeEach(() => {
  engine = createEngine({ dialect: "redis", now: () => 1e12, random: () => 0.5, scripts: createScriptCache("redis") });
});

setFlagsFromString("--expose-gc");
const collectOnce = runInNewContext("gc") as () => void;
const collect = (): void => {
  collectOnce();
  collectOnce();
};

/** How much the heap has grown after some work, in MB. */
function growthOf(work: () => void): number {
  collect();
  const before = process.memoryUsage().heapUsed;
  work();
  collect();
  return (process.memoryUsage().heapUsed - before) / 2 ** 20;
}

const SIZE = 10_000;
/** A script of that many characters, like those that people write. */
function scriptOf(id: number, size = SIZE): string {
  let text = `-- ${id}\n`;
  for (let line = 0; text.length < size; line++)
    text += `do local v = redis.call('GET', 'k${line}') if v and tonumber(v) > ${line} then return ARGV[1] .. ':' .. v end end\n`;
  return `${text} return ${id}`;
}
const run = (script: string) => engine.run(["EVAL", script, "0", "x"]);
const runSha = (script: string) => engine.run(["EVALSHA", sha1(script), "0", "x"]);
const NO_SCRIPT = new ErrorReply("NOSCRIPT No matching script. Please use EVAL.");

it("a compiled script needs less than forty times its text (B4)", () => {
  const growth = growthOf(() => {
    for (let id = 0; id < 19; id++) expect(run(scriptOf(id))).toBe(id);
  });
  expect(growth).toBeLessThan((19 * SIZE * 40) / 2 ** 20);
});

it("scripts of callers are kept up to a size, the ones that were used last (B4)", () => {
  const growth = growthOf(() => {
    for (let id = 0; id < 400; id++) {
      expect(run(scriptOf(id))).toBe(id);
      expect(runSha(scriptOf(0))).toBe(0);
    }
  });
  // 400 of them would need some 50 MB now, and needed 340 MB.
  expect(growth).toBeLessThan(20);
  expect(runSha(scriptOf(1))).toEqual(NO_SCRIPT);
  expect(runSha(scriptOf(380))).toEqual(NO_SCRIPT);
  expect(runSha(scriptOf(399))).toBe(399);
  expect(runSha(scriptOf(0))).toBe(0);
  expect(engine.run(["SCRIPT", "EXISTS", sha1(scriptOf(1)), sha1(scriptOf(399))])).toEqual([0, 1]);
  // A forgotten one is compiled again.
  expect(run(scriptOf(1))).toBe(1);
});

it("scripts of callers are kept up to a number (B4)", () => {
  for (let id = 0; id <= 500; id++) expect(run(`return ${id}`)).toBe(id);
  expect(runSha("return 0")).toEqual(NO_SCRIPT);
  for (let id = 251; id <= 500; id++) expect(runSha(`return ${id}`)).toBe(id);
});

it("a script that is larger than all that is kept runs, and cannot be loaded (B4)", () => {
  const large = scriptOf(7, 300_000);
  run("return 1");
  expect(run(large)).toBe(7);
  expect(runSha(large)).toEqual(NO_SCRIPT);
  expect(runSha("return 1")).toBe(1);
  expect(engine.run(["SCRIPT", "LOAD", large])).toEqual(
    new ErrorReply("ERR the script is too large to be kept: use EVAL"),
  );
});

it("the scripts of leasehold stay, whatever callers send (B4)", () => {
  const own = buildAll().flatMap(({ lua }) => [lua, `\n${lua}`]);
  for (const text of own) expect(engine.run(["SCRIPT", "LOAD", text])).toBe(sha1(text));
  for (let id = 0; id < 600; id++) run(`return '${"x".repeat(1_000)}' .. ${id}`);
  expect(engine.run(["SCRIPT", "EXISTS", ...own.map(sha1)])).toEqual(own.map(() => 1));
  expect(engine.run(["SCRIPT", "FLUSH"])).toMatchObject({ text: "OK" });
  expect(engine.run(["SCRIPT", "EXISTS", ...own.map(sha1)])).toEqual(own.map(() => 0));
});

it.each([
  ["patterns", "for i = 1, 450 do (''):find(ARGV[1] .. i) end", "[a-z]?".repeat(300)],
  ["templates", "for i = 1, 450 do pcall(string.format, ARGV[1] .. i) end", "%5.1f".repeat(1_000)],
  ["addresses", "for i = 1, 100000 do tostring({}) end", ""],
  ["texts", "for i = 1, 2000 do loadstring('return ' .. i .. ' --' .. ARGV[1]) end", "x".repeat(5_000)],
])("%s of scripts are not kept without a limit (B4)", (_, script, arg) => {
  const use = (): void => expect(engine.run(["EVAL", script, "0", arg])).toBe(null);
  engine.run(["EVAL", script, "0", ""]);
  expect(growthOf(use)).toBeLessThan(8);
});

it("an engine with a list of its own knows no script before it got it, whoever else had it compiled", () => {
  const compiled = createScriptCache("redis");
  const make = (): Engine =>
    createEngine({ dialect: "redis", now: () => 1e12, random: () => 0.5, scripts: createKnownScripts(compiled) });
  const [one, other] = [make(), make()];
  const script = "return ARGV[1]";
  const ask = (asked: Engine) => asked.run(["EVALSHA", sha1(script), "0", "x"]);
  const exists = (asked: Engine) => asked.run(["SCRIPT", "EXISTS", sha1(script).toUpperCase()]);
  expect(one.run(["SCRIPT", "LOAD", script])).toBe(sha1(script));
  expect([ask(one), exists(one)]).toEqual(["x", [1]]);
  expect([ask(other), exists(other)]).toEqual([NO_SCRIPT, [0]]);
  expect(other.run(["EVAL", script, "0", "x"])).toBe("x");
  one.run(["SCRIPT", "FLUSH"]);
  expect([ask(one), exists(one)]).toEqual([NO_SCRIPT, [0]]);
  expect([ask(other), exists(other)]).toEqual(["x", [1]]);
});
