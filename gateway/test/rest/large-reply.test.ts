import fc from "fast-check";
import { expect, it } from "vitest";
import type { Reply } from "../../src/redis/backend.ts";
import { encodeAllLarge } from "../../src/rest/large-reply.ts";
import { encodeReplies, encodeReply, isLarge } from "../../src/rest/response.ts";
import { createBudget } from "../../src/shared/budget.ts";
import { base64, call, stage } from "../support/harness.ts";

const it_ = stage();
const { run } = it_;
const BASE64 = { "Upstash-Encoding": "base64" };
const ask = async (...command: unknown[]) => (await it_.post("/", command, BASE64)).body;

it("writes the strings of a reply as base64, a bare OK excepted", async () => {
  expect(await ask("SET", "k", "bar")).toEqual({ result: "OK" });
  expect(await ask("GET", "k")).toEqual({ result: "YmFy" });
  expect(await ask("PING")).toEqual({ result: "UE9ORw==" });
  expect(await ask("SET", "empty", "")).toEqual({ result: "OK" });
  expect(await ask("GET", "empty")).toEqual({ result: "" });
});

it("leaves numbers, null and errors as they are", async () => {
  expect(await ask("INCR", "n")).toEqual({ result: 1 });
  expect(await ask("GET", "none")).toEqual({ result: null });
  expect(await ask("NOPE")).toEqual({ error: "ERR unknown command 'NOPE', with args beginning with: " });
});

it("encodes nested arrays, an OK inside of them too", async () => {
  expect(await ask("EVAL", "return {'OK', 1, {'OK', {'a', false}}}", 0)).toEqual({
    result: [base64("OK"), 1, [base64("OK"), [base64("a"), null]]],
  });
});

it("encodes each element of a pipeline and of a transaction", async () => {
  const commands = [
    ["SET", "e", "1"],
    ["GET", "e"],
    ["LPUSH", "e", "1"],
  ];
  const expected = [{ result: "OK" }, { result: base64("1") }, { error: expect.stringContaining("WRONGTYPE") }];
  expect((await it_.post("/pipeline", commands, BASE64)).body).toEqual(expected);
  expect((await it_.post("/multi-exec", commands, BASE64)).body).toEqual(expected);
});

it("carries every byte", async () => {
  const bytes = Uint8Array.from({ length: 1024 }, (_, i) => (i * 7) % 256);
  await call(`${it_.gateway.url}/set/bytes`, bytes);
  expect(await ask("GET", "bytes")).toEqual({ result: base64(bytes) });
  expect(await ask("HGETALL", "none")).toEqual({ result: [] });
  // Without base64 there is still JSON, with a mark where the bytes are no text.
  expect((await run("GET", "bytes")).text).toContain("\ufffd");
});

it("writes an integer beyond 2^53 as a base64 string, so that a client decodes it exactly", async () => {
  expect(await ask("INCRBY", "large", "9223372036854775807")).toEqual({ result: base64("9223372036854775807") });
});

it("takes the header in any case and ignores other encodings", async () => {
  expect((await it_.post("/", ["ECHO", "x"], { "UPSTASH-ENCODING": "BASE64" })).body).toEqual({ result: base64("x") });
  expect((await it_.post("/", ["ECHO", "x"], { "upstash-encoding": "gzip" })).body).toEqual({ result: "x" });
});

it("has a place for an error inside a reply", async () => {
  const inner = [Buffer.from("a"), new Error("ERR inner")];
  expect(JSON.parse(encodeReply(inner, "text"))).toEqual({ result: ["a", "ERR inner"] });
  const { body } = await run("EVAL", "return {'a', redis.error_reply('MYERR x')}", 0);
  expect(body).toEqual({ result: ["a", "MYERR x"] });
});

