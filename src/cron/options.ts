import type { KeepAliveLimits } from "../lease/keep-alive.ts";
import { isOpen, type OnUnavailable } from "../lease/unavailable.ts";
import type { ConnectionSource } from "../redis/connect.ts";
import { checkOptions, type Duration, toFunction, toHold, toLease, toMs, toTtl } from "../shared/checks.ts";
import { misuse, shown } from "../shared/misuse.ts";
import { boundWaitUntil, noop, type WaitUntil } from "../shared/wait-until.ts";
import type { Report } from "./report.ts";

/**
 * The options of every cron. `cronRoute`, `vercelSchedule`, `cloudflareCron` and `runCron` each add the job's name and
 * its occurrence. `Call` are the arguments of a function for `locks`.
 */
export interface CronOptions<Call extends readonly unknown[] = []> {
  /**
   * A `Locks` client or a connection, or a function that returns one, for platforms that pass the environment with the
   * call.
   */
  readonly locks: ConnectionSource | ((...call: Call) => ConnectionSource);
  /**
   * How long the platform lets the function run: a number of **seconds** from 1 to 3600, like Vercel's `maxDuration`,
   * or text such as `"60s"`, at most 24 h. The lease lasts slightly longer and is never extended, so a crashed run
   * blocks the next occurrence for no longer than it could have run. Default: none; the lease is extended while the
   * work runs.
   */
  readonly maxDuration?: number | Exclude<Duration, number> | undefined;
  /**
   * The lease without `maxDuration`, in ms or like `"60s"`; it is extended while the work runs. A crashed run blocks
   * the next occurrence for this time. Default 60 s.
   */
  readonly lease?: Duration | undefined;
  /**
   * Without `maxDuration`, how long the lease is extended, in ms or like `"1h"`. Work that takes longer loses it.
   * Default 1 h.
   */
  readonly maxHold?: Duration | undefined;
  /** How long a slot is remembered as done, in ms or like `"7d"`. A later invocation runs it again. Default 7 days. */
  readonly ttl?: Duration | undefined;
  /** Keeps the invocation alive until the run has ended. Default: `waitUntil` of Vercel or of the Worker's `ctx`. */
  readonly waitUntil?: WaitUntil | undefined;
  /**
   * What to do while Redis is unavailable: `"refuse"` runs nothing; `"run"` runs the job without a lease. Other
   * invocations of the slot may then run it as well, and nothing is recorded. An event `unprotected` and the report say
   * so. Default `"refuse"`.
   */
  readonly onUnavailable?: OnUnavailable | undefined;
  /** Called with the report of every invocation that did not throw, and awaited. Its errors are ignored. */
  readonly onReport?: ((report: Report) => unknown) | undefined;
}

/** The checked options: all durations in ms. */
export interface Settings {
  readonly leaseMs: number;
  readonly ttlMs: number;
  /** Whether the job runs without a lease if Redis is unavailable. */
  readonly open: boolean;
  readonly limits: KeepAliveLimits;
}

const MAX_SECONDS = 3600;
const DAY_MS = 86_400_000;
const MAX_LEASE_DAYS = 300;

/** The lease for a `maxDuration`: 1 % more for clock drift, the same again and a second in reserve for the network. */
const outlasting = (ms: number): number => Math.ceil(ms * 1.02) + 1000;

function toMaxDuration(value: number | Exclude<Duration, number>): number {
  if (typeof value !== "number") {
    const ms = toMs(value, "maxDuration", 1000);
    if (ms > DAY_MS) throw misuse(RangeError, `maxDuration ${shown(value)} is too long: 1 s to 24 h`);
    return ms;
  }
  // A larger number was probably meant as milliseconds.
  if (!(value >= 1 && value <= MAX_SECONDS))
    throw misuse(
      RangeError,
      `maxDuration ${shown(value)} must be 1 to ${MAX_SECONDS}, in seconds, or a string such as "60s"`,
    );
  return value * 1000;
}

/** The names of the options of every cron. */
const SHARED = "locks maxDuration lease maxHold ttl waitUntil onUnavailable onReport timeout>maxDuration";

/**
 * Checks the options; `own` lists the names that one platform adds.
 *
 * @throws TypeError or RangeError for an invalid option; the message does not name the call.
 */
export function toSettings(options: Omit<CronOptions, "locks">, own: string): Settings {
  checkOptions(options, `${SHARED} ${own}`);
  boundWaitUntil(options);
  const { maxDuration, lease, maxHold } = options;
  toFunction(options.onReport ?? noop, "onReport");
  if (maxDuration !== undefined && (lease ?? maxHold) !== undefined)
    throw misuse(TypeError, "maxDuration sets the lease: omit lease and maxHold");
  const leaseMs = maxDuration === undefined ? toLease(lease ?? "60s") : outlasting(toMaxDuration(maxDuration));
  if (leaseMs > MAX_LEASE_DAYS * DAY_MS)
    throw misuse(RangeError, `lease ${shown(lease)} is too long: at most ${MAX_LEASE_DAYS} days`);
  return {
    leaseMs,
    ttlMs: toTtl(options.ttl ?? "7d"),
    open: isOpen(options),
    limits: maxDuration === undefined ? { maxHold: `${toHold(maxHold ?? "1h", "maxHold")}ms` } : { maxExtends: 0 },
  };
}
