import { expect, it } from "vitest";
import { pause } from "../../support/names.ts";
import { textOf } from "../markdown.ts";

/** A row of a table of docs/migrating.md: the pieces of code of its two cells. */
export interface Row {
  readonly theirs: readonly string[];
  readonly ours: readonly string[];
}

const codeIn = (cell: string): string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, code = ""]) => code);

/** The rows of a library, by the first piece of code of each. */
export function rowsOf(heading: string): Map<string, Row> {
  const section = textOf("docs/migrating.md").split(`## ${heading}\n`)[1]?.split("\n## ")[0] ?? "";
  const lines = section.split("\n").filter((line) => line.startsWith("| "));
  const rows = lines.slice(1).map((line): Row => {
    const [, left = "", right = ""] = line.split(/(?<!\\)\|/);
    return { theirs: codeIn(left), ours: codeIn(right) };
  });
  return new Map(rows.map((row) => [row.theirs[0] ?? "", row]));
}

/** Runs one test for each row of a library. A row without a test fails, and so does a test without a row. */
export function testRows(heading: string, tests: Readonly<Record<string, (row: Row) => Promise<unknown>>>): void {
  const rows = rowsOf(heading);
  it(`${heading}: every row has its test (E9)`, () => {
    expect([...rows.keys()]).toEqual(Object.keys(tests));
  });
  for (const [name, test] of Object.entries(tests)) {
    it(`${heading}: ${name} (E9)`, async () => {
      const row = rows.get(name);
      if (!row) throw new Error("the guide has no such row");
      await test(row);
    });
  }
}

/** Evaluates a piece of code of the guide. */
export const evaluate = <T>(code = "", scope: object): T =>
  new Function(...Object.keys(scope), `return (${code})`)(...Object.values(scope)) as T;

/** Begins to hold something; the promise gives the way to release it. */
export type Holding = () => Promise<() => Promise<unknown>>;

/** While the first is held the second one waits, and it is next. */
export async function expectExclusion(first: Holding, second: Holding): Promise<void> {
  const release = await first();
  let entered = false;
  const next = second().then((free) => {
    entered = true;
    return free;
  });
  await pause(150);
  expect(entered).toBe(false);
  await release();
  await (await next)();
}

/** Holds by a call that runs work. */
export const holdingBy =
  (run: (work: () => Promise<void>) => Promise<unknown>): Holding =>
  () =>
    new Promise((resolve, reject) => {
      const ended = run(
        () =>
          new Promise((end) =>
            resolve(async () => {
              end();
              await ended;
            }),
          ),
      );
      ended.catch(reject);
    });
