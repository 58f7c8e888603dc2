import { checkOptions, type Duration, toMs } from "../shared/checks.ts";

/** What the server says of the tenure in the way. */
export interface Blocked {
  /** How long its lease still runs: the longest that it can last. Infinity where no lease is in the way, as with a counter. */
  readonly remainingMs: number;
  /** How long it lasts already. */
  readonly ageMs: number;
  /** How long a tenure of this name usually lasts; 0 while that is not known. */
  readonly tenureMs: number;
  /** How long those who got it lately had waited. */
  readonly queueMs: number;
  /** How many are served before this waiter, where the kind knows that: 0 for the next one. */
  readonly ahead?: number | undefined;
  /** When the server wants to hear of this waiter at the latest; it is taken for dead some time after that. */
  readonly backMs?: number | undefined;
}

/** What a delay may depend on. */
export interface PollInfo extends Blocked {
  /** Refusals so far, 1 at the first delay. */
  readonly polls: number;
  /** Time since the first poll. */
  readonly waitedMs: number;
  /** How long this poll took. */
  readonly roundTripMs: number;
  /** Uniform in [0, 1). */
  readonly random: () => number;
}

/** How long to sleep before the next poll, in ms: a pure function. The wait that is left bounds it. */
export type Backoff = (info: PollInfo) => number;

const FLOOR_MS = 5;
const CAP_MS = 2000;

/**
 * Aims at the moment just after a tenure's expected end, since tenures are far more regular than leases. By Little's law the wait
 * of those who got it lately is the length of the queue, so who has waited less than that sleeps through the tenures before its
 * turn, and only the few whose turn it is poll one of the next ends, each with a horizon that grows with its polls. Jitter
 * throughout, a floor, a cap, and never past the end of the lease in the way. In a queue it is the server who knows when to be back.
 */
export const defaultBackoff: Backoff = (info) => {
  if (info.ahead !== undefined) return (info.backMs ?? CAP_MS) * (1 - info.random() / 10);
  const { polls, random, roundTripMs, ageMs } = info;
  const tenure = info.tenureMs || 50;
  const cycle = tenure + roundTripMs;
  const end = Math.max(0, tenure - ageMs);
  const overdue = ageMs - tenure;
  // 0.9: to sleep past one's turn would count as waiting, and make others sleep longer still.
  const turn = 0.9 * info.queueMs - info.waitedMs;
  const horizon = Math.min(150, 16 * polls);
  const skipped =
    turn > Math.max(end, horizon)
      ? Math.round(((turn - end) * (0.8 + 0.2 * random())) / cycle)
      : Math.floor((horizon * random()) / cycle);
  const jitter = random() * Math.max(5, Math.min(250, tenure / 10), overdue / 2);
  const delay = end - roundTripMs + skipped * cycle + jitter;
  return Math.min(Math.max(FLOOR_MS, delay), CAP_MS, info.remainingMs + 1);
};

/** Defaults: from 50 ms to 2 s, doubling. */
export interface ExponentialBackoffOptions {
  /** No delay is shorter, unless the lease in the way ends before. Default 50 ms. */
  readonly floor?: Duration | undefined;
  /** No delay is longer. Default 2 s; longer than the floor. */
  readonly cap?: Duration | undefined;
  /** What the longest possible delay is multiplied by at each poll, above 1. Default 2. */
  readonly factor?: number | undefined;
}

/**
 * Polls less and less often: the n-th delay is anywhere between `floor` and `floor` × `factor` ^ n, at most `cap` (full jitter, at
 * the cap too, so that waiters who met once part). Never past the end of the lease in the way.
 *
 * @throws TypeError or RangeError for options that cannot be.
 */
export function exponentialBackoff(options: ExponentialBackoffOptions = {}): Backoff {
  checkOptions(options, "floor cap factor");
  const { floor = FLOOR_MS * 10, cap = CAP_MS, factor = 2 } = options;
  const floorMs = toMs(floor, "floor");
  const capMs = toMs(cap, "cap", floorMs + 1);
  if (typeof factor !== "number") throw new TypeError("factor must be a number");
  if (!(factor > 1)) throw new RangeError("factor must be above 1");
  return ({ polls, random, remainingMs }) => {
    const longest = Math.min(floorMs * factor ** polls, capMs);
    return Math.min(floorMs + (longest - floorMs) * random(), remainingMs + 1);
  };
}

/**
 * Polls every `delay`, give or take a tenth: without jitter waiters who met once would meet each time. Never past the end of the
 * lease in the way.
 *
 * @throws TypeError or RangeError for what is no duration.
 */
export function constantBackoff(delay: Duration): Backoff {
  const delayMs = toMs(delay, "delay");
  return ({ random, remainingMs }) => Math.min(delayMs * (0.9 + random() / 5), remainingMs + 1);
}
