/** Runs what a parent process asks for, one thing at a time: a process that hangs can be ended. */

import { runCases } from "../../test/lua/cases/run.ts";
import { planOf } from "../sim/plan.ts";
import { run } from "../sim/run.ts";
import { roundsOf, type Seed } from "./seeds.ts";

/** A question of the parent's: changed scripts, and a seed or all cases to run them by. */
export interface Question {
  readonly texts: Readonly<Record<string, string>>;
  /** Without one the cases are run. */
  readonly seed?: Seed;
}
/** The check that failed, in words; null where none did. */
export type Answer = string | null;

async function answer({ texts, seed }: Question): Promise<Answer> {
  const changed = new Map(Object.entries(texts));
  if (!seed) return runCases(changed);
  try {
    const { violations } = await run(planOf(seed.kind, seed.seed, roundsOf()), { texts: changed, endsEarly: true });
    const [first] = violations;
    return first ? `${first.rule}: ${first.text}` : null;
  } catch (error) {
    return `the simulation failed: ${error instanceof Error ? error.message : error}`;
  }
}

process.on("message", (question: Question) => {
  void answer(question).then((found) => process.send?.(found));
});
