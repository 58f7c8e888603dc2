import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { Hono } from "hono";
import ts from "typescript";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { signDelivery } from "../../demo/deliveries.ts";
import { type GatewayServer, serveGateway } from "../../gateway/src/index.ts";
import { type Pair, startPair } from "../../tools/redis-topologies.ts";
import { type Stack, startStack } from "../support/stack.ts";
import { type Surroundings, surroundings } from "./surroundings.ts";

const root = resolve(import.meta.dirname, "../..");
/** What examples export to be called by a platform. */
interface Mounted {
  readonly default?: Hono;
  readonly GET?: (request: Request) => Promise<Response>;
}
interface Block {
  readonly language: string;
  readonly text: string;
}
const blocksOf = (markdown: string): Block[] =>
  [...markdown.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].map(([, language = "", text = ""]) => ({ language, text }));
const codeOf = (blocks: readonly Block[]): string[] =>
  blocks.filter(({ language }) => language === "ts").map(({ text }) => text);

const readme = readFileSync(join(root, "README.md"), "utf8");
const blocks = blocksOf(readme);
const examples = codeOf(blocks);
const recipes = readdirSync(join(root, "docs"))
  .filter((file) => file.endsWith(".md"))
  .flatMap((file) =>
    codeOf(blocksOf(readFileSync(join(root, "docs", file), "utf8"))).map((text, index) => ({
      name: `${file} ${index}`,
      text,
    })),
  );
const shell = blocks.filter(({ language }) => language === "sh").flatMap(({ text }) => text.trim().split("\n"));

const token = "test-token-0123456789";
// One example wants a replica.
let pair: Pair;
let gateway: GatewayServer;
// One wants three servers.
let others: readonly [Stack, Stack];
let folder: string;
beforeAll(async () => {
  [pair, ...others] = await Promise.all([startPair(), startStack(), startStack()]);
  gateway = await serveGateway({ redis: pair.primary.url, token, port: 0 });
  // Within the project, so that packages resolve as they would for its users.
  folder = mkdtempSync(join(root, "test/readme/.examples-"));
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await gateway?.close();
  await Promise.all([pair?.stop(), ...(others ?? []).map((stack) => stack.stop())]);
});

/** An example in a file of its own, as a module here. */
function write(name: string, text: string, before = ""): string {
  const file = join(folder, `${name.replace(/\W/g, "-")}.ts`);
  const here = text.replace(/"leasehold(\/\w+)?"/g, (_, entry = "") => `"../../../src${entry}/index.ts"`);
  writeFileSync(file, `${before}\n${here}\nexport {};\n`);
  return file;
}

/** What the compiler says of each file, under the settings of one part of this project. */
function problemsOf(files: readonly string[], config: string): Map<string, string[]> {
  const path = join(root, config);
  const read = ts.readConfigFile(path, ts.sys.readFile).config as object;
  const { options } = ts.parseJsonConfigFileContent({ ...read, files }, ts.sys, dirname(path));
  const program = ts.createProgram(files, {
    ...options,
    noUnusedLocals: false,
    noPropertyAccessFromIndexSignature: false,
  });
  const problems = new Map(files.map((file): [string, string[]] => [file, []]));
  for (const { messageText, file, start } of ts.getPreEmitDiagnostics(program)) {
    const line = file && start !== undefined ? file.getLineAndCharacterOfPosition(start).line : 0;
    const text = `${file?.fileName.slice(folder.length)}:${line} ${ts.flattenDiagnosticMessageText(messageText, " ")}`;
    (problems.get(file?.fileName ?? "") ?? problems.values().next().value)?.push(text);
  }
  return problems;
}

const given: readonly (keyof Surroundings)[] = [
  ...(["url", "token", "env", "locks", "lease", "ctx", "deliveryId", "body"] as const),
  ...(["charge", "record", "respond", "settle", "build"] as const),
];

/** Declares what an example takes for granted and does not make itself. */
const declarations = (example: string): string =>
  given
    .filter((name) => !new RegExp(`const ${name}\\b`).test(example))
    .map((name) => `declare const ${name}: import("../surroundings.ts").Surroundings["${name}"];`)
    .join(" ");

