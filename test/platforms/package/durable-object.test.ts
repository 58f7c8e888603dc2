/** What a new user does with docs/durable-object.md: an empty folder, the packages, the files as the page has them. */
import { cpSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { convertV4MiniflareOptions, Log, LogLevel, Miniflare } from "miniflare";
import { afterAll, beforeAll, expect, test } from "vitest";
import { QUIET } from "../../../demo/bundle.ts";
import { program, ROOT, run } from "../../support/command.ts";
import { packed } from "./packed.ts";
import { emptyProject, type Project } from "./project.ts";

const WORKER = "durable-object/worker";
const page = readFileSync(join(ROOT, "docs/durable-object.md"), "utf8");

/** The first code block of a language on the page. */
function blockOf(language: string): string {
  const [, block] = new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``).exec(page) ?? [];
  if (block === undefined) throw new Error(`the page has no ${language}`);
  return block;
}

let project: Project;
beforeAll(async () => {
  project = emptyProject();
  const names = ["leasehold", "leasehold-engine", "leasehold-durable-object"] as const;
  const tarballs: string[] = [];
  for (const name of names) tarballs.push(await packed(name));
  await project.npm(...tarballs);
});
afterAll(() => project?.remove());

/** What `wrangler deploy` would upload. */
async function bundle(folder: string, outdir: string): Promise<string> {
  const args = [program("wrangler/bin/wrangler.js"), "deploy", "--dry-run", "--outdir", outdir];
  const output = await run(process.execPath, args, folder, QUIET);
  expect(output).toContain("env.LEASEHOLD (LeaseholdObject)");
  const [, kiB = ""] = /gzip: ([\d.]+) KiB/.exec(output) ?? [];
  console.log(`gzip: ${kiB} KiB, not minified`);
  return readFileSync(join(outdir, "index.js"), "utf8");
}

const started = (script: string, bindings: Readonly<Record<string, string>> = {}): Miniflare =>
  new Miniflare({
    ...convertV4MiniflareOptions({
      name: "worker",
      modules: true,
      script,
      compatibilityDate: "2026-01-01",
      durableObjects: { LEASEHOLD: { className: "LeaseholdObject", useSQLite: true } },
      bindings: { ...bindings },
    }),
    cf: false,
    log: new Log(LogLevel.NONE),
  });

test("the Worker of the page holds a lock", async () => {
  const code = blockOf("ts");
  const lines = code.split("\n").filter((line) => line.trim() !== "");
  expect(lines.length).toBeLessThanOrEqual(15);
  const folder = join(project.dir, "user");
  mkdirSync(folder);
  project.write("user/index.ts", code);
  project.write("user/wrangler.json", blockOf("json"));
  const mf = started(await bundle(folder, join(project.dir, "out")));
  try {
    const { origin } = await mf.ready;
    const tokens: number[] = [];
    for (let n = 0; n < 3; n++) {
      const [, token] = /^token (\d+)\n$/.exec(await (await fetch(origin)).text()) ?? [];
      tokens.push(Number(token));
    }
    expect(tokens[0]).toBeGreaterThan(0);
    expect(tokens).toEqual([...tokens].sort((a, b) => a - b));
  } finally {
    await mf.dispose();
  }
});

test("the ready Worker is deployed from its own folder, as the button clones it", async () => {
  const folder = join(project.dir, "worker");
  cpSync(join(ROOT, WORKER), folder, { recursive: true });
  // The button asks for the secrets that this file names, and describes them as the manifest does.
  const secrets = readFileSync(join(folder, ".dev.vars.example"), "utf8");
  const { cloudflare } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  expect([...secrets.matchAll(/^(\w+)=/gm)].map(([, name]) => name)).toEqual(Object.keys(cloudflare.bindings));
  const [, path = ""] = /deploy\.workers\.cloudflare\.com\/\?url=\S+?\/tree\/main\/([^)\s]+)/.exec(page) ?? [];
  expect([path, existsSync(join(ROOT, path, "wrangler.toml"))]).toEqual([WORKER, true]);

  const mf = started(await bundle(folder, join(project.dir, "out-worker")), { LEASEHOLD_TOKEN: "short" });
  try {
    const { origin } = await mf.ready;
    const refused = await fetch(origin, { method: "POST", body: '["PING"]' });
    expect([refused.status, await refused.text()]).toEqual([503, expect.stringContaining("16 characters")]);
  } finally {
    await mf.dispose();
  }
});
