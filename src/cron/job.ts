import { type Contesting, contend } from "../lease/contest.ts";
import { grantLease } from "../lease/grant-lease.ts";
import type { HeldLease } from "../lease/held-lease.ts";
import { dueOfClose, type HoldCalls } from "../lease/hold.ts";
import { startWait, timedOut } from "../lease/lock-timeout.ts";
import { inspectFormer } from "../lease/record.ts";
import { several } from "../lease/several-names.ts";
import type { Call } from "../redis/call.ts";
import type { Connection } from "../redis/connect.ts";
import { Doubt } from "../redis/doubt.ts";
import { runScript } from "../redis/run.ts";
import { type CronBeginReply, cronBegin, groupExtend, heldEnd } from "../redis/scripts.gen.ts";
import { type Target, targetOf } from "../redis/target.ts";
import { LeaseLostError, type LossReason } from "../shared/errors.ts";
import { KEPT_MS, type LastRun, lastRunOf } from "./last-run.ts";
import { jobView, lockName, slotKey } from "./names.ts";
import type { Settings } from "./options.ts";
import type { AlreadyRan, StillRunning, Timed } from "./report.ts";

/** One slot of a job, and how to run it. */
export interface SlotToRun {
  readonly connection: Connection;
  readonly name: string;
  readonly slot: string;
  /** Finds the next slot, if the schedule is known. */
  readonly next?: (() => Date | undefined) | undefined;
  readonly settings: Settings;
}

/** How a run ended, and what is recorded of it. */
interface RunEnd extends Pick<LastRun, "outcome" | "durationMs" | "error"> {
  /** What later calls of the slot get. Without it, the attempt has failed. */
  readonly result?: Timed;
  /** How long it is retried while the server answers that it is busy, in ms. */
  readonly busyMs?: number;
}

/** A run that has begun: this call must do the work of the slot. */
export interface Begun {
  readonly status: "begun";
  /**
   * The lease of the job's lock and of the slot. Extending it extends both, and it is lost with either; only
   * {@link Begun.end} releases them at the end of its `keepAlive`.
   */
  readonly held: HeldLease;
  readonly attempt: number;
  /** When the run began, in ISO 8601. */
  readonly startedAt: string;
  /**
   * Completes or fails the slot, records the run, and releases the lock, in one request.
   *
   * @throws LeaseLostError if another run of the slot has begun since; another LeaseholdError without an answer.
   */
  end(run: RunEnd): Promise<void>;
}

/** Further tries are needed only after a freeze between the grant and the work that is longer than the lease. */
const MAX_TRIES = 3;

/** The lease ends with the run, so a ticket of it would be useless. */
const noTicket = {
  ticket(): never {
    throw new TypeError("this lease ends with its run, so it has no ticket");
  },
};

/** Reads the stored result of a slot; an earlier release may have stored none. */
const timedOf = (text: string): Timed => (text === "" ? {} : JSON.parse(text)) as Timed;

/** The scripts of one slot of a job. The lock, the slot and the last run share a hash tag, so one script changes all. */
function slotOf({ connection, name, slot, settings }: SlotToRun) {
  const { retentionMs } = connection;
  const lock = targetOf(connection, "lock", [lockName(name)]);
  const [slotted] = targetOf(jobView(connection, name), "once", [slotKey(name, slot)]).keys;
  const keys = [...lock.keys, slotted as string];
  const all: Target = { ...lock, keys: [...keys, ...lastRunOf(jobView(connection, name), name).keys] };
  const both: Target = { ...lock, names: [lock.name, slotKey(name, slot)], keys };

  async function end(id: string, token: number, call: Call, result = "", run = "") {
    const due = dueOfClose(lock, token, call);
    const args = [id, token, retentionMs, due, settings.ttlMs, result, KEPT_MS, run, "", 0] as const;
    return runScript(all, heldEnd, args, call);
  }
  const { extend } = several(both, {
    extend: (id, token, ms, call) => runScript(both, groupExtend, [id, token, ms, retentionMs], call),
    close: end,
  });
  const calls: HoldCalls = { extend, close: (id, token, call) => end(id, token, call) };
  return { lock, all, end, calls };
}

/**
 * Returns what a client of an earlier release did for the slot, which it stored under a key of another hash tag. This is
 * read only if the lock had a tenure that the job's record does not know.
 */
