import { afterAll, beforeAll, expect } from "vitest";
import { freshName, pause } from "./names.ts";
import { type Stack, type StackOptions, startStack } from "./stack.ts";

/**
 * One stack for all tests of a file, or of the `describe` that calls it: started before them and stopped after them.
 * None of them may leave a rejection unhandled.
 */
export function useStack(options?: StackOptions): Stack {
  let started: Stack | undefined;
  const now = (): Stack => {
    if (!started) throw new Error("the stack has not started");
    return started;
  };
  const unhandled: unknown[] = [];
  const collect = (reason: unknown): number => unhandled.push(reason);
  beforeAll(async () => {
    process.on("unhandledRejection", collect);
    started = await startStack(options);
  });
  afterAll(async () => {
    // Node reports a rejection after the microtasks of the turn that it was left alone in.
    await pause(50);
    process.off("unhandledRejection", collect);
    await started?.stop();
    expect(unhandled).toEqual([]);
  });
  return {
    get redis() {
      return now().redis;
    },
    get url() {
      return now().url;
    },
    get token() {
      return now().token;
    },
    fetch: (input, init) => now().fetch(input, init),
    get holds() {
      return now().holds ?? false;
    },
    commandsOf: (operation) => now().commandsOf(operation),
    commandCalls: () => now().commandCalls(),
    stop: () => now().stop(),
  };
}

export { freshName, pause };
