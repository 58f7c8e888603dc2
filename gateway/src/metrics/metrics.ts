import { Counter, collectDefaultMetrics, Gauge, Registry } from "prom-client";
import { type Backend, type Command, isScriptMiss, type Outcomes, overridden, type Reply } from "../redis/backend.ts";
import { labelOf } from "../redis/commands.ts";
import { memoized } from "../shared/memo.ts";
import { passOn, type Receiver } from "../shared/receiver.ts";
import { createHoldingMetrics, type HoldingMetrics } from "./holding-metrics.ts";
import { createTallies, type Tallies } from "./tally.ts";
import { createTokenMetrics, type TokenMetrics } from "./token-metrics.ts";

/** The sources of the gauges, asked each time the metrics are read. */
export interface Sources {
  inFlight(): number;
  /** The bytes held for requests in flight, by their kind. */
  heldBytes(): Readonly<Record<string, number>>;
  streams(): number;
  /** Requests that wait for their turn. */
  waiting(): number;
  /** Whether the Redis of each database answers, by the database's name. */
  redis(): Promise<ReadonlyMap<string, boolean>>;
}

/** The part of a response that is counted. */
interface Ended {
  readonly status: number;
  readonly isScriptMiss?: boolean;
}

/**
 * The gateway in numbers. Labels come from closed sets, so that no caller can make up series; no label holds a key or a
 * value.
 */
export interface Metrics {
  readonly contentType: string;
  text(): Promise<string>;
  /** Counts a request that has ended, by its route (of a closed set). A stream counts when it begins. */
  request(route: string, response: Ended, seconds: number): void;
  /** The numbers of a token by its name. */
  ofToken(database: string, token: string): TokenMetrics;
  /** The numbers of a database's requests that wait for their turn. */
  ofHolding(database: string): HoldingMetrics;
  /** Counts a request that was refused because too much is in flight. */
  overloaded(): void;
  /**
   * A backend whose commands, error replies and round trips are counted.
   *
   * @param outcomes is told how the requests end, since two who each observe them would cost every request more
   */
  measured(backend: Backend, database: string, outcomes?: Outcomes): Backend;
  /** Adds the numbers of the connections of clients. */
  withConnections(read: () => { readonly open: number; readonly refused: number }): void;
  /** Adds the numbers of the Node process. Only one gateway of a process may do so. */
  withProcess(): void;
}

const KINDS: ReadonlyMap<number, string> = new Map([
  [400, "refused"],
  [401, "unauthorized"],
  [405, "method"],
  [413, "too_large"],
  [429, "rate_limited"],
  [500, "internal"],
  [503, "not_sent"],
  [504, "no_answer"],
]);
const LATENCIES = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
/** The codes of Redis's own errors; a script may answer with any. */
const CODES: ReadonlySet<string> = new Set(
  (
    "ERR WRONGTYPE NOPERM OOM BUSY BUSYKEY BUSYGROUP NOGROUP EXECABORT CROSSSLOT MOVED ASK TRYAGAIN CLUSTERDOWN READONLY " +
    "LOADING MASTERDOWN MISCONF NOREPLICAS NOAUTH NOTBUSY UNKILLABLE NOPROTO INPROG DENIED"
  ).split(" "),
);

function codeOf({ message }: Error): string {
  const [code = ""] = message.split(" ", 1);
  return CODES.has(code) ? code : "other";
}

const named = (name: string): string => `leasehold_gateway_${name}`;

type RequestMetrics = Pick<Metrics, "request" | "overloaded">;

function createRequestMetrics(tallies: Tallies, registers: Registry[]): RequestMetrics {
  const requests = tallies.counter(named("requests_total"), "Requests that have ended, by shape and status.");
  const durations = tallies.histogram(
    named("request_duration_seconds"),
    "Time from a request to its answer, without the time for which it waited for its turn.",
    LATENCIES,
  );
  const errors = new Counter({
    name: named("errors_total"),
    help: "Requests that ended with an error, by kind.",
    labelNames: ["kind"],
    registers,
  });
  // Prometheus does not count the first value of a series as an increase, so all of them begin at 0.
  for (const kind of [...KINDS.values(), "overloaded", "other"]) errors.inc({ kind }, 0);
  const requestsOf = memoized((route: string) => ({
    took: durations.of({ route }),
    with: memoized((status: number | "noscript") => requests.of({ route, status: String(status) })),
  }));
  return {
    request(route, { status, isScriptMiss = false }, seconds) {
      const { took, with: counted } = requestsOf(route);
      took.observe(seconds);
      counted(isScriptMiss ? "noscript" : status).add();
      if (status >= 400 && !isScriptMiss) errors.labels(KINDS.get(status) ?? "other").inc();
    },
    overloaded: () => errors.labels("overloaded").inc(),
  };
}

/** Somebody who is told of the commands of a backend, and how long Redis took. */
interface Observer {
  begun(commands: readonly Command[]): void;
  answered(seconds: number, answer: readonly Reply[] | Error): void;
  failed(seconds: number, error: unknown): void;
}

