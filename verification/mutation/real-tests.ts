import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { createChild } from "./child.ts";
import type { Mutant } from "./mutant.ts";
import { nearTests } from "./near-tests.ts";
import { createReaches, type Reach } from "./reach.ts";
import type { Run, Told } from "./real-child.ts";

const ROOT: string = join(import.meta.dirname, "../..");
const LATE: Told = { failures: [{ file: "", test: "the process", why: "it takes too long" }], guards: [], ms: 0 };
/** The margin of a test file for changes that make it slower, on a busy machine. */
const SPARE_MS = 90_000;
const SLOWER = 3;

const newChild = () => {
  const folder = mkdtempSync(join(tmpdir(), "mutant-"));
  const env = { MUTANT_SWAPS: join(folder, "swaps.json"), MUTANT_LOG: join(folder, "guards.log") };
  return createChild<Run, Told>(join(import.meta.dirname, "real-child.ts"), LATE, env);
};
type Child = ReturnType<typeof newChild>;

/** The maximum number of concurrent runs, each in an idle process. */
const children: Child[] = [];
const idle: Child[] = [];
const waiting: ((child: Child) => void)[] = [];
let max = 1;
export function useChildren(count: number): void {
  max = count;
}
async function ask(run: Run, mostMs: number): Promise<Told> {
  if (idle.length === 0 && children.length < max) {
    const child = newChild();
    children.push(child);
    idle.push(child);
  }
  const child = idle.pop() ?? (await new Promise<Child>((resolve) => waiting.push(resolve)));
  try {
    return await child.ask(run, mostMs);
  } finally {
    const next = waiting.shift();
    if (next) next(child);
    else idle.push(child);
  }
}
export function stopRealTests(): void {
  for (const child of children) child.stop();
}

const reaches = createReaches(ask);
const kills = new Map<string, number>();

/**
 * The test files that reach a change and pass without it: those that caught the most changes first, then the fastest.
 */
async function testsFor(
  { file, guard }: Mutant,
  only: RegExp,
): Promise<readonly (readonly [test: string, reach: Reach])[]> {
  const near = await Promise.all(
    nearTests(file)
      .filter((test) => only.test(test))
      .map(async (test): Promise<[string, Reach]> => [test, await reaches.of(test)]),
  );
  const asked = near.filter(([, { passes, guards }]) => passes && guards.includes(`${file}:${guard}`));
  const score = ([test, { ms }]: readonly [string, Reach]): number => ((kills.get(test) ?? 0) + 1) / ms;
  return asked.sort((a, b) => score(b) - score(a));
}

/**
 * Whether tests fail because of the change: they fail again with it and pass without it. On a busy machine a test may
 * exceed its time limit for another reason.
 */
async function isConfirmed(run: Run, mostMs: number): Promise<boolean> {
  if ((await ask(run, mostMs)).failures.length === 0) return false;
  return (await ask({ ...run, swaps: {} }, mostMs)).failures.length === 0;
}

/**
 * Runs the tests near to a changed source in real time. Returns the test that failed, or null. A failed test is
 * repeated immediately. A failure by a time limit, or outside of a test, must be confirmed.
 */
export async function runRealTests(
  mutant: Mutant,
  only: RegExp,
): Promise<{ readonly by: string; readonly why: string } | null> {
  const swaps = { [pathToFileURL(join(ROOT, mutant.file)).href]: mutant.text };
  let rest = await testsFor(mutant, only);
  const ignored = rest.flatMap(([, { failing }]) => failing);
  while (rest.length > 0) {
    const mostMs = SPARE_MS + SLOWER * Math.max(...rest.map(([, { ms }]) => ms));
    const tests = rest.map(([test]) => test);
    const [first] = (await ask({ tests, swaps, ignored }, mostMs)).failures;
    if (!first) return null;
    const { file, test, why } = first;
    const isSure = test !== "" && file !== "" && !/timed out/i.test(why);
    const suspects = file ? [file] : tests;
    if (isSure || (await isConfirmed({ tests: suspects, swaps, ignored }, mostMs))) {
      kills.set(file, (kills.get(file) ?? 0) + 1);
      return { by: [file, test].filter((part) => part !== "").join(" > "), why };
    }
    rest = rest.filter(([each]) => !suspects.includes(each));
  }
  return null;
}
