import type { Execution } from "../scripts.ts";
import type { Beliefs } from "./beliefs.ts";
import { type Facts, type Hold, type Name, type Op, permitsOf, serverOf } from "./facts.ts";
import {
  again,
  checkGrant,
  checkLate,
  checkNewest,
  checkOrder,
  checkTurn,
  type Rules,
  repeated,
  revived,
} from "./lease-rules.ts";

export interface Leases {
  /** The number of permits of a semaphore. */
  readonly permits: Map<string, number>;
  granted(full: string, execution: Execution<Op>): void;
  extended(full: string, execution: Execution<Op>): void;
  closed(full: string, execution: Execution<Op>): void;
  forced(full: string, execution: Execution<Op>): void;
  queued(full: string, execution: Execution<Op>): void;
  committed(full: string, execution: Execution<Op>): void;
  completed(full: string, execution: Execution<Op>): void;
  /** Checks that a call that ended without a lease has none. */
  ended(full: string, op: Op): void;
}

/** Whether a script's grant is one of several. */
function modeOf(script: string, mode: string | undefined): Hold["mode"] {
  if (script.startsWith("semaphore")) return "permits";
  return mode === "read" ? "shared" : "alone";
}

function over(name: Name, id: string, how: string): void {
  const hold = name.holds.get(id);
  if (hold && how === "expired") name.expired.set(id, hold);
  name.holds.delete(id);
  name.remains.delete(id);
  name.over.set(id, how);
}

/** Ends holds by force, at a time of the server's clock. */
function oust(name: Name, holds: readonly Hold[], how: string, now: number): void {
  if (holds.some(({ mode }) => mode === "shared")) name.readsForcedAt = now;
  for (const { id } of holds) over(name, id, how);
}

/** Whether a grant takes the name from its holders. */
const isForced = ({ script, args }: Execution<Op>): boolean => args["mode"] === "steal" || script === "fair-supersede";

/** A request that takes the name from all its holders. */
function stolen(rules: Rules, full: string, execution: Execution<Op>): void {
  const name = rules.nameOf(full);
  checkNewest(rules, full, execution);
  name.forcedAt = rules.world.now();
  oust(name, [...name.holds.values()], "stolen", execution.now);
}

function granted(rules: Rules, full: string, execution: Execution<Op>): void {
  const { nameOf, report, beliefs } = rules;
  const { args, script, reply, now, op } = execution;
  const name = nameOf(full);
  const whole = args["id"] ?? "";
  const id = whole.slice(0, 36);
  const remains = name.remains.get(id);
  if (remains && remains.until > now && remains.token === Number(reply["token"])) name.holds.set(id, remains);
  const known = name.holds.get(id);
  if (known && known.until > now) {
    repeated(rules, full, known, execution);
    return;
  }
  const ending = name.over.get(id) ?? (known ? "expired" : undefined);
  if (ending)
    report(
      "ended for good",
      `${id} of ${op?.id} was ${ending} and is granted ${full} again`,
      again(rules, full, execution, ending),
    );
  if (isForced(execution)) stolen(rules, full, execution);
  const hold: Hold = {
    id,
    op,
    token: Number(reply["token"]),
    until: now + Number(reply["remaining"]),
    reentryKey: script.startsWith("rw") ? (whole.slice(36).split("@")[0] ?? "") : (args["reentryKey"] ?? ""),
    mode: modeOf(script, args["mode"]),
    permits: script.startsWith("semaphore") ? permitsOf(whole) : 1,
    grantedAt: now,
  };
  const alive = [...name.holds.values()].filter((each) => each.until > now && !each.wasOver);
  for (const [other, each] of name.holds) if (each.until <= now || each.wasOver) over(name, other, "expired");
  checkGrant(rules, full, hold, alive, revived(rules, full, execution));
  if (name.done && name.done.until > now) report("once", `${full} is done and is begun again by ${op?.id}`);
  name.done = undefined;
  if (
    /^fair-acquire|queue$/.test(script) &&
    !alive.some(({ reentryKey }) => reentryKey !== "" && reentryKey === hold.reentryKey)
  )
    checkOrder(rules, full, id, now, revived(rules, full, execution));
  if (op) checkTurn(rules, full, op);
  name.queue.delete(id);
  name.holds.set(id, hold);
  if (hold.token > name.lastToken) name.wasForgotten = false;
  name.lastToken = Math.max(name.lastToken, hold.token);
  checkLate(rules, full, op, hold);
  beliefs.check(full, hold);
}

function extended({ nameOf, wasSetBack, report }: Rules, full: string, { args, reply, now, op }: Execution<Op>): void {
  const name = nameOf(full);
  const id = (args["id"] ?? "").slice(0, 36);
  const known = name.holds.get(id);
  const until = now + Number(reply["remaining"]);
  // Where one of two keys was lost, the other may still contain it.
  if (!known && name.lostAt >= 0 && !name.over.has(id)) return;
  if (!known || known.until <= now) {
    const mode = name.expired.get(id)?.mode ?? "alone";
    const excuse = mode !== "alone" && wasSetBack(full) ? "An expired permit can count again" : undefined;
    report("ended for good", `${op?.id} extends ${full}, which ${name.over.get(id) ?? "never was its own"}`, excuse);
    return;
  }
  if (until < known.until) report("never shorter", `${op?.id} shortened its lease of ${full}`);
  known.until = Math.max(known.until, until);
}

