import { StaleTokenError } from "../fence/rule.ts";
import { attempts, type Started } from "../kinds/attempts.ts";
import type { Lease } from "../lease/lease.ts";
import { stopwatch } from "../redis/clock.ts";
import type { Connection } from "../redis/connect.ts";
import { LeaseLostError, LockTimeoutError } from "../shared/errors.ts";
import { sleep } from "../shared/timers.ts";
import { type Background, noop } from "../shared/wait-until.ts";
import { type LastRun, writeRecord } from "./last-run.ts";
import { lockOfSlot } from "./lock-of-slot.ts";
import { slotKey } from "./names.ts";
import type { Settings } from "./options.ts";
import type { AlreadyRan, StillRunning, Timed } from "./report.ts";

/** One slot of a job, and how to take it. */
export interface SlotToTake {
  readonly connection: Connection;
  readonly name: string;
  readonly slot: string;
  /** Finds the next slot, if the schedule is known. */
  readonly next?: (() => Date | undefined) | undefined;
  readonly settings: Settings;
  readonly waitUntil: Background | undefined;
}

/** A slot that this invocation must run. */
export interface Taken {
  readonly status: "taken";
  /** The attempt of the slot's `once`. */
  readonly turn: Started;
  /** The run in its record: its name, its slot and the next one, if it is known. */
  readonly about: Pick<LastRun, "name" | "slot" | "next">;
  /** The lease of the job's lock and of the slot. Extending it extends both, and it is lost with either. */
  readonly lease: Lease;
  /** When the run began, in ms since 1970. */
  readonly startedAt: number;
}

/**
 * Further tries are needed only after a freeze longer than the lease, or if the lease is shorter than three requests.
 */
const MAX_TRIES = 3;
/** The minimum time for clean-up, in ms, however long everything took. */
const MIN_CLEAN_UP_MS = 250;

/**
 * Waits for clean-up that may fail, such as a release, until the rest of `requestTimeout` has passed. Unfinished
 * clean-up continues in `waitUntil`.
 */
export async function awaitCleanUp(
  promise: Promise<unknown>,
  connection: Connection,
  waitUntil: Background | undefined,
  elapsedMs = 0,
): Promise<void> {
  const stop = new AbortController();
  const done = promise.catch(noop).then(() => stop.abort());
  const limitMs = Math.max(connection.requestTimeoutMs - elapsedMs, MIN_CLEAN_UP_MS);
  await Promise.race([done, sleep(limitMs, stop.signal).catch(noop)]);
  if (!stop.signal.aborted) waitUntil?.(done);
}

/**
 * Begins the slot, acquires the job's lock and records the run as running, in three requests; or returns why the slot
 * is skipped. If it throws, nothing is held, except by an unanswered request, whose hold ends with its lease.
 *
 * @throws LeaseholdError if Redis does not answer; LeaseLostError if the lease of every try had ended before the work
 * could begin.
 */
export async function takeSlot({
  connection,
  name,
  slot,
  next,
  settings,
  waitUntil,
}: SlotToTake): Promise<Taken | AlreadyRan | StillRunning> {
  const { leaseMs, slotLeaseMs, ttlMs } = settings;
  const occurrence = attempts(connection, slotKey(name, slot), { lease: `${slotLeaseMs}ms`, ttl: `${ttlMs}ms` });
  let overtaken: unknown;
  for (let tries = 1; ; tries++) {
    // The server reported that another invocation has taken the slot over. A later outage does not change that.
    const turn = await occurrence.begin().catch((error: unknown) => {
      throw overtaken ?? error;
    });
    if (turn.status === "done") return { status: "skipped: already ran", name, slot, ...(turn.result as Timed) };
    if (turn.status === "running")
      return { status: "skipped: still running", name, slot, retryAfterMs: turn.retryAfterMs };
    if (turn.status !== "started") throw new TypeError(`a slot is never ${turn.status}`);

    let lease: Lease | undefined;
    let failure: unknown;
    const elapsed = stopwatch(connection.clock);
    try {
      lease = await lockOfSlot(connection, name, turn.lease, leaseMs).acquire({ wait: 0 });
      const startedAt = connection.clock.now();
      // If this invocation froze, another one may have taken the slot over, and even finished it.
      if (turn.lease.remaining < leaseMs) await turn.lease.extend();
      const { token } = lease;
      const following = next?.()?.toISOString();
      const about = { name, slot, ...(following !== undefined && { next: following }) };
      const started = { ...about, startedAt: new Date(startedAt).toISOString(), durationMs: null, token };
      await writeRecord(connection, { ...started, outcome: "running", attempt: turn.attempt });
      if (lease.remaining > 0) return { status: "taken", turn, about, lease, startedAt };
      failure = new LeaseLostError(lease.name, "expired");
    } catch (error) {
      failure = error;
    }
    await awaitCleanUp(Promise.allSettled([lease?.release(), turn.fail()]), connection, waitUntil, elapsed());
    // Skips only if the server says so: without an answer, it is unknown whether the previous occurrence still runs.
    if (failure instanceof LockTimeoutError && failure.remainingMs !== undefined)
      return { status: "skipped: still running", name, slot, retryAfterMs: Math.ceil(failure.remainingMs) };
    if (!(failure instanceof LeaseLostError || failure instanceof StaleTokenError) || tries === MAX_TRIES)
      throw failure;
    if (failure instanceof StaleTokenError || failure.reason === "taken") overtaken = failure;
  }
}
