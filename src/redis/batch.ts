import { until } from "../shared/timers.ts";
import { noop } from "../shared/wait-until.ts";
import { type Connection, type Route, type Routes, routeAlone } from "./connect.ts";
import { type Packed, type Parcel, pipelinesOf } from "./pipelines.ts";
import { type Answer, answered, type Outcome, type Port } from "./port.ts";
import { MAX_REQUESTS } from "./retry-policy.ts";

/** Sends a pipeline, until the last of its senders has given up. Each command has its own outcome. */
async function send(port: Port, pipeline: readonly Packed[]): Promise<void> {
  const all = new AbortController();
  let waiting = pipeline.length;
  const gaveUp = (): void => {
    if (--waiting === 0) all.abort();
  };
  for (const { parcel } of pipeline) parcel.signal.addEventListener("abort", gaveUp);
  const [first = [], ...others] = pipeline.map(({ command }) => command);
  const behind = pipeline[0]?.parcel.behind ?? [];
  const outcome = await port(first, all.signal, [...others, ...behind]);
  for (const { parcel } of pipeline) parcel.signal.removeEventListener("abort", gaveUp);

  const answers = outcome.type === "not sent" ? [] : (outcome.answers ?? []);
  if (answers.length < pipeline.length + behind.length) {
    // Without one answer for each command, nobody knows whose they are. A script cannot answer nothing, so each run fails
    // with `malformed_answer`.
    const whole: Outcome = outcome.type === "answered" ? answered([]) : outcome;
    for (const { parcel } of pipeline) parcel.resolve(whole);
    return;
  }
  const answersBehind = answers.slice(pipeline.length);
  const unknown: Parcel[] = [];
  for (const [n, { parcel, command }] of pipeline.entries()) {
    const answer = answers[n] as Answer;
    // If a command's script is unknown to the next one, each must send its own text.
    if (command !== parcel.command && /^NOSCRIPT/.test(answer.error ?? "")) unknown.push({ ...parcel, sha: undefined });
    else parcel.resolve(answered([answer, ...answersBehind]));
  }
  sendAll(port, unknown);
}

/** Sends commands in one pipeline, or in several if they are many or large. */
function sendAll(port: Port, parcels: readonly Parcel[]): void {
  for (const pipeline of pipelinesOf(parcels)) send(port, pipeline);
}

/**
 * The runs of an operation over one connection. Commands that they send at the same moment are one pipeline, and failed
 * ones are retried at the same moment, again in one pipeline. Each run has its own outcome: that one fails costs the
 * others nothing.
 */
class Batch {
  readonly #connection: Connection;
  /** How many runs the next flush waits for. The turn in which the batch is made counts as one: all join before it ends. */
  #expected = 1;
  #parcels: Parcel[] = [];
  /** How often commands were sent. Each time, they may be several pipelines. */
  #flushes = 0;
  /** The longest budget of the runs. */
  #spreadMs = 0;
  /** The jitter of the next delay, once a run has asked for it. */
  #jitter: number | undefined;
  /** Wakes each run that sleeps until its next attempt. */
  readonly #sleepers = new Set<() => void>();

  constructor(connection: Connection) {
    this.#connection = connection;
    queueMicrotask(() => this.#arrive());
  }

  /** The route of one more run. */
  join(budgetMs: number): Route {
    const { random, clock } = this.#connection;
    this.#spreadMs = Math.max(this.#spreadMs, budgetMs);
    /** The hash of the run's script. */
    let sha: string | undefined;
    let isExpected = true;
    this.#expected++;
    const noLongerExpected = (): void => {
      if (!isExpected) return;
      isExpected = false;
      this.#arrive();
    };
    return {
      // A request among others is never parked: the others would wait for it.
      port: (command, signal, behind = []) =>
        new Promise((resolve) => {
          if (command[0] === "EVALSHA") sha = `${command[1]}`;
          this.#parcels.push({ command, behind, sha, signal, resolve });
          if (isExpected) noLongerExpected();
          // A retry without a delay waits for nothing; others may follow in this turn.
          else if (this.#parcels.length === 1) setTimeout(() => this.#flush());
        }),
      spreadMs: () => this.#spreadMs,
      random: () => {
        this.#jitter ??= random();
        return this.#jitter;
      },
      pause: async (delayMs, signal) => {
        let wake = noop;
        const woken = new Promise<void>((resolve) => {
          wake = () => {
            isExpected = true;
            this.#expected++;
            resolve();
          };
        });
        this.#sleepers.add(wake);
        await until(woken, delayMs, signal, clock);
        if (signal?.aborted) this.#sleepers.delete(wake);
        else if (this.#sleepers.has(wake)) this.#wakeAll();
        signal?.throwIfAborted();
      },
      leave: noLongerExpected,
    };
  }

  /** A run has sent its command, or has left. */
  #arrive(): void {
    this.#expected--;
    if (this.#expected === 0) this.#flush();
  }

  /** Wakes all sleeping runs, so that their next attempts are sent together, also one with a longer `Retry-After`. */
  #wakeAll(): void {
    this.#jitter = undefined;
    const woken = [...this.#sleepers];
    this.#sleepers.clear();
    for (const wake of woken) wake();
  }

  /** Sends the collected commands. */
  #flush(): void {
    const parcels = this.#parcels;
    this.#parcels = [];
    if (parcels.length === 0) return;
    this.#flushes++;
    if (this.#flushes <= MAX_REQUESTS) {
      sendAll(this.#connection.port, parcels);
      return;
    }
    for (const { resolve } of parcels)
      resolve({ type: "not sent", reason: "unreachable", error: `no answer to ${MAX_REQUESTS} requests` });
  }
}

/**
 * Makes the routes of an operation on several names. Over HTTP, concurrent scripts on one connection are a
 * {@link Batch}: they are sent at most {@link MAX_REQUESTS} times. Over TCP, and so on a cluster, each script is sent by itself.
 */
export function sharedRoutes(): Routes {
  // The views of a connection share its state.
  const batches = new Map<Connection["state"], Batch>();
  return (connection, budgetMs) => {
    if (connection.port.isSingle) return routeAlone(connection, budgetMs);
    const batch = batches.get(connection.state) ?? new Batch(connection);
    batches.set(connection.state, batch);
    return batch.join(budgetMs);
  };
}
