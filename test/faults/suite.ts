import type { Stack } from "../support/stack.ts";
import { useStack } from "../support/use-stack.ts";
import { transientOf } from "./faults.ts";
import type { Site } from "./site.ts";
import { overcomesEach } from "./site-suite.ts";
import { startWorld, TIMEOUT_MS, wayOf } from "./world.ts";

/** Every call of a kind overcomes every passing fault that its kind meets. */
export function overcomesAll(kind: string, sites: readonly Site[], stack: Stack = useStack({ warm: true })): void {
  overcomesEach(kind, sites, transientOf(kind, TIMEOUT_MS), {
    start: () => startWorld(stack, wayOf(kind)),
    // It is there once the tests run.
    redis: { command: (...args) => stack.redis.command(...args) },
  });
}
