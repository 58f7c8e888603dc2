/** A load on one name. It is data: add the load that somebody else brings, and every table and test has it. */
export interface Load {
  readonly name: string;
  /** Where it comes from. */
  readonly from: string;
  readonly roundTripMs: number;
  /** How long each acquisition waits at most, in ms. */
  readonly waitMs: number;
  /** The callers. Each makes its visits one after another. */
  readonly callers: (random: () => number) => readonly Caller[];
}

interface Caller {
  readonly visits: readonly Visit[];
}

/** One acquisition. */
export interface Visit {
  /** The pause before it, in ms. */
  readonly pauseMs: number;
  readonly workMs: number;
}

const NEAR_MS = 1.8;
const HOUR_MS = 3_600_000;
const LONG_WAIT_MS = 600_000;
/** The callers of a load do not begin in one moment. */
const STAGGER_MS = 200;

const list = <T>(length: number, item: (at: number) => T): T[] => Array.from({ length }, (_, at) => item(at));

/** Callers that come back after a random pause. */
const steady =
  (callers: number, visits: number, work: (random: () => number, visit: number) => number, pauseMs = STAGGER_MS) =>
  (random: () => number): readonly Caller[] =>
    list(callers, () => ({
      visits: list(visits, (visit) => ({ pauseMs: pauseMs * random(), workMs: work(random, visit) })),
    }));

/** One caller that holds the name first, and others that come while it does. */
const behindOne =
  (holdMs: number, waiters: number, workMs: number) =>
  (random: () => number): readonly Caller[] => [
    { visits: [{ pauseMs: 0, workMs: holdMs }] },
    ...list(waiters, () => ({ visits: [{ pauseMs: 10 + STAGGER_MS * random(), workMs }] })),
  ];

const near = { roundTripMs: NEAR_MS, waitMs: LONG_WAIT_MS };

export const LOADS: readonly Load[] = [
  { ...near, name: "steady, 10 × 40 ms", from: "npm run bench, crowds", callers: steady(10, 25, () => 40) },
  { ...near, name: "steady, 30 × 20 ms", from: "npm run bench, crowds", callers: steady(30, 9, () => 20) },
  {
    ...near,
    name: "one of 3 s, then 9 of 40 ms",
    from: "a report: waiters timed out on a free lock",
    waitMs: 5_000,
    callers: behindOne(3_000, 9, 40),
  },
  {
    ...near,
    name: "bimodal, 10 ms or 3 s",
    from: "jobs that mostly find nothing to do",
    callers: steady(8, 20, (random) => (random() < 0.1 ? 3_000 : 10), 1_000),
  },
  {
    ...near,
    name: "growing, from 5 ms to 2 s",
    from: "a table that is rebuilt while it grows",
    callers: steady(5, 34, (_, visit) => 5 * 1.2 ** visit),
  },
  {
    ...near,
    name: "a burst, an idle hour, then 5 behind one of 500 ms",
    from: "nightly jobs and a morning's visitors",
    callers: (random) => [
      ...list(30, () => ({
        visits: list(3, () => ({ pauseMs: STAGGER_MS * random(), workMs: 20 })),
      })),
      { visits: [{ pauseMs: HOUR_MS, workMs: 500 }] },
      ...list(5, () => ({ visits: [{ pauseMs: HOUR_MS + 10 + STAGGER_MS * random(), workMs: 20 }] })),
    ],
  },
  ...[1, 10, 50].map((waiters) => ({
    ...near,
    name: `${waiters} behind one of 30 s`,
    from: "a deployment that holds a name",
    waitMs: 60_000,
    callers: behindOne(30_000, waiters, 20),
  })),
  {
    ...near,
    name: "1 behind one of 12 s",
    from: "a report: a free Worker may make 50 requests",
    waitMs: 30_000,
    callers: behindOne(12_000, 1, 20),
  },
  ...[1, 30, 150].map((roundTripMs) => ({
    name: `steady, 10 × 40 ms, ${roundTripMs} ms away`,
    from: "a server in the same zone, in the same region, on another continent",
    roundTripMs,
    waitMs: LONG_WAIT_MS,
    callers: steady(10, 25, () => 40),
  })),
  {
    ...near,
    name: "a wait hardly longer than the tenure",
    from: "a webhook behind another one",
    waitMs: 1_150,
    callers: behindOne(1_000, 1, 20),
  },
];
