import type { Connection } from "../redis/connect.ts";
import { type Answer, type Command, type Outcome, type Port, redact } from "../redis/port.ts";
import type { Via } from "../redis/run.ts";
import { type Duration, toMs } from "../shared/checks.ts";
import type { LeaseholdError } from "../shared/errors.ts";
import type { Lease } from "./hold.ts";

/** The outcome of one lease of an `extendAll`. */
export interface ExtendResult<L = Lease> {
  readonly lease: L;
  /**
   * Undefined where the lease was extended. A LeaseLostError where it is no longer ours, another LeaseholdError where
   * no answer came while it was.
   */
  readonly error: LeaseholdError | undefined;
}

/** A command that waits for the others. */
interface Parcel {
  readonly command: Command;
  readonly signal: AbortSignal;
  readonly resolve: (outcome: Outcome) => void;
}

/** Sends commands in one pipeline, until the last of their senders has given up. */
async function send(port: Port, parcels: readonly Parcel[]): Promise<void> {
  const all = new AbortController();
  let left = parcels.length;
  for (const { signal } of parcels)
    signal.addEventListener("abort", () => {
      if (--left === 0) all.abort();
    });
  const commands = parcels.map(({ command }) => command);
  const [first = [], ...behind] = commands;
  const outcome = await port(first, all.signal, behind);
  const { answers = [], unsure = false, cause } = outcome;
  // The port knows the secrets of the first command only.
  if (cause) cause.message = redact(cause.message, commands.flat());
  // A server that did not answer one by one did not answer any of them.
  if (answers.length < parcels.length) for (const { resolve } of parcels) resolve({ ...outcome, value: undefined });
  else
    for (const [n, { resolve }] of parcels.entries()) {
      const { error, result } = answers[n] as Answer;
      resolve(error === undefined ? { value: result } : { error: `${error}`, unsure });
    }
}

/** Gathers the commands of one connection: the first ones of all who joined, then those that are sent again at once. */
function gather(port: Port): () => Port {
  let expected = 0;
  let parcels: Parcel[] = [];
  const flush = (): void => {
    const sent = parcels;
    parcels = [];
    send(port, sent);
  };
  return () => {
    let isFirst = true;
    expected++;
    return (command, signal) =>
      new Promise((resolve) => {
        parcels.push({ command, signal, resolve });
        if (isFirst) expected--;
        else if (parcels.length === 1) setTimeout(flush);
        if (isFirst && expected === 0) flush();
        isFirst = false;
      });
  };
}

/**
 * Extends several leases, of any kinds, in one request for each connection. Each lease is extended to `duration` from
 * now, in ms or like `"30s"` (default: the length that it was acquired for), and has an outcome of its own, in the
 * order given: a lease that was lost does not keep the others from being extended. Requests without an answer are sent
 * again for each lease as by its own `extend`, so the call lasts as long as the slowest of them.
 *
 * @example
 * ```ts
 * const leases = await Promise.all(["a", "b"].map((name) => lock(connection, name).acquire()));
 * for (const { lease, error } of await extendAll(leases, "1m")) if (error) console.log(lease.name, error.code);
 * ```
 *
 * @throws TypeError or RangeError for a duration that cannot be; never for a lease that was lost.
 */
export async function extendAll<L extends Pick<Lease, "extend">>(
  leases: readonly L[],
  duration?: Duration,
): Promise<readonly ExtendResult<L>[]> {
  if (duration !== undefined) toMs(duration, "duration");
  const gathered = new Map<Connection, () => Port>();
  const via: Via = (connection) => {
    const join = gathered.get(connection) ?? gather(connection.port);
    gathered.set(connection, join);
    return join();
  };
  // All of them join before the first is sent.
  const extended = leases.map((lease) =>
    (lease.extend as (duration?: Duration, via?: Via) => Promise<void>)(duration, via),
  );
  const settled = await Promise.allSettled(extended);
  return settled.map((each, n) => ({
    lease: leases[n] as L,
    error: each.status === "rejected" ? (each.reason as LeaseholdError) : undefined,
  }));
}
