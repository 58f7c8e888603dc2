import type { AcquireOptions } from "../engine/acquire-options.ts";
import { exponentialBackoff } from "../engine/backoff.ts";
import type { Extending } from "../engine/hold.ts";
import type { Lease } from "../engine/lease.ts";
import { retryAfter } from "../engine/unavailable.ts";
import { mutex } from "../kinds/lock.ts";
import type { Clock } from "../redis/clock.ts";
import { type ConnectionSource, connectionOf } from "../redis/connect.ts";
import { onAbort } from "../shared/abort.ts";
import { checkOptions, type Duration, toFunction, toLease, toSignal } from "../shared/checks.ts";
import { type LeaseLostError, LockTimeoutError, type LossReason } from "../shared/errors.ts";
import { inCall, misuse } from "../shared/misuse.ts";
import { sleep } from "../shared/timers.ts";
import { noop } from "../shared/wait-until.ts";

/** The end of a term of leadership. */
export interface LostTerm {
  /** The token of the term. */
  readonly token: number;
  /** `resigned`: by the signal, or since `onGained` failed. Otherwise why the lease was lost. */
  readonly reason: LossReason | "resigned";
}

/** Options of {@link elect}. */
export interface ElectOptions extends Pick<AcquireOptions, "label" | "backoff"> {
  /**
   * How long a leader that dies keeps the others out. It is extended after each third. Default: the connection's, 30 s.
   */
  readonly lease?: Duration | undefined;
  /**
   * Called when this candidate is the leader, with the lease: pass its token with every write, and listen to its
   * signal, which aborts as soon as the term ends: the candidate resigns (with the reason of `signal`), or the lease
   * has ended (with a LeaseLostError). Call `throwIfEnded` right before a write; it lets the work finish what it began
   * under the lease after a resignation. A term does not end when this returns. If it throws or rejects, the candidate
   * resigns for good.
   */
  readonly onGained: (lease: Lease) => unknown;
  /**
   * Called when the term ends, once for each `onGained`, before its signal aborts: at once on a resignation, otherwise
   * when the lease has ended by the local clock, which is before another candidate is granted it. A process that froze
   * can only notice that when it wakes up: as soon as anything looks at the lease, or its timer runs.
   */
  readonly onLost?: ((term: LostTerm) => unknown) | undefined;
  /** Ends the candidacy: a leader resigns, and the signal of its lease aborts at once. */
  readonly signal: AbortSignal;
}

/** The shortest delay between two requests of a leader, in ms. */
const LEAST_PAUSE_MS = 20;

/** Extends a lease until it has ended or the term ends; a failed extension is retried while there is time. */
async function extend(lease: Lease, signal: AbortSignal, clock: Clock): Promise<void> {
  while (!signal.aborted && lease.remaining > 0) {
    await sleep(Math.max(lease.remaining / 3, LEAST_PAUSE_MS), signal, clock);
    // With the signal: an extension that is under way in an outage must not outlast the term.
    await (lease as unknown as Extending).extend(undefined, { signal }).catch(noop);
  }
}

/** The lease as the work of a term sees it: its signal also aborts when the candidate resigns. */
function leaseOfTerm(lease: Lease, ended: AbortSignal): Lease {
  return Object.create(lease, {
    signal: {
      enumerable: true,
      get() {
        // Looks at the clock: the loss of the lease ends the term.
        void lease.signal;
        return ended;
      },
    },
  }) as Lease;
}

/**
 * One term: until the lease is lost, `signal` aborts or `onGained` fails. It ends when all callbacks have ended.
 *
 * @throws what a callback throws.
 */
