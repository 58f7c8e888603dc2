import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { signDelivery } from "../../demo/deliveries.ts";
import { type GatewayServer, serveGateway } from "../../gateway/src/index.ts";
import { DEFAULTS } from "../../gateway/src/shared/settings.ts";
import { freePort } from "../../tools/redis.ts";
import { type Pair, startPair } from "../../tools/redis-topologies.ts";
import { run } from "../support/command.ts";
import { listen } from "../support/proxy.ts";
import { type Stack, startStack } from "../support/stack.ts";
import { type Problems, typeCheck } from "../support/typescript.ts";
import { closeClients } from "./clients.ts";
import { blocksOf, documents, ROOT, textOf } from "./markdown.ts";
import { afterwards } from "./next-server.ts";
import { SECRET, type Surroundings, surroundings } from "./surroundings.ts";

/** The names that examples export for a platform to call. */
interface Mounted {
  readonly GET?: (request: Request) => Promise<Response>;
  readonly POST?: (request: Request) => Promise<Response>;
}
/** The TypeScript of a document that is not a part of a file elsewhere. */
const examplesOf = (file: string): { name: string; text: string }[] =>
  blocksOf(textOf(file))
    .filter(({ language, from }) => language === "ts" && from === undefined)
    .map(({ text }, index) => ({ name: `${file} ${index}`, text }));

const readme = textOf("README.md");
const examples = examplesOf("README.md");
const recipes = documents
  .filter((file) =>
    /^(docs\/[\w-]+|(durable-object|engine|gateway|testing)\/README|cli\/skills\/[\w/-]+)\.md$/.test(file),
  )
  // Decorators need another compiler option: nest/test/ checks this page, and runs it.
  .filter((file) => file !== "docs/nest.md")
  .flatMap(examplesOf);
/** Recipes that need nothing but Redis. */
const runnable = recipes.filter(
  ({ name, text }) =>
    /^docs\/(locks|errors|durations|observability|keep-alive|migrating|newest-wins|single-flight|tcp)\.md/.test(name) &&
    !text.includes('from "bun"') &&
    // A whole program, which registers itself for the process: test/documents/recipes.test.ts runs it.
    !text.includes("setGlobalTracerProvider"),
);
const shell = blocksOf(readme)
  .filter(({ language }) => language === "sh")
  .flatMap(({ text }) => text.trim().split("\n"));

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
  folder = mkdtempSync(join(ROOT, "test/documents/.examples-"));
});
afterAll(async () => {
  vi.unstubAllEnvs();
  closeClients();
  rmSync(folder, { recursive: true, force: true });
  await gateway?.close();
  await Promise.all([pair?.stop(), ...(others ?? []).map((stack) => stack.stop())]);
});

/** An example in a file of its own, as a module here. */
function write({ name, text }: { name: string; text: string }): string {
  const file = join(folder, `${name.replace(/\W/g, "-")}.ts`);
  // One that runs is closed in the end.
  const clients = name.startsWith("run ") ? text.replace(/from "(ioredis|redis)"/g, 'from "../clients.ts"') : text;
  writeFileSync(file, `${clients}\nexport {};\n`);
  return file;
}

/** Sets the environment that examples read. */
function surround({ env }: Surroundings): void {
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
}

/** The compiler's findings for each file, under the settings of one part of this project. */
async function problemsOf(files: readonly string[], config: string): Promise<Problems> {
  const own = ["next.d.ts", "bun.d.ts"];
  const shim = config.startsWith("workers/") ? [] : ["../../durable-object/cloudflare-workers.d.ts"];
  const declared = [...own, ...shim].map((name) => join(import.meta.dirname, name));
  const { problems } = await typeCheck([...files, ...declared], config);
  // A mistake elsewhere would show in every file.
  expect([...problems].filter(([file, said]) => !files.includes(file) && said.length > 0)).toEqual([]);
  return problems;
}

