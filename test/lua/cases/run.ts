import { type Case, createScene } from "./case.ts";
import { fenceCases } from "./fence.ts";
import { groupCases } from "./group.ts";
import { lockCases } from "./lock.ts";
import { nameCases } from "./names.ts";
import { onceCases } from "./once.ts";
import { readWriteCases } from "./read-write.ts";
import { semaphoreCases } from "./semaphore.ts";

/** Calls of scripts with the replies that they must give. */
export const CASES: readonly Case[] = [...lockCases, ...onceCases, ...fenceCases, ...groupCases, ...nameCases, ...readWriteCases, ...semaphoreCases];

/** The first case that fails, in words, where some scripts have other texts; null if none does. */
export function runCases(texts: ReadonlyMap<string, string>): string | null {
  for (const { what, run } of CASES)
    try {
      run(createScene(texts));
    } catch (error) {
      return `${what}: ${error instanceof Error ? error.message : error}`;
    }
  return null;
}
