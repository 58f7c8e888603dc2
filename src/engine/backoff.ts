import { checkOptions, type Duration, toMs } from "../shared/checks.ts";
import { inCall, misuse, shown } from "../shared/misuse.ts";

/** The blocking tenure, as the server describes it. */
export interface Blocked {
  /** How long its lease still runs. Infinity where no lease blocks, as with a counter. */
  readonly remainingMs: number;
  /** How long it has lasted. */
  readonly ageMs: number;
  /** How long a tenure of this name usually lasts; 0 while that is not known. */
  readonly tenureMs: number;
  /** How long recent holders had waited. */
  readonly queueMs: number;
  /** How many waiters are served before this one, where the kind knows it: 0 for the next one. */
  readonly ahead?: number | undefined;
  /** The longest delay until the next poll, after which the waiter is taken for dead, where the kind has a queue. */
  readonly backMs?: number | undefined;
}

/** The facts that a back-off may depend on. */
export interface PollInfo extends Blocked {
  /** The number of refusals, 1 at the first delay. */
  readonly polls: number;
  /** The time since the first poll. */
  readonly waitedMs: number;
  /** How long this poll took. */
  readonly roundTripMs: number;
  /** Uniform in [0, 1). */
  readonly random: () => number;
}

/** Returns the delay before the next poll, in ms. It is a pure function; the time left to wait bounds its result. */
export type Backoff = (info: PollInfo) => number;

const FLOOR_MS = 5;
const CAP_MS = 2000;

/**
 * Aims at the moment just after the expected end of a tenure, since tenures are far more regular than leases. By
 * Little's law the wait of recent holders tells the length of the queue, so a waiter that has waited less sleeps
 * through the tenures before its turn. Only the few waiters whose turn it is poll at one of the next ends, each within
 * a horizon that grows with its polls; one that has waited much longer than that polls at every end. Every delay has
 * jitter, a floor and a cap, and never goes past the end of the blocking lease. In a queue the server tells each
 * waiter when to poll.
 *
 * @example
 * ```ts
 * const eager = lock(connection, "report", { backoff: (info) => defaultBackoff(info) / 2 });
 * await eager.run({ wait: "10s" }, () => build());
 * ```
 */
export const defaultBackoff: Backoff = (info) => {
  const { polls, random, roundTripMs, ageMs, queueMs, waitedMs } = info;
  // A request takes as long to get there as the reply took to get here.
  if (info.ahead !== undefined) return (info.backMs ?? CAP_MS) - roundTripMs;
  const tenure = info.tenureMs || 50;
  // Timers are late.
  const cycle = tenure + roundTripMs + 1;
  const end = Math.max(0, tenure - ageMs);
  // 0.9: a waiter that slept past its turn would count as waiting, and make others sleep longer still.
  const turn = 0.9 * queueMs - waitedMs - end;
  // Waiters that were passed poll at every end.
  const horizon = waitedMs > 1.5 * queueMs + cycle ? 0 : Math.min(150, 16 * polls);
  const skipped = Math.floor((turn > horizon ? turn : horizon * random()) / cycle);
  // Most polls come soon after the end, and some later, for an end that is late.
  const jitter = 0.5 + random() ** 2 * Math.max(5, Math.min(250, tenure / 10), (ageMs - tenure) / 2);
  const delay = end - roundTripMs + skipped * cycle + jitter;
  return Math.min(Math.max(FLOOR_MS, delay), CAP_MS, info.remainingMs + 1);
};

/** Options of an exponential back-off. By default it goes from 50 ms to 2 s and doubles. */
export interface ExponentialBackoffOptions {
  /** The shortest delay, unless the blocking lease ends before. Default 50 ms. */
  readonly floor?: Duration | undefined;
  /** The longest delay, above the floor. Default 2 s. */
  readonly cap?: Duration | undefined;
  /** The factor, above 1, by which the longest possible delay grows at each poll. Default 2. */
  readonly factor?: number | undefined;
}

/** Computes the delays of {@link exponentialBackoff}. */
export const growing =
  (floorMs: number = FLOOR_MS * 10, capMs: number = CAP_MS, factor: number = 2): Backoff =>
  ({ polls, random, remainingMs }) =>
    Math.min(floorMs + (Math.min(floorMs * factor ** polls, capMs) - floorMs) * random(), remainingMs + 1);

/**
 * Makes a back-off that polls less and less often: the n-th delay is uniform between `floor` and `floor` × `factor` ^
 * n, at most `cap` (full jitter, also at the cap, so that waiters which met once part). It never goes past the end of
 * the blocking lease.
 *
 * @example
 * ```ts
 * const seldom = lock(connection, "report", { backoff: exponentialBackoff({ floor: "100ms", cap: "5s" }) });
 * await seldom.run({ wait: "10s" }, () => build());
 * ```
 *
 * @throws TypeError or RangeError for options that cannot be.
 */
export function exponentialBackoff(options: ExponentialBackoffOptions = {}): Backoff {
  return inCall("exponentialBackoff", () => {
    checkOptions(options, "floor cap factor");
    const { floor = FLOOR_MS * 10, cap = CAP_MS, factor = 2 } = options;
    const floorMs = toMs(floor, "floor");
    const capMs = toMs(cap, "cap");
    if (capMs <= floorMs) throw misuse(RangeError, `cap ${shown(cap)} must be above floor ${shown(floor)}`);
    const must = `factor ${shown(factor)} must be a number above 1`;
    if (typeof factor !== "number") throw misuse(TypeError, must);
    if (!(factor > 1)) throw misuse(RangeError, must);
    return growing(floorMs, capMs, factor);
  });
}

/**
 * Makes a back-off of `delay` ± 10 %: without jitter, waiters which met once would meet each time. It never goes past
 * the end of the blocking lease.
 *
 * @example
 * ```ts
 * const often = lock(connection, "report", { backoff: constantBackoff("20ms") });
 * await often.run({ wait: "10s" }, () => build());
 * ```
 *
 * @throws TypeError or RangeError for a value that is not a duration.
 */
export function constantBackoff(delay: Duration): Backoff {
  const delayMs = inCall("constantBackoff", () => toMs(delay, "delay"));
  return ({ random, remainingMs }) => Math.min(delayMs * (0.9 + random() / 5), remainingMs + 1);
}
