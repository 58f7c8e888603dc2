import { afterAll, beforeAll, expect, it } from "vitest";
import { FENCED, NAIVE, OBJECTS } from "../../bench/lost-updates/libraries.ts";
import { openTheatre, type Theatre } from "../../bench/lost-updates/run.ts";

/** The last append of each process is frozen: by turns before and after the check. */
const PLAN = { workers: 3, appends: 4, leaseMs: 300, freezeMs: 400, frozenOneIn: 4, lostOneIn: 20 };
let theatre: Theatre | undefined;

beforeAll(async () => {
  theatre = await openTheatre(PLAN);
});
afterAll(() => theatre?.stop());

it("a list that is updated by processes that freeze loses updates under a naive lock", async () => {
  expect(await theatre?.run(NAIVE)).toMatchObject({ appended: 12, refused: 0, lost: expect.toSatisfy((n) => n > 0) });
});

it.each([FENCED, OBJECTS])("the same list loses none under %s, which refuses each late write (R2)", async (library) => {
  // Each of the three freezes ends in one refusal; a lease that ran out on a busy machine may add more.
  expect(await theatre?.run(library)).toMatchObject({ appended: 12, lost: 0, refused: expect.toSatisfy((n) => n > 2) });
});