/** A backend whose commands are observed. */
function observed(backend: Backend, observer: Observer): Backend {
  const secondsSince = (begun: number): number => (performance.now() - begun) / 1_000;
  function begin(commands: readonly Command[]): number {
    observer.begun(commands);
    return performance.now();
  }
  return overridden(backend, {
    send(commands, to, room) {
      const since = begin(commands);
      const observing: Receiver<readonly Reply[]> = {
        receive(replies) {
          observer.answered(secondsSince(since), replies);
          to.receive(replies);
        },
        fail(error) {
          observer.failed(secondsSince(since), error);
          to.fail(error);
        },
      };
      backend.send(commands, observing, room);
    },
    transact(commands, room) {
      const since = begin(commands);
      const answer = backend.transact(commands, room);
      passOn(answer, {
        receive: (replies) => observer.answered(secondsSince(since), replies),
        fail: (error) => observer.failed(secondsSince(since), error),
      });
      return answer;
    },
  });
}

function createCommandMetrics(tallies: Tallies, registers: Registry[]): Pick<Metrics, "measured"> {
  const commands = tallies.counter(named("commands_total"), "Commands that were to be sent to Redis.");
  const misses = tallies.counter(
    named("script_misses_total"),
    "Scripts that Redis did not know by their SHA-1 (NOSCRIPT), so that the caller sends the text.",
  );
  const trips = tallies.histogram(
    named("redis_duration_seconds"),
    "Time that Redis took to answer one request's commands.",
    LATENCIES,
  );
  const replies = new Counter({
    name: named("redis_errors_total"),
    help: "Error replies of Redis, by their code.",
    labelNames: ["database", "code"],
    registers,
  });
  // By name, so that a database which gets new connections at a reload goes on with its numbers.
  const talliesOf = memoized((database: string) => ({
    trip: trips.of({ database }),
    misses: misses.of({ database }),
    countOf: memoized((command: string) => commands.of({ database, command })),
  }));
  return {
    measured(backend, database, outcomes) {
      const { trip, misses, countOf } = talliesOf(database);
      const countError = (reply: Reply): void => {
        if (isScriptMiss(reply)) misses.add();
        else if (reply instanceof Error) replies.labels(database, codeOf(reply)).inc();
      };
      return observed(backend, {
        begun(list) {
          for (const command of list) countOf(labelOf(command)).add();
        },
        answered(seconds, answer) {
          trip.observe(seconds);
          if (answer instanceof Error) countError(answer);
          else for (const reply of answer) countError(reply);
          outcomes?.answered();
        },
        failed(seconds, error) {
          trip.observe(seconds);
          outcomes?.failed(error);
        },
      });
    },
  };
}

function registerGauges(sources: Sources, registers: Registry[]): void {
  new Gauge({
    name: named("requests_in_flight"),
    help: "Requests that are being answered, without those that wait for their turn.",
    registers,
    collect() {
      this.set(sources.inFlight());
    },
  });
  new Gauge({
    name: named("held_bytes"),
    help: "Bytes that are held for requests, by what they are.",
    labelNames: ["of"],
    registers,
    collect() {
      for (const [of, bytes] of Object.entries(sources.heldBytes())) this.set({ of }, bytes);
    },
  });
  new Gauge({
    name: named("streams_open"),
    help: "Streams of server-sent events that are open.",
    registers,
    collect() {
      this.set(sources.streams());
    },
  });
  new Gauge({
    name: named("requests_held"),
    help: "Requests that wait for their turn.",
    registers,
    collect() {
      this.set(sources.waiting());
    },
  });
  new Gauge({
    name: named("redis_up"),
    help: "1 while Redis answers, 0 while it does not.",
    labelNames: ["database"],
    registers,
    async collect() {
      this.reset();
      for (const [database, isUp] of await sources.redis()) this.set({ database }, isUp ? 1 : 0);
    },
  });
}

function registerConnections(read: () => { open: number; refused: number }, registers: Registry[]): void {
  new Gauge({
    name: named("connections_open"),
    help: "Connections of clients that are open.",
    registers,
    collect() {
      this.set(read().open);
    },
  });
  new Counter({
    name: named("connections_refused_total"),
    help: "Connections that were closed at once because there were too many.",
    registers,
    collect() {
      this.reset();
      this.inc(read().refused);
    },
  });
}

export function createMetrics(sources: Sources): Metrics {
  const registry = new Registry();
  const tallies = createTallies();
  const requests = createRequestMetrics(tallies, [registry]);
  const commands = createCommandMetrics(tallies, [registry]);
  registerGauges(sources, [registry]);
  return {
    contentType: registry.contentType,
    text: async () => `${await tallies.text()}\n${await registry.metrics()}`,
    ...requests,
    ...commands,
    ofToken: createTokenMetrics(tallies, named("")),
    ofHolding: createHoldingMetrics(tallies, named("")),
    withConnections: (read) => registerConnections(read, [registry]),
    withProcess: () => collectDefaultMetrics({ register: registry }),
  };
}
