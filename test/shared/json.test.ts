import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { writeResult } from "../../src/shared/json.ts";

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
    const { error } = writeResult(value) as { error: Error };
    expect(error).toBeInstanceOf(TypeError);
    expect(`${error.message} ${error.cause}`).toMatch(text);
  });

  it("is limited to 256 kB of JSON in bytes", () => {
    expect(writeResult("x".repeat(262_142)).text?.length).toBe(262_144);
    for (const text of ["x".repeat(262_143), "€".repeat(87_382)])
      expect(writeResult(text)).toEqual({ why: "too_large", error: expect.any(RangeError) });
  });

  it("comes back as it was", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(JSON.parse(`${writeResult(value).text}`)).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
    expect(writeResult(undefined).text).toBe("null");
    expect(writeResult({ a: undefined, at: new Date(0) }).text).toBe('{"at":"1970-01-01T00:00:00.000Z"}');
    expect(writeResult(Object.create(null)).text).toBe("{}");
  });
});
