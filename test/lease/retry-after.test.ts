import { describe, expect, it } from "vitest";
import {
  createLocks,
  LeaseholdError,
  type LeaseholdErrorCode,
  LeaseLostError,
  LockTimeoutError,
  OutcomeUnknownError,
  retryAfter,
} from "../../src/index.ts";
import { freshName, useStack } from "../support/use-stack.ts";

const stack = useStack();

describe("retryAfter", () => {
  it.each([
    [new LockTimeoutError("", { remainingMs: 12_345 }), 13],
    [new LockTimeoutError("", { remainingMs: 3 }), 1],
    [new LockTimeoutError("", {}), 1],
    [new LeaseholdError("rate_limited", "", { retryAfterMs: 60_000 }), 60],
    [new LeaseholdError("rate_limited", ""), 1],
    [new OutcomeUnknownError("a", "b"), 1],
    [new LeaseholdError("redis_error", "LOADING Redis is loading the dataset in memory"), 1],
    [{ status: "running", retryAfterMs: 1001 }, 2],
    [new LeaseholdError("redis_error", "OOM command not allowed"), undefined],
    [new LeaseLostError("a", "taken"), undefined],
    [{ status: "done", result: 1, token: 1 }, undefined],
    [Object.assign(new Error("not ours"), { retryAfterMs: 5 }), undefined],
    [undefined, undefined],
    [null, undefined],
    ["429", undefined],
  ])("of %o is %s", (failure, seconds) => {
    expect(retryAfter(failure)).toBe(seconds);
  });

  it("is whole seconds for the codes that pass by themselves, and for no other", () => {
    const codes: Record<LeaseholdErrorCode, boolean> = {
      lock_timeout: true,
      outcome_unknown: true,
      unreachable: true,
      rate_limited: true,
      not_replicated: true,
      too_many_messages: true,
      no_quorum: true,
      lease_lost: false,
      unauthorized: false,
      redis_error: false,
      malformed_answer: false,
      wrong_kind: false,
      not_reentrant: false,
      too_many_holds: false,
      upgrade_refused: false,
      no_result: false,
      state_lost: false,
    };
    for (const [code, passes] of Object.entries(codes))
      expect([code, retryAfter(new LeaseholdError(code as LeaseholdErrorCode, ""))]).toEqual([
        code,
        passes ? 1 : undefined,
      ]);
  });

  it("says when the blocking lease ends at the latest", async () => {
    const locks = createLocks({ url: stack.url, token: stack.token });
    const lock = locks.lock(freshName());
    await lock.acquire({ lease: "40s" });
    const error = await lock.acquire({ wait: 0 }).catch((thrown: unknown) => thrown);
    expect(retryAfter(error)).toBeLessThanOrEqual(40);
    expect(retryAfter(error)).toBeGreaterThan(30);
    const once = locks.once(freshName(), { lease: "40s" });
    await once.begin();
    expect(retryAfter(await once.begin())).toBeGreaterThan(30);
  });
});
