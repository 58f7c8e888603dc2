import { describe, expect, it } from "vitest";
import { holdMsOf, noteHold } from "../../src/redis/retry-policy.ts";

type HoldWish = NonNullable<Parameters<typeof holdMsOf>[0]["hold"]>;
const wish = (leftMs: number, more: Partial<HoldWish> = {}): HoldWish => ({
  leftMs: () => leftMs,
  isPaused: false,
  late: 0,
  ...more,
});

describe("how long a server is asked to hold a request", () => {
  it.each([
    ["without a wish", undefined, 5000, 0],
    ["while a request that broke off may still run", wish(10_000, { isPaused: true }), 5000, 0],
    ["after two late answers", wish(10_000, { late: 2 }), 5000, 0],
    ["so long that half a second is left for the answer", wish(10_000), 5000, 4500],
    ["twice that once an answer was late", wish(10_000, { late: 1 }), 5000, 4000],
    ["a fifth of a short attempt is left", wish(10_000), 1000, 800],
    ["until the wait ends, in whole milliseconds", wish(100.2), 5000, 101],
    ["no request is held for a moment", wish(19), 5000, 0],
    ["the shortest hold", wish(19.5), 5000, 20],
  ] as const)("%s", (_, hold, limitMs, expected) => {
    expect(holdMsOf({ hold }, limitMs)).toBe(expected);
  });

  it("is limited by the call", () => {
    expect(holdMsOf({ hold: wish(10_000), mostHoldMs: 700 }, 5000)).toBe(700);
  });
});

describe("what a request that was to be held says of the next one", () => {
  const LIMIT_MS = 1000;
  const noted = (
    hold: HoldWish,
    ms: number,
    end: { readonly heldMs?: number; readonly isAnswered?: boolean; readonly isDoubted?: boolean },
    holdMs = 800,
  ): HoldWish => {
    const { heldMs, isAnswered = false, isDoubted = !isAnswered } = end;
    noteHold(
      { hold },
      { holdMs, limitMs: LIMIT_MS, since: () => ms },
      { heldMs, isAnswered, isUnanswered: !isAnswered, isDoubted },
    );
    return hold;
  };

  it("an answer says whether the server held it, also for no time", () => {
    expect(noted(wish(1), 10, { isAnswered: true, heldMs: 0 })).toMatchObject({ wasHeld: true, isPaused: false });
    expect(noted(wish(1), 10, { isAnswered: true })).toMatchObject({ wasHeld: false, isPaused: false });
  });

  it("the first late answer is put down to a slow way, the second ends the holding", () => {
    const hold = noted(wish(1), LIMIT_MS, {});
    expect(hold).toMatchObject({ isPaused: false, late: 1 });
    expect(noted(hold, LIMIT_MS, {})).toMatchObject({ isPaused: false, late: 2 });
  });

  it("a request that broke off early pauses the holding, until an answer says that it cannot run any more", () => {
    const hold = noted(wish(1), LIMIT_MS - 1, {});
    expect(hold).toMatchObject({ isPaused: true, late: 0 });
    expect(noted(hold, 10, { isAnswered: true, isDoubted: true }, 0)).toMatchObject({ isPaused: true });
    expect(noted(hold, 10, {}, 0)).toMatchObject({ isPaused: true });
    expect(noted(hold, 10, { isAnswered: true }, 0)).toMatchObject({ isPaused: false });
  });

  it("a request that was not to be held says nothing", () => {
    expect(noted(wish(1), LIMIT_MS, {}, 0)).toMatchObject({ isPaused: false, late: 0 });
    const outcome = { heldMs: 0, isAnswered: true, isUnanswered: false, isDoubted: false };
    expect(() => noteHold({}, { holdMs: 0, limitMs: 1, since: () => 0 }, outcome)).not.toThrow();
  });
});
