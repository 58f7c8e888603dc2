import type { Sent } from "../network.ts";
import type { Execution } from "../scripts.ts";
import { type Beliefs, createBeliefs } from "./beliefs.ts";
import { createNumbers, type Numbers } from "./counts.ts";
import { createFacts, type FactOptions, noteExpiry } from "./create-facts.ts";
import type { Facts, Name, Op } from "./facts.ts";
import { createFences } from "./fences.ts";
import { createInboxes, type Inboxes } from "./inboxes.ts";
import { createLeases, type Leases } from "./leases.ts";
import { createStocks, type Stocks } from "./stocks.ts";

export type { Op, Violation } from "./facts.ts";
export type { Sentence } from "./sentences.ts";

/** The record of a run, and its checks. */
export interface History
  extends Pick<
      Facts,
      | "violations"
      | "excused"
      | "report"
      | "holdersOf"
      | "latestOf"
      | "wasSetBack"
      | "lossSince"
      | "lost"
      | "keep"
      | "stepped"
    >,
    Pick<Beliefs, "believe" | "disbelieve">,
    Pick<Leases, "permits">,
    Pick<Stocks, "told">,
    Pick<Inboxes, "handled" | "delivered"> {
  executed(execution: Execution<Op>): void;
  sent(sent: Sent<Op>): void;
  ended(op: Op): void;
  /** Checks the state after everything has ended. */
  finish(): void;
}

/** The commands that a script needs besides, if waiters listen: to list one, and to find the one that it wakes. */
const LISTING = 2;
const CLOSING = /-close$/;
const ID_LENGTH = 36;

/** The maximum number of commands of a script, from docs/costs.md. */
function mostCommands(script: string, keys: number): number {
  if (script.startsWith("group")) return 3 + keys;
  // Two keys a name.
  if (script === "semaphore-spend") return 3 + 3 * keys;
  if (/^(latch|cron|held)/.test(script)) return 6;
  if (/^(lock|once|hold|record|fence-write|fence-read|fair-supersede)/.test(script)) return 4;
  // Permits that a full memory refuses to write are rolled back.
  if (/^semaphore-(acquire|queue)/.test(script)) return 11;
  return script === "fence-call" ? 5 : 10;
}

/** All checks of a run, and their shared facts. */
interface Checks {
  readonly facts: Facts;
  readonly leases: Leases;
  readonly numbers: Numbers;
  readonly stocks: Stocks;
  readonly inboxes: Inboxes;
  readonly fenced: ReturnType<typeof createFences>;
}

/** The answers of scripts that have written the record. */
const WRITING: ReadonlySet<string> = new Set([
  "granted",
  "committed",
  "extended",
  "closed",
  "forced",
  "completed",
  "spent",
]);

/** Whether a script closes an ID that is known to have ended. It writes only if it finds a hold that has expired since. */
function isClosedAgain({ over, holds }: Name, { status, args, now }: Execution<Op>): boolean {
  if (status !== "closed" || !over.has((args["id"] ?? "").slice(0, 36))) return false;
  return ![...holds.values()].some(({ until }) => until <= now);
}

/** Reports an attempt that began under a hold: its grant, and that of the lock if it acquired that as well. */
function heldBegun({ leases, facts }: Checks, full: string, execution: Execution<Op>): void {
  const { reply, args, keys, server, now } = execution;
  const isOnce = full === `${server}/${keys[0]}`;
  // The tokens of the attempt and of its hold can be equal by chance, since each comes from a record of its own.
  const acquired = args["anew"] === "1" && Number(reply["heldToken"]) !== Number(args["holdToken"]);
  if (isOnce || acquired) {
    const remaining = isOnce ? reply["remaining"] : reply["heldRemaining"];
    leases.granted(full, { ...execution, reply: { ...reply, remaining: Number(remaining) } });
    return;
  }
  const hold = facts.nameOf(full).holds.get(args["hold"]?.slice(0, ID_LENGTH) ?? "");
  if ((!hold || hold.until <= now || hold.token !== Number(reply["heldToken"])) && facts.nameOf(full).lostAt < 0)
    facts.report("ended for good", `${execution.op?.id} begins under a hold of ${full} that it does not have`);
}

