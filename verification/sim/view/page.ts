/** Writes the picture of a run as one page that needs no other file, no server and no network. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { bundlePage } from "../../../tools/page.ts";
import type { Picture } from "./picture.ts";

const FOLDER = join(import.meta.dirname, "page");

/** Nothing in the texts within script elements may end these elements. */
export async function pageOf(picture: Picture): Promise<string> {
  const { script, style } = await bundlePage(FOLDER);
  const parts: Readonly<Record<string, string>> = {
    "/* style */": style,
    "/* script */": script.replaceAll("</script", "<\\/script"),
    '"the picture"': JSON.stringify(picture).replaceAll("<", "\\u003c"),
  };
  const html = readFileSync(join(FOLDER, "index.html"), "utf8");
  return html.replace(/\/\* style \*\/|\/\* script \*\/|"the picture"/g, (mark) => parts[mark] ?? "");
}
