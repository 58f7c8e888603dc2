import { sharedRoutes } from "../../../src/redis/batch.ts";
import { type Connection, withMembers } from "../../../src/redis/connect.ts";
import type { Command, Outcome, Port } from "../../../src/redis/port.ts";
import { billedFor } from "./billed.ts";

/** A command that waits for the next request. */
interface Parcel {
  readonly command: Command;
  readonly signal: AbortSignal;
  readonly resolve: (outcome: Outcome) => void;
}

/** A connection that sends at most one request at a time, and one per interval, to Redis. */
export interface Pace {
  /** The connection. All commands issued meanwhile share the next request. */
  readonly connection: Connection;
  /** The requests sent so far, and their commands, including those in scripts. */
  readonly sent: () => { readonly requests: number; readonly commands: number; readonly commandsPerSecond: number };
  /** Sends the next requests immediately, for a waiting user. Only few can be sent until intervals pass. */
  readonly hurry: (requests: number) => void;
  /** The server's time in ms since 1970, from the answers. */
  readonly now: () => number;
}

const MAX_COMMANDS = 1000;
/** The number of requests that may be sent without an interval, and the number of intervals until one more may be. */
export const MAX_HURRIES = 6;
export const INTERVALS_PER_HURRY = 5;
const WINDOW_MS = 10_000;

/** Reads the server's clock in an answer of one of leasehold's scripts, in ms. */
function clockIn(outcome: Outcome): number | undefined {
  const result = outcome.type === "answered" ? outcome.result : undefined;
  const now = Array.isArray(result) ? Number(result[1]) : Number.NaN;
  return now > 1e15 && now < 1e16 ? now / 1000 : undefined;
}

/** Counts what is sent. */
function makeCounter() {
  const recent: { readonly at: number; readonly count: number }[] = [];
  let [requests, commands] = [0, 0];
  return {
    countRequest(): void {
      requests++;
    },
    countCommands(count: number): void {
      commands += count;
      recent.push({ at: performance.now(), count });
    },
    sent() {
      const since = performance.now() - WINDOW_MS;
      while (recent[0] && recent[0].at < since) recent.shift();
      const count = recent.reduce((sum, each) => sum + each.count, 0);
      return { requests, commands, commandsPerSecond: count / (WINDOW_MS / 1000) };
    },
  };
}

/** Allows a few requests without an interval before them. */
function makeHurries(intervalMs: number) {
  let [waiting, left, countedAt] = [0, MAX_HURRIES, performance.now()];
  return {
    allow(count: number): void {
      const perHurryMs = intervalMs * INTERVALS_PER_HURRY;
      const earned = Math.floor((performance.now() - countedAt) / perHurryMs);
      countedAt += earned * perHurryMs;
      left = Math.min(left + earned, MAX_HURRIES);
      const more = Math.min(count, left);
      left -= more;
      waiting += more;
    },
    isNext: (): boolean => waiting > 0,
    use(): void {
      waiting = Math.max(0, waiting - 1);
    },
  };
}

/** Batches commands into at most one request per interval. */
export function paceOf(source: Connection, intervalMs: number): Pace {
  const queue: Parcel[] = [];
  const counter = makeCounter();
  const hurries = makeHurries(intervalMs);
  let offsetMs = 0;
  let lastAt = Number.NEGATIVE_INFINITY;
  let waiting: ReturnType<typeof setTimeout> | undefined;
  let isBusy = false;

  function schedule(): void {
    if (isBusy || queue.length === 0) return;
    clearTimeout(waiting);
    waiting = setTimeout(leave, hurries.isNext() ? 0 : Math.max(0, lastAt + intervalMs - performance.now()));
  }

  async function leave(): Promise<void> {
    waiting = undefined;
    const alive = queue.filter(({ signal }) => !signal.aborted);
    const parcels = alive.slice(0, MAX_COMMANDS);
    queue.splice(0, queue.length, ...alive.slice(MAX_COMMANDS));
    if (parcels.length === 0) return;
    isBusy = true;
    hurries.use();
    lastAt = performance.now();
    counter.countRequest();
    const routes = sharedRoutes();
    const ports = parcels.map(() => routes(source, 0).port);
    await Promise.all(
      parcels.map(async ({ command, signal, resolve }, n) => {
        const outcome = await (ports[n] as Port)(command, signal);
        counter.countCommands(billedFor(command, outcome));
        const now = clockIn(outcome);
        if (now !== undefined) offsetMs = now - Date.now();
        resolve(outcome);
      }),
    );
    isBusy = false;
    schedule();
  }

  const port: Port = Object.assign(
    (command: Command, signal: AbortSignal) =>
      new Promise<Outcome>((resolve) => {
        queue.push({ command, signal, resolve });
        schedule();
      }),
    { isSingle: true },
  );
  return {
    // An attempt may wait for two intervals before it is sent.
    connection: withMembers(source, { port, requestTimeoutMs: source.requestTimeoutMs + 4 * intervalMs }),
    sent: counter.sent,
    now: () => Date.now() + offsetMs,
    hurry(count) {
      hurries.allow(count);
      schedule();
    },
  };
}
