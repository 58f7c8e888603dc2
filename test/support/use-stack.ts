import { afterAll, beforeAll, expect } from "vitest";
import { freshName, pause } from "./names.ts";
import { type Stack, type StackOptions, startStack } from "./stack.ts";

/** A stack that knows what its gateway held. */
export interface UsedStack extends Stack {
  /** How many requests were held until now. */
  heldSoFar(): Promise<number>;
}

const isHeld = ({ headers }: Response): boolean => headers.get("preference-applied") === "wait";

/** How many requests a gateway's metrics count as held. */
async function holdsOf(url: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return [...text.matchAll(/^leasehold_gateway_holds_total\{.*\} (\d+)$/gm)].reduce((sum, [, n]) => sum + Number(n), 0);
}

/**
 * One stack for all tests of a file, or of the `describe` that calls it: started before them and stopped after them.
 * None of them may leave a rejection unhandled.
 */
export function useStack(options?: StackOptions): UsedStack {
  let started: Stack | undefined;
  /** Those by {@link Front.fetch}, which is of another gateway than the one that listens. */
  let heldInside = 0;
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
    // With its stack, an error tells which test left it.
    expect(unhandled.map((reason) => (reason instanceof Error ? reason.stack : reason))).toEqual([]);
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
    async fetch(input, init) {
      const response = await now().fetch(input, init);
      if (isHeld(response)) heldInside++;
      return response;
    },
    heldSoFar: async () => heldInside + (await holdsOf(now().url)),
    get holds() {
      return now().holds ?? false;
    },
    commandsOf: (operation) => now().commandsOf(operation),
    commandCalls: () => now().commandCalls(),
    stop: () => now().stop(),
  };
}

export { freshName, pause };
