import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Mutant } from "./mutant.ts";
import type { Finding, Stage } from "./results.ts";
import { AREAS } from "./typescript-mutants.ts";

/** The result of a mutant. */
export type Fate = Exclude<Stage, "real"> | "equivalent" | "survived" | "not run";
const SHOWN: readonly Fate[] = ["case", "seed", "test", "equivalent", "survived"];

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
  `| file | changes | run | ${SHOWN.join(" | ")} | caught |`,
  `|---|${"--:|".repeat(SHOWN.length + 3)}`,
];
const lineOf = (name: string, row: Row): string => {
  const all = [...row.values()].reduce((total, count) => total + count, 0);
  const run = all - (row.get("not run") ?? 0);
  const breaking = run - (row.get("equivalent") ?? 0);
  const killed = breaking - (row.get("survived") ?? 0);
  const share = breaking > 0 ? `${Math.floor((killed / breaking) * 1000) / 10} %` : "–";
  return `| ${name} | ${all} | ${run} | ${SHOWN.map((fate) => row.get(fate) ?? 0).join(" | ")} | ${share} |`;
};
const sumOf = (rows: Iterable<Row>): Row => {
  const sum = new Map<Fate, number>();
  for (const row of rows) for (const [fate, count] of row) sum.set(fate, (sum.get(fate) ?? 0) + count);
  return sum;
};
const PLACES: readonly string[] = ["lua", ...AREAS];

/** Counts the results of mutants by file and writes them into docs/mutation.md. */
export function createTable() {
  const rows = new Map<string, Map<Fate, number>>();
  /** A line for each file in which a change survived, and one for each folder. */
  const lines = (): string[] =>
    PLACES.flatMap((place) => {
      const of = [...rows].filter(([file]) => file.startsWith(`${place}/`));
      if (of.length === 0) return [];
      const unsure = of.filter(([, row]) => row.has("survived")).map(([file, row]) => lineOf(`\`${file}\``, row));
      return [...unsure, lineOf(`all of \`${place}/\``, sumOf(of.map(([, row]) => row)))];
    });
  return {
    add({ file }: Mutant, fate: Fate): void {
      const row = rows.get(file) ?? new Map<Fate, number>();
      rows.set(file, row);
      row.set(fate, (row.get(fate) ?? 0) + 1);
    },
    text: (): string => [...HEAD, ...lines()].join("\n"),
    /** Replaces the table of the document. */
    write(): void {
      const page = readFileSync(PAGE, "utf8");
      const [before, rest = ""] = page.split(BEGIN);
      const after = rest.slice(rest.indexOf(END));
      writeFileSync(PAGE, `${before}${BEGIN}${[...HEAD, ...lines()].join("\n")}\n${after}`);
    },
  };
}
