import { commitUnder, type Exhausted, type Mismatch, type Running } from "../kinds/attempts.ts";
import type { Ended } from "../kinds/once.ts";
import { type Contesting, contend } from "../lease/contest.ts";
import { HeldLease } from "../lease/held-lease.ts";
import { dueOfClose, type HoldCalls } from "../lease/hold.ts";
import type { Limits } from "../lease/keep-alive.ts";
import type { Lease, Work } from "../lease/lease.ts";
import { startWait, timedOut } from "../lease/lock-timeout.ts";
import { noteToken } from "../lease/own-tokens.ts";
import { inspectFormer } from "../lease/record.ts";
import { ticketOf } from "../lease/ticket.ts";
import { sharedRoutes } from "../redis/batch.ts";
import type { Call } from "../redis/call.ts";
import { Doubt } from "../redis/doubt.ts";
import { viewOf } from "../redis/group.ts";
import { runScript } from "../redis/run.ts";
import { type HeldBeginReply, heldBegin, heldEnd, holdExtend, lockClose } from "../redis/scripts.gen.ts";
import { type Target, targetOf } from "../redis/target.ts";
import type { Commit } from "../shared/commit.ts";
import { LeaseholdError, LeaseLostError, type LossReason } from "../shared/errors.ts";
import { writeResult } from "../shared/json.ts";
import { refuseUnstarted } from "../shared/unstarted.ts";
import { noop } from "../shared/wait-until.ts";

/**
 * The handed-over lease has ended, and another client holds the lock, for at most `retryAfterMs` more. Nothing was
 * done.
 */
export interface HeldByOthers {
  readonly status: "held";
  readonly retryAfterMs: number;
}

/** The attempt of a message, as its work sees it. */
export interface MessageAttempt {
  /** Number of the attempt, from 1. */
  readonly attempt: number;
  /**
   * Does the work of the message exactly once in one database: in a transaction that also stores its result, which a
   * later attempt gets instead of doing the work. See {@link Commit}.
   */
  readonly commit: Commit;
}

/** The work of a message, under the lease of its ticket. */
export type MessageWork<T> = (lease: Lease, message: MessageAttempt) => Promise<T> | T;

export type TakenOver<T> = Exclude<Ended<T>, Exhausted | Mismatch> | Running | HeldByOthers;

/** A message that hands over the lease of a lock. */
export interface HandedLock {
  /** The lock, whose only key is its record. */
  readonly lock: Target;
  readonly ticket: string;
  /** The hold of the ticket. */
  readonly hold: { readonly id: string; readonly token: number };
  /** Identifies the message. */
  readonly key: string;
  readonly ttlMs: number;
  readonly leaseMs: number;
  readonly limits: Limits;
}

/** Later than any server's clock, in µs: the caller has not polled before. */
const NOT_YET = 9e15;

/** The record of a message shares the slot of the lock, so that one script changes both. */
function messageOf({ lock, key }: HandedLock): Target {
  const { connection, name } = lock;
  return targetOf(connection.group === undefined ? viewOf(connection, name) : connection, "once", [key]);
}

/** The answer to a duplicate of a message that is done; without text, its result could not be stored. */
function doneBefore<T>(text: string, token: number): TakenOver<T> {
  if (text === "") return { status: "done", stored: false, result: undefined, token, fresh: false };
  return { status: "done", stored: true, result: JSON.parse(text), token, fresh: false };
}

/**
 * Takes a lock over by a message, in two requests: one claims the message under the live lease of its ticket, or under a
 * new one if the lock is free; one completes the message and releases the lock.
 */
