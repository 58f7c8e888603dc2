import { readdirSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { chartsOf, measuredIn } from "../../bench/charts.ts";
import { chartOf, rowsOf } from "../../bench/lost-updates/chart.ts";
import { SAFE } from "../../bench/lost-updates/libraries.ts";
import { type Browser, browser, startBrowser } from "../support/browser.ts";
import { textOf } from "./markdown.ts";

const DOCS = join(import.meta.dirname, "../../docs");

/** The charts of figures, which a program draws from tables. */
const CHARTS = ["idle-gap", "longest-wait", "commands", "prices", "lost-updates"];
const pictures = readdirSync(DOCS).flatMap((file) => /^(.*)\.svg$/.exec(file)?.[1] ?? []);
const drawings = pictures.filter((name) => !CHARTS.includes(name));

it.each(drawings)("%s says in words what it shows, and has a form for dark pages", (name) => {
  const picture = textOf(`docs/${name}.svg`);
  for (const part of ["<title", "<desc", 'role="img"', "prefers-color-scheme: dark"]) expect(picture).toContain(part);
});

it.each(drawings)("the smallest words of %s have 11 pixels on a phone of 390", (name) => {
  const picture = textOf(`docs/${name}.svg`);
  const width = Number(/viewBox="0 0 (\d+) /.exec(picture)?.[1]);
  const sizes = [...picture.matchAll(/font(?:-size)?: ([\d.]+)px/g)].map(([, size]) => Number(size));
  expect(sizes.length).toBeGreaterThan(1);
  expect((Math.min(...sizes) * 390) / width).toBeGreaterThan(11);
});

// A machine without a browser leaves this out; CI has to have one.
describe.runIf(browser || process.env["CI"])("the pictures in Chromium", () => {
  let chromium: Browser;
  beforeAll(() => {
    chromium = startBrowser();
  });
  afterAll(() => chromium?.close());

  it.each(pictures)("no words of %s leave the picture or lie over others", async (name) => {
    const page = await chromium.page();
    const file = pathToFileURL(join(DOCS, `${name}.svg`));
    await page.open(file.href, "document.readyState === 'complete'");
    const faults = await page.evaluate<string[]>(`(() => {
        const width = document.documentElement.viewBox.baseVal.width;
        const words = [...document.querySelectorAll("text")].map((text) => ({ words: text.textContent, box: text.getBBox() }));
        const isOver = (a, b) => a.x < b.x + b.width && b.x < a.x + a.width && a.y + 2 < b.y + b.height && b.y + 2 < a.y + a.height;
        const outside = words.filter(({ box }) => box.x < 0 || box.x + box.width > width);
        const covered = words.filter(({ box }, n) => words.slice(n + 1).some((other) => isOver(box, other.box)));
        return [...outside, ...covered].map(({ words }) => words);
      })()`);
    expect(faults).toEqual([]);
  });
});

it("the chart of lost updates shows the table of its page, in which only the fence loses none", () => {
  const page = textOf("docs/proof.md");
  const rows = rowsOf(page);
  const updates = Number(/(\d+) updates by \d+ processes/.exec(page)?.[1]);
  const [, section = ""] = page.split("<!-- lost updates -->");
  expect(textOf("docs/lost-updates.svg")).toBe(chartOf(rows, updates, measuredIn(section)));
  expect(rows.filter(({ lost }) => lost === 0).map(({ library }) => library)).toEqual([...SAFE]);
  expect(rows).toHaveLength(9);
});

describe("the charts of the benchmarks", () => {
  const charts = chartsOf(textOf);
  /** The cells with a figure of the tables' rows whose name ends so, row by row. */
  const cells = (ending: string): string[] =>
    [...`${textOf("docs/benchmarks.md")}${textOf("docs/scale.md")}`.matchAll(/^\| (.*) \|$/gm)]
      .map(([, row = ""]) => row.split(" | "))
      .filter(([name = ""]) => name.endsWith(ending))
      .flatMap(([, ...others]) => others.filter((cell) => /\d/.test(cell)));

  it.each(Object.keys(charts))(
    "%s is drawn from the tables, in less than 12 kB, in words too and for dark pages",
    (file) => {
      const chart = textOf(file);
      expect(chart).toBe(charts[file]);
      expect(chart.length).toBeLessThan(12_000);
      for (const part of ["<title", "<desc", 'role="img"', "prefers-color-scheme: dark"]) expect(chart).toContain(part);
      expect(chart).toMatch(/Measured on \d{4}-\d\d-\d\d on commit [\da-f]{7}[^<]*\./);
    },
  );

  it.each([
    ["docs/idle-gap.svg", "idle gap between holders, p95", 30],
    ["docs/longest-wait.svg", "longest wait", 30],
    ["docs/commands.svg", "Redis commands per acquisition", 28],
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
