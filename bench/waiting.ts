/**
 * A simulation of waiting for a plain lock and for a fair one, without a server. It shows which requests and gaps a
 * back-off causes under the loads of bench/waiting/loads.ts, and which combinations are impossible.
 *
 *   node bench/waiting.ts
 *
 * It prints the tables that docs/benchmarks.md quotes; they are the same in every run.
 */
import { type Backoff, defaultBackoff } from "../src/index.ts";
import { quantile } from "./stats.ts";
import { table } from "./tables.ts";
import { LOADS as ALL_LOADS, type Load } from "./waiting/loads.ts";
import { fairLock, plainLock, SCRIPT_TIMING, type Timing } from "./waiting/locks.ts";
import { type Lock, simulate } from "./waiting/simulate.ts";
import { ZOO_HEADS, zooRows } from "./waiting/zoo.ts";

/** The loads of `npm run bench`. */
const LOADS = ALL_LOADS.filter(({ name }) => /^steady, \d+ × \d+ ms$/.test(name));
const RUNS = 40;
/** The number of runs for comparing many timings, and for the loads of others. */
const SEARCH_RUNS = 10;
const ROUND_TRIP_MS = 1.8;

interface Figures {
  readonly gaps: readonly number[];
  readonly requests: number;
  /** The average number of waiters while somebody waits. */
  readonly waiting: number;
}

/** The figures of many runs. */
function figuresOf(load: Load, lockOf: () => Lock, count = RUNS): Figures {
  const runs = Array.from({ length: count }, (_, run) => simulate(load, lockOf(), run + 1));
  const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
  return {
    gaps: runs.flatMap(({ gaps }) => gaps),
    requests: sum(runs.map(({ requests }) => requests)) / sum(runs.map(({ acquired }) => acquired)),
    waiting: sum(runs.map(({ waitingMs }) => waitingMs)) / sum(runs.map(({ contendedMs }) => contendedMs)),
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
  ...LOADS.flatMap((load) => cells(figuresOf(load, () => plainLock(scaled(factor))))),
];

const STEPS = [0.75, 1, 1.25, 1.5, 1.75, 2, 2.5, 3];
const EARLY = [0.25, 0.5, 0.75, 1, 1.25, 1.5, 2];
const BETWEEN_MS = [1, 1.5, 1.75, 2, 2.25, 2.5, 3, 3.5];
const TIMINGS: readonly Timing[] = STEPS.flatMap((step) =>
  EARLY.flatMap((early) => BETWEEN_MS.map((betweenMs) => ({ step, early, betweenMs }))),
);
const tried = LOADS.map((load) =>
  TIMINGS.map((timing) => ({ timing, ...figuresOf(load, () => fairLock(timing), SEARCH_RUNS) })),
);

/** For each load, the timing with the fewest requests whose median gap is no longer. */
function bestRow(gapMs: number): readonly string[] {
  const figures = LOADS.flatMap((load, at) => {
    const fit = tried[at]?.filter(({ gaps }) => quantile(gaps, 0.5) <= gapMs) ?? [];
    const [best] = fit.sort((a, b) => a.requests - b.requests);
    return cells(figuresOf(load, () => fairLock(best?.timing ?? SCRIPT_TIMING)));
  });
  return [`the best of ${TIMINGS.length} timings with a gap of ${gapMs} ms`, ...figures];
}

const trip = `${ROUND_TRIP_MS} ms`;
const known = LOADS.flatMap((load) => [
  trip,
  trip,
  fewest(figuresOf(load, () => plainLock(defaultBackoff)).waiting).toFixed(1),
]);
const heads = LOADS.flatMap(({ name }) => ["gap, median", "gap, p95", "requests"].map((head) => `${name}: ${head}`));
const plain = [0.8, 1, 1.2, 1.5].map(scaledRow);
console.log(table(["waiters", ...heads], [...plain, ["each knows the moment, and how many wait", ...known]]));
console.log();
const fair = ["`fairLock`", ...LOADS.flatMap((load) => cells(figuresOf(load, () => fairLock(SCRIPT_TIMING))))];
const moment = ["each knows the moment", ...LOADS.flatMap(() => [trip, trip, "3.0"])];
console.log(table(["waiters of a fair lock", ...heads], [fair, ...[3, 3.5, 4, 5].map(bestRow), moment]));
console.log();
console.log(table(ZOO_HEADS, zooRows(SEARCH_RUNS)));
