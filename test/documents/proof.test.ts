import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { ROOT, textOf } from "./markdown.ts";

/** The report that a title or a row begins with. */
const namesIn = (text: string, pattern: RegExp): string[] => [
  ...new Set([...text.matchAll(pattern)].map(([, name = ""]) => name)),
];

it("every report has a test of its name, every test a row, and those with a star a test with the library itself", () => {
  const page = textOf("docs/faults-of-others.md");
  const titles = /^it(?:\.concurrent)?\("([^:]+):/gm;
  expect(namesIn(textOf("test/faults/of-others.test.ts"), titles)).toEqual(namesIn(page, /^\| \[([^\]]+)\]\(https:/gm));
  expect(namesIn(textOf("test/faults/of-others-themselves.test.ts"), titles)).toEqual(
    namesIn(page, /^\| \[([^\]]+)\]\(https:[^)]*\) \* \|/gm),
  );
});

it("every test that the track record names is there", () => {
  const named = [...textOf("docs/proof.md").matchAll(/`(test\/[\w/-]+\.test\.ts)`/g)].map(([, file = ""]) => file);
  expect(named.length).toBeGreaterThan(15);
  expect(named.filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
});