describe("the README's example and the recipes of docs/", () => {
  it("compile under the strictest settings: the README's for Node, a recipe for Node or for Workers", async () => {
    expect(recipes.length).toBeGreaterThan(25);
    const ofReadme = examples.map((example) => write(example));
    const files = recipes.map((recipe) => write(recipe));
    const node = await problemsOf([...ofReadme, ...files], "tsconfig.json");
    expect(ofReadme.flatMap((file) => node.get(file) ?? [])).toEqual([]);
    const others = files.filter((file) => (node.get(file) ?? []).length > 0);
    const workers = await problemsOf(others, "workers/tsconfig.json");
    const broken = others.filter((file) => (workers.get(file) ?? []).length > 0);
    expect(broken.map((file) => [file, node.get(file), workers.get(file)])).toEqual([]);
  }, 120_000);

  it("run, those that need nothing but Redis", async () => {
    expect(runnable.length).toBeGreaterThan(10);
    const { globals } = surroundings(gateway.url, token, [others[0].url, others[1].url], pair.primary.url);
    surround(globals);
    vi.spyOn(console, "log").mockReturnValue();
    for (const { name, text } of runnable) await import(/* @vite-ignore */ write({ name: `run ${name}`, text }));
    expect(console.log).toHaveBeenCalled();
    vi.restoreAllMocks();
  }, 60_000);
});

describe("the routes for Next.js", () => {
  it('answer, and hand to "after" what the response does not wait for', async () => {
    surround(surroundings(gateway.url, token, ["", ""]).globals);
    const [report, hook] = await Promise.all(
      examplesOf("docs/nextjs.md").map(async ({ name, text }): Promise<Mounted> => {
        const here = text.replace('"next/server"', '"../next-server.ts"');
        return import(/* @vite-ignore */ write({ name: `run ${name}`, text: here }));
      }),
    );
    const first = await report?.POST?.(new Request("https://example.com/report", { method: "POST" }));
    expect(await first?.json()).toEqual({ token: expect.any(Number) });
    expect(afterwards).toHaveLength(1);

    const { headers } = await signDelivery(SECRET, crypto.randomUUID(), "ping", "{}");
    const send = (): Promise<Response> | undefined =>
      hook?.POST?.(new Request("https://example.com/webhooks/github", { method: "POST", headers, body: "{}" }));
    const [delivery, again] = [await send(), await send()];
    expect([delivery?.status, await delivery?.json()]).toEqual([200, { attempt: 1 }]);
    expect(again?.headers.get("Idempotent-Replayed")).toBe("true");
    expect(afterwards.length).toBeGreaterThan(1);
    await Promise.all(afterwards);
  });
});

describe("the README", () => {
  it("has code in no language that nothing checks", () => {
    expect([...new Set(blocksOf(readme).map(({ language }) => language))].sort()).toEqual(["sh", "ts"]);
  });

  it("has one example, of at most 10 lines", () => {
    expect(examples.map(({ text }) => text.trim().split("\n").length <= 10)).toEqual([true]);
  });

  it("has a first example that runs as pasted, with the server of its second command (54.1)", {
    timeout: 60_000,
  }, async () => {
    const command = shell.find((line) => line.startsWith("npx leasehold-gateway "));
    const port = await freePort();
    const flags = [...(command?.split(" ").slice(2) ?? []), "--port", `${port}`];
    const node = ["--no-warnings", "--import", pathToFileURL(join(ROOT, "tools/sources.ts")).href];
    const server = spawn(process.execPath, [...node, join(ROOT, "gateway/src/cli/main.ts"), ...flags], {
      stdio: ["ignore", "pipe", "ignore"],
    });
    try {
      const ended = once(server, "exit").then(([code]) => Promise.reject(new Error(`it ended with ${code}`)));
      ended.catch(() => {});
      await Promise.race([once(server.stdout, "data"), ended]);
      // The command names no port, so the example asks the default one.
      expect(examples[0]?.text).toContain(`http://127.0.0.1:${DEFAULTS.port}"`);
      const file = write({ name: "pasted", text: examples[0]?.text.replace(`:${DEFAULTS.port}"`, `:${port}"`) ?? "" });
      const pasted = () => run(process.execPath, [...node, file], ROOT);
      const printed = await Promise.all([pasted(), pasted()]);
      const tokens = printed.map((line) => Number(/^charging under token (\d+)$/m.exec(line)?.[1]));
      const [lower = 0, higher = 0] = tokens.sort((one, two) => one - two);
      // Tokens are times in microseconds, and the work takes 3 s.
      expect(higher - lower).toBeGreaterThan(2_900_000);
    } finally {
      server.kill("SIGKILL");
    }
  });

  it("has commands that exist", () => {
    const { scripts } = JSON.parse(textOf("package.json")) as { scripts: Record<string, string> };
    for (const document of [...documents, ".github/workflows/check.yml", ".github/pull_request_template.md"])
      for (const [, name = ""] of textOf(document).matchAll(/npm run (?:-s )?(\w[\w:-]*)/g))
        expect(Object.keys(scripts)).toContain(name);
    for (const line of shell)
      expect(line).toMatch(/^npm (install leasehold$|ci && npm (test$|run \w+$))|^npx leasehold-gateway /);
    const command = join(ROOT, "gateway/src/cli/main.ts");
    const help = execFileSync(process.execPath, [command, "--help"], { encoding: "utf8" });
    for (const [flag] of shell.join(" ").matchAll(/--\w+/g)) expect(help).toContain(flag);
  });
});

