import type { Execution } from "../scripts.ts";
import type { Beliefs } from "./beliefs.ts";
import type { Facts, Hold, Op } from "./facts.ts";
import type { Sentence } from "./sentences.ts";

/** The state of the rules about leases. */
export interface Rules extends Facts {
  readonly beliefs: Beliefs;
  /** The number of permits of a semaphore. */
  readonly permits: Map<string, number>;
}

const LATE_MS = 50;

function checkPermits(
  { nameOf, lossSince, report, beliefs, permits }: Rules,
  full: string,
  alive: readonly Hold[],
  hold: Hold,
  known: Sentence | undefined,
): void {
  const set = nameOf(full).stock?.number;
  const limit = set ?? permits.get(full.replace(/^[^/]*\/[^{]*\{|\}.*$/g, "")) ?? Number.POSITIVE_INFINITY;
  const used = alive.reduce((sum, each) => sum + each.permits, hold.permits);
  if (used > limit) report("permits", `${used} of ${limit} permits of ${full} are in use`, known);
  const believed = hold.permits + beliefs.permitsOf(full, hold.op);
  if (believed > limit && used <= limit)
    report("belief", `${believed} of ${limit} permits of ${full} are relied on`, lossSince(full, 0));
}

/** A grant of a fair semaphore after the clock was set back may be of a hold that had ended. */
export function revived({ wasSetBack }: Rules, full: string, { script }: Execution<Op>): Sentence | undefined {
  return script === "semaphore-queue" && wasSetBack(full) ? "An expired permit can count again" : undefined;
}

/** The reason why an ended id may be granted again, or a forced name be forced again. */
export function again(rules: Rules, full: string, execution: Execution<Op>, ending: string): Sentence | undefined {
  const { world, requestTimeoutMs, lossSince, wasSetBack } = rules;
  const { op } = execution;
  if (op?.copied) return "A refused `tryAcquire` is not remembered";
  // A call whose host died never ends.
  const quietSince = op?.endedAt ?? op?.sentAt ?? Number.POSITIVE_INFINITY;
  const isLate = world.now() > quietSince + requestTimeoutMs + LATE_MS;
  if (op && wasSetBack(full) && execution.script !== "semaphore-queue") return "A late duplicate can run again";
  if (isLate && op?.isFirst) return "The first request of a client uses the client's clock";
  // A call without an answer retries after the server has forgotten that its hold ended, or that it forced a name.
  const asksOn = /^(expired|stolen|forced|used)$/.test(ending) && op && op.endedAt === undefined;
  const early = asksOn ? lossSince(full, op.startedAt) : undefined;
  return early === "A lease can end early" ? early : revived(rules, full, execution);
}

/** After the clock was set back, ended reads continue a phase, and others join it. */
function goesOn(
  { nameOf, wasSetBack }: Rules,
  full: string,
  { mode, id, token, grantedAt, reentryKey }: Hold,
): Sentence | undefined {
  const { expired, readsForcedAt } = nameOf(full);
  const isBack = [...expired.values()].some((each) => each.mode === mode && each.until > grantedAt);
  const isShared = mode === "shared" && (isBack || readsForcedAt > grantedAt);
  // The same re-entry key joins the tenure that goes on.
  const isReentry =
    mode === "alone" &&
    reentryKey !== "" &&
    [...expired.values()].some((each) => each.token === token && each.reentryKey === reentryKey);
  // A late copy of the request gets the permits again that it got before.
  const isOwn = mode === "permits" && expired.get(id)?.token === token;
  return wasSetBack(full) && (isShared || isReentry || isOwn) ? "An expired permit can count again" : undefined;
}

export function checkOrder(
  { world, nameOf, lossSince, report }: Rules,
  full: string,
  id: string,
  now: number,
  known: Sentence | undefined,
): void {
  const { queue } = nameOf(full);
  const own = queue.get(id)?.place ?? Number.POSITIVE_INFINITY;
  for (const [other, { place, deadline, wasLate }] of queue)
    if (place < own && deadline > now && !wasLate)
      report(
        "fair order",
        `${id} passes ${other} in the queue of ${full}`,
        known ?? lossSince(full, world.now() - 60_000),
      );
}

/** Whether a request may still take effect although its operation has ended for good. */
export function checkLate(
  { world, majority, requestTimeoutMs, excuseOf, report }: Rules,
  full: string,
  op: Op | undefined,
  hold: Hold,
): void {
  if (!op || op.endedAt === undefined || op.outcome === "lease" || majority > 1 || op.isComposite) return;
  const excuse = excuseOf(full, op);
  const isLate = world.now() > op.endedAt + requestTimeoutMs + LATE_MS;
  const reason = isLate && op.isFirst ? "The first request of a client uses the client's clock" : excuse;
  // The cancel of an aborted call may still be in transit.
  if (op.outcome !== "outcome_unknown" && op.outcome !== "aborted")
    report("nothing is left", `${op.id} ended with ${op.outcome} and is granted ${full} later`, reason);
  else if (isLate) report("late", `${op.id} ended long ago and is granted ${full} under ${hold.token}`, reason);
}

export function checkGrant(
  rules: Rules,
  full: string,
  hold: Hold,
  alive: readonly Hold[],
  known: Sentence | undefined,
): void {
  const { majority, nameOf, wasSetBack, report } = rules;
  const name = nameOf(full);
  const sharing = "Holders that share a token are not fenced from each other";
  if (hold.mode === "permits") {
    checkPermits(rules, full, alive, hold, known);
    if (alive.length > 0) report("one holder", `${alive[0]?.op?.id} and ${hold.op?.id} share ${full}`, sharing);
  } else
    for (const other of alive) {
      if (hold.mode === "shared" && other.mode === "shared") {
        report("one holder", `${other.op?.id} and ${hold.op?.id} share ${full}`, sharing);
        continue;
      }
      if (hold.reentryKey !== "" && hold.reentryKey === other.reentryKey) continue;
      report("one holder", `${hold.op?.id} is granted ${full} while ${other.op?.id} holds it`);
    }
  const isShared = hold.mode === "shared" && [...name.remains.values()].some(({ until }) => until > hold.grantedAt);
  const isNew = (alive.length === 0 && !isShared) || hold.mode === "permits";
  if (isNew && hold.token <= name.lastToken) {
    const wasLost = name.lostAt >= 0 || name.wasForgotten;
    const fell = wasLost && wasSetBack(full) && "A token can fall";
    const strayed = name.lostAt >= 0 && majority > 1 && "A `quorumLock` needs discipline";
    report(
      "tokens",
      `${full} has ${hold.token} after ${name.lastToken}`,
      fell || strayed || known || goesOn(rules, full, hold),
    );
  }
}

/** The grant of a live hold: it is repeated, and must not change. */
export function repeated(
  { report }: Rules,
  full: string,
  known: Hold,
  { script, args, reply, now }: Execution<Op>,
): void {
  const token = Number(reply["token"]);
  const until = now + Number(reply["remaining"]);
  // A group answers with the requested value if that is lower.
  const asked = script === "group-acquire" ? now + Number(args["lease"]) * 1000 : Number.POSITIVE_INFINITY;
  known.wasOver = false;
  if (known.token !== token && script !== "lock-commit")
    report("tokens", `${known.id} has ${full} under ${known.token} and is told ${token}`);
  if (until < Math.min(known.until, asked))
    report("never shorter", `${known.id} had ${full} for longer than a repeated grant says`);
  known.until = Math.max(known.until, until);
}

/** A call that takes a name from its holders does so once: it takes nothing from those who came after it. */
export function checkNewest(rules: Rules, full: string, execution: Execution<Op>): void {
  const { op, reply } = execution;
  const { takers, lastToken } = rules.nameOf(full);
  if (!op) return;
  const before = takers.get(op);
  if (before !== undefined && lastToken > before) {
    const early = rules.lossSince(full, op.startedAt) === "A lease can end early" && "A lease can end early";
    const excuse = early || again(rules, full, execution, "closed");
    rules.report("newest wins", `${op.id} had ${full} under ${before}, and takes it from ${lastToken}`, excuse);
  }
  takers.set(op, Number(reply["token"]));
}

/** A waiter may be next although others have waited longer. */
export function checkTurn({ nameOf, report }: Rules, full: string, op: Op): void {
  const { refused } = nameOf(full);
  refused.delete(op);
  for (const other of refused) {
    if (other.endedAt !== undefined) refused.delete(other);
    else if (other.startedAt < op.startedAt)
      report("fair order", `${op.id} has ${full} before ${other.id}`, "A `lock` is not fair");
  }
}
