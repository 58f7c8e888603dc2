import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Mutant } from "./mutant.ts";
import type { Finding, Stage } from "./results.ts";

/** What became of a mutant. */
export type Fate = Stage | "equivalent" | "survived" | "not asked";
const FATES: readonly Fate[] = ["case", "seed", "test", "real", "equivalent", "survived", "not asked"];

export function fateOf(finding: Finding, isEquivalent: boolean): Fate {
  if (finding.killed) return finding.killed.stage;
  if (isEquivalent) return "equivalent";
  return finding.survived ? "survived" : "not asked";
}

const PAGE: string = join(import.meta.dirname, "../docs/mutation.md");
const [BEGIN, END] = ["<!-- mutation -->\n", "<!-- end -->"];

/** Counts the fates of mutants by file, and writes them into the documents. */
export function createTable() {
  const rows = new Map<string, Map<Fate, number>>();
  const survivors: string[] = [];
  return {
    add({ file, line, from, to }: Mutant, fate: Fate): void {
      const row = rows.get(file) ?? new Map<Fate, number>();
      rows.set(file, row);
      row.set(fate, (row.get(fate) ?? 0) + 1);
      if (fate === "survived") survivors.push(`${file}:${line}  ${from}  =>  ${to || "(left out)"}`);
    },
    survivors: survivors as readonly string[],
    text(): string {
      const sum = new Map<Fate, number>();
      const line = (name: string, row: ReadonlyMap<Fate, number>): string => {
        const all = [...row.values()].reduce((total, count) => total + count, 0);
        const asked = all - (row.get("equivalent") ?? 0) - (row.get("not asked") ?? 0);
        const killed = asked - (row.get("survived") ?? 0);
        const share = asked > 0 ? `${Math.floor((killed / asked) * 1000) / 10} %` : "–";
        return `| ${name} | ${all} | ${FATES.map((fate) => row.get(fate) ?? 0).join(" | ")} | ${share} |`;
      };
      const lines = [...rows].map(([file, row]) => {
        for (const [fate, count] of row) sum.set(fate, (sum.get(fate) ?? 0) + count);
        return line(`\`${file}\``, row);
      });
      return [
        `| file | changes | ${FATES.join(" | ")} | told |`,
        `|---|${"--:|".repeat(FATES.length + 2)}`,
        ...lines,
        line("all", sum),
      ].join("\n");
    },
    write(): void {
      const page = readFileSync(PAGE, "utf8");
      const [before, rest = ""] = page.split(BEGIN);
      const after = rest.slice(rest.indexOf(END));
      writeFileSync(PAGE, `${before}${BEGIN}${this.text()}\n${after}`);
    },
  };
}
