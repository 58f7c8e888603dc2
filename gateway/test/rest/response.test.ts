import { expect, it } from "vitest";
import { answerOne } from "../../src/rest/response.ts";

/** The milliseconds and the count of a sync token. */
function nextToken(): { readonly ms: number; readonly whole: number } {
  const token = answerOne(null, "text").headers["upstash-sync-token"] ?? "";
  return { ms: Number(token.slice(0, -3)), whole: Number(token) };
}

it("the sync token rises with each answer, and by a millisecond in 900, so it stays behind the clock", () => {
  const first = nextToken();
  let last = first;
  for (let answers = 0; answers < 9_000; answers++) {
    const next = nextToken();
    if (next.whole <= last.whole) throw new Error(`${next.whole} follows ${last.whole}`);
    last = next;
  }
  expect(last.ms - first.ms).toBe(10);
});
