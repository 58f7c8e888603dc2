import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const ROOT = join(import.meta.dirname, "..");

export interface Measured {
  /** As `2026-11-21`. */
  readonly date: string;
  /** The commit that was measured, as `3cf3348`. */
  readonly commit: string;
  readonly machine: string;
}

/** A part of docs/benchmarks.md that the benchmark writes. */
export const sectionOf = (table: string, { date, commit, machine }: Measured): string =>
  `Measured on ${date} on commit \`${commit}\`, on one machine: ${machine}.

${table}

`;

/** The current commit, and whether anything was changed since. */
export function commitOf(): string {
  const git = (...args: string[]): string => execFileSync("git", args, { cwd: ROOT, encoding: "utf8" }).trim();
  return (
    git("rev-parse", "--short=7", "HEAD") + (git("status", "--porcelain", "--untracked-files=no") ? ", changed" : "")
  );
}

/** Writes a part of a document: the text between the marks of `bench`, or of another name. */
export function writeSection(section: string, name = "bench", file = "docs/benchmarks.md"): void {
  const path = join(ROOT, file);
  const document = readFileSync(path, "utf8");
  const between = new RegExp(`(?<=<!-- ${name} -->\\n)[\\s\\S]*(?=<!-- end ${name} -->)`);
  if (!between.test(document)) throw new Error(`${file}: the marks of "${name}" are missing`);
  writeFileSync(
    path,
    document.replace(between, () => section),
  );
}
