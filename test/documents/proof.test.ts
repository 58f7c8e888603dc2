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
  const named = [...textOf("verification/track-record.md").matchAll(/`(test\/[\w/-]+\.test\.ts)`/g)].map(
    ([, file = ""]) => file,
  );
  expect(named.length).toBeGreaterThan(15);
  expect(named.filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
});

it("the proof is a page that a reviewer reads in six minutes, with its figures in one table", () => {
  const page = textOf("docs/proof.md");
  expect(page.trim().split(/\s+/).length).toBeLessThanOrEqual(1200);
  const [, figures = ""] = /<!-- figures -->\n([\s\S]*?)<!-- end figures -->/.exec(page) ?? [];
  const rows = figures.split("\n").filter((line) => /^\| [^|]*\d|^\| [a-z]/.test(line));
  expect(rows.length).toBeGreaterThan(5);
  // Each has its result, its command and the commit.
  for (const row of rows) expect(row).toMatch(/^\| .+ \| .*\d.* \| `npm run [^`]+` \| `[0-9a-f]{7,10}` \|$/);
});
