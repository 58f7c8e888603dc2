import type { AcquireOptions } from "../lease/acquire-options.ts";
import { defaultBackoff } from "../lease/backoff.ts";
import type { KeepAliveLimits } from "../lease/keep-alive.ts";
import { toLimits } from "../lease/keep-alive.ts";
import { bodyOf, decoded, forceRecord, inspectRecord, type RecordState } from "../lease/record.ts";
import { type LeaveRunning, runAround } from "../lease/run-around.ts";
import { isOpen, type OnUnavailable, orUnprotected, type Refusing } from "../lease/unavailable.ts";
import { stopwatch } from "../redis/clock.ts";
import type { ConnectionSource } from "../redis/connect.ts";
import { callOf, type Target } from "../redis/target.ts";
import { type Duration, type RunArguments, toCount, toFunction, toMs, toRun } from "../shared/checks.ts";
import { LeaseholdError } from "../shared/errors.ts";
import type { OnlyJson, StoredResult } from "../shared/json.ts";
import { inCall, misuse } from "../shared/misuse.ts";
import { noteOf } from "../shared/note.ts";
import { refuseUnstarted } from "../shared/unstarted.ts";
import { type Background, boundWaitUntil, handOver, noop } from "../shared/wait-until.ts";
import {
  type Attempts,
  attempts,
  type BeginOptions,
  type BeginWaiting,
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
 * Options of a `run`. `maxPolls`: default no limit. `backoff`: default `defaultBackoff`. Both need `wait`.
 */
export interface OnceRunOptions extends BeginOptions, Pick<AcquireOptions, "maxPolls" | "backoff"> {
  /**
   * How long to wait for the result of an attempt that runs elsewhere, in ms or like `"10s"`. Default: `run` does not
   * wait and returns `running`.
   */
  readonly wait?: Duration | undefined;
  /**
   * Extends the lease of the attempt while the work runs; an object sets limits. See `lease.keepAlive`. Default false:
   * the lease is not extended.
   */
  readonly keepAlive?: boolean | KeepAliveLimits | undefined;
  /**
   * What to do while Redis is unavailable, after the same retries: `"refuse"` throws; `"run"` runs the work without an
   * attempt and stores nothing, and an event `unprotected` reports that. Default `"refuse"`.
   */
  readonly onUnavailable?: OnUnavailable | undefined;
}

/** The options that a call without `wait` does not support. */
interface NoWaiting {
  readonly maxPolls?: undefined;
  readonly backoff?: undefined;
}

/** The work ran without an attempt, because of `onUnavailable: "run"`. It may run elsewhere as well. */
export interface DoneUnprotected<T = unknown> {
  readonly status: "unprotected";
  readonly result: T;
}
/**
 * This call ran the work, but its result could not be stored: duplicates get none. `result` is what the work returned;
 * `error` is the reason. A LeaseholdError means that the server refused the result or did not answer; then the attempt
 * may end with its lease.
 */
export interface DoneUnstored<T = unknown> {
  readonly status: "done";
  readonly stored: false;
  readonly fresh: true;
  readonly result: T;
  readonly token: number;
  readonly error: Error;
}
/** The result of `run`. */
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
      /** The process of a running attempt, if its connection has a `holder`. */
      readonly holder?: string;
    };

/** Runs work once for a key, across all clients, and remembers the result. */
export interface Once {
  readonly name: string;
  /**
   * Asks in one request whether to start.
   *
   * @throws LockTimeoutError or OutcomeUnknownError without an answer in time.
   */
  begin(options?: BeginOptions): Promise<Turn>;
  /**
   * Begins, runs `work` and stores its result: `run(options, work)` or `run(work)`. The result must be JSON. `fresh` is
   * true if this call ran the work. If `work` throws, the attempt is abandoned, so that the next delivery starts
   * immediately. The lease is extended during the work only with `keepAlive`.
   *
   * With `wait`, a call that finds another attempt running polls until that attempt is done, and returns its result. If
   * that attempt fails or its lease expires, one of the waiters runs its own `work`. A waiter also receives a result
   * that was stored and forgotten between two of its polls, so a short `ttl` causes no second run.
   *
   * With `onUnavailable: "run"`, the work runs without an attempt, as `work(undefined)`, if Redis is unavailable when
   * it begins.
   *
   * @throws what `work` throws; LeaseLostError if another attempt has started meanwhile; with `wait`, LockTimeoutError
   * if an attempt is still running at its end, and the signal's reason; otherwise like `begin`.
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
   * Forgets everything but the token, which it raises; the next delivery starts again. Returns true if there was an
   * attempt.
   */
  forceRelease(): Promise<boolean>;
}

