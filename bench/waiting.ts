/**
 * A simulation of waiting for a plain lock and for a fair one: the contenders of `bench/contention.ts` and the averages
 * that the scripts keep, without a server. It shows which requests and gaps a back-off causes, and which combinations
 * are impossible.
 *
 *   node bench/waiting.ts
 *
 * It prints the tables that docs/costs.md quotes; they are the same in every run.
 */
import { type Backoff, defaultBackoff } from "../src/index.ts";
import { quantile, seeded } from "./stats.ts";
import { table } from "./tables.ts";

interface Load {
  readonly contenders: number;
  readonly workMs: number;
}

interface Figures {
  readonly gaps: readonly number[];
  readonly requests: number;
  /** The average number of waiters. */
  readonly waiting: number;
}

const LOADS: readonly Load[] = [
  { contenders: 10, workMs: 40 },
  { contenders: 30, workMs: 20 },
];
const PAUSE_MS = 200;
const LEASE_MS = 10_000;
const ACQUISITIONS = 250;
const RUNS = 40;
/** The number of runs for comparing many timings. */
const SEARCH_RUNS = 10;
/** As measured while `npm run bench` runs: a request takes about this long there and back. */
const ROUND_TRIP_MS = 1.8;

/** Events ordered by time. */
function createTimeline() {
  const steps: { readonly at: number; readonly run: () => void }[] = [];
  const line = {
    now: 0,
    after(ms: number, run: () => void): void {
      const at = line.now + ms;
      const behind = steps.findIndex((step) => step.at > at);
      steps.splice(behind < 0 ? steps.length : behind, 0, { at, run });
    },
    next(): void {
      const step = steps.shift();
      if (!step) throw new Error("nothing is left to happen");
      line.now = step.at;
      step.run();
    },
  };
  return line;
}

interface Waiter {
  readonly askedAt: number;
  polls: number;
}

/** The delay before the next poll, from the answer and how long it took. */
type Delay = (now: number, roundTripMs: number) => number;

/** A lock on its server. */
interface Lock {
  /** Undefined if it grants. */
  ask(now: number, waiter: Waiter, sentAt: number): Delay | undefined;
  release(now: number): void;
}

/** A plain lock, with the averages of lock-acquire and lock-close. */
const plainLock =
  (backoff: Backoff) =>
  (random: () => number): Lock => {
    let [isHeld, beganAt, endedAt, tenureMs, queueMs] = [false, 0, 0, 0, 0];
    return {
      ask(asked, waiter, sentAt) {
        if (!isHeld) {
          const change = Math.min((sentAt - waiter.askedAt - queueMs) / 8, 3 * tenureMs);
          if (endedAt > 0) queueMs = Math.max(queueMs + change + endedAt - asked, 0);
          [isHeld, beganAt] = [true, asked];
          return undefined;
        }
        const ageMs = asked - beganAt;
        const told = { remainingMs: LEASE_MS - ageMs, ageMs, tenureMs, queueMs, polls: waiter.polls, random };
        return (now, roundTripMs) => backoff({ ...told, waitedMs: now - waiter.askedAt, roundTripMs });
      },
      release(now) {
        const tookMs = now - beganAt;
        tenureMs += tenureMs === 0 ? tookMs : (tookMs - tenureMs) / 8;
        [isHeld, endedAt] = [false, now];
      },
    };
  };

/** How a fair lock times the polls of its waiters, in the terms of lua/include/queue.lua. */
interface Timing {
  /** The shortest step in ms, and its growth with the square root of the uncertainty. */
  readonly step: number;
  /** How much earlier than its turn a waiter polls, as a multiple of the uncertainty. */
  readonly early: number;
  /** The time between two tenures, in ms. */
  readonly betweenMs: number;
}

const OURS: Timing = { step: 1.75, early: 1, betweenMs: 2 };

/** A fair lock, which tells each waiter when to poll. */
const fairLock = (timing: Timing) => (): Lock => {
  const queue: Waiter[] = [];
  let [isHeld, beganAt, tenureMs, spreadMs] = [false, 0, 0, 0];

  function backIn(ahead: number, ageMs: number): number {
    const [usual, spread] = tenureMs === 0 ? [10, 10] : [tenureMs, spreadMs];
    const doubt = (spread + 0.5) * Math.sqrt(ahead + 1);
    const step = Math.min(Math.max(timing.step, timing.step * Math.sqrt(doubt), (ageMs - usual) / 16), 200);
    const turn = Math.max(usual - ageMs, 0) + ahead * (usual + timing.betweenMs) + step - timing.early * doubt;
    return Math.min(Math.max(turn, step), 2_000);
  }

  return {
    ask(asked, waiter) {
      if (!queue.includes(waiter)) queue.push(waiter);
      const ahead = queue.indexOf(waiter);
      if (ahead === 0 && !isHeld) {
        queue.shift();
        [isHeld, beganAt] = [true, asked];
        return undefined;
      }
      const backMs = backIn(ahead, asked - beganAt);
      return (_, roundTripMs) => Math.max(backMs - roundTripMs, 1);
    },
    release(now) {
      const tookMs = now - beganAt;
      spreadMs += (Math.abs(tookMs - tenureMs) - spreadMs) / 8;
      tenureMs += tenureMs === 0 ? tookMs : (tookMs - tenureMs) / 8;
      isHeld = false;
    },
  };
};

type LockOf = (random: () => number) => Lock;

