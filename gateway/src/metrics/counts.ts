import { Counter, type Registry } from "prom-client";
import { type Backend, type Command, isScriptMiss, type Outcomes, overridden, type Reply } from "../redis/backend.ts";
import { labelOf } from "../redis/commands.ts";
import { passOn, type Receiver } from "../shared/receiver.ts";
import { memoized, type Tallies } from "./tally.ts";

/** The part of a response that is counted. */
interface Ended {
  readonly status: number;
  readonly isScriptMiss?: boolean;
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
    "ERR WRONGTYPE NOPERM OOM BUSY BUSYKEY BUSYGROUP NOGROUP EXECABORT CROSSSLOT MOVED ASK TRYAGAIN CLUSTERDOWN NOANSWER " +
    "READONLY LOADING MASTERDOWN MISCONF NOREPLICAS NOAUTH NOTBUSY UNKILLABLE NOPROTO INPROG DENIED"
  ).split(" "),
);

function codeOf({ message }: Error): string {
  const [code = ""] = message.split(" ", 1);
  return CODES.has(code) ? code : "other";
}

export const named = (name: string): string => `leasehold_gateway_${name}`;

/** The numbers of all requests. */
export interface RequestMetrics {
  /** Counts a request that has ended, by its route (of a closed set). A stream counts when it begins. */
  request(route: string, response: Ended, seconds: number): void;
  /** Counts a request refused because too much is in flight. */
  overloaded(): void;
}

export function createRequestMetrics(tallies: Tallies, registers: Registry[]): RequestMetrics {
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
  // Prometheus does not count the first value of a series as an increase, so all series begin at 0.
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

/** An observer of the commands of a backend, and of the time that Redis took. */
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
    send(commands, to, wanted) {
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
      backend.send(commands, observing, wanted);
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

/** The numbers of all commands. */
export interface CommandMetrics {
  /**
   * A backend whose commands, error replies and round trips are counted.
   *
   * @param outcomes receives the outcomes of requests, since a second observer would cost every request more
   */
  measured(backend: Backend, database: string, outcomes?: Outcomes): Backend;
}

export function createCommandMetrics(tallies: Tallies, registers: Registry[]): CommandMetrics {
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
  // By name, so that a database with new connections after a reload continues its numbers.
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
          if (outcomes?.isMissing === true) outcomes.answered();
        },
        failed(seconds, error) {
          trip.observe(seconds);
          outcomes?.failed(error);
        },
      });
    },
  };
}

/** The maximum number of tokens with their own series; all others are counted together as `other`. */
const MAX_TOKENS = 200;
const OTHER = "other";

/** The type of a request, for the operator of a token. */
interface TokenRequest {
  readonly status: number;
  readonly isScriptMiss?: boolean;
  readonly seconds: number;
  readonly bytesIn: number;
  readonly bytesOut: number;
}

/** The numbers of one token. */
export interface TokenMetrics {
  /** Counts a request that has ended. A stream counts when it begins. */
  request(ended: TokenRequest): void;
  /** Counts the bytes of a stream. */
  sent(bytes: number): void;
}

/**
 * Counts requests by the name of their token. Names come from the settings, never from a caller. The number of series
 * is limited, since each reload may add names.
 */
export function createTokenMetrics(tallies: Tallies): (database: string, token: string) => TokenMetrics {
  const requests = tallies.counter(named("token_requests_total"), "Requests that have ended, by token.");
  const refusals = tallies.counter(
    named("token_refusals_total"),
    "Requests that ended with a status of 400 or more, by token and status.",
  );
  const seconds = tallies.counter(named("token_seconds_total"), "Time from requests to their answers, by token.");
  const bytesIn = tallies.counter(named("token_received_bytes_total"), "Bytes of paths and bodies, by token.");
  const bytesOut = tallies.counter(named("token_sent_bytes_total"), "Bytes of answers without heads, by token.");

  function create(database: string, token: string): TokenMetrics {
    const labels = { database, token };
    const [ended, time] = [requests.of(labels), seconds.of(labels)];
    const [received, sent] = [bytesIn.of(labels), bytesOut.of(labels)];
    const refused = memoized((status: number) => refusals.of({ ...labels, status: String(status) }));
    return {
      request({ status, isScriptMiss = false, ...one }) {
        ended.add();
        time.add(one.seconds);
        received.add(one.bytesIn);
        sent.add(one.bytesOut);
        if (status >= 400 && !isScriptMiss) refused(status).add();
      },
      sent: (bytes) => sent.add(bytes),
    };
  }

  let count = 0;
  const others = memoized((database: string) => create(database, OTHER));
  const tokensOf = memoized((database: string) =>
    memoized((token: string) => (++count > MAX_TOKENS ? others(database) : create(database, token))),
  );
  return (database, token) => tokensOf(database)(token);
}
