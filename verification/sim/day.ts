/** Hours of virtual time in one process, without a record of the run: the heap must stay flat. */
import { garbageCollector } from "../../tools/garbage.ts";
import { takeGlobals } from "./globals.ts";
import { type Plan, planOf } from "./plan.ts";
import { createScene, type RunOptions, STREAMING, startWorkers } from "./run.ts";
import type { Counts } from "./worker.ts";
import { createWorld } from "./world.ts";

/** The heap after a garbage collection, at a time of the day. */
interface Look {
  readonly hours: number;
  readonly heapBytes: number;
  /** The number of keys on the servers. */
  readonly keys: number;
}

export interface Day {
  readonly kind: string;
  readonly calls: number;
  readonly looks: readonly Look[];
  /** The growth of the heap, without that of new keys. */
  readonly bytesAnHour: number;
  readonly isFlat: boolean;
  readonly violations: readonly { readonly rule: string; readonly text: string }[];
}

export interface DayOptions {
  readonly looksAnHour?: number;
  readonly seed?: number;
  /**
   * The number of names without contention. By default every name is new. Then each connection first fills its memory
   * of how the last 2000 names were used, which takes hours; with few names it is full after minutes.
   */
  readonly names?: number;
  readonly onChange?: RunOptions["onChange"];
}

/** The largest growth of a heap that still counts as flat. For a lock, it is about 50 bytes for each call. */
export const MAX_BYTES_AN_HOUR = 256 * 1024;

const HOUR_MS = 3_600_000;
/** The longest rest of a worker between two rounds. */
const REST_MS = 20_000;
const WORKERS = ["w0", "w1", "w2", "w3", "w4", "w5"];
/** Every second name is chosen from so many that it is new, so that a leak for each name shows. */
const NEW_NAMES = 1e9;
/** The other names are contended. */
const CONTENDED_NAMES = 2;
/** The most that the engine needs for a key with its record. */
const BYTES_OF_A_KEY = 2000;
const QUARTERS = 4;

function planOfDay(kind: string, seed: number, names: number): Plan {
  const drawn = planOf(kind, seed, Number.POSITIVE_INFINITY);
  let reads = 0;
  return {
    ...drawn,
    ...{ isCalm: false, hosts: 3, workers: WORKERS, restMs: REST_MS, faults: [] },
    ...{ networkFaults: 0.02, hostFreezes: 0.0005, skewMs: 100 },
    get names() {
      return ++reads % 2 === 0 ? names : CONTENDED_NAMES;
    },
  };
}

/**
 * The growth of the heap in bytes an hour, without that of new keys: from the smallest heap of the second quarter to
 * that of the last one. In the first quarter, caches fill and code is compiled. Between two collections of all
 * generations, a heap also rises without a leak, so the smallest one counts.
 */
export function growthOf(looks: readonly Look[]): number {
  const quarter = Math.floor(looks.length / QUARTERS);
  const min = (some: readonly Look[]): number =>
    Math.min(...some.map(({ heapBytes, keys }) => heapBytes - keys * BYTES_OF_A_KEY));
  const [second, last] = [looks.slice(quarter, 2 * quarter), looks.slice(-quarter)];
  const hours = (last.at(-1)?.hours ?? 0) - (second.at(-1)?.hours ?? 0);
  return (min(last) - min(second)) / hours;
}

/** Lets clients of a kind work for hours of virtual time, and looks at the heap at intervals. */
export async function liveThrough(kind: string, hours: number, options: DayOptions = {}): Promise<Day> {
  const { looksAnHour = 1, seed = 1, names = NEW_NAMES, onChange } = options;
  const plan = planOfDay(kind, seed, names);
  const world = createWorld(`day of ${kind} ${seed}`, STREAMING.has(kind) ? 1 : undefined, { isLogged: false });
  const collect = garbageCollector();
  const restore = takeGlobals(world.random("ids"));
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  const looks: Look[] = [];
  const counts: Counts = { calls: 0, signals: undefined };
  const scene = createScene(world, plan, { forgets: true, ...(onChange && { onChange }) }, undefined);
  try {
    startWorkers(scene, counts, (error) => scene.history.report("rejections", String(error)));
    const begin = world.now();
    for (let look = 1; look <= hours * looksAnHour; look++) {
      await world.run(begin + (look * HOUR_MS) / looksAnHour, () => false);
      const keys = scene.servers.reduce((sum, server) => sum + server.keys().length, 0);
      collect();
      looks.push({ hours: look / looksAnHour, heapBytes: process.memoryUsage().heapUsed, keys });
    }
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
    restore();
  }
  const bytesAnHour = growthOf(looks);
  const isFlat = bytesAnHour <= MAX_BYTES_AN_HOUR;
  return { kind, calls: counts.calls, looks, bytesAnHour, isFlat, violations: scene.history.violations };
}