/** Runs the work of a started attempt, and stores its result. */
async function finish<T>(
  target: Target,
  turn: Started,
  work: (turn: Started) => Promise<T> | T,
  waitUntil: Background | undefined,
  limits: KeepAliveLimits | boolean | undefined,
  leaveRunning: LeaveRunning,
): Promise<Ended<T>> {
  const { lease } = turn;
  const { token } = lease;
  let ended: { readonly result: T } | undefined;
  const run = async (): Promise<void> => {
    ended = { result: refuseUnstarted(await work(turn), () => callOf(target)) };
  };
  try {
    await (limits ? lease.keepAlive({ waitUntil }, run, limits as KeepAliveLimits) : run());
  } catch (error) {
    // The result is stored even if the lease was lost meanwhile, unless another attempt has started.
    if (!ended) {
      const failed = turn.fail().catch(noop);
      leaveRunning(failed);
      await handOver(failed, waitUntil);
      throw error;
    }
  }
  // The work has succeeded. From here on, nothing may cause another run.
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
    // Through JSON, so that all callers get the same result.
    return { status: "done", stored: true, result: completed.result, token, fresh: true };
  } catch (error) {
    if (!(error instanceof LeaseholdError) || error.code === "lease_lost") throw error;
    target.emit?.({ type: "unstored", token, why: error.code });
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

/** The checked options of a run. */
interface Checked {
  readonly waitUntil: Background | undefined;
  /** Whether the work runs without a lease if Redis is unavailable. */
  readonly open: boolean;
  readonly waiting: BeginWaiting;
}

const RUN_OPTIONS = "signal waitUntil keepAlive backoff wait timeout>wait maxPolls onUnavailable";

/** Checks the options of a run. @throws TypeError or RangeError; the message does not name the call. */
export function checkRun(options: Partial<OnceRunOptions>): Checked {
  checkBegin(options, RUN_OPTIONS);
  const waitUntil = boundWaitUntil(options);
  toLimits(options.keepAlive, waitUntil);
  for (const option of ["maxPolls", "backoff"] as const)
    if (options[option] !== undefined && options.wait === undefined) throw misuse(TypeError, `${option} needs wait`);
  const waiting = {
    waitMs: options.wait === undefined ? undefined : toMs(options.wait, "wait", 0),
    maxPolls: toCount(options.maxPolls, "maxPolls"),
    backoff: toFunction(options.backoff ?? defaultBackoff, "backoff"),
  };
  return { waitUntil, open: isOpen(options), waiting };
}

/**
 * Makes a once: it runs work once for a key and remembers the result, for example for the deliveries of a webhook.
 * Nothing is sent yet.
 *
 * @example
 * ```ts
 * const delivery = once(connection, deliveryId, { ttl: "3d" });
 * const turn = await delivery.run(({ lease }) => record(lease.token));
 * if (turn.status === "done") respond(200, turn.result); // undefined where it could not be stored
 * else respond(425);
 * ```
 *
 * @throws TypeError or RangeError for an invalid key or option.
 */
export const once = (connection: ConnectionSource, key: string, options: OnceOptions = {}): Once =>
  onceOf(key, attempts(connection, key, options));

/** Makes the once of these attempts. */
export function onceOf(key: string, { target, begin }: Attempts): Once {
  async function run<T>(...args: RunArguments<OnceRunOptions, (turn: Started | undefined) => Promise<T> | T>) {
    const call = `${callOf(target)}.run`;
    const [options, work] = toRun(args, call);
    const { waitUntil, open, waiting } = inCall(call, () => checkRun(options));
    const turn = await orUnprotected(target, open, () => begin(options, waiting));
    if (!turn) return { status: "unprotected", result: refuseUnstarted(await work(undefined), call) };
    if (turn.status === "done") return { ...turn, fresh: false };
    if (turn.status !== "started") return turn;
    const { lease } = turn;
    const held = { target, token: lease.token, lease, heldMs: stopwatch(target.connection.clock) };
    const finished = runAround(held, (leaveRunning) =>
      finish(target, turn, work, waitUntil, options.keepAlive, leaveRunning),
    );
    waitUntil?.(finished.catch(noop));
    return finished;
  }

  return {
    name: key,
    begin: (options) => begin(options),
    run: run as Once["run"],
    async inspect() {
      const record = await inspectRecord(target);
      return decoded(target, () => stateOf(record));
    },
    forceRelease: () => forceRecord(target),
  };
}
