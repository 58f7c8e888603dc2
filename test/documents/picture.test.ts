import { expect, it } from "vitest";
import { drawChart, rowsOf } from "../../bench/lost-updates/chart.ts";
import { draw } from "../../tools/picture.ts";
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
  expect(textOf("docs/lost-updates.svg")).toBe(drawChart(rows, updates));
  expect(rows.filter(({ lost }) => lost === 0).map(({ library }) => library)).toEqual(["leasehold with a fence"]);
  expect(rows).toHaveLength(6);
});
