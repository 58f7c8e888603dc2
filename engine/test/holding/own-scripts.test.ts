import { expect, it } from "vitest";
import { buildAll } from "../../../tools/lua-scripts.ts";
import { waitableCall } from "../../src/holding/index.ts";

const shaOf = (script: string): string => buildAll().find(({ name }) => name === script)?.sha[0] ?? "";
const LOCK = shaOf("lock-acquire");
const EXTEND = shaOf("crowd-extend");
const ARGS = ["9000000", "id", "10000", "60000", "", "", "", "0", ""];

it.each([
  ["another command", ["GET", "a"]],
  ["no command", []],
  ["an unknown script", ["EVALSHA", "0".repeat(40), "1", "a", "b"]],
  ["a script that is never refused", ["EVALSHA", shaOf("lock-close"), "1", "a", "b"]],
  ["a script as text", ["EVAL", LOCK, "1", "a", "b"]],
  ["a script without keys", ["EVALSHA", LOCK, "0", "a", "b"]],
  ["a script with a number of keys that is no number", ["EVALSHA", LOCK, "one", "a", "b"]],
  ["a script without arguments", ["EVALSHA", LOCK, "1", "a"]],
  ["a script with fewer arguments than a server may change (W4)", ["EVALSHA", LOCK, "1", "a", "9000000", "id"]],
  [
    "a script with arguments that are too long to be kept (B3)",
    ["EVALSHA", LOCK, "1", "a", ...ARGS, "x".repeat(16_384)],
  ],
  ["an extension", ["EVALSHA", EXTEND, "2", "a", "a%crowd", "9000000", "id", "7", "10000", "60000"]],
])("%s is not held", (_, words) => {
  expect(waitableCall(words)).toBeUndefined();
});

it("a lock is held by its record, and a verification of a lease until the lease is lost", () => {
  const held = { keys: ["a"], args: ARGS };
  expect(waitableCall(["evalsha", LOCK.toUpperCase(), "1", "a", ...ARGS])).toMatchObject(held);
  const verification = ["EVALSHA", EXTEND, "2", "a", "a%crowd", "9000000", "id", "7", "0", "60000"];
  expect(waitableCall(verification)).toMatchObject({ keys: ["a"], args: verification.slice(5) });
});
