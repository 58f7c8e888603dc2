import type { Lease } from "../engine/hold.ts";
import { StaleTokenError } from "../fence/rule.ts";
import { lock } from "../kinds/lock.ts";
import { once, type Started } from "../kinds/once.ts";
import { stopwatch } from "../redis/clock.ts";
import type { Connection } from "../redis/connect.ts";
import { LeaseLostError, LockTimeoutError } from "../shared/errors.ts";
import type { Background } from "../shared/wait-until.ts";
import { briefly } from "./brief.ts";
import { writeRecord } from "./last-run.ts";
import { lockName, slotKey } from "./names.ts";
import type { AlreadyRan, StillRunning, Timed } from "./report.ts";
import type { Settings } from "./settings.ts";

/** A slot that is ours to run. */
export interface Taken {
  readonly status: "taken";
  /** The slot's attempt. */
  readonly turn: Started;
  /** The lock's: no other run of the name goes on under it. */
  readonly lease: Lease;
  /** In ms since 1970. */
  readonly startedAt: number;
}

/** Each one more is a freeze of longer than the lease, or a lease shorter than three requests take. */
const MOST_TRIES = 3;

/**
 * Begins the slot, takes the lock and says in the record that it runs, three requests; or says why not. Whatever it throws, nothing
 * is held, but for what ends with its lease when no answer came.
 *
 * @throws LeaseholdError when there is no answer; LeaseLostError when the lease was over each time before the work could begin.
 */
export async function take(
  connection: Connection,
  name: string,
  slot: string,
  settings: Settings,
  waitUntil: Background | undefined,
): Promise<Taken | AlreadyRan | StillRunning> {
  const { leaseMs, slotLeaseMs, ttlMs } = settings;
  const occurrence = once(connection, slotKey(name, slot), { lease: `${slotLeaseMs}ms`, ttl: `${ttlMs}ms` });
  const mutex = lock(connection, lockName(name), { lease: `${leaseMs}ms` });
  for (let tries = 1; ; tries++) {
    const turn = await occurrence.begin();
    if (turn.status === "done") return { status: "skipped: already ran", name, slot, ...(turn.result as Timed) };
    if (turn.status === "running")
      return { status: "skipped: still running", name, slot, retryAfterMs: turn.retryAfterMs };
    if (turn.status !== "started") throw new TypeError(`a slot is never ${turn.status}`);

    let lease: Lease | undefined;
    let failure: unknown;
    const elapsed = stopwatch(connection.clock);
    try {
      lease = await mutex.acquire({ wait: 0 });
      const startedAt = connection.clock.now();
      // Frozen since it began, it may have been overtaken by another invocation of this slot, which may have come to its end by now.
      if (turn.lease.remaining < leaseMs) await turn.lease.extend();
      const { token } = lease;
      const started = { name, slot, startedAt: new Date(startedAt).toISOString(), durationMs: null, token };
      await writeRecord(connection, { ...started, outcome: "running", attempt: turn.attempt });
      if (lease.remaining > 0) return { status: "taken", turn, lease, startedAt };
      failure = new LeaseLostError(lease.name, "expired");
    } catch (error) {
      failure = error;
    }
    await briefly(Promise.allSettled([lease?.release(), turn.fail()]), connection, waitUntil, elapsed());
    // Only the server's word counts: without an answer nobody knows whether the previous one still runs.
    if (failure instanceof LockTimeoutError && failure.remainingMs !== undefined)
      return { status: "skipped: still running", name, slot, retryAfterMs: Math.ceil(failure.remainingMs) };
    const overtaken = failure instanceof LeaseLostError || failure instanceof StaleTokenError;
    if (!overtaken || tries === MOST_TRIES) throw failure;
  }
}
