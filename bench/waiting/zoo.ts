/** All loads with the default back-off and with those of others, in simulation. */
import { type Backoff, constantBackoff, defaultBackoff, exponentialBackoff } from "../../src/index.ts";
import { LOADS, type Load } from "./loads.ts";
import { fairLock, plainLock, SCRIPT_TIMING } from "./locks.ts";
import { type Figures, type Lock, simulate } from "./simulate.ts";

/** A way of waiting. */
export interface Subject {
  readonly label: string;
  readonly lockOf: () => Lock;
}

const polling = (label: string, backoff: Backoff): Subject => ({ label, lockOf: () => plainLock(backoff) });

export const OURS: Subject = polling("`lock`", defaultBackoff);
export const FAIR: Subject = { label: "`fairLock`", lockOf: () => fairLock(SCRIPT_TIMING) };
/** Ways of waiting that others use, with their defaults. */
export const PEERS: readonly Subject[] = [
  polling("constant, 50 ms", constantBackoff(50)),
  polling("constant, 100 ms", constantBackoff(100)),
  polling("constant, 200 ms", constantBackoff(200)),
  polling("full-jitter exponential", exponentialBackoff()),
  // Its retry.delay, without jitter.
  polling("@upstash/lock", () => 100),
  // Its retryDelay and retryJitter: 200 ms, give or take up to 100.
  polling("redlock", ({ random }) => 100 + 200 * random()),
  // Its retryInterval.
  polling("redis-semaphore", () => 10),
];

/** The figures of several runs, per acquisition where that makes sense. */
export interface Summary {
  /** How long the name was free although somebody waited, per acquisition, in ms. */
  readonly idleMs: number;
  /** The same as a part of the time in which somebody waited. */
  readonly idleShare: number;
  readonly timedOut: number;
  readonly wronglyTimedOut: number;
  readonly longestWaitMs: number;
  readonly requests: number;
  readonly commands: number;
}

export function summarize(load: Load, { lockOf }: Subject, runs: number): Summary {
  const all = Array.from({ length: runs }, (_, run) => simulate(load, lockOf(), run + 1));
  const sum = (get: (figures: Figures) => number): number => all.reduce((total, figures) => total + get(figures), 0);
  const acquired = sum((each) => each.acquired);
  const idleMs = sum((each) => each.idleMs);
  return {
    idleMs: idleMs / acquired,
    idleShare: idleMs / sum((each) => each.contendedMs),
    timedOut: sum((each) => each.timedOut),
    wronglyTimedOut: sum((each) => each.wronglyTimedOut),
    longestWaitMs: Math.max(...all.map((each) => each.longestWaitMs)),
    requests: sum((each) => each.requests) / acquired,
    commands: sum((each) => each.commands) / acquired,
  };
}

const ALL: readonly Subject[] = [OURS, FAIR, ...PEERS];

/** The heads of the table of the zoo. */
export const ZOO_HEADS: readonly string[] = ["load", ...ALL.map(({ label }) => label)];

/** The table of the zoo: for each load and way of waiting the idle time, the commands, and who timed out. */
export const zooRows = (runs: number): readonly string[][] =>
  LOADS.map((load) => [
    load.name,
    ...ALL.map((subject) => {
      const { idleMs, commands, timedOut } = summarize(load, subject, runs);
      const cell = `${idleMs.toFixed(idleMs < 10 ? 1 : 0)} ms, ${commands.toFixed(0)}`;
      return timedOut > 0 ? `${cell}, ${timedOut} timed out` : cell;
    }),
  ]);
