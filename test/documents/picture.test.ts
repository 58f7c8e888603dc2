import { describe, expect, it } from "vitest";
import { chartsOf } from "../../bench/charts.ts";
import { draw } from "../../tools/picture.ts";
import { chartOf, rowsOf } from "../../verification/lost-updates/chart.ts";
import { textOf } from "./markdown.ts";

it("the picture of the frozen holder is what its script draws", () => {
  expect(textOf("docs/freeze.svg")).toBe(draw());
});

it("the picture says in words what it shows, and has a form for dark pages", () => {
  const picture = draw();
  for (const part of ["<title", "<desc", 'role="img"', "prefers-color-scheme: dark"]) expect(picture).toContain(part);
});

it("the chart of lost updates shows the table of its page, in which only the fence loses none", () => {
  const page = textOf("docs/proof.md");
  const rows = rowsOf(page);
  const updates = Number(/(\d+) updates by \d+ processes/.exec(page)?.[1]);
  expect(textOf("docs/lost-updates.svg")).toBe(chartOf(rows, updates));
  expect(rows.filter(({ lost }) => lost === 0).map(({ library }) => library)).toEqual(["leasehold with a fence"]);
  expect(rows).toHaveLength(6);
});

describe("the charts of the benchmarks", () => {
  const charts = chartsOf(textOf);
  /** The cells with a figure of the tables' rows whose name ends so, row by row. */
  const cells = (ending: string): string[] =>
    [...`${textOf("docs/costs.md")}${textOf("docs/scale.md")}`.matchAll(/^\| (.*) \|$/gm)]
      .map(([, row = ""]) => row.split(" | "))
      .filter(([name = ""]) => name.endsWith(ending))
      .flatMap(([, ...others]) => others.filter((cell) => /\d/.test(cell)));

  it.each(Object.keys(charts))(
    "%s is drawn from the tables, in less than 10 kB, in words too and for dark pages",
    (file) => {
      const chart = textOf(file);
      expect(chart).toBe(charts[file]);
      expect(chart.length).toBeLessThan(10_000);
      for (const part of ["<title", "<desc", 'role="img"', "prefers-color-scheme: dark"]) expect(chart).toContain(part);
    },
  );

  it.each([
    ["docs/idle-gap.svg", "idle gap between holders, p95", 12],
    ["docs/longest-wait.svg", "longest wait", 12],
    ["docs/commands.svg", "Redis commands per acquisition", 12],
    ["docs/prices.svg", "acquire and release", 3],
  ])("%s has a bar as long as the figure in each column of the rows of %s", (file, row, count) => {
    const figures = cells(row).map((cell) => Number(/[\d.]+/.exec(cell)?.[0]));
    const bars = [...(charts[file] ?? "").matchAll(/<rect [^>]*width="(\d+)"[^>]*class="(?:ours|others)( whole)?"/g)];
    const isTwofold = bars.some(([, , whole]) => whole);
    const lengths = bars.filter(([, , whole]) => !isTwofold || whole).map(([, width]) => Number(width));
    const perUnit = Math.max(...lengths) / Math.max(...figures.slice(0, count));
    expect(figures.length).toBeGreaterThanOrEqual(count);
    for (const [index, figure] of figures.slice(0, count).entries())
      expect(Math.abs((lengths[index] ?? 0) - figure * perUnit), `${row}: ${figure}`).toBeLessThan(1);
  });
});