async function ranBefore({ connection, name, slot }: SlotToRun): Promise<string | undefined> {
  if (connection.group !== undefined) return undefined;
  return (await inspectFormer(targetOf(connection, "once", [slotKey(name, slot)]))).result;
}

/**
 * Begins a run in one request: the slot's attempt, the job's lock and the record, or returns why the slot is skipped. If
 * it throws, nothing is held, except by an unanswered request, whose hold ends with its lease.
 *
 * @throws LeaseholdError if Redis does not answer; LeaseLostError if the lease of every try had ended before the work
 * could begin.
 */
export async function beginRun(slotToRun: SlotToRun): Promise<Begun | AlreadyRan | StillRunning> {
  for (let tries = 1; ; tries++) {
    const found = await tryToBegin(slotToRun);
    if (found.status !== "begun" || found.held.remaining() > 0) return found;
    // This invocation froze; meanwhile others may have run the slot, or another one.
    await found.held.release().catch(() => false);
    if (tries === MAX_TRIES) throw new LeaseLostError(found.held.lease.name, "expired");
  }
}

async function tryToBegin(slotToRun: SlotToRun): Promise<Begun | AlreadyRan | StillRunning> {
  const { connection, name, slot, next, settings } = slotToRun;
  const { leaseMs, ttlMs } = settings;
  const { retentionMs, holder, clock } = connection;
  const { lock, all, end, calls } = slotOf(slotToRun);
  const following = next?.()?.toISOString();
  const about = { name, slot, ...(following !== undefined && { next: following }) };
  const startedAt = new Date(clock.now()).toISOString();
  const running = JSON.stringify({ ...about, startedAt, durationMs: null, outcome: "running" }).slice(0, -1);
  const times = startWait(clock);
  const answer = await contend<CronBeginReply, Contesting<CronBeginReply>>({
    target: all,
    operation: "begin",
    close: calls.close,
    terms: { leaseMs, waitUntil: undefined },
    ask: ({ id }, call) => runScript(all, cronBegin, [id, leaseMs, ttlMs, retentionMs, holder, KEPT_MS, running], call),
  });
  if (answer.status === "unanswered") {
    const ending = { target: lock, waitMs: 0, maxPolls: Number.POSITIVE_INFINITY, signal: undefined, look: undefined };
    throw await timedOut({ ...ending, ...times }, answer);
  }
  if (answer.status === "done")
    return { status: "skipped: already ran", name, slot, ...timedOf(answer.result.slice(1)) };
  if (answer.status !== "granted")
    return { status: "skipped: still running", name, slot, retryAfterMs: Math.ceil(answer.remaining / 1000) };

  const { id, token, attempt, doubted } = answer;
  const hold = { target: lock, ...calls, id, token, leaseMs, doubted, works: 1, adds: () => noTicket };
  const held = await grantLease(hold, { ...answer, holds: 1 }, undefined, undefined);
  const begun: Begun = {
    status: "begun",
    held,
    attempt,
    startedAt,
    async end({ result, busyMs = 0, ...how }) {
      const run = JSON.stringify({ ...about, token, startedAt, ...how, attempt });
      const call = { operation: "complete", doubted, doubt: new Doubt(), busyMs };
      // Nothing may rely on the lease from here on: an answer that is lost may have released it.
      const wasHeld = held.remaining() > 0;
      held.finish();
      const reply = await end(id, token, call, result && `=${JSON.stringify(result)}`, run);
      const heldMs = held.heldMs();
      if (reply.status === "closed") {
        if (wasHeld) lock.emit?.({ type: "released", token, heldMs });
        return;
      }
      const reason = reply.reason as LossReason;
      if (wasHeld) lock.emit?.({ type: "lost", token, reason, heldMs });
      if (result) throw new LeaseLostError(lock.name, reason);
    },
  };
  return answer.follows === 1 ? begun : adoptOr(slotToRun, begun);
}

/** Ends a run whose slot a client of an earlier release has run, as that one did; otherwise returns it. */
async function adoptOr(slotToRun: SlotToRun, begun: Begun): Promise<Begun | AlreadyRan> {
  const { name, slot } = slotToRun;
  try {
    const before = await ranBefore(slotToRun);
    if (before === undefined) return begun;
    const result = timedOf(before);
    await begun.end({ outcome: "ran", durationMs: result.durationMs, result });
    return { status: "skipped: already ran", name, slot, ...result };
  } catch (error) {
    await begun.held.release().catch(() => false);
    throw error;
  }
}