/** One run, from its beginning. */
function simulate({ contenders, workMs }: Load, lockOf: LockOf, seed: number): Figures {
  const random = seeded(seed);
  const line = createTimeline();
  const lock = lockOf(random);
  const gaps: number[] = [];
  const long = (meanMs: number): number => -meanMs * Math.log(1 - random());
  const hop = (): number => 0.35 * ROUND_TRIP_MS + long(0.15 * ROUND_TRIP_MS) + (random() < 0.015 ? long(5) : 0);
  const sleep = (ms: number, run: () => void): void =>
    line.after(ms + 0.1 + 0.4 * random() + (random() < 0.03 ? 3 : 0), run);
  let [requests, grants, waitedMs, workEndedAt] = [0, 0, 0, 0];

  function granted({ askedAt }: Waiter): void {
    waitedMs += line.now - askedAt;
    if (grants++ > 0) gaps.push(line.now - workEndedAt);
    sleep(workMs, () => {
      workEndedAt = line.now;
      requests++;
      line.after(hop(), () => {
        lock.release(line.now);
        line.after(hop(), rest);
      });
    });
  }
  function ask(waiter: Waiter): void {
    const sentAt = line.now;
    requests++;
    waiter.polls++;
    line.after(hop(), () => {
      const delay = lock.ask(line.now, waiter, sentAt);
      line.after(hop(), () => {
        if (delay === undefined) granted(waiter);
        else sleep(delay(line.now, line.now - sentAt), () => ask(waiter));
      });
    });
  }
  function rest(): void {
    line.after(PAUSE_MS * random(), () => ask({ askedAt: line.now, polls: 0 }));
  }
  for (let each = 0; each < contenders; each++) rest();
  while (grants < ACQUISITIONS) line.next();
  return { gaps, requests: requests / ACQUISITIONS, waiting: waitedMs / line.now };
}

/** The figures of many runs. */
function figuresOf(load: Load, lockOf: LockOf, count = RUNS): Figures {
  const runs = Array.from({ length: count }, (_, run) => simulate(load, lockOf, run + 1));
  const mean = (get: (figures: Figures) => number): number => runs.reduce((sum, each) => sum + get(each), 0) / count;
  return {
    gaps: runs.flatMap(({ gaps }) => gaps),
    requests: mean(({ requests }) => requests),
    waiting: mean(({ waiting }) => waiting),
  };
}

/**
 * The fewest requests with which 19 of 20 releases are noticed immediately by waiters that know the moment of the
 * release and the number of waiters, but not who else polls: the first poll, the release, and the polls at each
 * release, of which one wins.
 */
const fewest = (waiting: number): number => 2 + waiting * (1 - 0.05 ** (1 / waiting));

const scaled =
  (factor: number): Backoff =>
  (info) =>
    defaultBackoff({ ...info, queueMs: factor * info.queueMs });
const cells = ({ gaps, requests }: Figures): readonly string[] => [
  `${quantile(gaps, 0.5).toFixed(1)} ms`,
  `${quantile(gaps, 0.95).toFixed(1)} ms`,
  requests.toFixed(1),
];

const scaledRow = (factor: number): readonly string[] => [
  factor === 1 ? "`defaultBackoff`" : `the same, ${factor} × \`queueMs\``,
  ...LOADS.flatMap((load) => cells(figuresOf(load, plainLock(scaled(factor))))),
];

const STEPS = [0.75, 1, 1.25, 1.5, 1.75, 2, 2.5, 3];
const EARLY = [0.25, 0.5, 0.75, 1, 1.25, 1.5, 2];
const BETWEEN_MS = [1, 1.5, 1.75, 2, 2.25, 2.5, 3, 3.5];
const TIMINGS: readonly Timing[] = STEPS.flatMap((step) =>
  EARLY.flatMap((early) => BETWEEN_MS.map((betweenMs) => ({ step, early, betweenMs }))),
);
const tried = LOADS.map((load) =>
  TIMINGS.map((timing) => ({ timing, ...figuresOf(load, fairLock(timing), SEARCH_RUNS) })),
);

/** For each load, the timing with the fewest requests whose median gap is no longer. */
function bestRow(gapMs: number): readonly string[] {
  const figures = LOADS.flatMap((load, at) => {
    const fit = tried[at]?.filter(({ gaps }) => quantile(gaps, 0.5) <= gapMs) ?? [];
    const [best] = fit.sort((a, b) => a.requests - b.requests);
    return cells(figuresOf(load, fairLock(best?.timing ?? OURS)));
  });
  return [`the best of ${TIMINGS.length} timings with a gap of ${gapMs} ms`, ...figures];
}

const trip = `${ROUND_TRIP_MS} ms`;
const known = LOADS.flatMap((load) => [
  trip,
  trip,
  fewest(figuresOf(load, plainLock(defaultBackoff)).waiting).toFixed(1),
]);
const heads = LOADS.flatMap(({ contenders, workMs }) =>
  ["gap, median", "gap, p95", "requests"].map((head) => `${contenders} × ${workMs} ms: ${head}`),
);
const plain = [0.8, 1, 1.2, 1.5].map(scaledRow);
console.log(table(["waiters", ...heads], [...plain, ["each knows the moment, and how many wait", ...known]]));
console.log();
const fair = ["`fairLock`", ...LOADS.flatMap((load) => cells(figuresOf(load, fairLock(OURS))))];
const moment = ["each knows the moment", ...LOADS.flatMap(() => [trip, trip, "3.0"])];
console.log(table(["waiters of a fair lock", ...heads], [fair, ...[3, 3.5, 4, 5].map(bestRow), moment]));
