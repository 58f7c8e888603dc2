import type { Execution } from "../server.ts";
import type { Facts, Op } from "./facts.ts";
import { permitsOf } from "./leases.ts";

export interface Numbers {
  counted(full: string, execution: Execution<Op>): void;
  latched(full: string, execution: Execution<Op>): void;
  /** Checks that a call that ended without permits took none. */
  ended(full: string, op: Op): void;
}

/** The rules about numbers: a counter is changed once by each request, and each party of a latch counts once. */
export function createNumbers({ nameOf, excuseOf, report }: Facts): Numbers {
  return {
    // A counter's permits are taken for good.
    counted(full, { args, status, reply, op, now }) {
      if (args["kind"] !== "counter") return;
      const name = nameOf(full);
      const initial = args["permits"] ?? "";
      name.counter ??= { count: Number(initial || 0), seen: new Set(), taken: new Map() };
      const { counter } = name;
      if (Number.isNaN(counter.count)) counter.count = Number(initial || 0);
      const whole = args["id"] ?? "";
      const id = whole.slice(0, 36);
      if (counter.seen.has(id) || !/^(granted|done)$/.test(status)) return;
      counter.seen.add(id);
      const by = Number(args["count"]);
      const change = status === "granted" ? "take" : args["change"];
      if (change === "take") {
        const count = permitsOf(whole);
        counter.count -= count;
        counter.taken.set(id, { op, count, at: now });
        if (counter.count < 0 && !counter.isUnsure)
          report("permits", `${op?.id} took ${count} of ${full}, and ${counter.count} are left`);
      } else if (change === "drain") {
        if (Number(reply["count"]) !== Math.max(counter.count, 0) && !counter.isUnsure)
          report("permits", `${op?.id} drained ${reply["count"]} of ${counter.count} of ${full}`);
        counter.count = counter.isUnsure ? 0 : Math.min(counter.count, 0);
        counter.isUnsure = counter.isUnsure === true && Number(reply["count"]) === 0;
      } else counter.count = change === "add" || change === "give" ? counter.count + by : by;
    },

    latched(full, { script, args, status, reply, op }) {
      const name = nameOf(full);
      const { latch } = name;
      const id = args["id"] ?? "";
      const left = latch && Math.max(latch.of - latch.parties.size, 0);
      if (script === "latch-set") {
        if (status !== "set" || name.over.has(id)) return;
        name.over.set(id, "used");
        if (left) report("latch", `${op?.id} sets ${full} while ${left} are left`);
        name.latch = { id, of: Number(args["count"]), parties: new Set() };
      } else if (status === "forced") name.latch = undefined;
      else if (status === "live" && latch) {
        latch.generation ??= Number(reply["token"]);
        const told = Number(String(reply["body"]).slice(1).split(" ")[0]);
        if (told !== left)
          report("latch", `${full} is at ${told}, and ${latch.parties.size} of ${latch.of} were counted`);
      } else if (status === "left" && latch) {
        if (Number(args["generation"]) === latch.generation) latch.parties.add(id);
        const rest = Number(args["generation"]) === latch.generation ? latch.of - latch.parties.size : 0;
        if (latch.parties.size > latch.of) latch.parties.delete(id);
        if (Number(reply["left"]) !== Math.max(rest, 0))
          report("latch", `${op?.id} is told that ${reply["left"]} of ${full} are left, not ${rest}`);
      }
    },

    ended(full, op) {
      for (const { op: by } of nameOf(full).counter?.taken.values() ?? [])
        if (by === op && op.outcome !== "true" && op.outcome !== "undefined")
          report(
            "nothing is left",
            `${op.id} ended with ${op.outcome} and took permits of ${full}`,
            excuseOf(full, op),
          );
    },
  };
}
