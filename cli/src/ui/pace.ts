import type { Connection } from "../../../src/redis/connect.ts";
import type { Command, Outcome, Port } from "../../../src/redis/port.ts";
import { sharedRoutes } from "../../../src/redis/routes.ts";

/** A command that waits for the next request. */
interface Parcel {
  readonly command: Command;
  readonly signal: AbortSignal;
  readonly resolve: (outcome: Outcome) => void;
}

/** A connection over which at most one request at a time, and one per interval, goes to Redis. */
export interface Pace {
  /** The connection. Everything asked of it meanwhile shares the next request. */
  readonly connection: Connection;
  /** The requests and commands sent so far. */
  readonly sent: () => { readonly requests: number; readonly commands: number; readonly commandsPerSecond: number };
  /** The server's time in ms since 1970, as the answers told it. */
  readonly now: () => number;
}

const MOST_COMMANDS = 1000;
const WINDOW_MS = 10_000;

/** Reads the server's clock in an answer of one of our scripts, in ms. */
function clockIn(outcome: Outcome): number | undefined {
  const result = outcome.type === "answered" ? outcome.result : undefined;
  const now = Array.isArray(result) ? Number(result[1]) : Number.NaN;
  return now > 1e15 && now < 1e16 ? now / 1000 : undefined;
}

/** Makes commands travel together, in at most one request per interval. */
export function paceOf(source: Connection, intervalMs: number): Pace {
  const queue: Parcel[] = [];
  const recent: { readonly at: number; readonly count: number }[] = [];
  let [requests, commands, offsetMs] = [0, 0, 0];
  let lastAt = Number.NEGATIVE_INFINITY;
  let [isWaiting, isBusy] = [false, false];

  function schedule(): void {
    if (isWaiting || isBusy || queue.length === 0) return;
    isWaiting = true;
    setTimeout(leave, Math.max(0, lastAt + intervalMs - performance.now()));
  }

  async function leave(): Promise<void> {
    isWaiting = false;
    const alive = queue.filter(({ signal }) => !signal.aborted);
    const parcels = alive.slice(0, MOST_COMMANDS);
    queue.splice(0, queue.length, ...alive.slice(MOST_COMMANDS));
    if (parcels.length === 0) return;
    isBusy = true;
    lastAt = performance.now();
    requests++;
    commands += parcels.length;
    recent.push({ at: lastAt, count: parcels.length });
    const routes = sharedRoutes();
    const ports = parcels.map(() => routes(source, 0).port);
    await Promise.all(
      parcels.map(async ({ command, signal, resolve }, n) => {
        const outcome = await (ports[n] as Port)(command, signal);
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
    connection: { ...source, port, requestTimeoutMs: source.requestTimeoutMs + 4 * intervalMs },
    sent() {
      const since = performance.now() - WINDOW_MS;
      while (recent[0] && recent[0].at < since) recent.shift();
      const count = recent.reduce((sum, each) => sum + each.count, 0);
      return { requests, commands, commandsPerSecond: count / (WINDOW_MS / 1000) };
    },
    now: () => Date.now() + offsetMs,
  };
}
