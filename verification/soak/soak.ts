/** Runs a load on servers, and compares the memory and open files of their processes over time. */
import { setTimeout as pause } from "node:timers/promises";
import { garbageCollector } from "../../tools/garbage.ts";
import { type Load, startLoad } from "./load.ts";
import { type Allowance, type Growth, growthOf, type Measure, measure } from "./measures.ts";
import type { SoakedServer } from "./servers.ts";

export interface SoakOptions {
  /** The functions that start the servers, by name. */
  readonly servers: Readonly<Record<string, () => Promise<SoakedServer>>>;
  readonly seconds: number;
  /** For each server. */
  readonly visitsPerSecond: number;
  readonly allowance: Allowance;
  /** Called with each measure. */
  readonly onMeasure?: (name: string, measure: Measure) => void;
}

export interface Soaked {
  readonly name: string;
  readonly growth: Growth;
  readonly done: number;
  readonly refused: number;
  readonly faults: readonly string[];
}

/** A process that is measured. The process of the clients has no load of its own. */
interface Watched {
  readonly name: string;
  readonly load?: Load;
  readonly measures: Measure[];
  readonly look: (seconds: number) => Measure;
}

/** How often each process is measured in a soak. */
const MEASURES = 60;

/** The heap of this process after a garbage collection, instead of its resident memory. */
function clientsOf(): Watched {
  const collect = garbageCollector();
  const look = (seconds: number): Measure => {
    collect();
    return { ...measure(process.pid, seconds), memoryBytes: process.memoryUsage().heapUsed };
  };
  return { name: "clients", measures: [], look };
}

async function measureAll(watched: readonly Watched[], { seconds, onMeasure }: SoakOptions): Promise<void> {
  for (let count = 1; count <= MEASURES; count++) {
    await pause((seconds * 1000) / MEASURES);
    for (const { name, measures, look } of watched) {
      const now = look((count * seconds) / MEASURES);
      measures.push(now);
      onMeasure?.(name, now);
    }
  }
}

/** Puts a steady load on servers, and measures their processes and that of the clients. */
export async function soak(options: SoakOptions): Promise<readonly Soaked[]> {
  const started: SoakedServer[] = [];
  const watched: Watched[] = [];
  const stopLoads = (): Promise<unknown> => Promise.all(watched.map(({ load }) => load?.stop()));
  try {
    for (const [name, start] of Object.entries(options.servers)) {
      const server = await start();
      started.push(server);
      const load = await startLoad(server, options.visitsPerSecond);
      watched.push({ name, load, measures: [], look: (seconds) => measure(server.pid, seconds) });
    }
    watched.push(clientsOf());
    await measureAll(watched, options);
    await stopLoads();
    return watched.map(({ name, load, measures }) => ({
      name,
      growth: growthOf(measures, options.allowance),
      ...(load?.tally ?? { done: 0, refused: 0, faults: [] }),
    }));
  } finally {
    await stopLoads();
    for (const server of started.reverse()) await server.stop();
  }
}
