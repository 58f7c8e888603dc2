import { checkOptions, type Duration, toMs } from "../shared/checks.ts";
import { inCall, misuse, shown } from "../shared/misuse.ts";

/** The blocking tenure, as the server describes it. */
export interface Blocked {
  /** Time left of its lease, in ms. Infinity if no lease blocks, as with a counter. */
  readonly remainingMs: number;
  /** How long the tenure has lasted, in ms. */
  readonly ageMs: number;
  /** The average length of a tenure of this name, in ms; 0 while unknown. */
  readonly tenureMs: number;
  /** How long recent holders had waited on average, in ms. */
  readonly queueMs: number;
  /** The number of waiters served before this one: 0 for the next one. Undefined if the kind does not know it. */
  readonly ahead?: number | undefined;
  /** In a queue, the maximum delay until the next poll, in ms. A waiter that polls later loses its place. */
  readonly backMs?: number | undefined;
}

/** The input of a back-off. Times are in ms. */
export interface PollInfo extends Blocked {
  /** The number of polls, and of attempts without an answer: 1 or more at the first delay. */
  readonly polls: number;
  /** The time since the first poll. */
  readonly waitedMs: number;
  /** The duration of this poll. */
  readonly roundTripMs: number;
  /** A random number, uniform in [0, 1). */
  readonly random: () => number;
}

/**
 * Returns the delay before the next poll, in ms. It must be a pure function. The delay never exceeds the time left to
 * wait.
 */
export type Backoff = (info: PollInfo) => number;

const FLOOR_MS = 5;
const CAP_MS = 2000;

/**
 * The default back-off. It polls just after the expected end of a tenure, since tenures are far more regular than
 * leases. By Little's law, the wait of recent holders indicates the length of the queue, so a waiter that has waited
 * less sleeps through the tenures before its turn. Only the few waiters whose turn it is poll at one of the next ends,
 * each within a horizon that grows with its polls; a waiter that has waited much longer polls at every end. Every delay
 * has jitter, a floor and a cap, and never exceeds the blocking lease. In a queue, the server says when each waiter has
 * to poll.
 *
 * @example
 * ```ts
 * const eager = lock(connection, "report", { backoff: (info) => defaultBackoff(info) / 2 });
 * await eager.run({ wait: "10s" }, () => build());
 * ```
 */
export const defaultBackoff: Backoff = (info) => {
  const { polls, random, roundTripMs, ageMs, queueMs, waitedMs } = info;
  // Assumes that a request travels as long as the reply did.
  if (info.ahead !== undefined) return (info.backMs ?? CAP_MS) - roundTripMs;
  const tenure = info.tenureMs || 50;
  // Timers are late.
  const cycle = tenure + roundTripMs + 1;
  const end = Math.max(0, tenure - ageMs);
  // 0.9: a waiter that sleeps past its turn would count as waiting, and make others sleep even longer.
  const turn = 0.9 * queueMs - waitedMs - end;
  // Overtaken waiters poll at every end.
  const horizon = waitedMs > 1.5 * queueMs + cycle ? 0 : Math.min(150, 16 * polls);
  const skipped = Math.floor((turn > horizon ? turn : horizon * random()) / cycle);
  // Most polls are soon after the expected end, some later, in case the end is late.
  const jitter = 0.5 + random() ** 2 * Math.max(5, Math.min(250, tenure / 10), (ageMs - tenure) / 2);
  const delay = end - roundTripMs + skipped * cycle + jitter;
  return Math.min(Math.max(FLOOR_MS, delay), CAP_MS, info.remainingMs + 1);
};

/** Options of an exponential back-off. By default, it doubles from 50 ms to 2 s. */
export interface ExponentialBackoffOptions {
  /** The minimum delay, in ms or like `"50ms"`, unless the blocking lease ends earlier. Default 50 ms. */
  readonly floor?: Duration | undefined;
  /** The maximum delay, above the floor. Default 2 s. */
  readonly cap?: Duration | undefined;
  /** The factor, above 1, by which the maximum delay grows with each poll. Default 2. */
  readonly factor?: number | undefined;
}

/** Computes the delays of {@link exponentialBackoff}. */
export const growing =
  (floorMs: number = FLOOR_MS * 10, capMs: number = CAP_MS, factor: number = 2): Backoff =>
  ({ polls, random, remainingMs }) =>
    Math.min(floorMs + (Math.min(floorMs * factor ** polls, capMs) - floorMs) * random(), remainingMs + 1);

/**
 * Makes a back-off that polls less and less often. The n-th delay is uniform between `floor` and `floor` × `factor` ^
 * n, at most `cap` (full jitter, also at the cap, so that waiters that polled together once do not do so again). No
 * delay exceeds the blocking lease.
 *
 * @example
 * ```ts
 * const seldom = lock(connection, "report", { backoff: exponentialBackoff({ floor: "100ms", cap: "5s" }) });
 * await seldom.run({ wait: "10s" }, () => build());
 * ```
 *
 * @throws TypeError or RangeError for invalid options.
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
 * Makes a back-off of `delay` ± 10 %, in ms or like `"20ms"`. Without jitter, waiters that polled together once would
 * always do so. No delay exceeds the blocking lease.
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