export async function takeOverLock<T>(handed: HandedLock, work: MessageWork<T>): Promise<TakenOver<T>> {
  const { lock, ticket, hold, ttlMs, leaseMs, limits } = handed;
  const { connection } = lock;
  const { retentionMs, holder, clock } = connection;
  const message = messageOf(handed);
  const [record = "", once = ""] = [...lock.keys, ...message.keys];
  const both: Target = { ...message, keys: [once, record] };
  const all: Target = { ...lock, keys: [record, once, `${once}%fence`] };
  /** Ends an attempt, with the hold of the ticket or, without one, with its own. */
  const endAs = (id: string, token: number, own: typeof hold | undefined, result: string, call: Call) => {
    const due = dueOfClose(lock, token, { doubted: own ? "another's" : "own" });
    const args = [id, token, retentionMs, due, ttlMs, result, 0, "", own?.id ?? "", own?.token ?? 0] as const;
    return runScript(all, heldEnd, args, call);
  };

  const times = startWait(clock);
  const answer = await contend<HeldBeginReply, Contesting<HeldBeginReply>>({
    target: both,
    operation: "begin",
    close: (id, token, call) => endAs(id, token, undefined, "", call),
    terms: { leaseMs, waitUntil: undefined },
    ask({ id }, call) {
      const args = [id, leaseMs, ttlMs, retentionMs, NOT_YET, holder, hold.id, hold.token, 1] as const;
      return runScript(both, heldBegin, args, call);
    },
  });
  if (answer.status === "unanswered") {
    const ending = {
      target: message,
      waitMs: 0,
      maxPolls: Number.POSITIVE_INFINITY,
      signal: undefined,
      look: undefined,
    };
    throw await timedOut({ ...ending, ...times }, answer);
  }
  if (answer.status === "done" || answer.status === "running")
    message.emit?.({ type: "turn", status: answer.status, token: undefined, attempt: undefined, heldMs: undefined });
  if (answer.status === "done") {
    return doneBefore(answer.result.slice(1), answer.token);
  }
  // The script has acquired the lock if the lease of the ticket is not live.
  if (answer.status === "lost") throw new LeaseLostError(lock.name, answer.reason as LossReason);
  if (answer.status !== "granted") return { status: answer.status, retryAfterMs: Math.ceil(answer.remaining / 1000) };

  const { id, token, attempt, heldToken } = answer;
  const own = heldToken === hold.token ? hold : undefined;
  const calls: HoldCalls = {
    async extend(holdId, holdToken, ms, call) {
      const joint = { ...call, routes: call.routes ?? sharedRoutes() };
      const [held, begun] = await Promise.all([
        runScript(lock, holdExtend, [holdId, holdToken, ms, retentionMs], joint),
        runScript(message, holdExtend, [id, token, ms, retentionMs], joint),
      ]);
      if (held.status === "lost") return held;
      if (begun.status === "lost") return { ...begun, lost: [message.name] };
      return { ...held, remaining: Math.min(held.remaining, begun.remaining) };
    },
    close: (holdId, holdToken, call) =>
      runScript(lock, lockClose, [holdId, holdToken, retentionMs, dueOfClose(lock, holdToken, call)], call),
  };
  const doubted = own ? "another's" : "own";
  const under = { target: lock, id: own?.id ?? id, token: heldToken, leaseMs, doubted, works: 1 } as const;
  const granted = { ...answer, remaining: Math.min(answer.remaining, answer.heldRemaining), holds: 1 };
  const underLease = new HeldLease({ ...under, ...calls }, granted, own ? () => ticket : await ticketOf(under));
  message.emit?.({ type: "turn", status: "started", token, attempt, heldMs: 0 });
  if (!own) {
    lock.emit?.({ type: "acquired", token: heldToken, waitedMs: answer.waitedMs, polls: answer.polls });
    noteToken(lock, heldToken);
  }

  async function end(result: string, busyMs = 0): Promise<void> {
    // Nothing may rely on the lease from here on: an answer that is lost may have released it.
    const wasHeld = underLease.remaining() > 0;
    underLease.finish();
    const reply = await endAs(id, token, own, result, { operation: "complete", doubt: new Doubt(), busyMs });
    const heldMs = underLease.heldMs();
    if (wasHeld) lock.emit?.({ type: "released", token: heldToken, heldMs });
    message.emit?.({
      type: "turn",
      status: result === "" ? "failed" : reply.status === "lost" ? "lost" : "completed",
      token,
      attempt,
      heldMs,
    });
    if (reply.status === "lost" && result !== "") throw new LeaseLostError(message.name, reply.reason as LossReason);
  }

  async function complete(result: T): Promise<TakenOver<T>> {
    const written = writeResult(result);
    const unstored = (why: string, error: Error): TakenOver<T> => {
      message.emit?.({ type: "unstored", token, why });
      return { status: "done", stored: false, fresh: true, result, token, error };
    };
    try {
      await end(`=${written.text ?? ""}`, underLease.remaining());
    } catch (error) {
      if (!(error instanceof LeaseholdError) || error.code === "lease_lost") throw error;
      return unstored(error.code, error);
    }
    if (written.text === undefined) return unstored(written.why, written.error);
    // Through JSON, so that all callers get the same result.
    return { status: "done", stored: true, result: JSON.parse(written.text), token, fresh: true };
  }

  // A client of an earlier release stored the message under a key of its own. It released the lock with that.
  if (!own && connection.group === undefined) {
    const before = await inspectFormer(targetOf(connection, "once", [message.name])).catch(async (error: unknown) => {
      await end("").catch(noop);
      throw error;
    });
    if (before.result !== undefined) {
      await end(`=${before.result}`);
      return doneBefore(before.result, before.token);
    }
    if (before.runningUs > 0) {
      await end("");
      return { status: "running", retryAfterMs: Math.ceil(before.runningUs / 1000) };
    }
  }

  const commit = commitUnder(connection, handed.key, { attempt, token }, { name: lock.name, token: heldToken });
  const run: Work<TakenOver<T>> = async (lease) => {
    let result: T;
    try {
      result = refuseUnstarted(await work(lease, { attempt, commit }), "takeOver");
      const lost = underLease.noticeLoss();
      if (lost) throw lost;
    } catch (error) {
      await end("").catch(noop);
      throw error;
    }
    return complete(result);
  };
  return underLease.run(run, undefined, limits);
}
