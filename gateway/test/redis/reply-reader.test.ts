import { setImmediate } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Reply } from "../../src/redis/backend.ts";
import { COST, type Keeping, MAX_DEPTH, type ReplySink } from "../../src/redis/reply-builder.ts";
import { createReplyReader } from "../../src/redis/reply-reader.ts";
import { stage, TOKEN } from "../support/harness.ts";

const it_ = stage();

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

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
  it.each([MAX_DEPTH + 1, 3_000, 5_000, 100_000])("affects no other caller: %i levels", async (levels) => {
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

/** A reply as bytes, and as it is to be read. */
interface Written {
  readonly bytes: string;
  readonly read: Reply;
}

type Tree = Written | readonly Tree[];

const isArray = (tree: Tree): tree is readonly Tree[] => Array.isArray(tree);

function build(tree: Tree, depth = 0): Written {
  if (!isArray(tree)) return tree;
  const items = tree.map((item) => build(item, depth + 1));
  const bytes = `*${tree.length}\r\n${items.map((item) => item.bytes).join("")}`;
  if (tree.length > 0 && depth >= MAX_DEPTH) return { bytes, read: new Error(TOO_DEEP) };
  return { bytes, read: items.map((item) => item.read) };
}

const bulk = (text: string): Written => {
  const content = Buffer.from(text);
  return { bytes: `$${content.length}\r\n${text}\r\n`, read: content };
};

const leaf: fc.Arbitrary<Tree> = fc.oneof(
  fc.string({ unit: "grapheme" }).map(bulk),
  fc.constantFrom<Written>(
    { bytes: "$-1\r\n", read: null },
    { bytes: "*-1\r\n", read: null },
    { bytes: "*0\r\n", read: [] },
    bulk(""),
    bulk("*1\r\n-1"),
    bulk("\r\n"),
    { bytes: ":-12\r\n", read: "-12" },
    { bytes: ":9223372036854775807\r\n", read: "9223372036854775807" },
    { bytes: "+OK\r\n", read: Buffer.from("OK") },
    { bytes: "+a\rb\r\n", read: Buffer.from("a\rb") },
    { bytes: "-ERR é *3\r\n", read: new Error("ERR é *3") },
  ),
  // Lines with their line break before, at and after the place up to which it is looked for byte by byte.
  fc.nat({ max: 60 }).map((length) => {
    const text = `${"a\r".repeat(length)}b`;
    return { bytes: `+${text}\r\n`, read: Buffer.from(text) };
  }),
);

/** How replies are to be read, how much memory there is for each, and whether they have the types of RESP3. */
interface Reading {
  readonly keeping?: Keeping;
  readonly room?: number;
  readonly hasPushes?: boolean;
}

/** Reads pieces: the replies, the memory counted for each, and whether the bytes were taken for something else. */
function readAll(
  pieces: readonly Buffer[],
  { keeping = "value", room = Number.POSITIVE_INFINITY, hasPushes = false }: Reading = {},
) {
  const replies: (Reply | undefined)[] = [];
  const counted: number[] = [];
  let isBroken = false;
  const sink: ReplySink = {
    begin() {
      counted.push(0);
      return keeping;
    },
    room(bytes) {
      counted.push((counted.pop() ?? 0) + bytes);
      return (counted.at(-1) ?? 0) <= room;
    },
    take: (reply) => void replies.push(reply),
    broken() {
      isBroken = true;
    },
  };
  const read = createReplyReader(sink, { hasPushes });
  for (const piece of pieces) read(piece);
  return { replies, counted, isBroken };
}

it("replies are read as they were written, but for what is too deep, wherever the bytes are torn apart", () => {
  const { tree } = fc.letrec<{ tree: Tree }>((tie) => ({
    tree: fc.oneof({ maxDepth: 6 }, leaf, fc.array(tie("tree"), { maxLength: 4 })),
  }));
  // Arrays around it, so that the limit is somewhere in the tree; each has something before and after it.
  const around: Tree = [{ bytes: ":1\r\n", read: "1" }];
  const reply = fc.tuple(tree, fc.integer({ min: 0, max: 6 }), fc.boolean()).map(([inner, above, isDeep]) => {
    let value = inner;
    for (let level = above; isDeep && level < MAX_DEPTH; level++)
      value = level % 50 === 0 ? [around, value, around] : [value];
    return build(value);
  });
  const property = fc.property(fc.array(reply, { maxLength: 3 }), fc.array(fc.nat()), (replies, tears) => {
    const bytes = Buffer.from(replies.map((it) => it.bytes).join(""));
    const at = tears.map((tear) => tear % (bytes.length + 1)).sort((a, b) => a - b);
    const pieces = [0, ...at].map((from, i) => bytes.subarray(from, at[i] ?? bytes.length));
    expect(readAll(pieces)).toMatchObject({ replies: replies.map((it) => it.read), isBroken: false });
    const raw = readAll(pieces, { keeping: "bytes" });
    expect(raw.isBroken).toBe(false);
    for (const [index, { bytes: written, read }] of replies.entries())
      expect(raw.replies[index]).toEqual(read instanceof Error ? read : Buffer.from(written));
    // Without room each one is read to its end, and the next one begins where it should.
    for (const room of [0, 300, 3_000]) {
      const some = readAll(pieces, { room });
      expect(some.isBroken).toBe(false);
      expect(some.replies.length).toBe(replies.length);
      for (const [index, { read }] of replies.entries()) expect([undefined, read]).toContainEqual(some.replies[index]);
    }
  });
  fc.assert(property, { numRuns: Number(process.env["DEPTH_RUNS"] ?? 200) });
});

it.each([10, 10_000])("reads %i integers that arrive at once, of whatever length", (count) => {
  const integers = Array.from({ length: count }, (_, at) => `${(-7) ** (at % 23)}`.replace(/e.*/, ""));
  const bytes = Buffer.from(integers.map((it) => `:${it}\r\n`).join(""));
  expect(readAll([bytes]).replies).toEqual(integers);
  expect(readAll([bytes.subarray(0, 100), bytes.subarray(100)]).replies).toEqual(integers);
});

it("bytes that are no reply end the reading, and what came before them counts", () => {
  const noLengths = ["$\r\n\r\n", "*\r\n", `$${"0".repeat(33)}\r\n\r\n`];
  const noInteger = `:${"0".repeat(33)}\r\n`;
  for (const bad of ["?1\r\n", "HTTP/1.1 400 Bad Request\r\n", "\r\n", "%1\r\n", ...noLengths, noInteger]) {
    const bytes = Buffer.from(`:1\r\n${bad}:2\r\n`);
    expect(readAll([bytes])).toMatchObject({ replies: ["1"], isBroken: true });
    expect(readAll(Array.from(bytes, (byte) => Buffer.from([byte])))).toMatchObject({ replies: ["1"], isBroken: true });
  }
});

it("a line feed alone does not end a line, wherever it is", () => {
  const texts = Array.from({ length: 60 }, (_, at) => `${"a".repeat(at)}\nb`);
  const bytes = Buffer.from(texts.map((text) => `+${text}\r\n`).join(""));
  expect(readAll([bytes]).replies.map(String)).toEqual(texts);
});

it("reads the types of RESP3 on a connection that uses it", () => {
  const bytes = Buffer.from("_\r\n%1\r\n+a\r\n:1\r\n~1\r\n:2\r\n>1\r\n:3\r\n");
  const replies = [null, [Buffer.from("a"), "1"], ["2"], ["3"]];
  for (const pieces of [[bytes], Array.from(bytes, (byte) => Buffer.from([byte]))])
    expect(readAll(pieces, { hasPushes: true })).toMatchObject({ replies, isBroken: false });
});

it("more items than a reply can have end the reading, also of arrays that are left out", () => {
  const heads = "*1\r\n".repeat(MAX_DEPTH) + "*2147483647\r\n".repeat(140_000);
  expect(readAll([Buffer.from(`:1\r\n${heads}`)])).toMatchObject({ replies: ["1"], isBroken: true });
});

it("bytes that are no reply are reported once, even if the connection cannot be ended", () => {
  const reasons: string[] = [];
  const read = createReplyReader({
    begin: () => "value",
    room: () => true,
    take: () => {},
    broken(reason) {
      reasons.push(reason);
      throw new Error("the connection cannot be ended");
    },
  });
  read(Buffer.from("?"));
  read(Buffer.from("?"));
  expect(reasons).toEqual(["a type that RESP2 does not have"]);
});

it.each([
  ["a string", "$1000\r\nabc"],
  ["a status", `+${"x".repeat(1_000)}`],
  ["an error", `-${"x".repeat(1_000)}`],
])("counts the memory of %s before its end has arrived", (_, bytes) => {
  const { replies, counted } = readAll([Buffer.from(bytes)]);
  expect(replies).toEqual([]);
  expect(counted).toEqual([1_000 + COST.string]);
});

it.each(["+", "-"])("the beginning of a long line %s is dropped as soon as there is no room for it", async (type) => {
  const read = createReplyReader({ begin: () => "value", room: () => false, take: () => {}, broken: () => {} });
  function readBeginning(): WeakRef<ArrayBufferLike> {
    const { buffer } = Buffer.alloc(100_000, "x").fill(type, 0, 1);
    read(Buffer.from(buffer));
    return new WeakRef(buffer);
  }
  const beginning = readBeginning();
  // A weak reference keeps its target until the end of this turn.
  await setImmediate();
  collectGarbage();
  expect(beginning.deref()).toBeUndefined();
  read(Buffer.from("x\r\n"));
});

describe("the memory counted for an item of an array", () => {
  const stringOf = (length: number): string => `$${length}\r\n${"x".repeat(length)}\r\n`;
  /** The memory for one of many equal items, without its own bytes. */
  const countedFor = (item: string, itemBytes: number, items: number): number => {
    const { counted } = readAll([Buffer.from(`*${items}\r\n${item.repeat(items)}`)]);
    return ((counted[0] ?? 0) - COST.array) / items - itemBytes;
  };

  it("is less for a short string in a long array, which is packed", () => {
    expect(countedFor(stringOf(10), 10, 2_000)).toBeLessThan(COST.string);
  });

  it("is not less for an item that is not packed", () => {
    expect(countedFor(stringOf(10), 10, 1_000)).toBe(COST.string);
    expect(countedFor(stringOf(2_000), 2_000, 2_000)).toBe(COST.string);
    expect(countedFor(":1\r\n", 0, 2_000)).toBe(COST.integer);
  });
});
