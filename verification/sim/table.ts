import { execFileSync } from "node:child_process";
import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** The seeds run of one kind, with their results. */
export interface Campaign {
  readonly commit: string;
  readonly kind: string;
  readonly first: number;
  readonly last: number;
  readonly calls: number;
  readonly requests: number;
  readonly failed: number;
  /** Of CPU. */
  readonly seconds: number;
  readonly excused: Readonly<Record<string, number>>;
}

const ROOT = join(import.meta.dirname, "../..");
const README = join(import.meta.dirname, "README.md");

export function commitOf(): string {
  return execFileSync("git", ["rev-parse", "--short", "HEAD"], { cwd: ROOT, encoding: "utf8" }).trim();
}

export const keep = (file: string, campaign: Campaign): void => appendFileSync(file, `${JSON.stringify(campaign)}\n`);

const sumOf = (all: readonly Campaign[], of: (campaign: Campaign) => number): number =>
  all.reduce((sum, campaign) => sum + of(campaign), 0);

/** A row of the table: the runs of one kind or of all kinds. */
function row(kind: string, all: readonly Campaign[]): string {
  const seeds = sumOf(all, ({ first, last }) => last - first + 1);
  const [calls, requests] = [sumOf(all, (each) => each.calls), sumOf(all, (each) => each.requests)];
  return `| ${kind} | ${seeds} | ${calls} | ${requests} | ${calls + requests} | ${sumOf(all, (each) => each.failed)} |`;
}

/** Writes the tables of the README from the campaigns of a file. */
export function writeTables(file: string): void {
  const all = readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Campaign);
  const kinds = [...new Set(all.map(({ kind }) => kind))];
  const commits = [...new Set(all.map(({ commit }) => `\`${commit}\``))].join(", ");
  const timed = all.filter(({ seconds }) => seconds > 0);
  const pace = Math.round(sumOf(timed, (each) => each.calls + each.requests) / sumOf(timed, (each) => each.seconds));
  const sentences = new Map<string, number>();
  for (const { excused } of all)
    for (const [sentence, count] of Object.entries(excused))
      sentences.set(sentence, (sentences.get(sentence) ?? 0) + count);
  const text = [
    `Run on ${commits}, at ${pace} operations (calls and requests) a second of one core:`,
    "",
    "| kind | seeds | calls | requests | operations | failed |",
    "|---|--:|--:|--:|--:|--:|",
    ...kinds.map((kind) =>
      row(
        kind,
        all.filter((each) => each.kind === kind),
      ),
    ),
    row("all", all),
    "",
    "| excused by | times |",
    "|---|--:|",
    ...[...sentences].sort((a, b) => b[1] - a[1]).map(([sentence, count]) => `| ${sentence} | ${count} |`),
  ].join("\n");
  const readme = readFileSync(README, "utf8");
  const marked = /(<!-- table -->\n)[\s\S]*?(<!-- \/table -->)/;
  writeFileSync(
    README,
    readme.replace(marked, (_, begin: string, end: string) => `${begin}${text}\n${end}`),
  );
}
