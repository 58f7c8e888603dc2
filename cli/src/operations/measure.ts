import { fairLock } from "../../../src/kinds/fair-lock.ts";
import { lock } from "../../../src/kinds/lock.ts";
import type { Acquirable } from "../../../src/lease/acquire.ts";
import type { Connection } from "../../../src/redis/connect.ts";
import type { Port } from "../../../src/redis/port.ts";
import { ask } from "./ask.ts";
import { percentile } from "./percentile.ts";
import { privateConnection } from "./private.ts";
import type { Target } from "./target.ts";

const LEASE_MS = 30_000;
/** How long each holder works before it releases. */
const WORK_MS = 50;
const NAMES = { cycle: "cycle", lock: "hand-over", fair: "fair hand-over" } as const;

/** The result of one measurement, in ms. */
export interface Figures {
  readonly what: "cycle" | "hand-over" | "fair hand-over";
  readonly count: number;
  readonly p50: number;
  readonly p99: number;
  /** Requests that one of them took, on average. */
  readonly requests: number;
  /** Redis commands that one of them took, on average; undefined if the server does not count them. */
  readonly commands?: number;
}

export interface MeasureOptions {
  readonly cycles: number;
  readonly handOvers: number;
  readonly signal?: AbortSignal | undefined;
  readonly onFigures?: ((figures: Figures) => void) | undefined;
  /** Called before each cycle and each hand-over. */
  readonly onProgress?: ((progress: Progress) => void) | undefined;
}

/** The progress of a measurement. */
export interface Progress extends Pick<Figures, "what" | "count"> {
  readonly done: number;
}

/** Redis commands so far, including those inside scripts, without those of this function. */
async function commandsSoFar(connection: Connection): Promise<number | undefined> {
  try {
    const text = String(await ask(connection, ["INFO", "commandstats"]));
    const counts = [...text.matchAll(/^cmdstat_(\S+?):calls=(\d+)/gm)].filter(
      ([, name]) => !/^(info|ping|echo)/.test(`${name}`),
    );
    return counts.length === 0 ? undefined : counts.reduce((sum, [, , count]) => sum + Number(count), 0);
  } catch {
    return undefined;
  }
}

/** A series of measurements of one kind. */
interface Series {
  readonly count: number;
  readonly signal: AbortSignal | undefined;
  /** Called before each measurement with the number of earlier ones. */
  readonly onNext: (done: number) => void;
}

async function cycles(name: Acquirable, { count, signal, onNext }: Series): Promise<number[]> {
  const times: number[] = [];
  for (let n = 0; n < count; n++) {
    signal?.throwIfAborted();
    onNext(n);
    const began = performance.now();
    const lease = await name.acquire({ wait: 0 });
    await lease.release();
    times.push(performance.now() - began);
  }
  return times;
}

/** Two clients take turns; each time counts from the start of a release to the waiter's grant. */
async function handOvers(name: Acquirable, { count, signal, onNext }: Series): Promise<number[]> {
  const times: number[] = [];
  let lease = await name.acquire({ wait: "30s", signal });
  for (let n = 0; n < count; n++) {
    onNext(n);
    const next = name.acquire({ wait: "30s", signal }).then((granted) => ({ granted, at: performance.now() }));
    await new Promise((resolve) => setTimeout(resolve, WORK_MS));
    const began = performance.now();
    await lease.release();
    const { granted, at } = await next;
    lease = granted;
    times.push(at - began);
  }
  await lease.release();
  return times;
}

/**
 * Measures a cycle of acquire and release, and how long a contended lock takes to change hands, with its own names.
 *
 * @throws LeaseholdError if the server does not answer; the signal's reason
 */
export async function measure(target: Target, options: MeasureOptions): Promise<readonly Figures[]> {
  const { signal, onFigures, onProgress } = options;
  let requests = 0;
  const { port } = target.connection;
  const counted: Port = (...request) => {
    requests++;
    return port(...request);
  };
  const connection = privateConnection(target, "bench", counted);
  const all: Figures[] = [];
  async function run(what: Figures["what"], count: number, work: (series: Series) => Promise<number[]>): Promise<void> {
    const before = await commandsSoFar(target.connection);
    requests = 0;
    const times = await work({ count, signal, onNext: (done) => onProgress?.({ what, count, done }) });
    const sent = requests;
    const after = await commandsSoFar(target.connection);
    const commands = before === undefined || after === undefined ? undefined : (after - before) / count;
    const figures = {
      ...{ what, count, p50: percentile(times, 0.5), p99: percentile(times, 0.99), requests: sent / count },
      ...(commands !== undefined && { commands }),
    };
    all.push(figures);
    onFigures?.(figures);
  }
  const options30 = { lease: LEASE_MS };
  const plain = lock(connection, NAMES.cycle, options30);
  // The first one sends the scripts themselves.
  await cycles(plain, { count: 1, signal, onNext() {} });
  const [contended, fair] = [lock(connection, NAMES.lock, options30), fairLock(connection, NAMES.fair, options30)];
  await run("cycle", options.cycles, (series) => cycles(plain, series));
  await run("hand-over", options.handOvers, (series) => handOvers(contended, series));
  await run("fair hand-over", options.handOvers, (series) => handOvers(fair, series));
  const keys = Object.values(NAMES).flatMap((name) =>
    ["", "%crowd"].map((part) => `${connection.prefix}{${name}}${part}`),
  );
  for (const key of keys) await ask(connection, ["DEL", key]);
  return all;
}
