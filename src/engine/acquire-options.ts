import type { Connection } from "../redis/connect.ts";
import { checkOptions, type Duration, toCount, toFunction, toLease, toMs, toSignal, toText } from "../shared/checks.ts";
import { hash } from "../shared/crypto.ts";
import { misuse, shown } from "../shared/misuse.ts";
import { toNote } from "../shared/note.ts";
import { type Background, boundWaitUntil, type WaitUntil } from "../shared/wait-until.ts";
import { type Backoff, defaultBackoff } from "./backoff.ts";
import type { KeepAliveLimits } from "./keep-alive.ts";
import type { Lease } from "./lease.ts";
import type { OnUnavailable } from "./unavailable.ts";

/** Options of an acquisition that does not wait. */
export interface TryOptions {
  /**
   * How long to hold it, from 10 ms; then it expires. A number below 100 needs its unit: `"20ms"`.
   * Default: the connection's, 30 s.
   */
  readonly lease?: Duration | undefined;
  /**
   * Lets this caller in beside a holder with the same key, instead of waiting. Make a random one for each request or
   * job: a constant one lets every caller in. Sent hashed. Default: none, so nobody else is let in.
   */
  readonly reentryKey?: string | undefined;
  /** A text for people, shown by `inspect`. */
  readonly label?: string | undefined;
  /**
   * Ends the attempt, which then rejects with the signal's reason within half a second. A lease that it may have won is
   * released, in the background if necessary.
   */
  readonly signal?: AbortSignal | undefined;
  /** The platform's `waitUntil`: receives work that the call need not await, such as the release after `run`. */
  readonly waitUntil?: WaitUntil | undefined;
  /**
   * How many replicas must have the hold before it counts as acquired, by Redis's `WAIT`. With fewer after `timeout`
   * (default 1 s), the hold is released and the call throws `not_replicated`. That makes a loss by failover unlikely,
   * not impossible: only the token is safe. One more request.
   */
  readonly replicas?: { readonly min: number; readonly timeout?: Duration | undefined } | undefined;
}

/** Options of an acquisition that waits. */
export interface AcquireOptions extends TryOptions {
  /** How long to wait; 0 tries once. Default 10 s. */
  readonly wait?: Duration | undefined;
  /**
   * How many requests to send at most, failed ones included; cancelling an unanswered one takes one or two more.
   * Default: no limit.
   */
  readonly maxPolls?: number | undefined;
  /** The delay between two polls. Default: {@link defaultBackoff}. */
  readonly backoff?: Backoff | undefined;
}

/** Options of a `run`. */
export interface RunOptions extends AcquireOptions {
  /**
   * Extends the lease while the work runs, within these limits; see {@link Lease.keepAlive}. Default false: the lease
   * is not extended.
   */
  readonly keepAlive?: boolean | KeepAliveLimits | undefined;
  /**
   * Decides what to do while Redis is unavailable: `"refuse"` throws, and `"run"` runs the work without a lease, after
   * the same retries; an event `unprotected` reports that. A lock that somebody else holds is refused either way.
   * Default `"refuse"`.
   */
  readonly onUnavailable?: OnUnavailable | undefined;
}

/** The names of these options and of a lock's own; see {@link checkOptions}. */
export const TRY_OPTIONS = "lease reentryKey label signal waitUntil replicas ttl>lease expires>lease owner>reentryKey";
export const WAIT_OPTIONS = "backoff wait timeout>wait maxPolls attempts>maxPolls retries>maxPolls";
export const ACQUIRE_OPTIONS: string = `${TRY_OPTIONS} ${WAIT_OPTIONS}`;
export const LOCK_OPTIONS: string = `${ACQUIRE_OPTIONS} reentrant group`;

/** Removes an option that a kind does not support, with its other names. */
export const without = (option: keyof TryOptions, known: string): string =>
  known
    .split(" ")
    .filter((name) => name !== option && !name.endsWith(`>${option}`))
    .join(" ");

/** Removes `replicas`: several servers share none. */
export const withoutReplicas = (known: string): string => without("replicas", known);

export const hashReentryKey = (reentryKey: string): string | Promise<string> => reentryKey && hash(reentryKey);

/** How many replicas must have a hold, and how long to wait for them. */
export interface Replicas {
  readonly min: number;
  readonly timeoutMs: number;
}

function toReplicas(given: TryOptions["replicas"]): Replicas | undefined {
  if (!given) return undefined;
  if (typeof given !== "object")
    throw misuse(TypeError, `replicas must be an object, not ${shown(given)}: replicas: { min: 1 }`);
  checkOptions(given, "min timeout");
  return {
    min: toCount(given.min ?? 0, "replicas.min", 1, 100),
    timeoutMs: toMs(given.timeout ?? "1s", "replicas.timeout"),
  };
}

/** The checked options of a call. `defaults`, and then leasehold's own, apply to those that are missing. */
export interface Settled {
  readonly leaseMs: number;
  readonly waitMs: number;
  readonly maxPolls: number;
  readonly backoff: Backoff;
  /** Label and process, as they are stored; see {@link toNote}. */
  readonly note: string;
  /** Empty for none. */
  readonly reentryKey: string;
  readonly signal: AbortSignal | undefined;
  readonly waitUntil: Background | undefined;
  readonly replicas: Replicas | undefined;
}

/** @throws TypeError or RangeError for an option that cannot be, without its place. */
export function settle(
  given: AcquireOptions,
  defaults: AcquireOptions,
  connection: Connection,
  waiting = true,
): Settled {
  // Field by field: an option set to undefined must not hide a default.
  const reentryKey = given.reentryKey ?? defaults.reentryKey;
  const lease = given.lease ?? defaults.lease;
  return {
    reentryKey: reentryKey === undefined ? "" : toText(reentryKey, "reentryKey"),
    leaseMs: lease === undefined ? connection.leaseMs : toLease(lease),
    waitMs: waiting ? toMs(given.wait ?? defaults.wait ?? 10_000, "wait", 0) : 0,
    maxPolls: toCount(given.maxPolls ?? defaults.maxPolls, "maxPolls"),
    backoff: toFunction(given.backoff ?? defaults.backoff ?? defaultBackoff, "backoff"),
    note: toNote(given.label ?? defaults.label, "label") + connection.holder,
    signal: toSignal(given.signal ?? defaults.signal),
    waitUntil: boundWaitUntil(given, defaults),
    replicas: toReplicas(given.replicas ?? defaults.replicas),
  };
}
