import type { KeepAliveLimits } from "../engine/hold.ts";
import { checkOptions, type Duration, toLease, toMs, toTtl } from "../shared/checks.ts";
import { boundWaitUntil, type WaitUntil } from "../shared/wait-until.ts";
import type { Report } from "./report.ts";

/** What all ways to run a cron have in common. */
export interface CronSettings {
  /**
   * After how long the platform ends the function: in **seconds** as a number, as Vercel has it (`export const maxDuration = 60`), at
   * most 3600; or text such as `"60s"`, at most 24 h. The lease lasts a little longer and is never extended, so that a run that dies
   * blocks the next occurrence for no longer than it could have run. Default: none, then the lease is extended while the work runs.
   */
  readonly maxDuration?: number | Exclude<Duration, number> | undefined;
  /** Without `maxDuration`: how long the lease lasts, which is extended while the work runs. A run that dies blocks the next occurrence so long. Default 60 s. */
  readonly lease?: Duration | undefined;
  /** Without `maxDuration`: how long the lease is extended at most. Work that takes longer loses it. Default 1 h. */
  readonly maxHold?: Duration | undefined;
  /** How long it is remembered that a slot ran; an invocation for it that comes later runs it again. Default 7 d. */
  readonly ttl?: Duration | undefined;
  /** Keeps the invocation alive until the run has ended. Default: Vercel's, where there is one. */
  readonly waitUntil?: WaitUntil | undefined;
  /** Told what came of every invocation that did not throw. Awaited; what it throws changes nothing. */
  readonly onReport?: ((report: Report) => unknown) | undefined;
}

/** How long things last, in ms. */
export interface Settings {
  /** Of the lock. */
  readonly leaseMs: number;
  /** Of the slot's attempt: while the lock is ours nobody else may begin the slot, so this one outlasts it. */
  readonly slotLeaseMs: number;
  readonly ttlMs: number;
  readonly limits: KeepAliveLimits;
}

const MOST_SECONDS = 3600;
const DAY_MS = 86_400_000;
/** The slot's outlasts it, and must have less than 365 days. */
const MOST_LEASE_DAYS = 300;
/** What clocks and the way to the server may take from a lease: 1 % for drift and the same again for good measure. */
export const outlasting = (ms: number, moreMs: number): number => Math.ceil(ms * 1.02) + moreMs;

function toMaxDuration(given: number | Exclude<Duration, number>): number {
  if (typeof given !== "number") {
    const ms = toMs(given, "maxDuration", 1000);
    if (ms > DAY_MS) throw new RangeError("maxDuration must be from 1 s to 24 h");
    return ms;
  }
  // As milliseconds it would be far too long, and is most likely meant so.
  if (!(given >= 1 && given <= MOST_SECONDS))
    throw new RangeError(`maxDuration is in seconds, from 1 to ${MOST_SECONDS}, or text such as "60s"`);
  return given * 1000;
}

const KNOWN = "locks maxDuration lease maxHold ttl waitUntil onReport timeout>maxDuration";

/** `known` has the names of what is besides. @throws TypeError or RangeError for a setting that cannot be. */
export function toSettings(given: CronSettings, known: string): Settings {
  checkOptions(given, `${KNOWN} ${known}`);
  boundWaitUntil(given);
  const { maxDuration, lease, maxHold, onReport } = given;
  if (onReport !== undefined && typeof onReport !== "function") throw new TypeError("onReport must be a function");
  if (maxDuration !== undefined && (lease ?? maxHold) !== undefined)
    throw new TypeError("the lease is taken from maxDuration: give no lease or maxHold with it");
  const leaseMs = maxDuration === undefined ? toLease(lease ?? "60s") : outlasting(toMaxDuration(maxDuration), 1000);
  if (leaseMs > MOST_LEASE_DAYS * DAY_MS) throw new RangeError(`lease must be at most ${MOST_LEASE_DAYS} days`);
  return {
    leaseMs,
    slotLeaseMs: outlasting(leaseMs, 2000),
    ttlMs: toTtl(given.ttl ?? "7d"),
    limits: maxDuration === undefined ? { maxHold: toMs(maxHold ?? "1h", "maxHold") } : { maxExtends: 0 },
  };
}