/**
 * Reports the end of an attempt to the checks, for its lock or its once. One that is lost releases its lock, unless
 * another attempt runs, which may be under the same hold.
 */
function heldEnded({ leases, facts }: Checks, full: string, execution: Execution<Op>): void {
  const { status, args, keys, server, now } = execution;
  const isOnce = full === `${execution.server}/${keys[1]}`;
  if (isOnce && args["result"] !== "") {
    if (status === "closed") leases.completed(full, execution);
    return;
  }
  const isOther = !isOnce && args["hold"];
  const attempts = facts.nameOf(`${server}/${keys[1]}`).holds.values();
  if (isOther && [...attempts].some(({ id, until }) => id !== args["id"] && until > now)) return;
  const [id = "", token = ""] = isOther ? [args["hold"], args["holdToken"]] : [args["id"], args["token"]];
  const isReleased = facts.nameOf(full).holds.get(id)?.token === Number(token);
  if (token === "0" || isReleased) leases.closed(full, { ...execution, args: { ...args, id, token } });
}

/** Whether a request has ended the turn that its caller has done. */
const endsFormer = ({ holds }: Name, { script, status, args }: Execution<Op>): boolean =>
  script === "fair-collect" &&
  /^(granted|ended)$/.test(status) &&
  holds.get(args["former"] ?? "")?.token === Number(args["formerToken"]);

/** Reports a delivery of a message, or the end of a turn that collects, to the checks. */
function gathered({ leases, inboxes, facts }: Checks, full: string, execution: Execution<Op>): void {
  const { status, args } = execution;
  if (endsFormer(facts.nameOf(full), execution)) {
    const { former = "", formerToken = "" } = args;
    leases.closed(full, { ...execution, args: { ...args, id: former, token: formerToken } });
  }
  if (status === "granted") leases.granted(full, execution);
  inboxes.collected(full, execution);
}

/** Reports the effect of a script on a name to the checks. */
function applied(checks: Checks, full: string, execution: Execution<Op>): void {
  const { facts, leases, numbers, stocks, fenced } = checks;
  const { nameOf } = facts;
  const { script, status, args, now } = execution;
  const { holds, queue } = nameOf(full);
  for (const hold of holds.values()) if (hold.until <= now) hold.wasOver = true;
  for (const waiter of queue.values()) if (waiter.deadline <= now) waiter.wasLate = true;
  if (script === "fair-collect") gathered(checks, full, execution);
  else if (script === "semaphore-spend") stocks.spent(full, execution);
  else if (script === "semaphore-set" && args["kind"] === "semaphore") stocks.changed(full, execution);
  else if (script === "semaphore-acquire" && args["kind"] === "semaphore" && /^(held|short)$/.test(status))
    stocks.refused(full, execution);
  else if (script === "crowd-inspect" && args["kind"] === "semaphore") {
    if (status === "live") stocks.read(full, execution);
  } else if (script === "semaphore-set" || (status === "granted" && args["kind"] === "counter"))
    numbers.counted(full, execution);
  else if (status === "granted" && script === "held-begin") heldBegun(checks, full, execution);
  else if (status === "granted") leases.granted(full, execution);
  else if (status === "committed") leases.committed(full, execution);
  else if (script.startsWith("latch") || args["kind"] === "latch") numbers.latched(full, execution);
  else if (script === "held-end") heldEnded(checks, full, execution);
  else if (script.startsWith("fence")) fenced(full, execution);
  else if (status === "extended") leases.extended(full, execution);
  else if (status === "closed" && CLOSING.test(script)) leases.closed(full, execution);
  else if (status === "lost" && script === "group-close") {
    // Names that are not reported were released.
    const told = String(execution.reply["names"]).split(" ").map(Number);
    if (!told.includes(execution.keys.indexOf(full.slice(full.indexOf("/") + 1)) + 1)) leases.closed(full, execution);
  } else if (status === "forced") leases.forced(full, execution);
  else if (status === "held" && script === "lock-acquire" && execution.op) nameOf(full).refused.add(execution.op);
  else if (status === "held" && args["grace"]) leases.queued(full, execution);
  else if (status === "completed") leases.completed(full, execution);
}

