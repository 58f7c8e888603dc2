import { readFileSync } from "node:fs";

/** The files of the page, by name. */
export type PageFiles = Readonly<Record<"index.html" | "style.css" | "page.js" | "icon.svg", string>>;

/** Reads the files of the page, which the build writes next to this module. @throws an Error if they are missing. */
export function readPageFiles(): PageFiles {
  const read = (name: keyof PageFiles): string => {
    try {
      return readFileSync(new URL(`./page/${name}`, import.meta.url), "utf8");
    } catch {
      throw new Error("the page is not built: npm run build");
    }
  };
  return {
    "index.html": read("index.html"),
    "style.css": read("style.css"),
    "icon.svg": read("icon.svg"),
    "page.js": read("page.js"),
  };
}
