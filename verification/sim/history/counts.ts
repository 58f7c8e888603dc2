import type { Execution } from "../scripts.ts";
import { type Facts, type Name, type Op, permitsOf } from "./facts.ts";
import type { Sentence } from "./sentences.ts";

export interface Numbers {
  counted(full: string, execution: Execution<Op>): void;
  latched(full: string, execution: Execution<Op>): void;
  /** Checks that a call that ended without permits took none. */
  ended(full: string, op: Op): void;
}

/** The state of the rules. */
interface Known extends Facts {
  /** The generations of latches by the requests that set them: a loss of data does not turn one into another. */
  readonly generations: Map<string, number>;
}

/** Why a duplicate of a request that the server has forgotten may be counted. */
export function excuseForRepeat(
  { lossSince, wasSetBack }: Facts,
  full: string,
  op: Op | undefined,
): Sentence | undefined {
  if (op?.isFirst) return "The first request of a client uses the client's clock";
  return wasSetBack(full) ? "A late duplicate can run again" : lossSince(full, op?.startedAt ?? 0);
}

/** A counted request gets the same response again. The server may have forgotten it and counted it twice. */
function repeated(
  known: Known,
  full: string,
  counter: NonNullable<Name["counter"]>,
  at: number,
  { op }: Execution<Op>,
): void {
  const { latestOf, retentionMs, report } = known;
  if (latestOf(full) <= at + retentionMs * 1000) return;
  Object.assign(counter, { isUnsure: true, isSizeUnsure: true });
  report("permits", `${op?.id} may have changed ${full} twice`, excuseForRepeat(known, full, op));
}

/** A counter's permits are never returned. */
function counted(known: Known, full: string, execution: Execution<Op>): void {
  const { nameOf, report } = known;
  const { args, status, reply, op, now } = execution;
  if (args["kind"] !== "counter") return;
  const name = nameOf(full);
  const initial = args["permits"] ?? "";
  const begin = Number(initial || 0);
  const wasKnown = name.counter !== undefined && !Number.isNaN(name.counter.count);
  name.counter ??= { count: begin, size: begin, setAt: now, seen: new Map(), taken: new Map() };
  const { counter } = name;
  if (Number.isNaN(counter.count)) Object.assign(counter, { count: begin, size: begin, setAt: now });
  const whole = args["id"] ?? "";
  const id = whole.slice(0, 36);
  if (!/^(granted|done)$/.test(status)) return;
  const at = counter.seen.get(id);
  if (at !== undefined) {
    repeated(known, full, counter, at, execution);
    return;
  }
  counter.seen.set(id, now);
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
    counter.size -= Number(reply["count"]);
    counter.isUnsure = counter.isUnsure === true && Number(reply["count"]) === 0;
  } else if (change === "add") {
    counter.count += by;
    counter.size += by;
  } else if (change === "give") {
    counter.count += by;
    if (!wasKnown) report("permits", `${op?.id} gave ${by} to ${full}, whose number is not remembered`);
    if (initial !== "" && counter.count > counter.size && !counter.isUnsure && !counter.isSizeUnsure)
      report("permits", `${op?.id} gave ${by} to ${full}, which has ${counter.count} of ${counter.size}`);
  } else Object.assign(counter, { count: by, size: by, setAt: now, taken: new Map(), isSizeUnsure: false });
}

/**
 * A duplicate of a request that set a latch gets the same response again. The server may have lost it and set the latch
 * anew.
 */
function setAgain(known: Known, full: string, at: number, { op }: Execution<Op>): void {
  const { nameOf, latestOf, retentionMs, report } = known;
  if (at === 0 || latestOf(full) <= at + retentionMs * 1000) return;
  nameOf(full).latch = undefined;
  report("latch", `${op?.id} may have set ${full} twice`, excuseForRepeat(known, full, op));
}

const leftOf = ({ of, parties }: NonNullable<Name["latch"]>): number => Math.max(of - parties.size, 0);

/** A waiter must wait exactly while the generation that it saw has a count left. */
function waitedFor(
  { report, generations }: Known,
  full: string,
  latch: NonNullable<Name["latch"]>,
  { args, status, reply, op }: Execution<Op>,
): void {
  const seen = Number(args["generation"]);
  const left = leftOf(latch);
  if (status === "counting" && Number(reply["generation"]) > 0) {
    generations.set(latch.id, Number(reply["generation"]));
    if (left === 0) report("latch", `${op?.id} waits for ${full}, which is at zero`);
  }
  const isPresent = seen === 0 || seen === generations.get(latch.id);
  if (status === "open" && isPresent && left > 0) report("latch", `${op?.id} hears of zero of ${full}, at ${left}`);
}

function latched(known: Known, full: string, execution: Execution<Op>): void {
  const { nameOf, report, generations } = known;
  const { script, args, status, reply, op, now } = execution;
  const name = nameOf(full);
  const { latch } = name;
  const id = args["id"] ?? "";
  const left = latch && leftOf(latch);
  if (script === "latch-set") {
    if (status !== "set") return;
    // The record contains the request that set it, even if the crowd is lost.
    const at = name.setters.get(id);
    // A latch above zero refuses a duplicate whose first request is forgotten.
    if (at !== undefined && (left ?? 0) > 0) return;
    if (at !== undefined) {
      setAgain(known, full, at, execution);
      return;
    }
    if (latch) name.setters.set(latch.id, now);
    name.setters.set(id, 0);
    generations.delete(id);
    if (left) report("latch", `${op?.id} sets ${full} while ${left} are left`);
    name.latch = { id, of: Number(args["count"]), parties: new Set() };
  } else if (status === "forced") {
    if (latch) name.setters.set(latch.id, now);
    name.latch = undefined;
  } else if (script === "latch-wait" && latch) waitedFor(known, full, latch, execution);
  else if (status === "live" && latch) {
    generations.set(latch.id, Number(reply["token"]));
    const told = Number(String(reply["body"]).slice(1).split(" ")[0]);
    if (told !== left) report("latch", `${full} is at ${told}, and ${latch.parties.size} of ${latch.of} were counted`);
  } else if (status === "left" && latch) {
    const isPresent = Number(args["generation"]) === generations.get(latch.id);
    if (isPresent) latch.parties.add(id);
    const rest = isPresent ? latch.of - latch.parties.size : 0;
    if (latch.parties.size > latch.of) latch.parties.delete(id);
    if (Number(reply["left"]) !== Math.max(rest, 0))
      report("latch", `${op?.id} is told that ${reply["left"]} of ${full} are left, not ${rest}`);
  }
}

function ended({ nameOf, excuseOf, report }: Known, full: string, op: Op): void {
  for (const { op: by } of nameOf(full).counter?.taken.values() ?? [])
    if (by === op && op.outcome !== "true" && op.outcome !== "undefined")
      report("nothing is left", `${op.id} ended with ${op.outcome} and took permits of ${full}`, excuseOf(full, op));
}

/** The rules about numbers: each request changes a counter once, and each party of a latch counts once. */
export function createNumbers(facts: Facts): Numbers {
  const known: Known = { ...facts, generations: new Map() };
  return {
    counted: (full, execution) => counted(known, full, execution),
    latched: (full, execution) => latched(known, full, execution),
    ended: (full, op) => ended(known, full, op),
  };
}