/** Checks the rules for every script, and reports its effect to the checks. */
function executed(checks: Checks, execution: Execution<Op>): void {
  const { nameOf, retentionMs, report } = checks.facts;
  const { server, script, keys, args, status, now, op } = execution;
  const notAfter = args["notAfter"];
  if (status === "failed") {
    report("errors", `${script} of ${op?.id} failed: ${execution.reply["failure"]}`);
    return;
  }
  if (status === "late" && op) op.late++;
  if (notAfter !== undefined && status !== "late" && now > Number(notAfter))
    report("late", `${script} of ${op?.id} ran ${now - Number(notAfter)} µs too late`);
  // The key of a command called by a fence is the caller's.
  const records = keys.filter(
    (key, index) => index === 0 || !(/%(crowd|inbox|fence)$/.test(key) || script.startsWith("fence")),
  );
  const [, , lastRun] = keys;
  if (/^(cron-begin|held-end)$/.test(script) && lastRun) checks.fenced(`${server}/${lastRun}`, execution);
  // With full memory, a release needs two more commands.
  const max =
    mostCommands(script, keys.length) +
    (execution.isFull ? 2 * records.length : 0) +
    (checks.facts.listens ? LISTING : 0);
  if (execution.commands > max) report("costs", `${script} ran ${execution.commands} commands of ${max}`);
  for (const key of records) {
    const full = `${server}/${key}`;
    const name = nameOf(full);
    op?.asked.add(full);
    noteExpiry(name, now);
    const wrote = (WRITING.has(status) && !isClosedAgain(name, execution)) || endsFormer(name, execution);
    applied(checks, full, execution);
    const ends = [...name.holds.values()].map(({ until }) => until);
    if (wrote) name.keptUntil = Math.max(now, ...ends) + retentionMs * 1000;
    // A number has a TTL of its own, which is longer than a run.
    if (name.stock) name.keptUntil = Number.POSITIVE_INFINITY;
  }
}

export function createHistory(options: FactOptions): History {
  const facts = createFacts(options);
  const beliefs = createBeliefs(facts);
  const leases = createLeases(facts, beliefs);
  const numbers = createNumbers(facts);
  const stocks = createStocks(facts);
  const inboxes = createInboxes(facts);
  const checks: Checks = { facts, leases, numbers, stocks, inboxes, fenced: createFences(facts) };
  const { world, majority, names } = facts;

  return {
    violations: facts.violations,
    excused: facts.excused,
    permits: leases.permits,
    told: stocks.told,
    handled: inboxes.handled,
    delivered: inboxes.delivered,
    report: facts.report,
    holdersOf: facts.holdersOf,
    latestOf: facts.latestOf,
    wasSetBack: facts.wasSetBack,
    lossSince: facts.lossSince,
    lost: facts.lost,
    keep: facts.keep,
    stepped: facts.stepped,
    believe: beliefs.believe,
    disbelieve: beliefs.disbelieve,
    executed: (execution) => executed(checks, execution),
    sent({ op, fate, commands, isFirst, isStale }) {
      if (!op) return;
      op.sentAt = world.now();
      op.isFirst ||= isFirst;
      op.isStale ||= isStale;
      // A script that the server does not have is retried with its text.
      if (commands[0]?.[0] !== "EVAL") op.requests++;
      op.copied ||= fate === "copied";
      op.isRepeated ||= fate === "copied after loss";
    },
    ended(op) {
      if (op.outcome === "lease" || op.outcome === "outcome_unknown" || op.outcome === "aborted") return;
      if (majority > 1 || op.isComposite) return;
      for (const full of op.asked) {
        numbers.ended(full, op);
        leases.ended(full, op);
      }
    },
    finish() {
      for (const [full, { counter }] of names)
        for (const { op, count } of counter?.taken.values() ?? [])
          if (op && op.endedAt === undefined)
            facts.report(
              "nothing is left",
              `${op.id} never knew that it took ${count} of ${full}`,
              "A counter loses the permits of a dead process",
            );
    },
  };
}
