import type { AcquireOptions } from "../engine/acquire-options.ts";
import { type Remaining, runAround } from "../engine/around.ts";
import { growing } from "../engine/backoff.ts";
import type { KeepAliveLimits } from "../engine/keep-alive.ts";
import { toLimits } from "../engine/keep-alive.ts";
import { bodyOf, decoded, forceRecord, inspectRecord, type RecordState } from "../engine/record.ts";
import { isOpen, type OnUnavailable, orUnprotected, type Refusing } from "../engine/unavailable.ts";
import { stopwatch } from "../redis/clock.ts";
import type { ConnectionSource } from "../redis/connect.ts";
import { callOf, type Target } from "../redis/target.ts";
import { type Duration, type RunArguments, toCount, toFunction, toMs, toRun } from "../shared/checks.ts";
import { LeaseholdError } from "../shared/errors.ts";
import type { OnlyJson, StoredResult } from "../shared/json.ts";
import { inCall, misuse } from "../shared/misuse.ts";
import { noteOf } from "../shared/note.ts";
import { type Background, boundWaitUntil, handOver, noop } from "../shared/wait-until.ts";
import {
  attempts,
  type BeginOptions,
  checkBegin,
  type Done,
  type DoneWithoutResult,
  type Exhausted,
  type Mismatch,
  type OnceOptions,
  type Running,
  type Started,
  type Turn,
} from "./attempts.ts";

/**
 * Options of a `run`. `maxPolls`: default no limit. `backoff`: default `exponentialBackoff()`, from 50 ms to 2 s. Both
 * need `wait`.
 */
export interface OnceRunOptions extends BeginOptions, Pick<AcquireOptions, "maxPolls" | "backoff"> {
  /**
   * How long to wait for the result of an attempt that runs elsewhere. Default: not at all, and `run` returns `running`.
   */
  readonly wait?: Duration | undefined;
  /**
   * Extends the lease of the attempt while the work runs, within these limits; see `lease.keepAlive`. Default
   * false: the attempt's lease lasts as long as it was begun for.
   */
  readonly keepAlive?: boolean | KeepAliveLimits | undefined;
  /**
   * Decides what to do while Redis is unavailable: `"refuse"` throws, and `"run"` runs the work without an attempt,
   * after the same tries, and remembers nothing; an event `unprotected` reports that. Default `"refuse"`.
   */
  readonly onUnavailable?: OnUnavailable | undefined;
}

/** What a call without `wait` has no use for. */
interface NoWaiting {
  readonly maxPolls?: undefined;
  readonly backoff?: undefined;
}

/** The work ran without an attempt, as `onUnavailable: "run"` asks: it may run elsewhere too. */
export interface DoneUnprotected<T = unknown> {
  readonly status: "unprotected";
  readonly result: T;
}
/**
 * This call ran the work, and its result could not be stored: duplicates get none. `result` is what the work returned;
 * `error` says why it is not stored. With a LeaseholdError the server refused it, or nothing answered: then the attempt
 * may be left to its lease.
 */
export interface DoneUnstored<T = unknown> {
  readonly status: "done";
  readonly stored: false;
  readonly fresh: true;
  readonly result: T;
  readonly token: number;
  readonly error: Error;
}
/** How a run of a once ended. */
export type Ended<T> =
  | (Done<StoredResult<T>> & { readonly fresh: boolean })
  | (DoneWithoutResult & { readonly fresh: false })
  | DoneUnstored<T>
  | Exhausted
  | Mismatch;

/** What `inspect` of a once returns. */
export type OnceState =
  | { readonly state: "free"; readonly token: number }
  | {
      readonly state: "idle" | "running" | "done";
      readonly token: number;
      readonly attempts: number;
      /** Milliseconds until this is forgotten. */
      readonly remaining: number;
      /** The process of a running attempt, where its connection has a `holder`. */
      readonly holder?: string;
    };

/** Runs work once for a key, on whichever client, and remembers the result. */
export interface Once {
  readonly name: string;
  /**
   * Asks whether to start, in one request.
   *
   * @throws LockTimeoutError or OutcomeUnknownError when no answer came in time.
   */
  begin(options?: BeginOptions): Promise<Turn>;
  /**
   * Begins, runs `work` and stores its result: `run(options, work)` or `run(work)`. The result must be JSON. `fresh` is
   * true where this call ran the work. If `work` throws, the attempt is given up, so that the next delivery starts at
   * once. The lease is extended meanwhile only with `keepAlive`.
   *
   * With `wait`, a call that finds another attempt running polls until that one is done, and returns its result. If that
   * attempt fails or its lease runs out, one of the waiters runs its own `work`. A waiter also gets a result that was
   * remembered and forgotten again between two of its polls, so that a short `ttl` makes no second run.
   *
   * With `onUnavailable: "run"` the work runs without an attempt, as `work(undefined)`, if Redis is unavailable
   * when it begins.
   *
   * @throws what `work` throws; LeaseLostError when another attempt started meanwhile; with `wait`, LockTimeoutError
   * when an attempt is still running at the end of it, and the signal's reason; otherwise as `begin`.
   */
  run<T>(
    options: OnceRunOptions & Refusing & { readonly wait: Duration },
    work: ((turn: Started) => Promise<T> | T) & OnlyJson<T>,
  ): Promise<Ended<T>>;
  run<T>(
    options: OnceRunOptions & NoWaiting & Refusing,
    work: ((turn: Started) => Promise<T> | T) & OnlyJson<T>,
  ): Promise<Ended<T> | Running>;
  run<T>(
    options: OnceRunOptions & { readonly wait: Duration },
    work: ((turn: Started | undefined) => Promise<T> | T) & OnlyJson<T>,
  ): Promise<Ended<T> | DoneUnprotected<T>>;
  run<T>(
    options: OnceRunOptions & NoWaiting,
    work: ((turn: Started | undefined) => Promise<T> | T) & OnlyJson<T>,
  ): Promise<Ended<T> | Running | DoneUnprotected<T>>;
  run<T>(work: ((turn: Started) => Promise<T> | T) & OnlyJson<T>): Promise<Ended<T> | Running>;
  /** Reads the state on the server. */
  inspect(): Promise<OnceState>;
  /**
   * Forgets everything but the token, which moves on: the next delivery starts again. True when there was an attempt.
   */
  forceRelease(): Promise<boolean>;
}

