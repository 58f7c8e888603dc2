import type { Lease } from "../lease/lease.ts";
import type { ConnectionSource } from "../redis/connect.ts";
import { checkOptions, type Duration, toLease, toMs, toSignal, toTtl, toWork } from "../shared/checks.ts";
import { LeaseholdError } from "../shared/errors.ts";
import { toIdentity } from "../shared/identity.ts";
import type { OnlyJson, StoredResult } from "../shared/json.ts";
import { inCall, misuse } from "../shared/misuse.ts";
import { boundWaitUntil, type WaitUntil } from "../shared/wait-until.ts";
import type { Started } from "./attempts.ts";
import { once } from "./once.ts";

/** Options of {@link singleFlight}. */
export interface SingleFlightOptions {
  /**
   * How long the result is remembered, in ms or like `"10m"`. Callers within this time get it; the first caller after
   * it runs its work again.
   */
  readonly ttl: Duration;
  /**
   * How long a call that died during its work blocks the others, in ms or like `"30s"`. It is extended while the work
   * runs. Default: the connection's `lease`, 30 s.
   */
  readonly lease?: Duration | undefined;
  /** How long to wait for the result of another call, in ms or like `"10s"`. Default 10 s. */
  readonly wait?: Duration | undefined;
  /** Aborts the wait. The work of another call continues. */
  readonly signal?: AbortSignal | undefined;
  /** The platform's `waitUntil`. It receives work that the call does not await. */
  readonly waitUntil?: WaitUntil | undefined;
}

/** The error of a caller without a result, since the call that did the work could not store it. */
export const noResult = (key: string): LeaseholdError =>
  new LeaseholdError("no_result", `the work of "${key}" was done by another call, and its result could not be stored`);

/**
 * Runs `work` once for all callers with the same key, on any machine, and returns its result to all of them: those that
 * wait for it now, and those that call within `ttl`. The result must be JSON of at most 256 kB. It uses the name of a
 * {@link once} in Redis.
 *
 * If the work throws, its caller gets the error, and one of the others runs its own work. If the caller dies, another
 * one runs its work once the lease has ended.
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
 * @throws what `work` throws; LockTimeoutError if another call is still working at the end of `wait`; LeaseholdError
 * `no_result` if another call did the work but could not store the result; LeaseLostError if another call has begun
 * meanwhile; TypeError or RangeError for an invalid option.
 */
export async function singleFlight<T>(
  connection: ConnectionSource,
  key: string,
  options: SingleFlightOptions,
  work: ((lease: Lease, turn: Started) => Promise<T> | T) & OnlyJson<T>,
): Promise<StoredResult<T>> {
  toWork(work, "singleFlight", "singleFlight(connection, key, options, work)", options);
  const { ttl, lease, wait = "10s", signal } = options ?? {};
  const waitUntil = inCall("singleFlight", () => {
    toIdentity(key, "key");
    checkOptions(options, "ttl lease wait signal waitUntil timeout>wait");
    if (ttl === undefined) throw misuse(TypeError, "ttl is missing: how long the result is remembered");
    toTtl(ttl);
    if (lease !== undefined) toLease(lease);
    toMs(wait, "wait", 0);
    toSignal(signal);
    return boundWaitUntil(options);
  });
  const flight = once(connection, key, { ttl, lease });
  // The type of the work says that its result is JSON.
  const run = (turn: Started): Promise<never> => work(turn.lease, turn) as Promise<never>;
  const ended = await flight.run({ wait, signal, waitUntil, keepAlive: true }, run);
  // Single flight has no limit of attempts and no fingerprint.
  if (ended.status !== "done") throw new Error(`single flight ended as ${ended.status}`);
  if (!ended.stored && !ended.fresh) throw noResult(key);
  return ended.result as StoredResult<T>;
}
