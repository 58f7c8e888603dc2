import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Mutant } from "./mutant.ts";
import type { Finding, Stage } from "./results.ts";

/** The result of a mutant. */
export type Fate = Exclude<Stage, "real"> | "equivalent" | "survived" | "not run";
const FATES: readonly Fate[] = ["case", "seed", "test", "equivalent", "survived", "not run"];

export function fateOf(finding: Finding, isEquivalent: boolean): Fate {
  const { stage } = finding.killed ?? {};
  if (stage) return stage === "real" ? "test" : stage;
  if (isEquivalent) return "equivalent";
  return finding.survived ? "survived" : "not run";
}

const PAGE: string = join(import.meta.dirname, "../../docs/mutation.md");
const [BEGIN, END] = ["<!-- mutation -->\n", "<!-- end -->"];

type Row = ReadonlyMap<Fate, number>;
const HEAD: readonly string[] = [
  `| file | changes | ${FATES.join(" | ")} | caught |`,
  `|---|${"--:|".repeat(FATES.length + 2)}`,
];
const lineOf = (name: string, row: Row): string => {
  const all = [...row.values()].reduce((total, count) => total + count, 0);
  const asked = all - (row.get("equivalent") ?? 0) - (row.get("not run") ?? 0);
  const killed = asked - (row.get("survived") ?? 0);
  const share = asked > 0 ? `${Math.floor((killed / asked) * 1000) / 10} %` : "–";
  return `| ${name} | ${all} | ${FATES.map((fate) => row.get(fate) ?? 0).join(" | ")} | ${share} |`;
};
const sumOf = (rows: Iterable<Row>): Row => {
  const sum = new Map<Fate, number>();
  for (const row of rows) for (const [fate, count] of row) sum.set(fate, (sum.get(fate) ?? 0) + count);
  return sum;
};
/** The folder of a line of the table. */
const folderOf = (line: string): string | undefined => /^\| (?:all of )?`(\w+)\//.exec(line)?.[1];

/** Counts the fates of mutants by file and writes them into docs/mutation.md. */
export function createTable() {
  const rows = new Map<string, Map<Fate, number>>();
  /** A line for each file in which a change survived or was not run, and one for each folder. */
  const lines = (): string[] =>
    ["lua/", "src/"].flatMap((folder) => {
      const of = [...rows].filter(([file]) => file.startsWith(folder));
      const unsure = of.filter(([, row]) => row.has("survived") || row.has("not run"));
      const each = unsure.map(([file, row]) => lineOf(`\`${file}\``, row));
      return of.length > 0 ? [...each, lineOf(`all of \`${folder}\``, sumOf(of.map(([, row]) => row)))] : [];
    });
  return {
    add({ file }: Mutant, fate: Fate): void {
      const row = rows.get(file) ?? new Map<Fate, number>();
      rows.set(file, row);
      row.set(fate, (row.get(fate) ?? 0) + 1);
    },
    text: (): string => [...HEAD, ...lines()].join("\n"),
    /** Writes the folders that were counted in this run, and keeps the lines of the others. */
    write(): void {
      const page = readFileSync(PAGE, "utf8");
      const [before, rest = ""] = page.split(BEGIN);
      const [present = "", after] = [rest.slice(0, rest.indexOf(END)), rest.slice(rest.indexOf(END))];
      const now = lines();
      const counted = new Set(now.map(folderOf));
      const kept = present.split("\n").filter((line) => folderOf(line) && !counted.has(folderOf(line)));
      // Scripts come first, as in the document.
      const all = [...kept, ...now].sort((a, b) => Number(folderOf(a) === "src") - Number(folderOf(b) === "src"));
      writeFileSync(PAGE, `${before}${BEGIN}${[...HEAD, ...all].join("\n")}\n${after}`);
    },
  };
}
