import type { Connection, Lease } from "leasehold";
import { onAbort } from "leasehold/internal";
import type { AnyOptions, Settled } from "./options.ts";
import { createStep, type Step, type StepContext } from "./step.ts";
import { watch } from "./watch.ts";

/** A running turn. */
export interface AgentTurn extends Omit<StepContext, "commit"> {
  /**
   * Aborts as soon as this turn notices that a newer one has taken the conversation or that its lease was lost (with a
   * LeaseLostError), and with the caller's own `signal`. Pass it to the model and to every request.
   */
  readonly signal: AbortSignal;
  /** The fencing token: larger than that of every earlier turn of the conversation. Pass it with every write. */
  readonly token: number;
  /** The lease of the conversation, for `leasehold/fence`. */
  readonly lease: Lease;
  /**
   * Runs `work` once for this name (1 to 512 bytes) within the turn, and remembers its result, which must be JSON.
   * Another call with the same name waits for the result and gets it, also in a later turn with the same `id`. Right
   * before the work, it verifies the turn with the server, so that an overtaken turn calls no more tools.
   *
   * @throws what `work` throws; LeaseLostError if the turn was overtaken, also during the work, or if the server did
   * not answer while the lease lasted; TypeError if the work of a step calls that step again, directly or through the
   * steps it waits for, since it would wait for itself; otherwise like `singleFlight`.
   */
  readonly step: Step;
}

/** Makes the turn of a lease. Its signal is the signal of `ended`. */
export function turnOf(
  connection: Connection,
  lease: Lease,
  ended: AbortSignal,
  id: string | undefined,
  { leaseMs, ttl }: Settled,
): AgentTurn {
  const { token } = lease;
  return {
    token,
    lease,
    get signal() {
      // Reads the clock: the end of the lease ends the turn.
      void lease.signal;
      return ended;
    },
    step: createStep({ connection, lease, ended, id: id ?? token, isNamed: id !== undefined, leaseMs, ttl }),
  };
}

/** A turn that has begun. */
interface Begun {
  readonly connection: Connection;
  readonly lease: Lease;
  /** Whether others are at work on the conversation, so that a still newer turn is likely. */
  readonly isContended: boolean;
  readonly settled: Settled;
  readonly signal: AnyOptions["signal"];
  /** How long to keep extending the lease, in ms. */
  readonly maxHoldMs: number;
}

/**
 * Runs the work of a turn, watches the lease meanwhile and extends it, also while `end` runs with the result. Unless
 * `end` has ended the lease, it is released then.
 */
export function runTurn<T, R>(
  { connection, lease, isContended, settled, signal, maxHoldMs }: Begun,
  work: (ended: AbortSignal) => Promise<T> | T,
  end: (result: T) => Promise<R> | R,
): Promise<R> {
  const { checkMs, waitUntil } = settled;
  const ended = new AbortController();
  const watched = new AbortController();
  const forget = [onAbort(lease.signal, () => ended.abort(lease.signal.reason))];
  if (signal) forget.push(onAbort(signal, () => ended.abort(signal.reason)));
  if (signal?.aborted) ended.abort(signal.reason);

  async function watchedWork(): Promise<T> {
    let watching: Promise<void> | undefined;
    try {
      // Of many turns at once, all but the newest end here, before their work calls anything.
      if (isContended) await lease.verify();
      lease.throwIfEnded();
      ended.signal.throwIfAborted();
      watching = watch(lease, checkMs, connection, watched.signal);
      return await work(ended.signal);
    } catch (error) {
      const isOwnAbort = ended.signal.aborted && (error as Error | undefined)?.name === "AbortError";
      throw isOwnAbort ? ended.signal.reason : error;
    } finally {
      for (const each of forget) each();
      watched.abort();
      await watching;
    }
  }
  return lease.keepAlive({ waitUntil }, async () => end(await watchedWork()), { maxHold: `${maxHoldMs}ms` });
}
