import { describe, expect, it } from "vitest";
import { EQUIVALENTS } from "../../verification/mutation/equivalents/index.ts";
import { luaMutants, scriptsWith, scriptText } from "../../verification/mutation/lua-mutants.ts";
import { nearTests } from "../../verification/mutation/near-tests.ts";
import { typescriptFiles, typescriptMutants } from "../../verification/mutation/typescript-mutants.ts";
import { createScene } from "./cases/case.ts";
import { CASES, runCases } from "./cases/run.ts";

describe("calls of scripts", () => {
  it.each(CASES)("$what", ({ run }) => {
    run(createScene(new Map()));
  });
});

/** A change of each sort, each to a rule of its own. */
const CHANGES = [
  ["include/fresh.lua", "if now > tonumber(ARGV[1]) then … end", ""],
  ["lock-acquire.lua", "asker == '' or asker ~= reentry_key", "not (asker == '' or asker ~= reentry_key)"],
  ["lock-acquire.lua", "math.max(last + 1, now)", "(now)"],
  ["hold-extend.lua", "later > ends", "not (later > ends)"],
  ["include/record.lua", "til > now", ""],
  ["once-begin.lua", "if done ~= '' then … end", ""],
  ["once-complete.lua", "last ~= token", ""],
  ["latch-down.lua", "redis.call('ZADD', crowd, 'NX', 0, member) == 1", ""],
  ["rw-acquire.lua", "if outcome(own) then … end", ""],
  ["fence-write.lua", "if not known then … end", ""],
] as const;

describe("the tool that breaks rules", () => {
  it.each(CHANGES)("%s without %s is noticed", (file, part, to) => {
    const changes = luaMutants(file).filter(({ from, to: changed }) =>
      to === "" ? from.includes(part) : from === part && changed === to,
    );
    expect(changes.length).toBeGreaterThan(0);
    const told = changes.filter((mutant) => {
      const texts = new Map(scriptsWith(file).map((script) => [script, scriptText(script, mutant)] as const));
      return runCases(texts) !== null;
    });
    expect(told.length).toBeGreaterThan(0);
  });

  it("changes nothing where there is no change", () => {
    const texts = new Map(["lock-acquire", "rw-acquire"].map((script) => [script, scriptText(script)] as const));
    expect(runCases(texts)).toBeNull();
  });

  it("finds tests for every source that it changes", () => {
    expect(typescriptFiles().filter((file) => nearTests(file).length === 0)).toEqual([]);
  });

  it("lists only what stands in the sources as equivalent", () => {
    const files = [...new Set(EQUIVALENTS.map(({ file }) => file))];
    const changes = new Map(
      files.map((file) => [file, file.startsWith("lua/") ? luaMutants(file.slice(4)) : typescriptMutants(file)]),
    );
    const stale = EQUIVALENTS.filter(
      ({ file, from, to }) => !(changes.get(file) ?? []).some((each) => each.from === from && each.to === to),
    );
    expect(stale.map(({ file, from, to }) => `${file}: ${from} -> ${to}`)).toEqual([]);
  });
});
