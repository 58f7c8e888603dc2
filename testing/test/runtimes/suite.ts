import { contracts } from "../../../test/contract/all.ts";
import { lockContract } from "../../../test/contract/lock.ts";
import { type Result, runTests } from "../../../test/platforms/runtime/vitest.ts";
import { createMemoryRedis } from "../../src/index.ts";

/** Runs the contract over a Redis in memory, inside the runtime that is to be shown: of the lock, or of all kinds. */
export function report(isWhole: boolean): Promise<Result[]> {
  return runTests(() => {
    const { url, token, fetch } = createMemoryRedis();
    (isWhole ? contracts : lockContract)("in memory", () => ({ url, token, fetch }));
  });
}