/** Runs the work of an attempt that started, and stores its result. */
async function finish<T>(
  { emit }: Target,
  turn: Started,
  work: (turn: Started) => Promise<T> | T,
  waitUntil: Background | undefined,
  limits: KeepAliveLimits | boolean | undefined,
  remains: Remaining,
): Promise<Ended<T>> {
  const { lease } = turn;
  const { token } = lease;
  let ended: { readonly result: T } | undefined;
  const run = async (): Promise<void> => {
    ended = { result: await work(turn) };
  };
  try {
    await (limits ? lease.keepAlive({ waitUntil }, run, limits as KeepAliveLimits) : run());
  } catch (error) {
    // A lease that was lost meanwhile is no reason to throw a result away: nobody else may have begun.
    if (!ended) {
      const failed = turn.fail().catch(noop);
      remains(failed);
      await handOver(failed, waitUntil);
      throw error;
    }
  }
  // The work has ended well. From here on nothing may make it run again.
  const { result } = ended as { readonly result: T };
  const unstored = (error: Error): DoneUnstored<T> => ({
    status: "done",
    stored: false,
    fresh: true,
    result,
    token,
    error,
  });
  try {
    const completed = await turn.complete<never>(result as never);
    if (!completed.stored) return unstored(completed.error);
    // Through JSON, as all other callers will get the result.
    return { status: "done", stored: true, result: completed.result, token, fresh: true };
  } catch (error) {
    if (!(error instanceof LeaseholdError) || error.code === "lease_lost") throw error;
    emit?.({ type: "unstored", token, why: error.code });
    return unstored(error);
  }
}

function stateOf(record: RecordState): OnceState {
  if (record.status !== "live") return { state: "free", token: record.token };
  const [attempts, , done, note] = bodyOf(record).split(" ", 4);
  const state = done ? "done" : record.holds > 0 ? "running" : "idle";
  const { token, remaining } = record;
  return {
    state,
    token,
    attempts: Number(attempts),
    remaining: remaining / 1000,
    ...(state === "running" && noteOf(note)),
  };
}

const RUN_OPTIONS = "signal waitUntil keepAlive backoff wait timeout>wait maxPolls onUnavailable";

/** Checks the options of a run. @throws TypeError or RangeError without its place. */
function checkRun(given: Partial<OnceRunOptions>) {
  checkBegin(given, RUN_OPTIONS);
  const waitUntil = boundWaitUntil(given);
  toLimits(given.keepAlive, waitUntil);
  for (const option of ["maxPolls", "backoff"] as const)
    if (given[option] !== undefined && given.wait === undefined) throw misuse(TypeError, `${option} needs wait`);
  const waiting = {
    waitMs: given.wait === undefined ? undefined : toMs(given.wait, "wait", 0),
    maxPolls: toCount(given.maxPolls, "maxPolls"),
    backoff: toFunction(given.backoff ?? growing(), "backoff"),
  };
  return { waitUntil, open: isOpen(given), waiting };
}

/**
 * Runs work once for a key and remembers the result, as for the deliveries of a webhook. Nothing is sent yet.
 *
 * @example
 * ```ts
 * const delivery = once(connection, deliveryId, { ttl: "3d" });
 * const turn = await delivery.run(({ lease }) => record(lease.token));
 * if (turn.status === "done") respond(200, turn.result); // undefined where it could not be stored
 * else respond(425);
 * ```
 *
 * @throws TypeError or RangeError for a key or an option that is not valid.
 */
export function once(connection: ConnectionSource, key: string, options: OnceOptions = {}): Once {
  const { target, begin } = attempts(connection, key, options);

  async function run<T>(...args: RunArguments<OnceRunOptions, (turn: Started | undefined) => Promise<T> | T>) {
    const call = `${callOf(target)}.run`;
    const [given, work] = toRun(args, call);
    const { waitUntil, open, waiting } = inCall(call, () => checkRun(given));
    const turn = await orUnprotected(target, open, () => begin(given, waiting));
    if (!turn) return { status: "unprotected", result: await work(undefined) };
    if (turn.status === "done") return { ...turn, fresh: false };
    if (turn.status !== "started") return turn;
    const { lease } = turn;
    const held = { target, token: lease.token, lease, heldMs: stopwatch(target.connection.clock) };
    const finished = runAround(held, (remains) => finish(target, turn, work, waitUntil, given.keepAlive, remains));
    waitUntil?.(finished.catch(noop));
    return finished;
  }

  return {
    name: key,
    begin: (given) => begin(given),
    run: run as Once["run"],
    async inspect() {
      const record = await inspectRecord(target);
      return decoded(target, () => stateOf(record));
    },
    forceRelease: () => forceRecord(target),
  };
}
