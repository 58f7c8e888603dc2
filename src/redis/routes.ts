import { until } from "../shared/timers.ts";
import { noop } from "../shared/wait-until.ts";
import { type Connection, type Route, type Routes, routeAlone } from "./connect.ts";
import { type Parcel, sendAll } from "./pipelines.ts";
import type { Port } from "./port.ts";
import { MOST_REQUESTS } from "./retry-policy.ts";

/** The commands that are sent to one server together. */
interface Gathering {
  /** The next pipeline waits for one more command. */
  expect(): void;
  /** The next pipeline waits for one command less. */
  arrive(): void;
  /** Adds a command. */
  add(parcel: Parcel): void;
  /** Sends the collected commands at the end of this turn, for an unexpected command. */
  sendSoon(): void;
}

/** Collects commands, and sends them once all expected ones have arrived. */
function gather(port: Port): Gathering {
  // The turn counts as one expected command, since all join before it ends.
  let expected = 1;
  let parcels: Parcel[] = [];
  let requests = 0;

  function flush(): void {
    const all = parcels;
    parcels = [];
    if (all.length === 0) return;
    requests++;
    if (requests <= MOST_REQUESTS) {
      sendAll(port, all);
      return;
    }
    for (const { resolve } of all)
      resolve({ type: "not sent", reason: "unreachable", error: `no answer to ${MOST_REQUESTS} requests` });
  }
  function arrive(): void {
    expected--;
    if (expected === 0) flush();
  }
  queueMicrotask(arrive);
  return {
    expect() {
      expected++;
    },
    arrive,
    add(parcel) {
      parcels.push(parcel);
    },
    sendSoon() {
      if (parcels.length === 1) setTimeout(flush);
    },
  };
}

/** The runs of an operation on one connection. They retry at the same moments, in one pipeline. */
function shareRoute({ port, random, clock }: Connection): (budgetMs: number) => Route {
  const gathering = gather(port);
  let longestMs = 0;
  let jitter: number | undefined;
  const sleepers = new Set<() => void>();
  /** Wakes all sleeping runs: their next attempts are sent together. */
  function wakeAll(): void {
    jitter = undefined;
    const woken = [...sleepers];
    sleepers.clear();
    for (const wake of woken) wake();
  }

  return (budgetMs) => {
    longestMs = Math.max(longestMs, budgetMs);
    let sha: string | undefined;
    let isExpected = true;
    gathering.expect();
    const leave = (): void => {
      if (!isExpected) return;
      isExpected = false;
      gathering.arrive();
    };
    return {
      port: (command, signal, behind = []) =>
        new Promise((resolve) => {
          if (command[0] === "EVALSHA") sha = `${command[1]}`;
          gathering.add({ command, behind, sha, signal, resolve });
          // A retry without a delay waits for nothing; others may follow in this turn.
          if (isExpected) leave();
          else gathering.sendSoon();
        }),
      spreadMs: () => longestMs,
      random() {
        jitter ??= random();
        return jitter;
      },
      async pause(delayMs, signal) {
        let wake = noop;
        const woken = new Promise<void>((resolve) => {
          wake = () => {
            isExpected = true;
            gathering.expect();
            resolve();
          };
        });
        sleepers.add(wake);
        await until(woken, delayMs, signal, clock);
        if (signal?.aborted) sleepers.delete(wake);
        else if (sleepers.has(wake)) wakeAll();
        signal?.throwIfAborted();
      },
      leave,
    };
  };
}

/**
 * Makes the routes of an operation on several names. Over HTTP, concurrent scripts on one connection are sent in one
 * pipeline, and failed ones are retried together, again in one pipeline: at most {@link MOST_REQUESTS} pipelines. Each
 * script is still timed and judged separately. Over TCP, and so on a cluster, each script is sent separately.
 */
export function sharedRoutes(): Routes {
  const shared = new Map<Connection, (budgetMs: number) => Route>();
  return (connection, budgetMs) => {
    if (connection.port.isSingle) return routeAlone(connection, budgetMs);
    const join = shared.get(connection) ?? shareRoute(connection);
    shared.set(connection, join);
    return join(budgetMs);
  };
}
