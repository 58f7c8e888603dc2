import fc from "fast-check";
import { parseCommand, parseCommands } from "leasehold-engine/rest";
import { describe, expect, it } from "vitest";
import { piecesOf } from "../../src/rest/json-pieces.ts";
import { parseLargeCommand, parseLargeCommands } from "../../src/rest/large-body.ts";
import { GatewayError } from "../../src/shared/error-answers.ts";

const MOST = 4;
const scalar = fc.oneof(
  { weight: 5, arbitrary: fc.string({ unit: "grapheme", maxLength: 6 }) },
  fc.constantFrom('"', "\\", '\\"', "a,b", "[", "]", "{}", "\ud800", "漢"),
  fc.double(),
  fc.maxSafeInteger(),
  fc.boolean(),
  fc.constant(null),
);
/** What may be there, and now and then what may not. */
const item = fc.oneof({ weight: 20, arbitrary: scalar }, fc.constant({}), fc.array(scalar, { maxLength: 2 }));
const commandOf = fc.array(item, { maxLength: 8 });
const listOf = fc.array(fc.oneof({ weight: 20, arbitrary: commandOf }, scalar), { maxLength: 6 });
const spaced = fc.constantFrom("", " ", "\t", "\n\r");

/** JSON in which a byte may have been lost, doubled or put in the place of another. */
const text = (value: fc.Arbitrary<unknown>) =>
  fc
    .tuple(
      value,
      spaced,
      fc.option(fc.tuple(fc.nat(200), fc.constantFrom("", ",", "[", "]", '"', "\\", "x", " ,"))),
      fc.boolean(),
    )
    .map(([json, space, fault, bom]) => {
      const whole = JSON.stringify(json, undefined, space);
      const [at, other] = fault ?? [0, whole.slice(0, 1)];
      const broken = whole.slice(0, at) + other + whole.slice(at + 1);
      return Buffer.from((bom ? "\ufeff" : "") + (fault === null ? whole : broken) + space);
    });

async function outcome(run: () => unknown): Promise<unknown> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof GatewayError) return error.status;
    throw error;
  }
}

describe("a large body in pieces is what it is as a whole, or refused as that is", () => {
  it("of one command", () =>
    fc.assert(
      fc.asyncProperty(text(commandOf), fc.integer({ min: 0, max: 20 }), async (body, pieceBytes) => {
        expect(await outcome(() => parseLargeCommand(body, pieceBytes))).toEqual(
          await outcome(() => parseCommand(body)),
        );
      }),
      { numRuns: 3_000 },
    ));

  it("of several", () =>
    fc.assert(
      fc.asyncProperty(text(listOf), fc.integer({ min: 0, max: 20 }), async (body, pieceBytes) => {
        const large = await outcome(() => parseLargeCommands(body, "pipeline request", MOST, pieceBytes));
        const whole = await outcome(() => parseCommands(body, "pipeline request", MOST));
        // Where something is wrong besides, it may be found first.
        if (large === 413 || whole === 413) expect([400, 413]).toEqual(expect.arrayContaining([large, whole]));
        else expect(large).toEqual(whole);
      }),
      { numRuns: 3_000 },
    ));
});

describe("a piece", () => {
  it("ends at the first comma after its size, in a list and in its items", () => {
    const body = Buffer.from('["aaaa", "b", ["cccc", "d"], ["eeee"]]');
    const pieces = [...piecesOf(body, 2, 5)].map(({ bytes, goesOn }) => [bytes.toString(), goesOn]);
    expect(pieces).toEqual([
      ['["aaaa"]', false],
      ['[ "b", ["cccc"]]', false],
      ['[[ "d"]]', true],
      ['[ ["eeee"]]', false],
    ]);
  });

  it.each<[body: string, depth: 1 | 2]>([
    ['["SET","k",{"a":1,"b":2}]', 1],
    ['["SET","k",["a","b"]]', 1],
    ['[["SET","k",{"a":1,"b":2}]]', 2],
    ['[["SET","k",["a","b"]]]', 2],
  ])("never contains a part of an argument: %s is too deep", (body, depth) => {
    const pieces = piecesOf(Buffer.from(body), depth, 0);
    const made: string[] = [];
    let next = pieces.next();
    for (; !next.done; next = pieces.next()) made.push(next.value.bytes.toString());
    expect([made.length, next.value]).toEqual([2, "deep"]);
  });

  it.each(["[1,,2]", "[,1]", "[1,]", "[[1],,[2]]"])("is not made of %s, where an item is missing", (body) => {
    const pieces = piecesOf(Buffer.from(body), 2, 0);
    let next = pieces.next();
    while (!next.done) next = pieces.next();
    expect(next.value).toBe("broken");
  });
});
