/**
 * A simulation of waiting for a plain lock: the contenders of `bench/contention.ts` and the averages that the scripts
 * keep, without a server. It shows what requests and gaps a back-off leads to, and which pairs of them cannot be had.
 *
 *   node bench/waiting.ts
 *
 * It prints the table of docs/costs.md, the same at each run.
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
  /** How many wait at a time, on average. */
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
/** As measured while `npm run bench` runs: a request takes about this long there and back. */
const ROUND_TRIP_MS = 1.8;

/** Steps of the story in the order of their times. */
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

/** The record of a lock: who has it, and the averages as lock-acquire and lock-close keep them. */
function createRecord() {
  const record = {
    isHeld: false,
    beganAt: 0,
    endedAt: 0,
    tenureMs: 0,
    queueMs: 0,
    grant(now: number, waitedMs: number): void {
      const change = Math.min((waitedMs - record.queueMs) / 8, 3 * record.tenureMs);
      if (record.endedAt > 0) record.queueMs = Math.max(record.queueMs + change + record.endedAt - now, 0);
      Object.assign(record, { isHeld: true, beganAt: now });
    },
    release(now: number): void {
      const tookMs = now - record.beganAt;
      record.tenureMs += record.tenureMs === 0 ? tookMs : (tookMs - record.tenureMs) / 8;
      Object.assign(record, { isHeld: false, endedAt: now });
    },
  };
  return record;
}

/** One run, from the moment when nobody has asked yet. */
function simulate({ contenders, workMs }: Load, backoff: Backoff, seed: number): Figures {
  const random = seeded(seed);
  const line = createTimeline();
  const lock = createRecord();
  const gaps: number[] = [];
  const long = (meanMs: number): number => -meanMs * Math.log(1 - random());
  const hop = (): number => 0.35 * ROUND_TRIP_MS + long(0.15 * ROUND_TRIP_MS) + (random() < 0.015 ? long(5) : 0);
  const sleep = (ms: number, run: () => void): void =>
    line.after(ms + 0.1 + 0.4 * random() + (random() < 0.03 ? 3 : 0), run);
  let [requests, grants, waitedMs, workEndedAt] = [0, 0, 0, 0];

  function granted(askedAt: number): void {
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
  function ask(askedAt: number, polls: number): void {
    const sentAt = line.now;
    requests++;
    line.after(hop(), () => {
      const { isHeld, beganAt, tenureMs, queueMs } = lock;
      const ageMs = line.now - beganAt;
      if (!isHeld) lock.grant(line.now, sentAt - askedAt);
      line.after(hop(), () => {
        if (!isHeld) return granted(askedAt);
        const [waited, roundTripMs] = [line.now - askedAt, line.now - sentAt];
        const info = { remainingMs: LEASE_MS - ageMs, ageMs, tenureMs, queueMs, polls, waitedMs: waited, roundTripMs };
        sleep(backoff({ ...info, random }), () => ask(askedAt, polls + 1));
      });
    });
  }
  function rest(): void {
    line.after(PAUSE_MS * random(), () => ask(line.now, 1));
  }
  for (let each = 0; each < contenders; each++) rest();
  while (grants < ACQUISITIONS) line.next();
  return { gaps, requests: requests / ACQUISITIONS, waiting: waitedMs / line.now };
}

/** The figures of many runs. */
function figuresOf(load: Load, backoff: Backoff): Figures {
  const runs = Array.from({ length: RUNS }, (_, run) => simulate(load, backoff, run + 1));
  const mean = (get: (figures: Figures) => number): number => runs.reduce((sum, each) => sum + get(each), 0) / RUNS;
  return {
    gaps: runs.flatMap(({ gaps }) => gaps),
    requests: mean(({ requests }) => requests),
    waiting: mean(({ waiting }) => waiting),
  };
}

/**
 * The fewest requests with which 19 of 20 releases are met at once by waiters that know the moment of the release and
 * how many wait, but not who else polls: the first poll, the release, and the polls at each release, of which one wins.
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

const rows = [0.8, 1, 1.2, 1.5].map((factor) => [
  factor === 1 ? "`defaultBackoff`" : `the same, told ${factor} × \`queueMs\``,
  ...LOADS.flatMap((load) => cells(figuresOf(load, scaled(factor)))),
]);
const known = LOADS.flatMap((load) => {
  const trip = `${ROUND_TRIP_MS} ms`;
  return [trip, trip, fewest(figuresOf(load, defaultBackoff).waiting).toFixed(1)];
});
const heads = LOADS.flatMap(({ contenders, workMs }) =>
  ["gap, median", "gap, p95", "requests"].map((head) => `${contenders} × ${workMs} ms: ${head}`),
);
console.log(table(["waiters", ...heads], [...rows, ["each knows the moment, and how many wait", ...known]]));
