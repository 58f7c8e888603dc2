import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toJson } from "../../src/shared/json.ts";

class Money {
  amount = 5;
}
const cycle: Record<string, unknown> = {};
cycle["self"] = cycle;

describe("a result", () => {
  it.each<[string, unknown, RegExp]>([
    ["a bigint", 1n, /bigint/],
    ["a function", () => 1, /function/],
    ["a symbol", Symbol("x"), /symbol/],
    ["NaN", Number.NaN, /NaN/],
    ["Infinity within", { a: [Number.POSITIVE_INFINITY] }, /Infinity at "0"/],
    ["a Map", { a: new Map() }, /Map at "a"/],
    ["a Set", new Set(), /Set/],
    ["an instance of a class", new Money(), /Money/],
    ["bytes", new Uint8Array(2), /Uint8Array/],
    ["a cycle", cycle, /circular/i],
  ])("that is %s is not JSON", (_what, value, text) => {
    expect(() => toJson(value)).toThrow(TypeError);
    expect(() => toJson(value)).toThrow(text);
  });

  it("is limited to 256 kB of JSON in bytes", () => {
    expect(toJson("x".repeat(262_142)).length).toBe(262_144);
    expect(() => toJson("x".repeat(262_143))).toThrow(RangeError);
    expect(() => toJson("€".repeat(87_382))).toThrow(RangeError);
  });

  it("comes back as it was", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(JSON.parse(toJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
    expect(toJson(undefined)).toBe("null");
    expect(toJson({ a: undefined, at: new Date(0) })).toBe('{"at":"1970-01-01T00:00:00.000Z"}');
    expect(toJson(Object.create(null))).toBe("{}");
  });
});
