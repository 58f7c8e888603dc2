import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseCommand, parseCommands } from "../../src/rest/body.ts";
import { keepNumbers } from "../../src/rest/json-numbers.ts";

const command = (text: string) => parseCommand(Buffer.from(text));

/** As they are written, and must arrive. */
const WRITTEN = [
  "9007199254740993",
  "-9007199254740993",
  "12345678901234567890",
  "1e400",
  "-1e400",
  "1e-400",
  "-0",
  "0",
]
  .concat(["-0.0", "0.0", "1.0", "1.10", "-2.5", "1.5", "1E5", "1e+5", "1e21", "0.1", "1e-7", "9007199254740990.6"])
  .concat(["1.00000000000000000001", "123456789012345", "1234567890123456", "999999999999999", "-999999999999999"]);

/** All numbers of JSON, and nothing else. */
const digits = fc.string({ unit: fc.constantFrom(..."0123456789"), minLength: 1, maxLength: 25 });
const number = fc
  .record({
    sign: fc.constantFrom("", "-"),
    whole: fc.oneof(
      fc.constant("0"),
      digits.map((text) => text.replace(/^0+(?=.)/, "")),
    ),
    fraction: fc.oneof(
      fc.constant(""),
      digits.map((text) => `.${text}`),
    ),
    exponent: fc.oneof(fc.constant(""), fc.stringMatching(/^[eE][+-]?[0-9]{1,3}$/)),
  })
  .map(({ sign, whole, fraction, exponent }) => sign + whole + fraction + exponent);
const text = fc.oneof(fc.string({ unit: "binary" }), fc.string({ unit: fc.constantFrom(...'\\"0123e.-[],') }));
const space = fc.string({ unit: fc.constantFrom(..." \n\r\t"), maxLength: 3 });

describe("a number arrives as it was written", () => {
  it.each(WRITTEN)("%s, alone, between others, and in a pipeline", (written) => {
    expect(command(`["SET","k",${written}]`)).toEqual(["SET", "k", written]);
    expect(command(`[ "a\\\\" ,${written} ,"\\"1.50", 7,${written}]`)).toEqual(["a\\", written, '"1.50', "7", written]);
    const commands = parseCommands(Buffer.from(`[["a",${written}],[${written},1]]`), "pipeline request", 9);
    expect(commands).toEqual([
      ["a", written],
      [written, "1"],
    ]);
  });

  it("among any strings, with any space", () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(
            number.map((it) => [it, it] as const),
            text.map((it) => [JSON.stringify(it), it] as const),
          ),
          {
            minLength: 1,
          },
        ),
        space,
        (parts, gap) => {
          const json = `${gap}[${parts.map(([written]) => gap + written + gap).join(",")}]${gap}`;
          expect(command(json)).toEqual(parts.map(([, value]) => value));
        },
      ),
      { numRuns: 500 },
    );
  });

  it("and digits in strings and in keys stay what they are", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(0, 1), (value, indent) => {
        const json = JSON.stringify(value, undefined, indent);
        expect(JSON.parse(keepNumbers(json))).toEqual(JSON.parse(json));
      }),
      { numRuns: 500 },
    );
  });

  it("and what is no JSON is none: no number is made of what begins like one", () => {
    for (const wrong of ["01", "1.", ".5", "+1", "1e", "--1", "1-1", "0x10", "NaN", "Infinity", "1_000", "-"])
      expect(() => command(`["SET","k",${wrong}]`)).toThrow("is not valid JSON");
    for (const wrong of ["[1.5]", '{"a":1.5}'])
      expect(() => command(`["SET","k",${wrong}]`)).toThrow("must be strings");
    expect(() => command(`${"[".repeat(100_000)}1.5${"]".repeat(100_000)}`)).toThrow(/must be strings/);
  });

  it("however many there are, without a stack or a time that grows out of hand", () => {
    const many = Array.from({ length: 100_000 }, (_, at) => `${at}.50`);
    expect(command(`["RPUSH",${many.join(",")}]`)).toHaveLength(many.length + 1);
    const long = "1".repeat(1_000_000);
    expect(command(`["ECHO",${long}]`)[1]).toBe(long);
    const escapes = "\\\\".repeat(500_000);
    expect(command(`["ECHO","${escapes}",1.50]`)[2]).toBe("1.50");
    const quotes = '\\"'.repeat(500_000);
    expect(command(`["ECHO","${quotes}",1.50]`)[2]).toBe("1.50");
  });
});
