import { checkOptions, type Duration, toMs } from "../shared/checks.ts";
import { inCall, misuse, shown } from "../shared/misuse.ts";

/** The blocking tenure, as the server describes it. */
export interface Blocked {
  /** Time left of its lease, in ms. Infinity if no lease blocks, as with a counter. */
  readonly remainingMs: number;
  /** How long the tenure has lasted, in ms. Undefined if the kind does not know it. */
  readonly ageMs?: number | undefined;
  /** The average length of a tenure of this name, in ms; 0 while unknown. */
  readonly tenureMs: number;
  /** How long recent holders had waited on average, in ms. */
  readonly queueMs: number;
  /** The number of waiters served before this one: 0 for the next one. Undefined if the kind does not know it. */
  readonly ahead?: number | undefined;
  /**
   * The time over which callers should spread their next polls, in ms, if several of them hold parts of a quorum and
   * none has a majority. Undefined if there is no such tie.
   */
  readonly tieSpreadMs?: number | undefined;
  /** In a queue, the maximum delay until the next poll, in ms. A waiter that polls later loses its place. */
  readonly backMs?: number | undefined;
  /** Whether a message will wake this waiter, so that polls are only for a message that was lost. */
  readonly isListed?: boolean | undefined;
}

/** The input of a back-off. Times are in ms. */
export interface PollInfo extends Blocked {
  /** How long the tenure has lasted, in ms. A kind that does not know it reports how long this call has waited. */
  readonly ageMs: number;
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
const CAP_MS = 1000;
/** The maximum delay grows with the age of the tenure: by a quarter from 25 ms, and by a twelfth from 75 ms. */
const GROWTHS = [
  { fromMs: 25, part: 1 / 4 },
  { fromMs: 75, part: 1 / 12 },
] as const;
/** The minimum part of the maximum delay. The rest is jitter. */
const MIN_PART = 0.8;
/** The time in which waiters whose turn may have come spread their polls, if others wait as well, in ms. */
const SPREAD_MS = 150;
/** A waiter wakes up a little before its turn: if it overslept, it would make the others sleep even longer. */
const TURN_PART = 0.9;
/** A waiter that has waited so many times longer than others polls at the end of every tenure. */
const OVERTAKEN = 1.5;
/** The maximum delay of a waiter that a message will wake, in ms. */
const LISTED_MS = 5000;
/** Such waiters spread their polls over this time after the end of a lease, which no message reports, in ms. */
const EXPIRY_SPREAD_MS = 50;
/** The maximum delay in a queue if the server reports none, in ms. */
const QUEUE_CAP_MS = 2000;

const maxDelayMs = (ageMs: number): number =>
  Math.min(CAP_MS, ...GROWTHS.map(({ fromMs, part }) => fromMs + ageMs * part));

/** A poll soon after the expected end of a tenure; some polls are later, in case the end is late. */
const afterEndMs = (tenureMs: number, random: () => number): number =>
  0.5 + random() ** 2 * Math.max(5, Math.min(250, tenureMs / 10));

/**
 * The default back-off. A delay is at most 25 ms plus a quarter of the time for which the name has been held, at most
 * 75 ms plus a twelfth of it, and at most a second. So a name stays free only for a part of the tenure before, and
 * the polls of a long tenure become rare.
 *
 * Recent tenures make polls earlier or fewer. A poll is earlier if the tenure should end sooner, by the average of the
 * tenures before. Polls are fewer if others have been granted the name during this wait: then a waiter that has waited
 * less than recent holders did sleeps through the tenures before its turn, for a second at most.
 *
 * Every delay has jitter, and none exceeds the blocking lease. A waiter that a message will wake polls every 4 to 5
 * seconds, in case the message is lost, and after the end of the blocking lease. After a tie in a quorum, delays are
 * random. In a queue, the server says when each waiter has to poll.
 *
 * @example
 * ```ts
 * const eager = lock(connection, "report", { backoff: (info) => defaultBackoff(info) / 2 });
 * await eager.run({ wait: "10s" }, () => build());
 * ```
 */
export const defaultBackoff: Backoff = (info) => {
  const { random, roundTripMs, ageMs, tenureMs, queueMs, waitedMs, remainingMs } = info;
  // Assumes that a request travels as long as the reply did.
  if (info.ahead !== undefined) return (info.backMs ?? QUEUE_CAP_MS) - roundTripMs;
  if (info.isListed)
    return Math.min(LISTED_MS * (MIN_PART + (1 - MIN_PART) * random()), remainingMs + 1 + EXPIRY_SPREAD_MS * random());
  // A caller that polls alone breaks the tie.
  if (info.tieSpreadMs !== undefined) return FLOOR_MS + random() * info.tieSpreadMs;
  const latestMs = maxDelayMs(ageMs) * (MIN_PART + (1 - MIN_PART) * random());
  const endMs = Math.max(tenureMs - ageMs, 0);
  const expectedMs = endMs > 0 ? endMs - roundTripMs + afterEndMs(tenureMs, random) : latestMs;
  let delayMs = Math.min(expectedMs, latestMs);
  // The tenure began during this wait, so there are other callers.
  if (ageMs + roundTripMs < waitedMs) {
    // Timers are late.
    const cycleMs = tenureMs + roundTripMs + 1;
    const turnMs = TURN_PART * queueMs - waitedMs - endMs;
    const isOvertaken = waitedMs > OVERTAKEN * queueMs + cycleMs;
    const spreadMs = isOvertaken ? 0 : SPREAD_MS * random();
    const skipped = Math.floor((turnMs > SPREAD_MS ? turnMs : spreadMs) / cycleMs);
    delayMs = Math.min(delayMs + skipped * cycleMs, CAP_MS);
  }
  return Math.min(Math.max(FLOOR_MS, delayMs), remainingMs + 1);
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
    const { floor = "50ms", cap = "2s", factor = 2 } = options;
    const floorMs = toMs(floor, "floor");
    const capMs = toMs(cap, "cap");
    if (capMs <= floorMs) throw misuse(RangeError, `cap ${shown(cap)} must be above floor ${shown(floor)}`);
    const must = `factor ${shown(factor)} must be a number above 1`;
    if (typeof factor !== "number") throw misuse(TypeError, must);
    if (!(factor > 1)) throw misuse(RangeError, must);
    return ({ polls, random, remainingMs }) =>
      Math.min(floorMs + (Math.min(floorMs * factor ** polls, capMs) - floorMs) * random(), remainingMs + 1);
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