describe("the first examples of the guides", () => {
  async function mount(file: string): Promise<Mounted> {
    surround(surroundings(gateway.url, token, ["", ""]).globals);
    vi.stubEnv("GITHUB_SECRET", SECRET);
    const [first] = examplesOf(file);
    if (first === undefined) throw new Error(`${file} has no example`);
    return import(/* @vite-ignore */ write({ name: `run first ${first.name}`, text: first.text }));
  }

  it("on webhooks runs a delivery once, and refuses a forged one", async () => {
    const { POST } = await mount("docs/webhooks.md");
    const { headers } = await signDelivery(SECRET, crypto.randomUUID(), "ping", "{}");
    const send = async (body: string): Promise<Response | undefined> =>
      POST?.(new Request("https://example.com/webhooks/github", { method: "POST", headers, body }));
    const [first, again, forged] = [await send("{}"), await send("{}"), await send("{ }")];
    expect([first?.status, await first?.json()]).toEqual([200, { attempt: 1, token: expect.any(Number) }]);
    expect([again?.status, again?.headers.get("Idempotent-Replayed")]).toEqual([200, "true"]);
    expect(forged?.status).toBe(401);
  });

  it("on crons runs an occurrence once, and refuses a caller without the secret", async () => {
    const { GET } = await mount("docs/cron.md");
    const secret = "the secret of the cron";
    vi.stubEnv("CRON_SECRET", secret);
    const call = async (given: string): Promise<unknown> => {
      const headers = { Authorization: `Bearer ${given}`, "x-vercel-cron-schedule": "0 3 * * *" };
      const response = await GET?.(new Request("https://example.com/api/cron/nightly", { headers }));
      return response?.status === 200 ? ((await response.json()) as { status: string }).status : response?.status;
    };
    expect([await call(secret), await call(secret), await call("no")]).toEqual(["ran", "skipped: already ran", 401]);
  });

  it("on crons can be tried with its curl command (54.5)", async () => {
    const { GET } = await mount("docs/cron.md");
    const secret = "the secret of the curl command";
    vi.stubEnv("CRON_SECRET", secret);
    const command = blocksOf(textOf("docs/cron.md")).find(({ text }) => text.startsWith("curl "))?.text ?? "";
    const received: Request[] = [];
    const server = createServer(async ({ url, headers }, response) => {
      received.push(new Request(`http://localhost${url}`, { headers: headers as Record<string, string> }));
      const answer = await GET?.(received.at(-1) as Request);
      response.writeHead(answer?.status ?? 500).end(await answer?.text());
    });
    const port = await listen(server, 0);
    const curl = (text: string) =>
      run("sh", ["-c", text.replace("http://localhost:3000", `http://127.0.0.1:${port}`)], ROOT, {
        CRON_SECRET: secret,
      });
    try {
      // The slot may have run in another test of this page.
      expect(await curl(command)).toMatch(/HTTP\/1.1 200 [\s\S]*"status":"(ran|skipped: already ran)"/);
      expect(await curl(command)).toContain("skipped: already ran");
      const bare = command.replace(/ -H "x-vercel[^"]*"/, "");
      expect(await curl(bare)).toMatch(/HTTP\/1.1 400 [\s\S]*x-vercel-cron-schedule is missing/);
    } finally {
      server.closeAllConnections();
      server.close();
    }
    expect(received.map(({ url }) => new URL(url).pathname)).toEqual(Array(3).fill("/api/cron/nightly"));
  });
});
