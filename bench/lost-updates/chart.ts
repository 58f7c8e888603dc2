/** The table of updates lost under each lock, and its chart. */
import { drawChart } from "../chart.ts";

/** One row of the table in docs/proof.md. */
export interface Row {
  readonly library: string;
  readonly lost: number;
  readonly refused: number;
}

/**
 * Draws the chart of the table.
 *
 * @param updates the number of updates made under each lock
 * @param measured when, as "Measured on 2026-11-22 on commit 610fe2f"
 */
export const chartOf = (rows: readonly Row[], updates: number, measured: string): string =>
  drawChart({
    title: `Updates to a list that were lost under each lock, out of ${updates}`,
    foot: `${measured}. Counts vary between runs, except those with a fence.`,
    groups: [
      { bars: rows.map(({ library, lost }) => ({ label: library, value: lost, text: `${lost}`, tone: "bad" })) },
    ],
  });

const HEAD = "| the list is updated under | updates lost | late writes refused |\n| --- | --: | --: |";

export const tableOf = (rows: readonly Row[]): string =>
  [HEAD, ...rows.map(({ library, lost, refused }) => `| ${library} | ${lost} | ${refused} |`)].join("\n");

/** Parses the rows of `tableOf` from a document. */
export function rowsOf(document: string): Row[] {
  const [, body = ""] = document.split(`${HEAD}\n`);
  const rows: Row[] = [];
  for (const line of body.split("\n")) {
    const [, library, lost, refused] = /^\| (.+) \| (\d+) \| (\d+) \|$/.exec(line) ?? [];
    if (library === undefined) break;
    rows.push({ library, lost: Number(lost), refused: Number(refused) });
  }
  return rows;
}
