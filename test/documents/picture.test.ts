import { expect, it } from "vitest";
import { draw } from "../../tools/picture.ts";
import { textOf } from "./markdown.ts";

it("the picture of the frozen holder is what its script draws", () => {
  expect(textOf("docs/freeze.svg")).toBe(draw());
});

it("the picture says in words what it shows, and has a form for dark pages", () => {
  const picture = draw();
  for (const part of ["<title", "<desc", 'role="img"', "prefers-color-scheme: dark"]) expect(picture).toContain(part);
});
