import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import { freshName, useStack } from "../support/use-stack.ts";
import { ROOT } from "./bundle.ts";
import { startUpstream, type Upstream } from "./upstream.ts";

const stack = useStack();
let source: Upstream;
let dir: string;
beforeAll(async () => {
  source = await startUpstream();
  dir = mkdtempSync(join(tmpdir(), "leasehold-deno-"));
  // The file that `deno add npm:leasehold` writes, with this project in the registry's place.
  const here = (path: string): string => pathToFileURL(join(ROOT, path)).href;
  const entries = ["cron", "fence"].map((entry) => [`leasehold/${entry}`, here(`src/${entry}/index.ts`)]);
  const imports = { leasehold: here("src/index.ts") };
  writeFileSync(join(dir, "deno.json"), JSON.stringify({ imports: { ...Object.fromEntries(entries), ...imports } }));
});
afterAll(async () => {
  await source?.stop();
  rmSync(dir, { recursive: true, force: true });
});

/** The script as its comment says to run it: with nothing but the network and its two variables. */
function run(path: string, slot: string, url = stack.url): Promise<{ code: unknown; stdout: string; stderr: string }> {
  const allowed = ["--allow-net", "--allow-env=UPSTASH_REDIS_REST_URL,UPSTASH_REDIS_REST_TOKEN"];
  const options = ["--no-prompt", "--no-check", "--config", join(dir, "deno.json"), "--no-lock", ...allowed];
  const args = ["run", ...options, join(ROOT, "workers/deno-script.ts"), source.url + path, slot];
  const env = { UPSTASH_REDIS_REST_URL: url, UPSTASH_REDIS_REST_TOKEN: stack.token };
  return new Promise((resolve) => {
    execFile(
      join(ROOT, "node_modules/.bin/deno"),
      args,
      { env: { ...process.env, ...env, NO_COLOR: "1" } },
      (error, stdout, stderr) => {
        resolve({ code: error?.code ?? 0, stdout, stderr });
      },
    );
  });
}

it("does the work once for a slot, and the others say so", async () => {
  const slot = freshName("run");
  source.reply("/once", "EUR 1.1");
  const all = await Promise.all([run("/once", slot), run("/once", slot), run("/once", slot)]);
  expect(all.map(({ code, stderr }) => [code, stderr])).toEqual(Array(3).fill([0, ""]));
  const said = all.map(({ stdout }) => stdout.trim()).sort();
  expect(said[0]).toMatch(new RegExp(`^rates of ${slot}: ran in \\d+ ms, with token \\d+$`));
  for (const line of said.slice(1)) expect(line).toContain(`rates of ${slot}: skipped: `);
  expect(source.asked("/once")).toHaveLength(1);
  expect(await stack.redis.command("GET", "rates")).toContain("EUR 1.1");
});

it("ends with 1 and a clear line when it failed; the next start tries again", async () => {
  const slot = freshName("run");
  source.reply("/twice", "busy", 503);
  const failed = await run("/twice", slot);
  expect(failed).toMatchObject({ code: 1, stdout: "", stderr: "rates: failed: the source answered 503\n" });
  source.reply("/twice", "EUR 1.2");
  expect(await run("/twice", slot)).toMatchObject({ code: 0, stdout: expect.stringContaining(": ran in ") });
  expect(await run("/twice", slot, "")).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(
      /^rates: failed: fromEnv: UPSTASH_REDIS_REST_URL is missing, and UPSTASH_REDIS_REST_TOKEN is set: set both/,
    ),
  });
});
