import type { Mutant } from "./mutant.ts";

/** Runs files of tests on a copy of the repository with a change; gives the test that failed, or null. */
export function runTests(_mutant: Mutant, _texts: Readonly<Record<string, string>>): Promise<null> {
  return Promise.resolve(null);
}
