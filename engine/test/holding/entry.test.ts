import { expect, it } from "vitest";
import { buildAll } from "../../../tools/lua-scripts.ts";
import { nextArgs, readReply } from "../../src/holding/entry.ts";
import { type WaitableCall, waitableCall } from "../../src/holding/index.ts";

const [FAIR = ""] = buildAll().find(({ name }) => name === "fair-acquire")?.sha ?? [];

/** A request of a fair lock with a place in the queue; 0 joins the queue, and -1 never does. */
function asking(ticket: string): WaitableCall {
  const args = ["9000000", "id", "10000", "60000", "", "1", ticket, "1000"];
  const call = waitableCall(["EVALSHA", FAIR, "2", "a", "a%crowd", ...args]);
  if (call === undefined) throw new Error("a fair lock is not waitable");
  return call;
}

it.each([
  ["0", "77"],
  ["50", "77"],
  ["-1", "-1"],
])("a request sent with the place %s is run again with the place %s after an answer with 77", (ticket, next) => {
  const read = readReply(["held", 1_000_000, 5_000_000, 0, 0, 3, 20_000, 77]);
  expect(nextArgs(asking(ticket), read, 5)).toEqual(asking(next).args);
});
