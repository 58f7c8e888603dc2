import { type Case, createScene } from "./case.ts";
import { lockCases } from "./lock.ts";

/** Calls of scripts with the replies that they must give. */
export const CASES: readonly Case[] = [...lockCases];

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
