import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";

export const ROOT: string = resolve(import.meta.dirname, "../..");
export const textOf = (file: string): string => readFileSync(join(ROOT, file), "utf8");

/** Every document that is committed, or is about to be. */
export const documents: readonly string[] = execFileSync(
  "git",
  ["ls-files", "--cached", "--others", "--exclude-standard", "*.md", "*.txt"],
  { cwd: ROOT, encoding: "utf8" },
)
  .trim()
  .split("\n")
  .filter((file) => existsSync(join(ROOT, file)));

export interface Block {
  readonly language: string;
  readonly text: string;
  /** The file that it is a part of, word for word, where a comment before it says so. */
  readonly from: string | undefined;
}

export const blocksOf = (markdown: string): Block[] =>
  [...markdown.matchAll(/(?:^<!-- from (\S+) -->\n)?^```(\w*)\n([\s\S]*?)^```$/gm)].map(
    ([, from, language = "", text = ""]) => ({ language, text, from }),
  );

/** The text without what stands in code. */
const prose = (markdown: string): string => markdown.replace(/^```[\s\S]*?^```$/gm, "").replace(/`[^`\n]*`/g, "`code`");

/** The targets of its links and pictures. */
export const linksOf = (markdown: string): string[] =>
  [...prose(markdown).matchAll(/\]\(([^()\s]+)\)/g)].map(([, target = ""]) => target);

/** The names of its headings in links, as GitHub makes them. */
export function anchorsOf(markdown: string): string[] {
  const headings = markdown.replace(/^```[\s\S]*?^```$/gm, "").matchAll(/^#+ (.+)$/gm);
  return [...headings].map(([, title = ""]) =>
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-"),
  );
}

export interface Table {
  /** The text of the first cell of its head. */
  readonly head: string;
  /** The first cells of its rows. */
  readonly rows: readonly string[];
}

export const tablesOf = (markdown: string): Table[] =>
  [...markdown.matchAll(/^\| (.*?) *\|.*\n\|[-:| ]+\|\n((?:\|.*\n)*)/gm)].map(([, head = "", rows = ""]) => ({
    head,
    rows: rows
      .trim()
      .split("\n")
      .map(
        (row) =>
          row
            .slice(1)
            .split(/(?<!\\)\|/, 1)[0]
            ?.trim() ?? "",
      ),
  }));

/** The names in code: `a`, `b`. */
export const namesIn = (text: string): string[] => [...text.matchAll(/`(\w+)`/g)].map(([, name = ""]) => name);
