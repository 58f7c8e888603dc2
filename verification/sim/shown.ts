/**
 * Seeds whose run shows a given effect. A change to the protocol changes every run, so a noted seed may no longer show
 * it: then others are tried.
 */
import type { Broken } from "./breaks.ts";
import type { Sentence } from "./history/sentences.ts";
import { planOf } from "./plan.ts";
import { run } from "./run.ts";

/** The rounds of each worker. */
export const ROUNDS = 20;

/** The noted seed if it shows the effect, or the first of `1` to `max` that does. */
export async function seedThatShows(
  noted: number,
  max: number,
  shows: (seed: number) => Promise<boolean>,
): Promise<number | undefined> {
  if (await shows(noted)) return noted;
  for (let seed = 1; seed <= max; seed++) if (await shows(seed)) return seed;
  return undefined;
}

/** Whether the check of a rule fails when the rule is broken. */
export const showsBreak =
  (broken: Broken) =>
  async (seed: number): Promise<boolean> => {
    const { violations } = await run(planOf(broken.kind, seed, ROUNDS), { breaks: [broken] });
    return violations.some(({ rule }) => rule === broken.rule);
  };

/** Whether a finding was excused by a sentence under "Not guaranteed" alone. */
export const showsNeed =
  (sentence: Sentence, kind: string) =>
  async (seed: number): Promise<boolean> =>
    ((await run(planOf(kind, seed, ROUNDS))).excused.get(sentence) ?? 0) > 0;
