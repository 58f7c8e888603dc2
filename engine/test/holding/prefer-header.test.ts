import { expect, it } from "vitest";
import { waitOf } from "../../src/holding/index.ts";

it.each([
  ["wait=5", 5000],
  ["wait=5; ms=4300", 4300],
  ["wait=1; ms=9000", 1000],
  ["respond-async, wait=10", 10_000],
  ['return=minimal, wait="2"; ms="1500", handling=lenient', 1500],
  ["Wait=0", 0],
  ["respond-async", undefined],
  ["wait=soon", undefined],
  ["await=5", undefined],
  ["", undefined],
  [null, undefined],
])("reads the preference %j as %j ms", (header, ms) => {
  expect(waitOf(header)).toBe(ms);
});
