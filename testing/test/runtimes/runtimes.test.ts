import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build, type Plugin } from "esbuild";
import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Result } from "../../../test/platforms/runtime/vitest.ts";
import { browser } from "../../../test/support/browser.ts";
import { program, ROOT, run } from "../../../test/support/command.ts";
import { scripts } from "../../../test/support/scripts.ts";

/** All kinds take minutes in each runtime; the short form is the lock. */
const EXTENT = process.env["ENGINE_RUNTIMES"] === "all" ? "whole" : "lock";
/** For all of it in one runtime. */
const LIMIT_MS = EXTENT === "whole" ? 1_800_000 : 100_000;

const dir = mkdtempSync(join(tmpdir(), "leasehold-runtimes-"));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

/** The scripts of the SDK, as they are found in its folder here. */
const embedded: Plugin = {
  name: "scripts",
  setup({ onLoad }) {
    onLoad({ filter: /test[/\\]support[/\\]scripts\.ts$/ }, () => ({
      contents: `export const scripts = ${JSON.stringify(scripts)};`,
    }));
  },
};

/** Bundles an entry with everything that it needs; nothing of Node's may be needed. */
async function bundled(entry: string): Promise<string> {
  const outfile = join(dir, `${entry}.js`);
  await build({
    entryPoints: [join(ROOT, `testing/test/runtimes/${entry}.ts`)],
    outfile,
    bundle: true,
    target: "es2022",
    platform: "browser",
    format: "esm",
    alias: { vitest: join(ROOT, "test/platforms/runtime/vitest.ts") },
    ...(entry !== "worker" && { define: { "process.env.NODE_ENV": '"test"' } }),
    plugins: [embedded],
    logLevel: "silent",
  });
  return outfile;
}

const printed = async (file: string, args: readonly string[]): Promise<Result[]> =>
  JSON.parse(await run(file, [...args, EXTENT], dir, { NO_COLOR: "1" }, LIMIT_MS)) as Result[];

async function inWorkerd(): Promise<Result[]> {
  const script = readFileSync(join(dir, "worker.js"), "utf8");
  const flags = ["no_nodejs_compat", "no_nodejs_compat_v2"];
  const options = { modules: true, script, compatibilityDate: "2026-10-01", compatibilityFlags: flags };
  const miniflare = new Miniflare({ ...convertV4MiniflareOptions(options), cf: false });
  try {
    return (await (await miniflare.dispatchFetch(`http://worker/${EXTENT}`)).json()) as Result[];
  } finally {
    await miniflare.dispose();
  }
}

async function inBrowser(): Promise<Result[]> {
  const script = readFileSync(join(dir, "page.js"), "utf8");
  let child: ChildProcess | undefined;
  let told: (results: Result[]) => void = () => {};
  const results = new Promise<Result[]>((resolve) => {
    told = resolve;
  });
  const server = createServer(async (request, response) => {
    if (request.method === "POST") {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      told(JSON.parse(Buffer.concat(chunks).toString()) as Result[]);
      response.end();
    } else if (request.url === "/page.js") response.setHeader("content-type", "text/javascript").end(script);
    else response.setHeader("content-type", "text/html").end('<script type="module" src="/page.js"></script>');
  });
  try {
    await once(server.listen(0, "127.0.0.1"), "listening");
    const { port } = server.address() as AddressInfo;
    const args = ["--headless", "--no-sandbox", "--disable-gpu", `--user-data-dir=${join(dir, "profile")}`];
    child = spawn(browser as string, [...args, `http://127.0.0.1:${port}/?${EXTENT}`], { stdio: "ignore" });
    return await results;
  } finally {
    if (child && child.exitCode === null) {
      child.kill("SIGKILL");
      await once(child, "exit");
    }
    server.closeAllConnections();
    server.close();
  }
}

const runtimes: Record<string, () => Promise<Result[]>> = {
  Deno: () => printed(program(".bin/deno"), ["run", "--no-prompt", "--cached-only", "--allow-env", "program.js"]),
  workerd: inWorkerd,
  // Much like the others, so only in the long form.
  ...(EXTENT === "whole" && {
    "Node 20": () => printed(program("node-20/bin/node"), ["program.js"]),
    Bun: () => printed(program(".bin/bun"), ["run", "program.js"]),
  }),
};

beforeAll(async () => {
  await Promise.all(["program", "worker", "page"].map(bundled));
});

function judge(results: readonly Result[]): void {
  expect(results.filter(({ state }) => state !== "pass")).toEqual([]);
  expect(results.length).toBeGreaterThan(EXTENT === "whole" ? 1000 : 20);
}

// One after the other: two would make each other late, and some of the tests measure time.
describe("the contract and the fault stories over a Redis in memory, without code generation and without Node", () => {
  it.each(Object.entries(runtimes))("%s", { timeout: LIMIT_MS }, async (_, inRuntime) => {
    judge(await inRuntime());
  });

  // A machine without a browser leaves it out; CI has to have one.
  it.runIf(browser || process.env["CI"])("Chromium", { timeout: LIMIT_MS }, async () => {
    judge(await inBrowser());
  });
});