describe("the recipes of docs/", () => {
  it("compile, for Node or for Workers", () => {
    expect(recipes.length).toBeGreaterThan(5);
    const files = recipes.map(({ name, text }) => write(name, text));
    const [node, workers] = ["tsconfig.json", "workers/tsconfig.json"].map((config) => problemsOf(files, config));
    const broken = files
      .map((file) => [node?.get(file) ?? [], workers?.get(file) ?? []])
      .filter((both) => both.every((said) => said.length > 0));
    expect(broken).toEqual([]);
  });
});

describe("the README", () => {
  it("has code in no language that nothing checks", () => {
    expect(examples.length).toBeGreaterThan(4);
    expect([...new Set(blocks.map(({ language }) => language))].sort()).toEqual(["sh", "ts"]);
  });

  it("has an example of at most 15 lines first", () => {
    expect(examples[0]?.trim().split("\n").length).toBeLessThanOrEqual(15);
  });

  it("has examples that compile under the strictest settings", () => {
    const files = examples.map((text, index) => write(`typed ${index}`, text, declarations(text)));
    expect([...problemsOf(files, "tsconfig.json").values()].flat()).toEqual([]);
  });

  it("has examples that run", async () => {
    const { globals, calls } = await surroundings(gateway.url, token, [others[0].url, others[1].url]);
    Object.assign(globalThis, globals satisfies Surroundings);
    Object.assign(process.env, globals.env, { CRON_SECRET: "the secret of the cron" });
    const mounted: Mounted = {};
    for (const [index, text] of examples.entries())
      Object.assign(mounted, await import(/* @vite-ignore */ write(`run ${index}`, text)));
    const kinds = ["build", "build", "build", "record", "build", "build", "build", "build"];
    const safer = ["build", "record"];
    const [once, runOnce] = ["record", "record"];
    expect(calls).toEqual(["charge", ...kinds, ...safer, once, runOnce, "waitUntil", "waitUntil", "build"]);
    await webhookRuns(mounted, calls);
    await cronRuns(mounted, calls);
  });

  /** Two copies of a delivery, and one that nobody signed. */
  async function webhookRuns({ default: app }: Mounted, calls: string[]): Promise<void> {
    const bindings = { REDIS_URL: gateway.url, REDIS_TOKEN: token, SECRET: "the secret of the hook" };
    const delivery = await signDelivery(bindings.SECRET, crypto.randomUUID(), "ping", "{}");
    const send = async (body: string): Promise<Response | undefined> =>
      app?.request("/webhooks/github", { method: "POST", headers: delivery.headers, body }, bindings);
    calls.length = 0;
    const [first, again, forged] = [await send("{}"), await send("{}"), await send("{ }")];
    expect([first?.status, await first?.json()]).toEqual([200, { attempt: 1 }]);
    expect([again?.status, again?.headers.get("Idempotent-Replayed")]).toEqual([200, "true"]);
    expect(forged?.status).toBe(401);
    expect(calls).toEqual(["record"]);
  }

  /** Two calls for one occurrence, and one without the secret. */
  async function cronRuns({ GET }: Mounted, calls: string[]): Promise<void> {
    const call = async (secret: string): Promise<unknown> => {
      const headers = { Authorization: `Bearer ${secret}` };
      const response = await GET?.(new Request("https://example.com/api/cron/nightly", { headers }));
      return response?.status === 200 ? ((await response.json()) as { status: string }).status : response?.status;
    };
    calls.length = 0;
    const secret = "the secret of the cron";
    expect([await call(secret), await call(secret), await call("no")]).toEqual(["ran", "skipped: already ran", 401]);
    expect(calls).toEqual(["record"]);
  }

  it("has commands that exist", () => {
    const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
      scripts: Record<string, string>;
    };
    const run = [...readme.matchAll(/npm run ([\w:]+)/g)].map(([, name = ""]) => name);
    for (const name of run) expect(Object.keys(scripts)).toContain(name);
    for (const line of shell)
      expect(line).toMatch(/^npm (install leasehold$|ci && npm (test$|run \w+$))|^npx leasehold-gateway /);
    const help = execFileSync(process.execPath, [join(root, "gateway/src/cli/main.ts"), "--help"], {
      encoding: "utf8",
    });
    for (const [flag] of shell.join(" ").matchAll(/--\w+/g)) expect(help).toContain(flag);
  });
});
