import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import ts from "typescript";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type GatewayServer, serveGateway } from "../../src/gateway/index.ts";
import { type Pair, startPair } from "../../tools/redis-topologies.ts";
import { type Surroundings, surroundings } from "./surroundings.ts";

const root = resolve(import.meta.dirname, "../..");
const readme = readFileSync(join(root, "README.md"), "utf8");
const blocks = [...readme.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].map(([, language = "", text = ""]) => ({
  language,
  text,
}));
const examples = blocks.filter(({ language }) => language === "ts").map(({ text }) => text);
const shell = blocks.filter(({ language }) => language === "sh").flatMap(({ text }) => text.trim().split("\n"));

const token = "test-token-0123456789";
// One example wants a replica.
let pair: Pair;
let gateway: GatewayServer;
let folder: string;
beforeAll(async () => {
  pair = await startPair();
  gateway = await serveGateway({ redis: pair.primary.url, token, port: 0 });
  // Within the project, so that packages resolve as they would for its users.
  folder = mkdtempSync(join(root, "test/readme/.examples-"));
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await gateway?.close();
  await pair?.stop();
});

/** Each example in a file of its own, between the lines that make it a module here. */
function write(kind: string, before: (example: string) => string): string[] {
  return examples.map((text, index) => {
    const file = join(folder, `${kind}-${index}.ts`);
    writeFileSync(file, `${before(text)}\n${text.replaceAll('"leasehold"', '"../../../src/index.ts"')}\nexport {};\n`);
    return file;
  });
}

const given: readonly (keyof Surroundings)[] = [
  ...(["url", "token", "env", "locks", "lease", "ctx", "deliveryId", "body"] as const),
  ...(["charge", "record", "respond", "settle", "build", "db"] as const),
];

/** Declares what an example takes for granted and does not make itself. */
const declarations = (example: string): string =>
  given
    .filter((name) => !new RegExp(`const ${name}\\b`).test(example))
    .map((name) => `declare const ${name}: import("../surroundings.ts").Surroundings["${name}"];`)
    .join(" ");

describe("the README", () => {
  it("has code in no language that nothing checks", () => {
    expect(examples.length).toBeGreaterThan(4);
    expect([...new Set(blocks.map(({ language }) => language))].sort()).toEqual(["sh", "ts"]);
  });

  it("has an example of at most 15 lines first", () => {
    expect(examples[0]?.trim().split("\n").length).toBeLessThanOrEqual(15);
  });

  it("has examples that compile under the strictest settings", () => {
    const files = write("typed", declarations);
    const { config } = ts.readConfigFile(join(root, "tsconfig.json"), ts.sys.readFile);
    const { options } = ts.parseJsonConfigFileContent({ ...config, files }, ts.sys, root);
    const program = ts.createProgram(files, {
      ...options,
      noUnusedLocals: false,
      noPropertyAccessFromIndexSignature: false,
    });
    const problems = ts.getPreEmitDiagnostics(program).map(({ messageText, file, start }) => {
      const line = file && start !== undefined ? file.getLineAndCharacterOfPosition(start).line : 0;
      return `${file?.fileName.slice(folder.length)}:${line} ${ts.flattenDiagnosticMessageText(messageText, " ")}`;
    });
    expect(problems).toEqual([]);
  });

  it("has examples that run", async () => {
    const { globals, calls } = await surroundings(gateway.url, token);
    Object.assign(globalThis, globals satisfies Surroundings);
    Object.assign(process.env, globals.env);
    for (const file of write("run", () => "")) await import(/* @vite-ignore */ file);
    const kinds = ["build", "build", "build", "record", "build", "build", "build", "build"];
    const safer = ["build", "record"];
    expect(calls).toEqual(["charge", ...kinds, ...safer, "record", "1 row", "waitUntil", "waitUntil", "build"]);
  });

  it("has commands that exist", () => {
    const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
      scripts: Record<string, string>;
    };
    const run = [...readme.matchAll(/npm run ([\w:]+)/g)].map(([, name = ""]) => name);
    for (const name of run) expect(Object.keys(scripts)).toContain(name);
    for (const line of shell)
      expect(line).toMatch(/^npm (install leasehold$|ci && npm (test$|run \w+$))|^npx leasehold gateway /);
    const help = execFileSync(process.execPath, [join(root, "src/cli.ts"), "gateway", "--help"], { encoding: "utf8" });
    for (const [flag] of shell.join(" ").matchAll(/--\w+/g)) expect(help).toContain(flag);
  });
});
