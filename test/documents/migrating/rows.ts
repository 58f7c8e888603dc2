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
  it(`${heading}: every row has its test (E9, 54.4)`, () => {
    expect([...rows.keys()]).toEqual(Object.keys(tests));
  });
  for (const [name, test] of Object.entries(tests)) {
    it(`${heading}: ${name} (E9, 54.4)`, async () => {
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

/** What became of callers that all came at once. */
export interface Outcome {
  readonly served: number;
  readonly refused: number;
  /** The maximum number of callers that held at the same time. */
  readonly maxInside: number;
}

/** The same load for both libraries: callers that come at once, hold, work and release. A refusal is a rejection. */
export async function underLoad(hold: Holding, callers = 5, workMs = 100): Promise<Outcome> {
  let [served, refused, inside, maxInside] = [0, 0, 0, 0];
  const one = async (): Promise<void> => {
    const release = await hold().catch(() => undefined);
    if (!release) {
      refused += 1;
      return;
    }
    inside += 1;
    maxInside = Math.max(maxInside, inside);
    await pause(workMs);
    inside -= 1;
    await release();
    served += 1;
  };
  await Promise.all(Array.from({ length: callers }, one));
  return { served, refused, maxInside };
}

/** How long a caller tries, in ms, while somebody else holds for longer. @throws if it gets in */
async function patienceOf(hold: Holding): Promise<number> {
  const from = performance.now();
  const entered = await hold().then(
    () => true,
    () => false,
  );
  if (entered) throw new Error("two hold at once");
  return performance.now() - from;
}

/** The time that the guide's limits of tries allow, 2 s; their delays vary. */
const PATIENCE_MS = 1_500;

/**
 * Both limits let the same callers in, and give up after about the same time: `held` is what another client holds in
 * both libraries.
 */
export async function expectSamePatience(theirs: Holding, ours: Holding, hold: () => Promise<unknown>): Promise<void> {
  const all = { served: 5, refused: 0, maxInside: 1 };
  expect(await underLoad(theirs)).toEqual(all);
  expect(await underLoad(ours)).toEqual(all);
  await hold();
  const [before, now] = await Promise.all([patienceOf(theirs), patienceOf(ours)]);
  expect(before).toBeGreaterThan(PATIENCE_MS);
  expect(now).toBeGreaterThan(PATIENCE_MS);
}
