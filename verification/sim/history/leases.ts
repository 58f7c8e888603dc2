import type { Execution } from "../server.ts";
import type { Beliefs } from "./beliefs.ts";
import { type Facts, type Hold, type Name, type Op, serverOf } from "./facts.ts";
import type { Sentence } from "./sentences.ts";

export interface Leases {
  /** How many permits a semaphore has. */
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

const LATE_MS = 50;

/** How many permits an id asks for: `id#n`, and a note behind it. */
export const permitsOf = (id: string): number => Number(/^.{36}#(\d+)/.exec(id)?.[1] ?? 1);

/** Whether a script's grant is one among several. */
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

/** The rules about leases: one holder, permits, tokens, order, late requests, ids that are over. */
export function createLeases(facts: Facts, beliefs: Beliefs): Leases {
  const { world, majority, requestTimeoutMs, nameOf, lossSince, excuseOf, wasSetBack, report } = facts;
  const permits = new Map<string, number>();

  function checkPermits(full: string, alive: readonly Hold[], hold: Hold, known: Sentence | undefined): void {
    const limit = permits.get(full.replace(/^[^/]*\/[^{]*\{|\}.*$/g, "")) ?? Number.POSITIVE_INFINITY;
    const used = alive.reduce((sum, each) => sum + each.permits, hold.permits);
    if (used > limit) report("permits", `${used} of ${limit} permits of ${full} are in use`, known);
    const believed = hold.permits + beliefs.permitsOf(full, hold.op);
    if (believed > limit && used <= limit)
      report("belief", `${believed} of ${limit} permits of ${full} are relied on`, lossSince(full, 0));
  }

  /** A grant of a fair semaphore after the clock was set back may be one of a hold that was over. */
  function revived(full: string, { script }: Execution<Op>): Sentence | undefined {
    return script === "semaphore-queue" && wasSetBack(full) ? "A permit that expired counts again" : undefined;
  }

  /** The reason why an id that is over may be granted again, or a name that was forced be forced again. */
  function again(full: string, execution: Execution<Op>, ending: string): Sentence | undefined {
    const { op } = execution;
    if (op?.copied) return "A try that does not wait is not remembered when it is refused";
    const isLate = op?.endedAt !== undefined && world.now() > op.endedAt + requestTimeoutMs + LATE_MS;
    if (op && wasSetBack(full) && execution.script !== "semaphore-queue")
      return "A copy that came too late works again";
    if (isLate && op.isFirst) return "The first request of a client";
    // A call that has not heard of its hold asks on, when the server has forgotten that the hold has expired.
    const asksOn = ending === "expired" && op && op.endedAt === undefined;
    const early = asksOn ? lossSince(full, op.startedAt) : undefined;
    return early === "A lease can end early" ? early : revived(full, execution);
  }

  /** After the clock was set back, reads that had expired go on with their phase, and others join it. */
  function goesOn(full: string, { mode, grantedAt }: Hold): Sentence | undefined {
    const isBack = [...nameOf(full).expired.values()].some((each) => each.mode === mode && each.until > grantedAt);
    return mode === "shared" && wasSetBack(full) && isBack ? "A permit that expired counts again" : undefined;
  }

  function checkOrder(full: string, id: string, now: number, known: Sentence | undefined): void {
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

  /** Whether a request still works although its operation has ended for good. */
  function checkLate(full: string, op: Op | undefined, hold: Hold): void {
    if (!op || op.endedAt === undefined || op.outcome === "lease" || majority > 1 || op.isComposite) return;
    const excuse = excuseOf(full, op);
    const isLate = world.now() > op.endedAt + requestTimeoutMs + LATE_MS;
    const reason = isLate && op.isFirst ? "The first request of a client" : excuse;
    // The cancel of a call that was aborted may still be on its way.
    if (op.outcome !== "outcome_unknown" && op.outcome !== "aborted")
      report("nothing is left", `${op.id} ended with ${op.outcome} and is granted ${full} later`, reason);
    else if (isLate) report("late", `${op.id} ended long ago and is granted ${full} under ${hold.token}`, reason);
  }

  /** A request that takes the name from all its holders. */
  function stolen(name: Name): void {
    name.forcedAt = world.now();
    for (const id of name.holds.keys()) over(name, id, "stolen");
  }

  function checkGrant(full: string, hold: Hold, alive: readonly Hold[], known: Sentence | undefined): void {
    const name = nameOf(full);
    const sharing = "A shared token fences nothing inside the group that shares";
    if (hold.mode === "permits") {
      checkPermits(full, alive, hold, known);
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
      const fell = name.lostAt >= 0 && wasSetBack(full) && "A token can fall";
      const strayed = name.lostAt >= 0 && majority > 1 && "A `quorumLock` needs discipline";
      report(
        "tokens",
        `${full} has ${hold.token} after ${name.lastToken}`,
        fell || strayed || known || goesOn(full, hold),
      );
    }
  }

  /** The grant of a hold that is alive: it is answered again, and must not change. */
  function repeated(full: string, known: Hold, { script, args, reply, now }: Execution<Op>): void {
    const token = Number(reply["token"]);
    const until = now + Number(reply["remaining"]);
    // A group answers with what it was asked for, if that is less.
    const asked = script === "group-acquire" ? now + Number(args["lease"]) * 1000 : Number.POSITIVE_INFINITY;
    known.wasOver = false;
    if (known.token !== token && script !== "lock-commit")
      report("tokens", `${known.id} has ${full} under ${known.token} and is told ${token}`);
    if (until < Math.min(known.until, asked))
      report("never shorter", `${known.id} had ${full} for longer than a repeated grant says`);
    known.until = Math.max(known.until, until);
  }

  /** A waiter may be next although others have waited for longer. */
  function checkTurn(full: string, op: Op): void {
    const { refused } = nameOf(full);
    refused.delete(op);
    for (const other of refused) {
      if (other.endedAt !== undefined) refused.delete(other);
      else if (other.startedAt < op.startedAt)
        report("fair order", `${op.id} has ${full} before ${other.id}`, "A `lock` is not fair");
    }
  }

  function granted(full: string, execution: Execution<Op>): void {
    const { args, script, reply, now, op } = execution;
    const name = nameOf(full);
    const whole = args["id"] ?? "";
    const id = whole.slice(0, 36);
    const remains = name.remains.get(id);
    if (remains && remains.until > now && remains.token === Number(reply["token"])) name.holds.set(id, remains);
    const known = name.holds.get(id);
    if (known && known.until > now) {
      repeated(full, known, execution);
      return;
    }
    const ending = name.over.get(id) ?? (known ? "expired" : undefined);
    if (ending)
      report(
        "over is over",
        `${id} of ${op?.id} was ${ending} and is granted ${full} again`,
        again(full, execution, ending),
      );
    if (args["mode"] === "steal") stolen(name);
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
    checkGrant(full, hold, alive, revived(full, execution));
    if (name.done && name.done.until > now) report("once", `${full} is done and is begun again by ${op?.id}`);
    name.done = undefined;
    if (
      /^fair|queue$/.test(script) &&
      !alive.some(({ reentryKey }) => reentryKey !== "" && reentryKey === hold.reentryKey)
    )
      checkOrder(full, id, now, revived(full, execution));
    if (op) checkTurn(full, op);
    name.queue.delete(id);
    name.holds.set(id, hold);
    name.lastToken = Math.max(name.lastToken, hold.token);
    checkLate(full, op, hold);
    beliefs.check(full, hold);
  }

  function extended(full: string, { args, reply, now, op }: Execution<Op>): void {
    const name = nameOf(full);
    const id = (args["id"] ?? "").slice(0, 36);
    const known = name.holds.get(id);
    const until = now + Number(reply["remaining"]);
    // Where one key of two was lost, the other may still have it.
    if (!known && name.lostAt >= 0 && !name.over.has(id)) return;
    if (!known || known.until <= now) {
      report("over is over", `${op?.id} extends ${full}, which ${name.over.get(id) ?? "never was its own"}`);
      return;
    }
    if (until < known.until) report("never shorter", `${op?.id} shortened its lease of ${full}`);
    known.until = Math.max(known.until, until);
  }

  function closed(full: string, { args, now, op }: Execution<Op>): void {
    const name = nameOf(full);
    const given = args["id"] ?? "";
    const [, , request, which = ""] = /^([^,]+),([^,]+),(.+)$/.exec(given) ?? [];
    const id = given.slice(0, 36);
    if (request && name.over.has(request)) return;
    if (request) name.over.set(request, "used");
    const taken = args["token"] === "0" ? name.counter?.taken.get(id) : undefined;
    if (name.counter && taken) {
      name.counter.count += taken.count;
      name.counter.taken.delete(id);
      // A process that was frozen for longer than that gets nothing back.
      if (now > taken.at + facts.retentionMs * 1000) {
        name.counter.isUnsure = true;
        report("nothing is left", `${op?.id} gives ${taken.count} of ${full} back too late`, "A counter");
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

  function forced(full: string, execution: Execution<Op>): void {
    const { args, reply, op } = execution;
    const name = nameOf(full);
    const id = args["id"] ?? "";
    const token = Number(reply["token"]);
    const before = name.over.get(id);
    // Done once, it is answered with the last token that was given.
    if (before && token <= name.lastToken) return;
    if (before) report("over is over", `${op?.id} forces ${full} again`, again(full, execution, before));
    name.lastToken = Math.max(name.lastToken, token);
    name.over.set(id, "used");
    name.forcedAt = world.now();
    name.done = undefined;
    for (const [each, { mode }] of name.holds)
      if (!args["mode"] || (args["mode"] === "read") === (mode === "shared")) over(name, each, "forced");
    if (Number(reply["had"]) === 0) name.queue.clear();
  }

  return {
    permits,
    granted,
    extended,
    closed,
    forced,
    queued(full, { args, reply, now }) {
      const { queue } = nameOf(full);
      const id = (args["id"] ?? "").slice(0, 36);
      const place = Number(reply["ticket"]);
      if (place > 0) queue.set(id, { place, deadline: now + Number(reply["back"]) + Number(args["grace"]) * 1000 });
      // A copy of an earlier poll knows nothing of the place.
      else if (Number(args["ticket"]) === queue.get(id)?.place) queue.delete(id);
    },
    // A quorum lock gives a hold the token that most servers have agreed on.
    committed(full, { args }) {
      const name = nameOf(full);
      const known = name.holds.get(args["id"] ?? "");
      const token = Number(args["token"]);
      if (known) name.holds.set(known.id, { ...known, token });
      name.lastToken = Math.max(name.lastToken, token);
    },
    completed(full, { args, now, op }) {
      const name = nameOf(full);
      const id = args["id"] ?? "";
      if (name.done && name.done.id !== id && name.done.until > now)
        report("once", `${full} is completed by ${op?.id} and was completed before`);
      name.done ??= { id, until: now + Number(args["ttl"]) * 1000 };
      over(name, id, "completed");
    },
    ended(full, op) {
      for (const hold of nameOf(full).holds.values())
        if (hold.op === op && hold.until > facts.clockOf(serverOf(full)))
          report("nothing is left", `${op.id} ended with ${op.outcome} and holds ${full}`, excuseOf(full, op));
    },
  };
}
