import { expect, it } from "vitest";
import { createObjectHandler } from "../src/handler.ts";
import { createObjectServer } from "../src/server.ts";
import { openSqlite } from "./support/sqlite-storage.ts";

const STEPS = { message: expect.stringMatching(/^ERR the (script|command) takes too many steps/) };
const ENDLESS = ["EVAL", "while true do end", "1", "a"];

it("the commands of one call share its steps, and other calls have their own (B3)", async () => {
  const server = createObjectServer({ storage: openSqlite() });
  expect(await server.run([["SET", "a", "1"], ENDLESS, ["SET", "a", "2"]])).toMatchObject([
    { text: "OK" },
    STEPS,
    STEPS,
  ]);
  expect(await server.run([["GET", "a"]])).toEqual(["1"]);
});

it("a script may use less memory than an isolate has (B3)", async () => {
  const server = createObjectServer({ storage: openSqlite() });
  const script = "local t = {} for i = 1, 1000 do t[i] = string.rep('x', 100000) .. i end return #t";
  const memory = { message: expect.stringMatching(/^ERR the script takes too much memory/) };
  expect(await server.run([["EVAL", script, "1", "a"]])).toMatchObject([memory]);
});

it.each([
  ["a string", ["SET", "k", "x".repeat(1_000_000)], ["APPEND", "k", "y"], ["STRLEN", "k"], 1_000_000],
  [
    "a list",
    ["RPUSH", "k", ...Array.from({ length: 100_000 }, (_, n) => `${n}`)],
    ["RPUSH", "k", "y"],
    ["LLEN", "k"],
    100_000,
  ],
])("what is stored for each command of a call counts as its work: %s (B3)", async (_, first, words, look, size) => {
  const server = createObjectServer({ storage: openSqlite() });
  await server.run([first]);
  const replies = await server.run(Array.from({ length: 1_000 }, () => words));
  const done = replies.filter((reply) => typeof reply === "number");
  expect(done.length).toBeGreaterThan(20);
  expect(replies.slice(done.length)).toEqual(
    Array.from({ length: 1_000 - done.length }, () => expect.objectContaining(STEPS)),
  );
  expect(done.length).toBeLessThan(500);
  expect(await server.run([look])).toEqual([size + done.length]);
});

it("answers that no call could carry are errors, and the others are answered (B3)", async () => {
  const handler = createObjectHandler({ storage: openSqlite() });
  // A control character has six bytes as JSON.
  await handler.run([["SET", "k", "\x01".repeat(2_000_000)]]);
  const { answers } = await handler.run([
    ["STRLEN", "k"],
    ["GET", "k"],
    ["GET", "k"],
    ["STRLEN", "k"],
  ]);
  const size = '{"result":2000000}';
  const tooLarge = '{"error":"ERR the command has run, but the answers are larger than 16 MB"}';
  expect(answers.map((answer) => (answer.length < 1_000 ? answer : answer.length))).toEqual([
    size,
    12_000_013,
    tooLarge,
    size,
  ]);
});
