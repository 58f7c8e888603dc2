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
  // W22
  ["wait=9999999999", 9_999_999_999_000],
  ['note="a, wait=1", wait=5', 5000],
  ['note="a; ms=1", wait=5; note="x, ms=2; ms=3"; ms=4000', 4000],
  ['note="\\", wait=1", wait=6', 6000],
  ["wait=3, wait=9", 3000],
  [null, undefined],
])("reads the preference %j as %j ms (W22)", (header, ms) => {
  expect(waitOf(header)).toBe(ms);
});
