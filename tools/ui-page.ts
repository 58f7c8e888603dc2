/** Builds the page of `leasehold ui`: one script, one style sheet, and what names them. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build, transform } from "esbuild";
import type { PageFiles } from "../src/ui/page-files.ts";

const FOLDER = join(import.meta.dirname, "../src/ui/page");

export async function buildUiPage(): Promise<PageFiles> {
  const { outputFiles } = await build({
    entryPoints: [join(FOLDER, "main.ts")],
    bundle: true,
    minify: true,
    write: false,
    format: "iife",
    target: "es2022",
    platform: "browser",
    logLevel: "error",
  });
  const read = (name: string): string => readFileSync(join(FOLDER, name), "utf8");
  return {
    "index.html": read("index.html"),
    "style.css": (await transform(read("style.css"), { loader: "css", minify: true })).code,
    "icon.svg": read("icon.svg"),
    "page.js": outputFiles[0]?.text ?? "",
  };
}

/** Writes the page's files into a folder. */
export async function writeUiPage(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(await buildUiPage())) writeFileSync(join(folder, name), text);
}