async function lead(lease: Lease, { onGained, onLost, signal }: ElectOptions, clock: Clock): Promise<void> {
  const term = new AbortController();
  const extended = extend(lease, term.signal, clock).catch(noop);
  const failures: unknown[] = [];
  const noted = async (callback: () => unknown): Promise<void> => {
    try {
      await callback();
    } catch (error) {
      failures.push(error);
    }
  };
  let working: Promise<void> | undefined;
  let lost: Promise<void> | undefined;
  await new Promise<void>((resolve) => {
    const end = (): void => {
      if (lost) return;
      forgetLease();
      forgetSignal();
      const loss = lease.signal.aborted ? (lease.signal.reason as LeaseLostError) : undefined;
      lost = noted(() => onLost?.({ token: lease.token, reason: loss?.reason ?? "resigned" }));
      term.abort(loss ?? (signal.aborted ? signal.reason : failures[0]));
      resolve();
    };
    const forgetLease = onAbort(lease.signal, end);
    const forgetSignal = onAbort(signal, end);
    working = noted(() => onGained(leaseOfTerm(lease, term.signal))).then(() => {
      if (failures.length > 0) end();
    });
    if (lease.signal.aborted || signal.aborted) end();
  });
  // The work may still end under its lease, which nothing extends any more.
  await Promise.all([working, lost, extended]);
  await lease.release().catch(noop);
  if (failures.length > 0) throw failures[0];
}

/**
 * Campaigns for the leadership of a name until `signal` aborts, and resolves when the candidate has resigned. One
 * candidate leads at a time. Another takes over from a leader that died when its lease has ended, and from one that
 * resigned at its next poll. The name is that of a `lock`.
 *
 * For what runs on: containers, servers, Durable Objects that an alarm keeps awake. Not for invocations, which end
 * before a term does: use a lock or a cron there.
 *
 * - A leader that froze notices when it wakes up that its lease has ended: `onLost` is called by the first look at the
 *   lease (its `signal`, `remaining` or `throwIfEnded()`), or else when timers run. Lines that look at nothing may run
 *   before it, and only the token stops what they write: fence what counts.
 * - After a term the candidate campaigns again, once `onLost` and what `onGained` returned have ended: no two terms of
 *   one candidate overlap.
 * - On resigning the lease is no longer extended. It is released when both have ended, and `elect` resolves within
 *   `requestTimeout` after that, also while Redis is away.
 * - While Redis is away the candidate keeps asking. Every follower polls a few times in each lease; `backoff` changes
 *   that. A leader sends one request in a third of its lease.
 *
 * @example
 * ```ts
 * const stop = new AbortController();
 * await elect(locks, "scheduler", {
 *   lease: "15s",
 *   signal: stop.signal,
 *   onGained: ({ token }) => {
 *     console.log("leads", token);
 *     stop.abort(); // as on SIGTERM
 *   },
 *   onLost: ({ reason }) => console.log("leads no more", reason), // "resigned"
 * });
 * ```
 *
 * @throws what a callback throws, after the candidate has resigned; a permanent LeaseholdError, such as `unauthorized`
 * or `wrong_kind`; TypeError or RangeError for an option that is not valid.
 */
export async function elect(source: ConnectionSource, name: string, options: ElectOptions): Promise<void> {
  const { label, signal, onGained, onLost = noop } = options ?? {};
  const [connection, lease] = inCall("elect", () => {
    checkOptions(options, "lease label backoff onGained onLost signal");
    const candidate = connectionOf(source);
    toFunction(onGained, "onGained");
    toFunction(onLost, "onLost");
    if (signal === undefined) throw misuse(TypeError, "signal is missing: give an AbortSignal that ends the candidacy");
    toSignal(signal);
    return [candidate, toLease(options.lease ?? `${candidate.leaseMs}ms`)];
  });
  const { backoff = exponentialBackoff({ floor: Math.ceil(lease / 30), cap: Math.ceil(lease / 3) + 1 }) } = options;
  // Not longer: the longer the wait, the longer the pauses between requests that fail.
  const wait = `${Math.min(2 * lease, 60_000)}ms` as const;
  const office = mutex(connection, name, { lease: `${lease}ms`, wait, label, backoff });
  while (!signal.aborted) {
    let granted: Lease | undefined;
    try {
      granted = await office.acquire({ signal });
    } catch (error) {
      if (signal.aborted) return;
      const seconds = retryAfter(error);
      if (seconds === undefined) throw error;
      if (!(error instanceof LockTimeoutError))
        await sleep(Math.min(seconds * 1000, lease), signal, connection.clock).catch(noop);
    }
    if (signal.aborted) await granted?.release().catch(noop);
    else if (granted) await lead(granted, options, connection.clock);
  }
}
