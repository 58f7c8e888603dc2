/** The programs of docs/mcp.md, unchanged, over the sources. `test/platforms/package/pages.test.ts` runs the packed package. */
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { blocksOf, ROOT, textOf } from "../../../test/documents/markdown.ts";
import { useStack } from "../../../test/support/use-stack.ts";

/** Finds the sources of the packages, also for the server that the client starts. */
const SOURCES = pathToFileURL(join(ROOT, "tools/sources.ts")).href;
const stack = useStack({ warm: true });
let folder: string;
beforeAll(() => {
  // Within the project, so that packages resolve as they would for its users.
  folder = mkdtempSync(join(ROOT, "agents/test/mcp/.examples-"));
  for (const { text } of blocksOf(textOf("docs/mcp.md"))) {
    const [, name] = /^\/\/ ([\w.-]+)\n/.exec(text) ?? [];
    if (name !== undefined) writeFileSync(join(folder, name), text);
  }
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it("the client calls the tool twice, and the card is charged once (A1)", async () => {
  const env = { ...process.env, UPSTASH_REDIS_REST_URL: stack.url, UPSTASH_REDIS_REST_TOKEN: stack.token };
  const run = promisify(execFile);
  const path = `${process.execPath.replace(/\/[^/]+$/, "")}:${process.env["PATH"]}`;
  const { stdout, stderr } = await run(process.execPath, ["--no-warnings", "client.ts"], {
    cwd: folder,
    env: { ...env, PATH: path, NODE_NO_WARNINGS: "1", NODE_OPTIONS: `--import ${SOURCES}` },
  });
  const texts = [...stdout.matchAll(/text: '(.*)'/g)].map(([, text]) => text);
  expect(texts).toHaveLength(2);
  expect(texts[0]).toMatch(/^charged 500 cents for order \d+$/);
  expect(texts[1]).toBe(texts[0]);
  expect(stderr.match(/charging/g)).toHaveLength(1);
});
