import type { Budget } from "../budget.ts";
import { newTable } from "../lua/operations.ts";
import { LuaTable } from "../lua/table.ts";
import type { Machine, Value } from "../lua/value.ts";
import { ErrorReply, type Reply, refuse, Status } from "./reply.ts";

/** A table with one field, which represents a status or an error in scripts. */
export function single(name: "ok" | "err", text: string): LuaTable {
  const table = new LuaTable();
  table.set(name, text);
  return table;
}

/** A reply of a command as a script sees it. */
export function toLua(reply: Reply, machine: Machine): Value {
  if (reply === null) return false;
  if (reply instanceof Status) return single("ok", reply.text);
  if (reply instanceof ErrorReply) return single("err", reply.message);
  if (typeof reply === "bigint") return Number(reply);
  if (typeof reply !== "object") return reply;
  machine.budget.values(reply.length);
  return newTable(
    machine,
    reply.map((item) => toLua(item, machine)),
  );
}

/** On one line, as errors in the protocol. */
export const oneLine = (message: string): string => message.replace(/[\r\n]+/g, " ");

/** The integer to which Redis truncates a number: a number beyond 64 bits becomes the smallest integer. */
function cut(value: number): number | bigint {
  const whole = Math.trunc(value);
  if (Number.isSafeInteger(whole)) return whole === 0 ? 0 : whole;
  return Number.isFinite(whole) && Math.abs(whole) < 2 ** 63 ? BigInt(whole) : -(2n ** 63n);
}

/** The memory of a list in a reply, and of each of its items. */
const LIST_BYTES = 200;
const ITEM_BYTES = 16;

/** The maximum depth of arrays in a reply. Redis allows 8000, which neither JSON nor its readers do. */
const MAX_DEPTH = 1000;

/**
 * Converts the result of a script to a reply.
 *
 * @param budget counts the items of arrays, which may contain the same array many times
 * @throws ErrorReply for arrays that are nested too deeply, such as one that contains itself
 * @throws OutOfBudget
 */
export function toReply(value: Value, budget: Budget, depth = 0): Reply {
  switch (typeof value) {
    case "string":
      return value;
    case "number":
      return cut(value);
    case "boolean":
      return value ? 1 : null;
    case "object": {
      const error = value.get("err");
      if (typeof error === "string") return new ErrorReply(oneLine(error));
      const status = value.get("ok");
      if (typeof status === "string") return new Status(oneLine(status));
      if (depth >= MAX_DEPTH) refuse("ERR reached lua stack limit");
      budget.allot(LIST_BYTES);
      const items: Reply[] = [];
      for (let at = 1; ; at++) {
        const item = value.get(at);
        if (item === undefined) return items;
        budget.spend(1);
        budget.allot(ITEM_BYTES);
        items.push(toReply(item, budget, depth + 1));
      }
    }
    default:
      return null;
  }
}
