/**
 * Seeds whose run shows something. A change of the protocol changes every run, so a noted seed may show it no longer:
 * then others are tried.
 */
import type { Broken } from "./breaks.ts";
import type { Sentence } from "./history/sentences.ts";
import { planOf } from "./plan.ts";
import { run } from "./run.ts";

/** How often each worker works. */
export const ROUNDS = 20;

/** The noted seed if it shows what is asked for, or else the first of `1` to `most` that does. */
export async function seedThatShows(
  noted: number,
  most: number,
  shows: (seed: number) => Promise<boolean>,
): Promise<number | undefined> {
  if (await shows(noted)) return noted;
  for (let seed = 1; seed <= most; seed++) if (await shows(seed)) return seed;
  return undefined;
}

/** Whether the check of a rule fails where the rule is broken. */
export const showsBreak =
  (broken: Broken) =>
  async (seed: number): Promise<boolean> => {
    const { violations } = await run(planOf(broken.kind, seed, ROUNDS), { breaks: [broken] });
    return violations.some(({ rule }) => rule === broken.rule);
  };

/** Whether something happened that only a sentence under "Not guaranteed" excuses. */
export const showsNeed =
  (sentence: Sentence, kind: string) =>
  async (seed: number): Promise<boolean> =>
    ((await run(planOf(kind, seed, ROUNDS))).excused.get(sentence) ?? 0) > 0;
