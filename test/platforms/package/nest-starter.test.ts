/** The application of docs/nest.md, as it stands, in both projects that `nest new` of Nest 12 makes. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { FILES, OWN_FILES } from "../../../nest/test/application.ts";
import { textOf } from "../../documents/markdown.ts";
import { run } from "../../support/command.ts";
import { type Stack, startStack } from "../../support/stack.ts";
import { installsOf, serveOwnPackages } from "./fresh.ts";
import { emptyProject, INSTALL_MS, type Project } from "./project.ts";
import type { Registry } from "./registry.ts";

const NPM = ["--prefer-offline", "--no-audit", "--no-fund", "--ignore-scripts"];
/** What a new project has besides its compiler and the runner of its tests. */
const TOOLS = /^(@nestjs\/mau|@vitest\/coverage-v8|oxlint.*|prettier)$/;

interface Manifest {
  readonly devDependencies: Readonly<Record<string, string>>;
}

let stack: Stack;
let registry: Registry;
/** A project with the command line of Nest, as `npx` has it. */
let nest: Project;
const folders: string[] = [];
beforeAll(async () => {
  nest = emptyProject();
  [stack, registry] = await Promise.all([startStack(), serveOwnPackages(), nest.npm("@nestjs/cli@12.0.8")]);
});
afterAll(async () => {
  await Promise.all([registry?.close(), stack?.stop()]);
  nest?.remove();
  for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
});

/** Makes a new project, and follows the page in it. */
async function makeProject(type: "esm" | "cjs"): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), `leasehold-nest-${type}-`));
  folders.push(folder);
  const schematics = join(nest.dir, "node_modules/.bin/schematics");
  // What `nest new` runs after its questions.
  const answers = ["--name=app", `--type=${type}`, "--language=ts", "--strict"];
  await run(schematics, ["@nestjs/schematics:application", ...answers], folder);
  const project = join(folder, "app");
  const manifest = JSON.parse(readFileSync(join(project, "package.json"), "utf8")) as Manifest;
  const devDependencies = Object.fromEntries(
    Object.entries(manifest.devDependencies).filter(([name]) => !TOOLS.test(name)),
  );
  writeFileSync(join(project, "package.json"), JSON.stringify({ ...manifest, devDependencies }));
  writeFileSync(join(project, ".npmrc"), `registry=${registry.url}\n`);
  await run("npm", ["install", ...NPM], project, {}, INSTALL_MS);
  for (const named of installsOf("docs/nest.md"))
    await run("npm", ["install", ...NPM, ...named], project, {}, INSTALL_MS);
  for (const [name, text] of [...FILES, ...OWN_FILES])
    if (name.endsWith(".ts")) writeFileSync(join(project, "src", name), text);
  if (type === "cjs") {
    const [, mapped = ""] = /add\n`(.*)` to the `moduleNameMapper`/.exec(textOf("docs/nest.md")) ?? [];
    const config = readFileSync(join(project, "jest.config.ts"), "utf8");
    const changed = config.replace(/(?<=moduleNameMapper: )(.*),$/m, (own) => `{ ${mapped}, ...${own.slice(0, -1)} },`);
    writeFileSync(join(project, "jest.config.ts"), changed);
  }
  return project;
}

describe.each(["esm", "cjs"] as const)("a project of %s", (type) => {
  let project: string;
  beforeAll(async () => {
    project = await makeProject(type);
  });

  it("builds and runs: calls take turns, and a receipt is sent once", async () => {
    await run("npm", ["run", "build"], project);
    const env = { UPSTASH_REDIS_REST_URL: stack.url, UPSTASH_REDIS_REST_TOKEN: stack.token, PORT: "0" };
    const child = spawn(process.execPath, ["dist/main"], {
      cwd: project,
      env: { PATH: process.env["PATH"], NO_COLOR: "1", ...env },
      stdio: ["ignore", "pipe", "inherit"],
    });
    try {
      const lines: string[] = [];
      const output = createInterface(child.stdout).on("line", (line) => lines.push(line));
      while (!lines.some((line) => line.includes("listening on"))) await once(output, "line");
      const port = /listening on .*:(\d+)/.exec(lines.join("\n"))?.[1];
      const post = async (path: string, body: object): Promise<unknown> => {
        const headers = { "Content-Type": "application/json" };
        return (
          await fetch(`http://127.0.0.1:${port}${path}`, { method: "POST", headers, body: JSON.stringify(body) })
        ).json();
      };
      const charges = await Promise.all([1, 2].map((cents) => post(`/invoices/${type}/charges`, { cents })));
      expect(new Set(charges.map((charge) => (charge as { token: number }).token)).size).toBe(2);
      const event = { id: `evt ${type}`, invoice: type };
      expect(await post("/receipts", event)).toEqual(await post("/receipts", event));
      expect(lines.filter((line) => line === `sends ${type}`)).toHaveLength(1);
    } finally {
      child.kill("SIGKILL");
    }
  });

  it("passes the page's test, by its own runner", async () => {
    // It throws with the output when a test fails.
    await run("npm", ["test"], project);
  });
});
