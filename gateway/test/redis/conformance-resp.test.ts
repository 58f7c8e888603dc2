import fc from "fast-check";
import { expect, it } from "vitest";
import { cut, itemsOf } from "../../src/redis/resp.ts";

const bulk = (bytes: Uint8Array): Buffer =>
  Buffer.concat([Buffer.from(`$${bytes.length}\r\n`), bytes, Buffer.from("\r\n")]);
const array = (items: readonly Buffer[]): Buffer => Buffer.concat([Buffer.from(`*${items.length}\r\n`), ...items]);
const line = fc.string({ unit: "grapheme" }).map((text) => text.replaceAll(/[\r\n]/g, " "));

const { reply } = fc.letrec<{ reply: Buffer }>((tie) => ({
  reply: fc.oneof(
    { maxDepth: 4 },
    fc.uint8Array({ maxLength: 40 }).map(bulk),
    fc.constantFrom("$-1\r\n", "*-1\r\n", "*0\r\n", "$0\r\n\r\n", "$4\r\n\r\n+O\r\n").map((text) => Buffer.from(text)),
    fc.tuple(fc.constantFrom("+", "-", ":"), line).map(([type, text]) => Buffer.from(`${type}${text}\r\n`)),
    fc.array(tie("reply"), { maxLength: 5 }).map(array),
  ),
}));

it("replies are cut where they end, wherever the bytes are torn apart", () => {
  const property = fc.property(fc.array(reply, { maxLength: 6 }), fc.array(fc.nat()), (replies, tears) => {
    const bytes = Buffer.concat(replies);
    const at = tears.map((tear) => tear % (bytes.length + 1)).sort((a, b) => a - b);
    const pieces = [0, ...at].map((from, i) => bytes.subarray(from, at[i] ?? bytes.length));
    const found: Buffer[] = [];
    let pending = Buffer.alloc(0);
    for (const piece of pieces) {
      const { replies: whole, rest } = cut(Buffer.concat([pending, piece]));
      found.push(...whole);
      pending = Buffer.from(rest);
    }
    expect(found.map(String)).toEqual(replies.map(String));
    expect(pending).toHaveLength(0);
  });
  fc.assert(property, { numRuns: Number(process.env["FRAMES_RUNS"] ?? 500) });
});

it("the items of a flat array are what was put in", () => {
  const property = fc.property(fc.array(fc.uint8Array({ maxLength: 40 })), (items) => {
    expect(itemsOf(array(items.map(bulk)))).toEqual(items.map((item) => Buffer.from(item)));
  });
  fc.assert(property, { numRuns: 200 });
  expect(itemsOf(Buffer.from("*3\r\n$9\r\nsubscribe\r\n$1\r\nc\r\n:1\r\n"))?.map(String)).toEqual([
    "subscribe",
    "c",
    "1",
  ]);
  expect(itemsOf(Buffer.from("+OK\r\n"))).toBeUndefined();
});

it("a reply is cut however deep it is nested", () => {
  const deep = Buffer.from(`${"*1\r\n".repeat(1_000_000)}:1\r\n`);
  expect(cut(deep)).toMatchObject({ replies: [{ length: deep.length }], rest: { length: 0 } });
});
