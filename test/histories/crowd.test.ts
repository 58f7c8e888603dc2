import { describe, expect, it } from "vitest";
import { createCrowd } from "../../verification/histories/crowd.ts";

const answered = { history: Array(10), unanswered: 2 };
const unanswered = { history: Array(10), unanswered: 3 };

describe("the number of names in use at a time", () => {
  it("is at most the given one", async () => {
    const crowd = createCrowd(2);
    await crowd.enter();
    await crowd.enter();
    let hasEntered = false;
    const third = crowd.enter().then(() => {
      hasEntered = true;
    });
    await Promise.resolve();
    expect(hasEntered).toBe(false);
    crowd.leave(answered);
    await third;
    expect(crowd.limit).toBe(2);
  });

  it("is halved when a name goes unanswered, once for all names that were in use then, and never ends", async () => {
    const crowd = createCrowd(8);
    for (let used = 0; used < 8; used++) await crowd.enter();
    crowd.leave(unanswered);
    expect(crowd.limit).toBe(4);
    for (let used = 0; used < 7; used++) crowd.leave(unanswered);
    expect(crowd.limit).toBe(4);
    for (let name = 0; name < 20; name++) {
      await crowd.enter();
      crowd.leave(unanswered);
    }
    expect(crowd.limit).toBe(1);
  });

  it("grows by one with each name that is answered, up to the given one", async () => {
    const crowd = createCrowd(4);
    await crowd.enter();
    crowd.leave(unanswered);
    expect(crowd.limit).toBe(2);
    for (const limit of [3, 4, 4]) {
      await crowd.enter();
      crowd.leave(answered);
      expect(crowd.limit).toBe(limit);
    }
  });
});
