import { expect, it } from "vitest";
import { buildAll } from "../../../tools/lua-scripts.ts";
import { nextArgs, readReply } from "../../src/holding/entry.ts";
import { type WaitableCall, waitableCall } from "../../src/holding/index.ts";

/** A request of a script that may be held, with the given arguments and otherwise empty ones. */
function request(script: string, given: Readonly<Record<string, string>>): WaitableCall {
  const built = buildAll().find(({ name }) => name === script);
  const args = (built?.args ?? []).map((name) => given[name] ?? "");
  const call = waitableCall(["EVALSHA", built?.sha[0] ?? "", "2", "a", "a%crowd", ...args]);
  if (call === undefined) throw new Error(`${script} is not waitable`);
  return call;
}

/** A request of a fair lock with a place in the queue; 0 joins the queue, and -1 never does. */
const asking = (ticket: string): WaitableCall => request("fair-acquire", { id: "id", ticket, grace: "1000" });

it.each([
  ["0", "77"],
  ["50", "77"],
  ["-1", "-1"],
])("a request sent with the place %s is run again with the place %s after an answer with 77", (ticket, next) => {
  const read = readReply(["held", 1_000_000, 5_000_000, 0, 0, 3, 20_000, 77]);
  expect(nextArgs(asking(ticket), read, 5)).toEqual(asking(next).args);
});

it.each([
  ["a lock reads the server's clock, even if its caller knew the time", "lock-acquire", "asked", ""],
  ["a once has seen the answer before it", "once-begin", "before", "1000000"],
])("the next run of %s", (_, script, name, next) => {
  const read = readReply(["held", 1_000_000, 5_000_000]);
  const waited = script === "lock-acquire" ? { waited: "7" } : {};
  const given = { id: "id", [name]: "900000", waited: "2" };
  expect(nextArgs(request(script, given), read, 5)).toEqual(
    request(script, { ...given, ...waited, [name]: next }).args,
  );
});
