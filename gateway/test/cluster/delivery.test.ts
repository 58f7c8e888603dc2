import { describe, expect, it } from "vitest";
import { together } from "../../src/redis/cluster/delivery.ts";
import { NoAnswer, NotSent, ReplyTooLarge } from "../../src/shared/error-answers.ts";

const of = (...outcomes: readonly (Error | undefined)[]): Promise<void>[] =>
  outcomes.map((outcome) => (outcome ? Promise.reject(outcome) : Promise.resolve()));
const failing = async (hasRun: boolean, ...outcomes: readonly (Error | undefined)[]): Promise<unknown> =>
  together(of(...outcomes), hasRun).catch((error: unknown) => error);

describe("a request with parts on several nodes", () => {
  it("succeeds if all of them do", async () => {
    await expect(together(of(undefined, undefined), false)).resolves.toBe(undefined);
  });

  it("was not sent only if no part was, and none ran before", async () => {
    expect(await failing(false, new NotSent(), new NotSent())).toBeInstanceOf(NotSent);
    for (const [hasRun, second] of [
      [false, undefined],
      [false, new NoAnswer()],
      [true, new NotSent()],
    ] as const)
      expect(await failing(hasRun, new NotSent(), second)).toBeInstanceOf(NoAnswer);
  });

  it("reports an answer that is too large before others, and a fault of the gateway before all", async () => {
    expect(await failing(false, new NotSent(), new ReplyTooLarge())).toBeInstanceOf(ReplyTooLarge);
    const fault = new RangeError("a fault");
    expect(await failing(false, new NoAnswer(), fault)).toBe(fault);
  });
});
