import { createRequire } from "node:module";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { program, ROOT, run } from "../../support/command.ts";
import { packed } from "./packed.ts";
import { emptyProject, type Project } from "./project.ts";

let project: Project;
beforeAll(async () => {
  project = emptyProject();
  project.write("package.json", { name: "project", private: true });
  await project.npm(await packed(), join(ROOT, "node_modules/hono"));
});
afterAll(() => project?.remove());

/** The long form runs what is slow and seldom changes: other Nodes in Jest, other compilers. */
const long = process.env["EVERY_RUNTIME"] !== undefined;
const ENTRIES = ["", "/bun", "/cron", "/fence", "/hono", "/ioredis", "/node-redis"].map((entry) => `leasehold${entry}`);

describe.concurrent("CommonJS code", () => {
  test.each(["node-20", "node-22", "node", "node-26"])("requires every entry, without a warning: %s", async (name) => {
    const script = project.write(
      `${name}.cjs`,
      `process.on("warning", ({ name, message }) => { throw new Error(name + ": " + message); });
       const made = ${JSON.stringify(ENTRIES)}.flatMap((entry) => Object.values(require(entry)));
       const { connect } = require("leasehold");
       const { ioredis } = require("leasehold/ioredis");
       try { connect({ redis: ioredis({}) }); } catch (error) { console.log(made.length, error.name); }`,
    );
    const [count, error] = (await run(program(`${name}/bin/node`), [script], project.dir)).trim().split(" ");
    expect(Number(count)).toBeGreaterThan(50);
    expect(error).toBe("TypeError");
  });

  test.each([["node", ["require", "import"]] as const, ...(long ? [["node-22", ["import"]] as const] : [])])(
    "runs in Jest: %s, by %s",
    async (name, ways) => {
      const file = `jest-${name}.test.js`;
      const tests = ways.map((way) => {
        const loaded = way === "require" ? `require("leasehold")` : `await import("leasehold")`;
        return `
          test("${way}", async () => {
            const { connect, LeaseholdError } = ${loaded};
            expect(() => connect({})).toThrow(TypeError);
            expect(new LeaseholdError("redis_error", "x")).toBeInstanceOf(Error);
          });`;
      });
      project.write(file, tests.join(""));
      const args = [program("jest/bin/jest.js"), "--rootDir", project.dir, "--testMatch", `**/${file}`];
      // It throws when a test fails.
      await run(program(`${name}/bin/node`), ["--experimental-vm-modules", "--no-warnings", ...args], project.dir);
    },
  );
});

describe.concurrent("TypeScript in a CommonJS file", () => {
  const written = `
    import { createLocks, type Lease } from "leasehold";
    import { cronRoute } from "leasehold/cron";
    import { ioredis } from "leasehold/ioredis";
    export const locks = createLocks({ url: "https://redis.example", token: "t" });
    export const tokenOf = (lease: Lease): number => lease.token;
    export const all = [cronRoute, ioredis] as const;
  `;
  const loading = `
    export async function tokenOf(): Promise<number> {
      const { createLocks } = await import("leasehold");
      const { token } = await createLocks({ url: "https://redis.example", token: "t" }).lock("a").acquire();
      return token;
    }
  `;

  async function complaints(
    compiler: string,
    source: string,
    module: string,
    moduleResolution: string,
    options: object = {},
  ) {
    const name = `${compiler}-${module}-${moduleResolution}`;
    project.write(`${name}.cts`, source);
    project.write(`${name}.json`, {
      compilerOptions: {
        module,
        moduleResolution,
        target: "es2022",
        lib: ["ES2023", "DOM", "DOM.Iterable"],
        types: [],
        strict: true,
        skipLibCheck: false,
        noEmit: true,
        ...options,
      },
      files: [`${name}.cts`],
    });
    const tsc = program(`${compiler}/bin/tsc`);
    return run(process.execPath, [tsc, "-p", `${name}.json`], project.dir).catch(String);
  }

  const compilers = long ? ["typescript-newest", "typescript"] : ["typescript-newest"];
  test.each([
    ["nodenext", "nodenext"],
    ["node20", "node16"],
    ["commonjs", "bundler"],
  ])("imports it: module %s, moduleResolution %s", async (module, resolution) => {
    for (const compiler of compilers) expect(await complaints(compiler, written, module, resolution)).toBe("");
  });

  test.each(long ? ["node16", "node18"] : ["node16"])(
    "is refused under module %s, as the page says",
    async (module) => {
      expect(await complaints("typescript-newest", written, module, "node16")).toContain("TS1479");
    },
  );

  test("finds nothing under moduleResolution node10, as the page says", async () => {
    const found = await complaints("typescript", written, "commonjs", "node10", { ignoreDeprecations: "6.0" });
    expect(found.match(/TS2307/g)).toHaveLength(3);
  });

  test("loads it, with the oldest compiler too", async () => {
    for (const compiler of [...compilers, ...(long ? ["typescript-oldest"] : [])])
      expect(await complaints(compiler, loading, "node16", "node16")).toBe("");
  });

  test("the versions are those that the page names", () => {
    const versionOf = (name: string): string => createRequire(import.meta.url)(`${name}/package.json`).version;
    expect(["typescript", "typescript-newest", "typescript-oldest", "jest"].map(versionOf)).toEqual([
      expect.stringMatching(/^6\./),
      expect.stringMatching(/^7\./),
      expect.stringMatching(/^5\.2\./),
      expect.stringMatching(/^30\./),
    ]);
  });
});
