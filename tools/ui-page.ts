/** Builds the page of `leasehold ui`: one script, one style sheet, and the HTML. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { PageFiles } from "../cli/src/ui/page-files.ts";
import { bundlePage } from "./page.ts";

const FOLDER = join(import.meta.dirname, "../cli/src/ui/page");

export async function buildUiPage(): Promise<PageFiles> {
  const { script, style } = await bundlePage(FOLDER);
  const read = (name: string): string => readFileSync(join(FOLDER, name), "utf8");
  return {
    "index.html": read("index.html"),
    "style.css": style,
    "icon.svg": read("icon.svg"),
    "page.js": script,
  };
}

/** Writes the page's files into a folder. */
export async function writeUiPage(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(await buildUiPage())) writeFileSync(join(folder, name), text);
}
