import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createDepthLimit, MAX_DEPTH } from "../../src/redis/depth-limit.ts";
import { cut } from "../../src/redis/resp.ts";
import { stage, TOKEN } from "../support/harness.ts";

const it_ = stage();
const nested = (levels: number, inner = "1"): unknown[] => [
  "EVAL",
  `local t = ${inner} for i = 1, ${levels} do t = {t} end return t`,
  "0",
];
const TOO_DEEP = `ERR arrays in more than ${MAX_DEPTH} arrays are left out`;
/** What is in the innermost array, and how many there are. */
function innermost(value: unknown): { depth: number; inner: unknown } {
  let depth = 0;
  let inner = value;
  for (; Array.isArray(inner); inner = inner[0]) depth++;
  return { depth, inner };
}
const resultOf = (body: unknown) => innermost((body as { result: unknown }).result);

describe("a reply that is nested too deep", () => {
  it.each([MAX_DEPTH + 1, 3_000, 5_000, 100_000])("harms nobody else: %i levels", async (levels) => {
    const others = (): Promise<unknown>[] => Array.from({ length: 20 }, (_, at) => it_.run("ECHO", `${at}`));
    const answers = await Promise.all([...others(), it_.run(...nested(levels)), ...others()]);
    const [deep] = answers.splice(20, 1);
    for (const [at, answer] of answers.entries())
      expect(answer).toMatchObject({ status: 200, body: { result: `${at % 20}` } });
    expect(deep).toMatchObject({ status: 200 });
    expect(resultOf((deep as { body: unknown }).body)).toEqual({ depth: MAX_DEPTH, inner: TOO_DEEP });
  });

  it("is whole up to the limit, and in a transaction one less, whose array counts", async () => {
    expect(resultOf((await it_.run(...nested(MAX_DEPTH))).body)).toEqual({ depth: MAX_DEPTH, inner: 1 });
    const commands = [nested(MAX_DEPTH - 1), nested(MAX_DEPTH, "{}"), ["ECHO", "after"]];
    const { body } = await it_.post("/multi-exec", commands);
    const [whole, deep, after] = body as unknown[];
    expect(resultOf(whole)).toEqual({ depth: MAX_DEPTH - 1, inner: 1 });
    expect(resultOf(deep)).toEqual({ depth: MAX_DEPTH - 1, inner: TOO_DEEP });
    expect(after).toEqual({ result: "after" });
  });

  it("comes in resp2 as Redis sends it", async () => {
    const response = await fetch(it_.gateway.url, {
      method: "POST",
      headers: { authorization: `Bearer ${TOKEN}`, "upstash-response-format": "resp2" },
      body: JSON.stringify(nested(5_000)),
    });
    expect(await response.text()).toBe(`${"*1\r\n".repeat(5_000)}:1\r\n`);
  });
});

/** A reply as bytes, and what is left of it, each by itself. */
function build(value: unknown, depth = 0): { whole: string; left: string } {
  if (!Array.isArray(value)) return { whole: String(value), left: String(value) };
  if (value.length > 0 && depth === MAX_DEPTH) {
    return { whole: build(value, 0).whole, left: `-${TOO_DEEP}\r\n` };
  }
  const items = value.map((item) => build(item, depth + 1));
  const head = `*${value.length}\r\n`;
  return { whole: head + items.map((it) => it.whole).join(""), left: head + items.map((it) => it.left).join("") };
}

it("only what is too deep is left out, wherever the bytes are torn apart", () => {
  const leaf = fc.oneof(
    fc.string({ unit: "grapheme-ascii" }).map((text) => `$${text.length}\r\n${text}\r\n`),
    fc.constantFrom(
      "$-1\r\n",
      "*-1\r\n",
      "*0\r\n",
      "$0\r\n\r\n",
      "$6\r\n*1\r\n-1\r\n",
      ":-12\r\n",
      "+OK\r\n",
      "-ERR *3\r\n",
    ),
  );
  const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
    tree: fc.oneof({ maxDepth: 6 }, leaf, fc.array(tie("tree"), { maxLength: 4 })),
  }));
  // Arrays around it, so that the limit is somewhere in the tree; each has something before and after it.
  const reply = fc.tuple(tree, fc.integer({ min: 0, max: 6 })).map(([inner, above]) => {
    let value = inner;
    for (let level = above; level < MAX_DEPTH; level++)
      value = level % 50 === 0 ? [":1\r\n", value, "$-1\r\n"] : [value];
    return build(value);
  });
  const property = fc.property(fc.array(reply, { maxLength: 3 }), fc.array(fc.nat()), (replies, tears) => {
    const bytes = Buffer.from(replies.map(({ whole }) => whole).join(""));
    const at = tears.map((tear) => tear % (bytes.length + 1)).sort((a, b) => a - b);
    const limit = createDepthLimit();
    const pieces = [0, ...at].map((from, i) => Buffer.from(limit(bytes.subarray(from, at[i] ?? bytes.length))));
    const left = Buffer.concat(pieces);
    expect(left.toString()).toBe(replies.map((it) => it.left).join(""));
    expect(cut(left).replies).toHaveLength(replies.length);
  });
  fc.assert(property, { numRuns: Number(process.env["DEPTH_RUNS"] ?? 200) });
  // Torn apart at every place.
  const one = build(Array.from({ length: 2 }, () => [":1\r\n", "$-1\r\n"]));
  const limit = createDepthLimit();
  const torn = Array.from(Buffer.from(one.whole), (byte) => limit(Buffer.from([byte])));
  expect(Buffer.concat(torn).toString()).toBe(one.whole);
});
