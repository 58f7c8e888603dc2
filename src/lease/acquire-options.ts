import type { Connection } from "../redis/connect.ts";
import { checkOptions, type Duration, toCount, toFunction, toLease, toMs, toSignal } from "../shared/checks.ts";
import { hash } from "../shared/crypto.ts";
import { toIdentity } from "../shared/identity.ts";
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
   * How long the lease lasts unless it is extended, in ms or like `"30s"`; at least 10 ms. A number below 100 needs its
   * unit: `"20ms"`. Default: the connection's `lease`, 30 s.
   */
  readonly lease?: Duration | undefined;
  /**
   * Admits this caller while another hold with the same key exists, instead of making it wait. Use a random key for
   * each request or job: a constant one admits every caller. Sent hashed. Default: none, so the lock excludes every
   * other caller.
   */
  readonly reentryKey?: string | undefined;
  /** A text for people, shown by `inspect`. */
  readonly label?: string | undefined;
  /**
   * Aborts the attempt, which then rejects with the signal's reason within half a second. A lease that may have been
   * granted is released, in the background if necessary.
   */
  readonly signal?: AbortSignal | undefined;
  /** The platform's `waitUntil`. It receives work that the call does not await, such as the release after `run`. */
  readonly waitUntil?: WaitUntil | undefined;
  /**
   * The number of replicas that must have the hold before the call returns (Redis's `WAIT`). If fewer have it after
   * `timeout` (default 1 s), the hold is released and the call throws `not_replicated`. This makes a loss by failover
   * unlikely, not impossible: only the token is safe. Costs one more request. Default: none.
   */
  readonly replicas?: { readonly min: number; readonly timeout?: Duration | undefined } | undefined;
}

/** Options of an acquisition that waits. */
export interface AcquireOptions extends TryOptions {
  /** How long to wait, in ms or like `"10s"`; 0 tries once. Default 10 s. */
  readonly wait?: Duration | undefined;
  /**
   * The maximum number of polls, including requests without an answer. Cancelling an unanswered request takes one or two
   * more; taking a name that a Durable Object offers to the last one takes one more. In a multi-lock, a request that a
   * part is granted by is no poll. Default: no limit.
   */
  readonly maxPolls?: number | undefined;
  /** The delay between two polls. Default: {@link defaultBackoff}. */
  readonly backoff?: Backoff | undefined;
}

/** Options of a `run`. */
export interface RunOptions extends AcquireOptions {
  /**
   * Extends the lease while the work runs; an object sets limits. See {@link Lease.keepAlive}. Default false: the lease
   * is not extended.
   */
  readonly keepAlive?: boolean | KeepAliveLimits | undefined;
  /**
   * What to do while Redis is unavailable, after the same retries: `"refuse"` throws; `"run"` runs the work without a
   * lease, and an event `unprotected` reports that. A lock that another client holds is refused in both cases. Default
   * `"refuse"`.
   */
  readonly onUnavailable?: OnUnavailable | undefined;
}

/** The names of these options and of a lock's options; see {@link checkOptions}. */
export const TRY_OPTIONS = "lease reentryKey label signal waitUntil replicas ttl>lease expires>lease owner>reentryKey";
export const WAIT_OPTIONS = "backoff wait timeout>wait maxPolls attempts>maxPolls retries>maxPolls";
export const ACQUIRE_OPTIONS: string = `${TRY_OPTIONS} ${WAIT_OPTIONS}`;
export const LOCK_OPTIONS: string = `${ACQUIRE_OPTIONS} reentrant`;

/** Removes an option that a kind does not support, together with its aliases. */
export const without = (option: keyof TryOptions, known: string): string =>
  known
    .split(" ")
    .filter((name) => name !== option && !name.endsWith(`>${option}`))
    .join(" ");

/** Removes `replicas`, since several servers have no common replicas. */
export const withoutReplicas = (known: string): string => without("replicas", known);

export const hashReentryKey = (reentryKey: string): string | Promise<string> => reentryKey && hash(reentryKey);

/** How many replicas must have a hold, and how long to wait for them. */
export interface Replicas {
  readonly min: number;
  readonly timeoutMs: number;
}

function toReplicas(options: TryOptions["replicas"]): Replicas {
  if (typeof options !== "object")
    throw misuse(TypeError, `replicas must be an object, not ${shown(options)}: replicas: { min: 1 }`);
  checkOptions(options, "min timeout", "replicas");
  return {
    min: toCount(options.min ?? 0, "replicas.min", 1, 100),
    timeoutMs: toMs(options.timeout ?? "1s", "replicas.timeout"),
  };
}

/** The checked options of a call. */
export interface Settled {
  readonly leaseMs: number;
  readonly waitMs: number;
  readonly maxPolls: number;
  readonly backoff: Backoff;
  /** Label and process as they are stored; see {@link toNote}. */
  readonly note: string;
  /** Empty for none. */
  readonly reentryKey: string;
  readonly signal: AbortSignal | undefined;
  readonly waitUntil: Background | undefined;
  readonly replicas: Replicas | undefined;
}

/** The re-entry key of holds that nobody shares. */
const NO_REENTRY = "";

/** leasehold's own defaults on a connection. */
export const defaultsOf = (connection: Connection): Settled => ({
  leaseMs: connection.leaseMs,
  waitMs: 10_000,
  maxPolls: Number.POSITIVE_INFINITY,
  backoff: defaultBackoff,
  note: connection.holder,
  reentryKey: NO_REENTRY,
  signal: undefined,
  waitUntil: undefined,
  replicas: undefined,
});

/** An option that may be left out; undefined and null do not hide a default. */
const optional = <Input, Value>(value: Input | undefined, read: (value: Input) => Value, fallback: Value): Value =>
  (value ?? undefined) === undefined ? fallback : read(value as Input);

/**
 * Checks options; those that are left out are as in `defaults`.
 *
 * @throws TypeError or RangeError for an invalid option; the message does not name the call.
 */
export function settle(options: AcquireOptions, defaults: Settled, { holder }: Connection): Settled {
  return {
    reentryKey: optional(options.reentryKey, (key) => toIdentity(key, "reentryKey"), defaults.reentryKey),
    leaseMs: optional(options.lease, toLease, defaults.leaseMs),
    waitMs: optional(options.wait, (wait) => toMs(wait, "wait", 0), defaults.waitMs),
    maxPolls: optional(options.maxPolls, (polls) => toCount(polls, "maxPolls"), defaults.maxPolls),
    backoff: optional(options.backoff, (backoff) => toFunction(backoff, "backoff"), defaults.backoff),
    note: optional(options.label, (label) => toNote(label, "label") + holder, defaults.note),
    signal: optional(options.signal, toSignal, defaults.signal),
    waitUntil: boundWaitUntil(options) ?? defaults.waitUntil,
    replicas: optional(options.replicas, toReplicas, defaults.replicas),
  };
}
