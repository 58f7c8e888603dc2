import { readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { program, ROOT, run } from "../../support/command.ts";
import { type Stack, startStack } from "../../support/stack.ts";
import { packed } from "../package/packed.ts";
import { emptyProject, type Project } from "../package/project.ts";
import { runtimes } from "./runtimes.ts";

/** The names of the suites that run in every runtime, as Vitest lists them too. */
const SUITES = /, own transport$|^lock, @upstash\/redis, pipelining true, deserialization true$/;

/** The names of the suite's tests as Vitest itself finds them, so that none can get lost on the way into a runtime. */
async function listed(): Promise<string[]> {
  const file = join(tmpdir(), `leasehold-list-${crypto.randomUUID()}.json`);
  const args = ["list", "--no-static-parse", `--json=${file}`, "contract.test.ts"];
  try {
    // From there, it reads no configuration, and so starts nothing else.
    await run(process.execPath, [program("vitest/vitest.mjs"), ...args], join(ROOT, "test/contract"));
    const tests = JSON.parse(readFileSync(file, "utf8")) as readonly { readonly name: string }[];
    return tests.map(({ name }) => name).filter((name) => SUITES.test(name.split(" > ")[0] ?? ""));
  } finally {
    rmSync(file, { force: true });
  }
}

let stack: Stack;
let tarball: string;
let names: readonly string[];
/** Where npm installed it, without the dependencies that are optional. */
let installed: Project;
beforeAll(async () => {
  [stack, tarball, names] = await Promise.all([startStack(), packed(), listed()]);
  names = [...names].sort();
  installed = emptyProject();
  await installed.npm("--omit=optional", tarball);
}, 120_000);
afterAll(async () => {
  installed?.remove();
  await stack?.stop();
});

// One after the other: two would make each other late, and some of the tests measure time.
describe("the contract of all kinds, against the packed package", () => {
  it.each(runtimes)("$name", { timeout: 120_000 }, async ({ name, identity, everyKind, install, run: runSuite }) => {
    expect(names.length).toBeGreaterThan(140);
    const due = names.filter((test) => everyKind || test.startsWith("lock, "));
    expect(due.length).toBeGreaterThan(40);
    const project = install ? emptyProject() : installed;
    try {
      await install?.(project, tarball);
      const start = performance.now();
      const { runtime, results } = await runSuite(project, stack);
      const seconds = ((performance.now() - start) / 1000).toFixed(1);
      const passed = results.filter(({ state }) => state === "pass");
      console.log(`${name}: ${runtime}, ${passed.length} of ${due.length} passed in ${seconds} s`);
      expect(runtime).toBe(identity);
      expect(results.filter(({ state }) => state !== "pass")).toEqual([]);
      expect(passed.map((result) => result.name).sort()).toEqual(due);
    } finally {
      if (install) project.remove();
    }
  });
});
