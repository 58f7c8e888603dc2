import { expect, it } from "vitest";
import { slotOf } from "../../src/redis/cluster/slot.ts";

it("the slot of a key is the one of Redis's specification", () => {
  expect([slotOf("123456789"), slotOf("foo"), slotOf("bar"), slotOf("")]).toEqual([12_739, 12_182, 5061, 0]);
  expect(slotOf(Buffer.from("foo"))).toBe(12_182);
});

it.each([
  ["{user}.following", "user"],
  ["a{b}{c}", "b"],
  ["a{{b}}c", "{b"],
])("the slot of %s is that of %s", (key, tag) => {
  expect(slotOf(key)).toBe(slotOf(tag));
});

it.each(["{}{a}", "a{b", "a}b{", "{}"])("%s has no tag: it counts as a whole", (key) => {
  // A letter in front changes the whole, and would not change a tag.
  expect(slotOf(`x${key}`)).not.toBe(slotOf(key));
});
