/** Runs the requests of a parent process one at a time, so that the parent can end it if it hangs. */

import { FAILING, wrongAfterFailures } from "../../test/lua/cases/failing.ts";
import { runCases } from "../../test/lua/cases/run.ts";
import { run } from "../sim/run.ts";
import { planOfSeed, type Seed } from "./seeds.ts";

/** A request of the parent: changed scripts, and the seed or the cases to run. */
export interface Question {
  readonly texts: Readonly<Record<string, string>>;
  /** Without a seed the cases are run. */
  readonly seed?: Seed;
}
/** The check that failed, in words; null if none did. */
export type Answer = string | null;

/** What is wrong after a failed command of one of the scripts. */
function firstWrong(changed: ReadonlyMap<string, string>): Answer {
  for (const script of FAILING.filter((name) => changed.has(name))) {
    const [wrong] = wrongAfterFailures(script, changed).wrong;
    if (wrong !== undefined) return wrong;
  }
  return null;
}

async function answer({ texts, seed }: Question): Promise<Answer> {
  const changed = new Map(Object.entries(texts));
  if (!seed) return runCases(changed) ?? firstWrong(changed);
  try {
    const { violations } = await run(planOfSeed(seed), { texts: changed, endsEarly: true });
    const [first] = violations;
    return first ? `${first.rule}: ${first.text}` : null;
  } catch (error) {
    return `the simulation failed: ${error instanceof Error ? error.message : error}`;
  }
}

process.on("message", (question: Question) => {
  void answer(question).then((found) => process.send?.(found));
});