/** Asserts that replies are written piece by piece as they are in one string. */
async function expectSame(replies: readonly Reply[], encoding: "text" | "base64"): Promise<void> {
  const room = createBudget(2 ** 31, () => {})
    .portion()
    .hold();
  // Within a list of many items, what is small in itself is written piece by piece as well.
  const large = [...replies, [...replies, ...Array.from({ length: 1_001 }, () => "1")]];
  const pieces = await encodeAllLarge(large, encoding, room);
  expect(Buffer.concat(pieces).toString()).toBe(encodeReplies(large, encoding));
}

const leaf = fc.oneof(
  fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)),
  fc.constantFrom("1", "9223372036854775807", null, new Error("ERR inner"), Buffer.from("OK"), Buffer.from("é漢😀")),
  fc.nat(8).map((at) => Buffer.alloc(98_300 + at, "x")),
);
const reply = fc.letrec<{ reply: Reply }>((tie) => ({
  reply: fc.oneof({ maxDepth: 4 }, leaf, fc.array(tie("reply"), { maxLength: 5 })),
})).reply;

it("writes large replies as small ones, bit by bit", () =>
  fc.assert(fc.asyncProperty(fc.array(reply, { maxLength: 5 }), fc.constantFrom("text", "base64"), expectSame), {
    numRuns: 100,
  }));

it.each(["text", "base64"] as const)("cuts no character where a piece ends, as %s", async (encoding) => {
  const offsets = Array.from({ length: 9 }, (_, at) => at);
  for (const at of offsets) {
    // Longer than a piece, with characters on either side of where it is cut.
    const long = ["😀", "\0", "a"].map((text) => Buffer.from("x".repeat(at) + text.repeat(90_000)));
    // What is no character ends with the piece.
    const broken = Buffer.concat([Buffer.alloc(98_300 + at, "x"), Buffer.from([0xf0, 0x9f, 0x98, 0xff, 0xe6])]);
    await expectSame([...long, broken], encoding);
  }
});

it("writes large replies in pieces of a bounded size", async () => {
  const room = createBudget(2 ** 31, () => {})
    .portion()
    .hold();
  const long = Buffer.alloc(2_000_000, "x");
  const list = Array.from({ length: 100 }, () => Buffer.alloc(10_000, "y"));
  const replies = [long, [long, ...list], [[long, ...list]]];
  for (const encoding of ["text", "base64"] as const) {
    const pieces = await encodeAllLarge(replies, encoding, room);
    expect(Buffer.concat(pieces).toString()).toBe(encodeReplies(replies, encoding));
    expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(300_000);
  }
});

it("lets others run while it writes a large reply", async () => {
  const room = createBudget(2 ** 31, () => {})
    .portion()
    .hold();
  const list = Array.from({ length: 300_000 }, () => Buffer.from("item"));
  let turns = 0;
  let other = setImmediate(function count() {
    turns++;
    other = setImmediate(count);
  });
  await encodeAllLarge([list], "text", room);
  clearImmediate(other);
  expect(turns).toBeGreaterThan(2);
});

it.each<readonly [what: string, reply: Reply, large: boolean]>([
  ["no value", null, false],
  ["an integer", "1", false],
  ["a long text", Buffer.alloc(1_000_000), false],
  ["a longer text", Buffer.alloc(1_100_000), true],
  ["a long error", new Error("x".repeat(1_000_000)), false],
  ["a longer error", new Error("x".repeat(1_100_000)), true],
  ["some items", Array.from({ length: 900 }, () => "1"), false],
  ["many items", Array.from({ length: 1_100 }, () => "1"), true],
  ["many items, nested", Array.from({ length: 11 }, () => Array.from({ length: 100 }, () => "1")), true],
  ["long texts", Array.from({ length: 11 }, () => Buffer.alloc(100_000)), true],
])("%s in a reply is counted", (_what, reply, large) => {
  expect(isLarge([reply])).toBe(large);
});

it("a long reply is counted only until it is known to be large", () => {
  let counted = 0;
  const reply = Object.assign([], {
    *[Symbol.iterator]() {
      for (; counted < 100_000; counted++) yield "1";
    },
  });
  expect(isLarge([reply, reply])).toBe(true);
  expect(counted).toBeLessThan(1_100);
});
