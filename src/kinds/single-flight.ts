import type { Lease } from "../engine/lease.ts";
import type { ConnectionSource } from "../redis/connect.ts";
import { checkOptions, type Duration, toLease, toMs, toSignal, toTtl, toWork } from "../shared/checks.ts";
import { LeaseholdError } from "../shared/errors.ts";
import type { OnlyJson, StoredResult } from "../shared/json.ts";
import { inCall, misuse } from "../shared/misuse.ts";
import { boundWaitUntil, type WaitUntil } from "../shared/wait-until.ts";
import { once } from "./once.ts";

/** Options of {@link singleFlight}. */
export interface SingleFlightOptions {
  /**
   * How long the result is remembered: callers within this time get it, and the first one after it runs its work again.
   */
  readonly ttl: Duration;
  /**
   * How long a call that died in its work keeps the others waiting. It is extended while the work runs. Default: the
   * connection's, 30 s.
   */
  readonly lease?: Duration | undefined;
  /** How long to wait for the result of another call. Default 10 s. */
  readonly wait?: Duration | undefined;
  /** Ends the wait. The work of another call continues. */
  readonly signal?: AbortSignal | undefined;
  /** Takes promises that need not be awaited: the platform's `waitUntil`. */
  readonly waitUntil?: WaitUntil | undefined;
}

/** The error of a caller that gets no result, since the call that did the work could not store it. */
const noResult = (key: string): LeaseholdError =>
  new LeaseholdError("no_result", `the work of "${key}" was done by another call, and its result could not be stored`);

/**
 * Runs `work` once for all who call with the same key, on any machine, and returns its result to all of them: those
 * that wait for it now, and those that come within `ttl`. The result must be JSON of at most 256 kB. Its name in Redis
 * is that of a {@link once}.
 *
 * If the work throws, its caller gets the error and one of the others runs its own work. If the caller dies, another one
 * does so when the lease has ended.
 *
 * @example
 * ```ts
 * const total = await singleFlight(connection, "total of october", { ttl: "10m" }, async () => {
 *   await settle(new AbortController().signal);
 *   return 4200;
 * });
 * console.log(total);
 * ```
 *
 * @throws what `work` throws; LockTimeoutError when another call is still at work at the end of `wait`; LeaseholdError
 * `no_result` when another call did the work and could not store the result; LeaseLostError when another call has begun
 * meanwhile; TypeError or RangeError for an option that is not valid.
 */
export async function singleFlight<T>(
  connection: ConnectionSource,
  key: string,
  options: SingleFlightOptions,
  work: ((lease: Lease) => Promise<T> | T) & OnlyJson<T>,
): Promise<StoredResult<T>> {
  toWork(work, "singleFlight", "singleFlight(connection, key, options, work)", options);
  const { ttl, lease, wait = "10s", signal } = options ?? {};
  const waitUntil = inCall("singleFlight", () => {
    checkOptions(options, "ttl lease wait signal waitUntil timeout>wait");
    if (ttl === undefined) throw misuse(TypeError, "ttl is missing: say how long the result is good");
    toTtl(ttl);
    if (lease !== undefined) toLease(lease);
    toMs(wait, "wait", 0);
    toSignal(signal);
    return boundWaitUntil(options);
  });
  const flight = once(connection, key, { ttl, lease });
  // The type of the work says that its result is JSON.
  const run = (turn: { readonly lease: Lease }): Promise<never> => work(turn.lease) as Promise<never>;
  const ended = await flight.run({ wait, signal, waitUntil, keepAlive: true }, run);
  // Neither attempts nor fingerprints are limited here.
  if (ended.status !== "done") throw new Error(`single flight ended as ${ended.status}`);
  if (!ended.stored && !ended.fresh) throw noResult(key);
  return ended.result as StoredResult<T>;
}
