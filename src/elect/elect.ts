import { mutex } from "../kinds/lock.ts";
import type { AcquireOptions } from "../lease/acquire-options.ts";
import { exponentialBackoff } from "../lease/backoff.ts";
import type { Extending } from "../lease/hold.ts";
import type { Lease } from "../lease/lease.ts";
import { retryAfter } from "../lease/unavailable.ts";
import type { Clock } from "../redis/clock.ts";
import { type ConnectionSource, connectionOf } from "../redis/connect.ts";
import { onAbort } from "../shared/abort.ts";
import { checkOptions, type Duration, toFunction, toLease, toSignal } from "../shared/checks.ts";
import { type LeaseLostError, LockTimeoutError, type LossReason } from "../shared/errors.ts";
import { inCall, misuse } from "../shared/misuse.ts";
import { sleep } from "../shared/timers.ts";
import { refuseUnstarted } from "../shared/unstarted.ts";
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
   * The lease of a leader, in ms or like `"15s"`, extended after each third. A dead leader blocks the others for this
   * time. Default: the connection's `lease`, 30 s.
   */
  readonly lease?: Duration | undefined;
  /**
   * Called with the lease when this candidate becomes the leader. Pass its token with every write, and listen to its
   * signal, which aborts as soon as the term ends: on a resignation (with the reason of `signal`) or at the end of the
   * lease (with a LeaseLostError). Call `throwIfEnded` right before a write; after a resignation, it does not throw
   * while the lease lasts, so the work can finish. A term does not end when this function returns. If it throws or
   * rejects, the candidate resigns and `elect` ends.
   */
  readonly onGained: (lease: Lease) => unknown;
  /**
   * Called when the term ends, once for each `onGained`, before its signal aborts: immediately on a resignation,
   * otherwise when the lease has ended by the local clock, which is before another candidate is granted it. A frozen
   * process notices that only when it wakes up: as soon as any code reads the lease, or when its timer fires.
   */
  readonly onLost?: ((term: LostTerm) => unknown) | undefined;
  /** Ends the candidacy: a leader resigns, and the signal of its lease aborts immediately. */
  readonly signal: AbortSignal;
}

/** The shortest delay between two requests of a leader, in ms. */
const MIN_PAUSE_MS = 20;

/** Extends a lease until it has ended or the term ends; a failed extension is retried while there is time. */
async function extend(lease: Lease, signal: AbortSignal, clock: Clock): Promise<void> {
  while (!signal.aborted && lease.remaining > 0) {
    await sleep(Math.max(lease.remaining / 3, MIN_PAUSE_MS), signal, clock);
    // With the signal: an extension in progress during an outage must not outlast the term.
    await (lease as unknown as Extending).extend(undefined, { signal }).catch(noop);
  }
}

/** The lease as the work of a term sees it: its signal also aborts when the candidate resigns. */
function leaseOfTerm(lease: Lease, ended: AbortSignal): Lease {
  return Object.create(lease, {
    signal: {
      enumerable: true,
      get() {
        // Reads the clock: the loss of the lease ends the term.
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
      refuseUnstarted(await callback(), "elect");
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
  // The work may finish under its lease, which is no longer extended.
  await Promise.all([working, lost, extended]);
  await lease.release().catch(noop);
  if (failures.length > 0) throw failures[0];
}

/**
 * Campaigns for the leadership of a name until `signal` aborts, and resolves when the candidate has resigned. One
 * candidate leads at a time. Another candidate takes over when the lease of a dead leader has ended, or at its next
 * poll after a leader resigned. It uses the name of a `lock`.
 *
 * Use it in long-running processes: containers, servers, Durable Objects that an alarm keeps awake. Invocations end
 * before a term does: use a lock or a cron there.
 *
 * - A frozen leader notices that its lease has ended when it wakes up: the first read of the lease (`signal`,
 *   `remaining` or `throwIfEnded()`) calls `onLost`, otherwise a timer does. Code that does not read the lease may run
 *   before that, and only the token stops its writes: fence the writes that matter.
 * - After a term, the candidate campaigns again once `onLost` and the promise of `onGained` have ended, so no two terms
 *   of one candidate overlap.
 * - After a resignation, the lease is no longer extended. It is released when both have ended, and `elect` resolves
 *   within `requestTimeout` after that, also while Redis is unavailable.
 * - While Redis is unavailable, the candidate keeps trying. Every follower polls a few times per lease; `backoff`
 *   changes that. A leader sends one request per third of its lease.
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
 * or `wrong_kind`; TypeError or RangeError for an invalid option.
 */
export async function elect(source: ConnectionSource, name: string, options: ElectOptions): Promise<void> {
  const { label, signal, onGained, onLost = noop } = options ?? {};
  const [connection, lease] = inCall("elect", () => {
    checkOptions(options, "lease label backoff onGained onLost signal");
    const candidate = connectionOf(source);
    toFunction(onGained, "onGained");
    toFunction(onLost, "onLost");
    if (signal === undefined) throw misuse(TypeError, "signal is missing: pass an AbortSignal that ends the candidacy");
    toSignal(signal);
    return [candidate, toLease(options.lease ?? `${candidate.leaseMs}ms`)];
  });
  const { backoff = exponentialBackoff({ floor: Math.ceil(lease / 30), cap: Math.ceil(lease / 3) + 1 }) } = options;
  // Not longer, since a longer wait means longer pauses between failed requests.
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
