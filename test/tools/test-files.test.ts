import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { findTestFiles } from "../../tools/test-files.ts";
import { program, ROOT } from "../support/command.ts";

const { all, serverless, inWorkerd } = findTestFiles();

describe("the test files that need a server", () => {
  test("are those whose imports lead to one", () => {
    for (const file of ["gateway/test/memory-server/command.test.ts", "testing/test/stories.test.ts"])
      expect(serverless).toContain(file);
    for (const file of [
      "gateway/test/cli/command.test.ts",
      "test/contract/contract.test.ts",
      "test/bench/bench.test.ts",
    ])
      expect([all.includes(file), serverless.includes(file)]).toEqual([true, false]);
    const direct = all.filter((file) => /^import \{.*tools\/redis\.ts"/m.test(readFileSync(join(ROOT, file), "utf8")));
    expect(direct.length).toBeGreaterThan(20);
    expect(direct.filter((file) => serverless.includes(file))).toEqual([]);
    expect(all.filter((file) => inWorkerd.includes(file))).toEqual([]);
  });
});

describe("without a server", () => {
  // No server on it, and no apt-get to install one with.
  const empty = mkdtempSync(join(tmpdir(), "leasehold-path-"));
  afterAll(() => rmdirSync(empty));
  const [vitest, file] = [program("vitest/vitest.mjs"), "test/shared/json.test.ts"];

  function run(CI: string): { status: number | null; said: string } {
    const kept = Object.entries(process.env).filter(([name]) => !/^(vitest|node_env$|test$|dev$|ci$)/i.test(name));
    const env = { ...Object.fromEntries(kept), PATH: empty, CI, NO_COLOR: "1" };
    const { status, stdout, stderr } = spawnSync(process.execPath, [vitest, "run", file], { cwd: ROOT, env });
    return { status, said: `${stdout}${stderr}` };
  }

  test("those that need none are run, and the last lines say how many were skipped and how to have them", () => {
    const { status, said } = run("");
    const skipped = all.length + inWorkerd.length - serverless.length;
    expect(said).toContain(
      `\n${skipped} test files skipped, which need a server: install redis-server or valkey-server, and run this again\n`,
    );
    expect(said.trimEnd()).toMatch(/\n\d+ passed, 0 failed$/);
    expect(status).toBe(0);
  });

  test("a run with CI=true fails, and says why", () => {
    const { status, said } = run("true");
    expect(said).toContain("No redis-server or valkey-server on the PATH");
    expect(said).toContain("With CI=true no test is left out.");
    expect(status).toBe(1);
  });
});
