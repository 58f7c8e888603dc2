import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, it } from "vitest";
import { program, ROOT, run } from "../../test/support/command.ts";
import { type RedisServer, startRedis } from "../../tools/redis.ts";

const document = readFileSync(join(ROOT, "docs/testing.md"), "utf8");
const blocks = [...document.matchAll(/^<!-- run: (\w+) -->\n```(\w+)\n([\s\S]*?)^```$/gm)].map(
  ([, runner = "", language = "", text = ""], at) => ({ runner, language, text, at }),
);

// Inside the project, so that packages resolve as they would for its users.
const folder = mkdtempSync(join(ROOT, "testing/test/.examples-"));
let redis: RedisServer;
beforeAll(async () => {
  redis = await startRedis();
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await redis?.stop();
});

const COMMANDS: Readonly<Record<string, (files: readonly string[]) => readonly [program: string, ...args: string[]]>> =
  {
    vitest: () => [process.execPath, program("vitest/vitest.mjs"), "run", "--root", folder],
    jest: () => [
      process.execPath,
      "--experimental-vm-modules",
      "--no-warnings",
      program("jest/bin/jest.js"),
      "--rootDir",
      folder,
      "--testMatch",
      "**/jest-*.bundle.mjs",
    ],
    node: (files) => [process.execPath, "--test", ...files],
    deno: (files) => [
      program(".bin/deno"),
      "test",
      "--no-check",
      "--no-prompt",
      "--allow-read",
      "--allow-env",
      ...files,
    ],
    bun: (files) => [program(".bin/bun"), "test", ...files.map((file) => `./${file}`)],
  };

/** Writes a block to a file of its own, with the sources in place of the packages. */
async function written({ runner, text, language, at }: (typeof blocks)[number]): Promise<string> {
  const file = `${runner}-${at}.source.${language}`;
  writeFileSync(join(folder, file), text);
  // Bundled, since only the bundler knows where the sources of the packages are.
  const bundle = file.replace(/\w+$/, "bundle.mjs");
  await build({
    entryPoints: [join(folder, file)],
    outfile: join(folder, bundle),
    bundle: true,
    format: "esm",
    external: ["@jest/globals", "vitest", "bun:test"],
    platform: "node",
    logLevel: "error",
  });
  return bundle;
}

it("has blocks for every runner", () => {
  expect(new Set(blocks.map(({ runner }) => runner))).toEqual(new Set(Object.keys(COMMANDS)));
  expect(blocks.length).toBeGreaterThan(6);
});

it.each(Object.keys(COMMANDS))("every block for it passes: %s", { timeout: 60_000 }, async (runner) => {
  const files = await Promise.all(blocks.filter((block) => block.runner === runner).map(written));
  writeFileSync(join(folder, "vitest.config.ts"), "export default { test: { include: ['vitest-*.bundle.mjs'] } };\n");
  const [file, ...args] = (COMMANDS[runner] as (typeof COMMANDS)[string])(files);
  // It throws when the runner fails, with all that it said.
  await run(file, args, folder, { NO_COLOR: "1", REDIS_URL: redis.url });
});
