/**
 * The documentation site: `docs/`, the reference made from doc comments, and the playground.
 *
 *   npm run docs:dev      serves it while you write
 *   npm run docs:build    writes it to docs/.vitepress/dist, or to another folder that it is given
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build, createServer } from "vitepress";
import { buildPlayground } from "./playground.ts";

const ROOT = join(import.meta.dirname, "..");
const DOCS = join(ROOT, "docs");
/** VitePress copies this folder unchanged. */
const PLAYGROUND = join(DOCS, "public/playground");

function writeReference(): void {
  rmSync(join(DOCS, "reference"), { recursive: true, force: true });
  execFileSync(join(ROOT, "node_modules/.bin/typedoc"), ["--options", "docs/typedoc.json", "--logLevel", "Warn"], {
    cwd: ROOT,
    stdio: "inherit",
  });
}

async function writePlayground(): Promise<void> {
  mkdirSync(PLAYGROUND, { recursive: true });
  for (const [name, text] of Object.entries(await buildPlayground())) writeFileSync(join(PLAYGROUND, name), text);
}

/** Writes the whole site. @throws for a dead link, or an export without a comment. */
export async function buildSite(outDir: string = join(DOCS, ".vitepress/dist")): Promise<void> {
  writeReference();
  await writePlayground();
  await build(DOCS, { outDir });
}

if (import.meta.main) {
  if (process.argv[2] === "dev") {
    writeReference();
    await writePlayground();
    const server = await createServer(DOCS);
    await server.listen();
    server.printUrls();
  } else await buildSite(process.argv[2]);
}
