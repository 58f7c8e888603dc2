/** Draws the charts of the documents from the figures of their tables, so that both always show the same run. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Bar, drawChart } from "./chart.ts";

const ROOT = join(import.meta.dirname, "..");

interface Table {
  readonly head: readonly string[];
  /** The cells of each row, by its first column. */
  readonly rows: ReadonlyMap<string, readonly string[]>;
  /** When it was measured, on which commit. */
  readonly measured: string;
}

/** Reads from a section when its figures were measured, as "Measured on 2026-11-23 on commit fd5f5fb". */
export function measuredIn(section: string): string {
  const [, date, commit] = /Measured on ([\d-]+) on commit `([^`]+)`/.exec(section) ?? [];
  if (date === undefined) throw new Error("the section does not say when it was measured");
  return `Measured on ${date} on commit ${commit}`;
}

/** Reads the table between two marks of a document. */
function tableOf(document: string, mark: string): Table {
  const [, section = ""] = new RegExp(`<!-- ${mark} -->\\n([\\s\\S]*?)<!-- end ${mark} -->`).exec(document) ?? [];
  const [head = [], , ...rows] = [...section.matchAll(/^\| (.*) \|$/gm)].map(([, cells = ""]) => cells.split(" | "));
  if (rows.length === 0) throw new Error(`there is no table between the marks of "${mark}"`);
  const names = head.slice(1).map((name) => name.replaceAll("`", ""));
  const cellsOf = new Map(rows.map(([name = "", ...cells]) => [name.replaceAll("`", ""), cells]));
  return { head: names, rows: cellsOf, measured: measuredIn(section) };
}

const numberIn = (cell: string): number => Number(/[\d.]+/.exec(cell)?.[0]);

/**
 * Makes a bar for each column of a row that has a figure. `inner` names a row whose figures are a part of them, and
 * `tell` returns the text after a bar.
 */
function barsOf(
  { head, rows }: Table,
  row: string,
  inner?: string,
  tell = (cell: string, _part: string) => cell,
): Bar[] {
  const [cells, parts] = [rows.get(row), inner === undefined ? [] : rows.get(inner)];
  if (!cells || !parts) throw new Error(`there is no row "${cells ? inner : row}"`);
  return head.flatMap((label, column) => {
    const [cell = "–", part = "–"] = [cells[column], parts[column]];
    const value = numberIn(cell);
    if (Number.isNaN(value)) return [];
    const tone = label.startsWith("leasehold") ? "ours" : "others";
    return {
      label,
      value,
      part: inner === undefined ? undefined : numberIn(part) || 0,
      text: tell(cell, part),
      tone,
    } as const;
  });
}

/** Makes a group of bars for each crowd of the table of waiting. */
function crowdsOf(table: Table, bars: (crowd: string) => Bar[]): { name: string; bars: Bar[] }[] {
  const crowds = [...new Set([...table.rows.keys()].map((row) => row.split(": ")[0] as string))];
  return crowds.map((crowd) => ({ name: `${crowd.replace(" × ", " workers with ")} of work`, bars: bars(crowd) }));
}

/** Draws all charts, by the names of their files. @param textOf reads a document */
export function chartsOf(textOf: (file: string) => string): Record<string, string> {
  const waiting = tableOf(textOf("docs/benchmarks.md"), "bench of waiting");
  const prices = tableOf(textOf("docs/scale.md"), "prices");
  const spread = `${waiting.measured}: the median of two runs. Their spread was not recorded.`;
  const compared = [...prices.rows].filter(([, cells]) => cells.slice(0, 3).filter((cell) => cell !== "–").length > 1);
  return {
    "docs/idle-gap.svg": drawChart({
      title: "Idle gap between two holders of a contended lock",
      note: "Dark: the median. Whole bar: the 95th percentile.",
      foot: `${waiting.measured}. The spread of the gaps is from the median to the bar's end.`,
      groups: crowdsOf(waiting, (crowd) => {
        const row = `${crowd}: idle gap between holders`;
        return barsOf(waiting, `${row}, p95`, `${row}, median`, (p95, median) => `${median}, p95 ${p95}`);
      }),
    }),
    "docs/longest-wait.svg": drawChart({
      title: "Longest wait of any worker for the lock",
      foot: spread,
      groups: crowdsOf(waiting, (crowd) => barsOf(waiting, `${crowd}: longest wait`)),
    }),
    "docs/commands.svg": drawChart({
      title: "Redis commands for one acquisition of a contended lock",
      note: "Dark: the requests, which are counted over HTTP only.",
      foot: spread,
      groups: crowdsOf(waiting, (crowd) => {
        const [commands, requests] = ["Redis commands", "requests"].map((what) => `${crowd}: ${what} per acquisition`);
        return barsOf(waiting, commands as string, requests, (sent, asked) =>
          asked === "–" ? sent : `${sent}, ${asked} requests`,
        );
      }),
    }),
    "docs/prices.svg": drawChart({
      title: "Price of a million operations at Upstash",
      foot: `${prices.measured}. Commands are counted, so they have no spread.`,
      groups: compared.map(([name]) => ({
        name,
        bars: barsOf({ ...prices, head: prices.head.slice(0, 3) }, name, undefined, (cell) => cell.replace(/ .*/, "")),
      })),
    }),
  };
}

/** Redraws all charts from the tables. */
export function writeCharts(): void {
  const charts = chartsOf((file) => readFileSync(join(ROOT, file), "utf8"));
  for (const [file, chart] of Object.entries(charts)) writeFileSync(join(ROOT, file), chart);
}
