import { type Case, createScene, expectBy } from "./case.ts";
import { collectCases } from "./collect.ts";
import { cronCases } from "./cron.ts";
import { endingRuleCases } from "./ending-rules.ts";
import { clockBackCases, evictedCases } from "./evicted.ts";
import { fairCases } from "./fair.ts";
import { fenceCases } from "./fence.ts";
import { groupCases } from "./group.ts";
import { heldCases } from "./held.ts";
import { listenCases } from "./listen.ts";
import { lockCases } from "./lock.ts";
import { nameCases } from "./names.ts";
import { onceCases } from "./once.ts";
import { permitQueueCases } from "./permit-queue.ts";
import { permitRuleCases } from "./permit-rules.ts";
import { readWriteCases } from "./read-write.ts";
import { readWriteRuleCases } from "./read-write-rules.ts";
import { semaphoreCases } from "./semaphore.ts";
import { spendCases } from "./spend.ts";
import { stateCases } from "./state.ts";
import { waiterCases } from "./waiters.ts";

/** Calls of scripts with the replies that they must give. */
export const CASES: readonly Case[] = [
  ...lockCases,
  ...listenCases,
  ...fairCases,
  ...collectCases,
  ...onceCases,
  ...cronCases,
  ...heldCases,
  ...fenceCases,
  ...groupCases,
  ...nameCases,
  ...endingRuleCases,
  ...readWriteCases,
  ...readWriteRuleCases,
  ...semaphoreCases,
  ...permitQueueCases,
  ...permitRuleCases,
  ...spendCases,
  ...stateCases,
  ...waiterCases,
  ...evictedCases,
  ...clockBackCases,
];

const called = new Map<Case, ReadonlySet<string>>();
/** The scripts that a case calls. */
function scriptsOf(each: Case): ReadonlySet<string> {
  const known = called.get(each);
  if (known) return known;
  const scripts = new Set<string>();
  const scene = createScene(new Map());
  const call: typeof scene.call = (script, ...rest) => {
    scripts.add(script);
    return scene.call(script, ...rest);
  };
  each.run({ ...scene, call, expect: expectBy(call) });
  called.set(each, scripts);
  return scripts;
}

/** The first case that fails, in words, where some scripts have other texts; null if none does. */
export function runCases(texts: ReadonlyMap<string, string>): string | null {
  for (const each of CASES)
    try {
      if (![...texts.keys()].some((script) => scriptsOf(each).has(script))) continue;
      each.run(createScene(texts));
    } catch (error) {
      return `${each.what}: ${error instanceof Error ? error.message : error}`;
    }
  return null;
}