function closed({ retentionMs, nameOf, report }: Rules, full: string, { args, now, op }: Execution<Op>): void {
  const name = nameOf(full);
  const given = args["id"] ?? "";
  const [, , request, which = ""] = /^([^,]+),([^,]+),(.+)$/.exec(given) ?? [];
  const id = given.slice(0, 36);
  if (request && name.over.has(request)) return;
  if (request) name.over.set(request, "used");
  const taken = args["token"] === "0" ? name.counter?.taken.get(id) : undefined;
  if (name.counter && taken) {
    // Others may have returned what it took: a counter with a limit never exceeds it.
    const lent = args["permits"] ? Math.max(name.counter.size - name.counter.count, 0) : taken.count;
    if (args["permits"] && name.counter.isSizeUnsure) name.counter.isUnsure = true;
    name.counter.count += Math.min(taken.count, lent);
    name.counter.taken.delete(id);
    // A process that was frozen for longer gets nothing back. After a clock step, the request seems older than the number.
    if (now > taken.at + retentionMs * 1000 || taken.at < name.counter.setAt) {
      name.counter.isUnsure = true;
      report(
        "nothing is left",
        `${op?.id} gives ${taken.count} of ${full} back in vain`,
        "A counter loses the permits of a dead process",
      );
    }
  }
  name.queue.delete(id);
  const known = name.holds.get(id);
  if (known && request) {
    known.permits -= which.split(",").length;
    if (known.permits > 0) return;
  }
  if (known || args["token"] === "0") over(name, id, known && known.until <= now ? "expired" : "closed");
}

function forced(rules: Rules, full: string, execution: Execution<Op>): void {
  const { world, nameOf, report } = rules;
  const { args, reply, now, op } = execution;
  const name = nameOf(full);
  const id = args["id"] ?? "";
  const token = Number(reply["token"]);
  const before = name.over.get(id);
  // After it was done once, the response has the last granted token.
  if (before && token <= name.lastToken) return;
  if (before) report("ended for good", `${op?.id} forces ${full} again`, again(rules, full, execution, before));
  name.lastToken = Math.max(name.lastToken, token);
  name.over.set(id, "used");
  name.forcedAt = world.now();
  name.done = undefined;
  const isMeant = ({ mode }: Hold): boolean => !args["mode"] || (args["mode"] === "read") === (mode === "shared");
  oust(name, [...name.holds.values()].filter(isMeant), "forced", now);
  if (Number(reply["had"]) === 0) name.queue.clear();
}

function queued({ nameOf }: Rules, full: string, { args, reply, now }: Execution<Op>): void {
  const { queue } = nameOf(full);
  const id = (args["id"] ?? "").slice(0, 36);
  const place = Number(reply["ticket"]);
  if (place > 0) queue.set(id, { place, deadline: now + Number(reply["back"]) + Number(args["grace"]) * 1000 });
  // A duplicate of an earlier poll does not contain the place in the queue.
  else if (Number(args["ticket"]) === queue.get(id)?.place) queue.delete(id);
}

/** The token of a quorum hold is the one that a majority of servers agreed on. */
function committed({ nameOf }: Rules, full: string, { args }: Execution<Op>): void {
  const name = nameOf(full);
  const known = name.holds.get(args["id"] ?? "");
  const token = Number(args["token"]);
  if (known) name.holds.set(known.id, { ...known, token });
  name.lastToken = Math.max(name.lastToken, token);
}

function completed({ nameOf, report }: Rules, full: string, { args, now, op }: Execution<Op>): void {
  const name = nameOf(full);
  const id = args["id"] ?? "";
  if (name.done && name.done.id !== id && name.done.until > now)
    report("once", `${full} is completed by ${op?.id} and was completed before`);
  name.done ??= { id, until: now + Number(args["ttl"]) * 1000 };
  over(name, id, "completed");
}

function ended({ clockOf, nameOf, excuseOf, report }: Rules, full: string, op: Op): void {
  for (const hold of nameOf(full).holds.values())
    if (hold.op === op && hold.until > clockOf(serverOf(full)))
      report("nothing is left", `${op.id} ended with ${op.outcome} and holds ${full}`, excuseOf(full, op));
}

/** The rules about leases: one holder, permits, tokens, order, late requests, ended ids. */
export function createLeases(facts: Facts, beliefs: Beliefs): Leases {
  const rules: Rules = { ...facts, beliefs, permits: new Map() };
  return {
    permits: rules.permits,
    granted: (full, execution) => granted(rules, full, execution),
    extended: (full, execution) => extended(rules, full, execution),
    closed: (full, execution) => closed(rules, full, execution),
    forced: (full, execution) => forced(rules, full, execution),
    queued: (full, execution) => queued(rules, full, execution),
    committed: (full, execution) => committed(rules, full, execution),
    completed: (full, execution) => completed(rules, full, execution),
    ended: (full, op) => ended(rules, full, op),
  };
}
