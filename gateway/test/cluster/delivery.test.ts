import { describe, expect, it } from "vitest";
import type { Reply } from "../../src/redis/backend.ts";
import { allOf, answerPart, withOwnErrors } from "../../src/redis/cluster/delivery.ts";
import { NoAnswer, NotSent, ReplyTooLarge } from "../../src/shared/error-answers.ts";
import { NO_ANSWER_ALONE, NOT_SENT_ALONE } from "../support/cluster.ts";

const A = Buffer.from("a");

/** The replies to a request of three commands whose parts end like this: one for the first and last, one for another. */
async function repliesTo(outer: readonly Reply[] | Error, inner: readonly Reply[] | Error): Promise<readonly Reply[]> {
  const replies: Reply[] = [null, null, null];
  const asked = [
    { places: [0, 2], outcome: outer },
    { places: [1], outcome: inner },
  ].map(({ places, outcome }) =>
    answerPart(replies, { places, commands: [] }, async () => {
      if (outcome instanceof Error) throw outcome;
      return outcome;
    }),
  );
  await allOf(asked);
  return withOwnErrors(replies);
}

describe("a request with parts on several nodes", () => {
  it("has the reply to each command in its place", async () => {
    expect(await repliesTo([A, "3"], ["2"])).toEqual([A, "2", "3"]);
  });

  it("has an error of its own for each command without a reply (47.3)", async () => {
    const [notSent, noAnswer] = [NOT_SENT_ALONE, NO_ANSWER_ALONE].map(({ error }) => new Error(error));
    expect(await repliesTo([A, "3"], new NotSent())).toEqual([A, notSent, "3"]);
    expect(await repliesTo(new NoAnswer(), ["2"])).toEqual([noAnswer, "2", noAnswer]);
    expect(await repliesTo(new NoAnswer(), new NotSent())).toEqual([noAnswer, notSent, noAnswer]);
    // A node may have redirected one of them to another node.
    expect(await repliesTo([A, new NotSent()], ["2"])).toEqual([A, "2", notSent]);
  });

  it("fails as a whole if nothing was sent, or nothing was answered", async () => {
    await expect(repliesTo(new NotSent(), new NotSent())).rejects.toBeInstanceOf(NotSent);
    await expect(repliesTo(new NoAnswer(), new NoAnswer())).rejects.toBeInstanceOf(NoAnswer);
  });

  it("fails as a whole without room for a reply, and for a fault of the gateway", async () => {
    for (const failure of [new ReplyTooLarge(), new RangeError("a fault")]) {
      await expect(repliesTo(new NotSent(), failure)).rejects.toBe(failure);
      await expect(repliesTo(failure, ["2"])).rejects.toBe(failure);
    }
  });
});
