import type { AcquireOptions } from "../engine/acquire-options.ts";
import { growing } from "../engine/backoff.ts";
import { contend, timedOut } from "../engine/contend.ts";
import { type Held, type HoldKind, holding, type KeepAliveLimits, type Lease } from "../engine/hold.ts";
import { toLimits } from "../engine/keep-alive.ts";
import { grantLease } from "../engine/lease.ts";
import { openPlace } from "../engine/place.ts";
import { forceRecord, inspectRecord, type RecordState } from "../engine/record.ts";
import { type OnUnavailable, orUnprotected, type Refusing } from "../engine/unavailable.ts";
import type { ConnectionSource } from "../redis/connect.ts";
import { runScript } from "../redis/run.ts";
import { holdExtend, type OnceBeginReply, onceBegin, onceClose, onceComplete } from "../redis/scripts.gen.ts";
import { checkOptions, type Duration, toCount, toFunction, toLease, toMs, toTtl } from "../shared/checks.ts";
import { hash } from "../shared/crypto.ts";
import { LeaseLostError, type LossReason } from "../shared/errors.ts";
import type { TurnStatus } from "../shared/events.ts";
import { toJson } from "../shared/json.ts";
import { noteOf } from "../shared/note.ts";
import { type Background, boundWaitUntil, handOver, noop, type WaitUntil } from "../shared/wait-until.ts";

export interface OnceOptions {
  /** How long one attempt may take before another may start. Default: the connection's `lease`, 30 s. */
  readonly lease?: Duration | undefined;
  /** How long the result is remembered, and the number of attempts before there is a result. Default 24 h. */
  readonly ttl?: Duration | undefined;
  /** How many attempts may start. Default: any number. */
  readonly maxAttempts?: number | undefined;
  /** Text that the key stands for, such as a body: the same key with another text is a `mismatch`. Stored hashed. */
  readonly fingerprint?: string | undefined;
  /** Puts the keys of all names of the group into one slot of a cluster; part of the key's name. */
  readonly group?: string | undefined;
}

export interface BeginOptions {
  readonly signal?: AbortSignal | undefined;
  /** Takes promises that need not be awaited: the platform's `waitUntil`. */
  readonly waitUntil?: WaitUntil | undefined;
}

/**
 * Options of a `run`. `maxPolls`: default no limit. `backoff`: default `exponentialBackoff()`, from 50 ms to 2 s; both
 * mean something only with `wait`.
 */
export interface OnceRunOptions extends BeginOptions, Pick<AcquireOptions, "maxPolls" | "backoff"> {
  /**
   * How long to wait for the result of an attempt that runs elsewhere. Default: not at all, and `run` gives `running`.
   */
  readonly wait?: Duration | undefined;
  /**
   * Extends the lease of the attempt while the work runs, within these limits; see {@link Lease.keepAlive}. Default
   * false: the attempt's lease lasts as long as it was begun for.
   */
  readonly keepAlive?: boolean | KeepAliveLimits | undefined;
  /**
   * Decides what to do when Redis cannot be asked: `"refuse"` throws, and `"run"` runs the work without an attempt,
   * after the same tries, and remembers nothing; an event `unprotected` reports that. Default `"refuse"`.
   */
  readonly onUnavailable?: OnUnavailable | undefined;
}

/** The work is the caller's to do. */
export interface Started {
  readonly status: "started";
  /**
   * The lease of this attempt; its token fences the attempt's writes. Releasing the lease fails the attempt; the end of
   * its `keepAlive` does not.
   */
  readonly lease: Lease;
  /** 1 for the first. */
  readonly attempt: number;
  /**
   * Stores the result, as JSON of at most 256 kB; undefined becomes null. It works after the lease ran out too, unless
   * another attempt started.
   *
   * @throws LeaseLostError when another attempt started; TypeError for a result that is not JSON and RangeError for one
   * that is too large: then nothing is sent.
   */
  complete(result?: unknown): Promise<void>;
  /** Gives the attempt up, so that the next delivery starts at once. False when the attempt was over already. */
  fail(): Promise<boolean>;
}
/** Another attempt is running, for `retryAfterMs` more at most. */
export interface Running {
  readonly status: "running";
  readonly retryAfterMs: number;
}
/** The work was done, under `token`. The type of the result is the caller's claim: it comes back as JSON. */
export interface Done<T = unknown> {
  readonly status: "done";
  readonly result: T;
  readonly token: number;
}
/** `maxAttempts` attempts have started. */
export interface Exhausted {
  readonly status: "exhausted";
  readonly attempts: number;
}
/** The key was used before with another fingerprint. */
export interface Mismatch {
  readonly status: "mismatch";
}
/** The work ran without an attempt, as `onUnavailable: "run"` asks: it may run elsewhere too. */
export interface DoneUnprotected<T = unknown> {
  readonly status: "unprotected";
  readonly result: T;
}
export type Turn = Started | Running | Done | Exhausted | Mismatch;
type Ended<T> = (Done<T> & { readonly fresh: boolean }) | Exhausted | Mismatch;

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
   * Begins, runs `work` and stores its result, which must be JSON. `fresh` is true where this call ran the work. If
   * `work` throws, the attempt is given up, so that the next delivery starts at once. The lease is extended meanwhile
   * only with `keepAlive`.
   *
   * With `wait`, a call that finds another attempt running polls until that one is done, and gives its result. If that
   * attempt fails or its lease runs out, one of the waiters runs its own `work`. A waiter also gets a result that was
   * remembered and forgotten again between two of its polls, so that a short `ttl` makes no second run.
   *
   * With `onUnavailable: "run"` the work runs without an attempt, as `work(undefined)`, when Redis cannot be asked to
   * begin one. A result that was not stored is an error with either choice.
   *
   * @throws what `work` throws; LeaseLostError when another attempt started meanwhile; with `wait`, LockTimeoutError
   * when an attempt is still running at the end of it, and the signal's reason; otherwise as `begin`.
   */
  run<T>(
    work: (turn: Started) => Promise<T> | T,
    options: OnceRunOptions & Refusing & { readonly wait: Duration },
  ): Promise<Ended<T>>;
  run<T>(work: (turn: Started) => Promise<T> | T, options?: OnceRunOptions & Refusing): Promise<Ended<T> | Running>;
  run<T>(
    work: (turn: Started | undefined) => Promise<T> | T,
    options: OnceRunOptions & { readonly wait: Duration },
  ): Promise<Ended<T> | DoneUnprotected<T>>;
  run<T>(
    work: (turn: Started | undefined) => Promise<T> | T,
    options: OnceRunOptions,
  ): Promise<Ended<T> | Running | DoneUnprotected<T>>;
  /** Reads the state on the server. */
  inspect(): Promise<OnceState>;
  /**
   * Forgets everything but the token, which moves on: the next delivery starts anew. True when there was an attempt.
   */
  forceRelease(): Promise<boolean>;
}

/** Runs the work of an attempt that started, and stores its result. */
async function finish<T>(
  turn: Started,
  work: (turn: Started) => Promise<T> | T,
  waitUntil: Background | undefined,
  limits: KeepAliveLimits | boolean | undefined,
): Promise<Done<T> & { readonly fresh: boolean }> {
  const { lease } = turn;
  let json: string | undefined;
  const run = async (): Promise<void> => {
    json = toJson(await work(turn));
  };
  try {
    await (limits ? lease.keepAlive({ waitUntil }, run, limits as KeepAliveLimits) : run());
  } catch (error) {
    // A lease that was lost meanwhile is no reason to throw a result away: nobody else may have begun.
    if (json === undefined) {
      await handOver(turn.fail().catch(noop), waitUntil);
      throw error;
    }
  }
  // Through JSON, as all other callers will get the result.
  const result: T = JSON.parse(json as string);
  // The work is done: if no answer confirms the result, the attempt is left to its lease rather than started again.
  await turn.complete(result);
  return { status: "done", result, token: lease.token, fresh: true };
}

function stateOf(record: RecordState): OnceState {
  if (record.status !== "live") return { state: "free", token: record.token };
  const [attempts, , done, note] = record.body.slice(1).split(" ", 4);
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

/** The attempts of a once. */
export const ONCE: HoldKind = { kind: "once", extend: holdExtend, close: onceClose };

/**
 * Runs work once for a key and remembers the result, as for the deliveries of a webhook. Nothing is sent yet.
 *
 * @example
 * ```ts
 * const delivery = once(connection, deliveryId, { ttl: "3d" });
 * const turn = await delivery.run(({ lease }) => record(lease.token));
 * if (turn.status === "done") respond(200, turn.result);
 * else respond(425);
 * ```
 *
 * @throws TypeError or RangeError for a key or an option that is not valid.
 */
export function once(connection: ConnectionSource, key: string, options: OnceOptions = {}): Once {
  const place = openPlace(connection, ONCE.kind, key, options, "lease ttl maxAttempts fingerprint group");
  const { retentionMs, holder } = place.connection;
  const leaseMs = toLease(options.lease ?? `${place.connection.leaseMs}ms`);
  const ttlMs = toTtl(options.ttl ?? "24h");
  const maxAttempts = toCount(options.maxAttempts, "maxAttempts");
  const fingerprint = options.fingerprint;
  if (fingerprint !== undefined && typeof fingerprint !== "string") throw new TypeError("fingerprint must be a string");
  const holds = holding(place, ONCE);

  const tell = (status: TurnStatus, attempt?: number, held?: Held): unknown =>
    place.emit?.({ type: "turn", status, token: held?.lease.token, attempt, heldMs: held?.heldMs() });

  function started(held: Held, id: string, token: number, attempt: number): Started {
    const { lease } = held;
    return {
      status: "started",
      lease,
      attempt,
      async complete(result) {
        const args = [id, token, ttlMs, retentionMs, toJson(result)] as const;
        const answer = await runScript(place, onceComplete, args, { operation: "complete", waits: true });
        tell(answer.status, attempt, held);
        if (answer.status === "lost") throw new LeaseLostError(key, answer.reason as LossReason);
        held.finish();
      },
      async fail() {
        const isEnded = await lease.release();
        if (isEnded) tell("failed", attempt, held);
        return isEnded;
      },
    };
  }

  async function begin(given: OnceRunOptions = {}, known = "signal waitUntil"): Promise<Turn> {
    checkOptions(given, known);
    const { wait, maxPolls, backoff = growing() } = given;
    const waitMs = toMs(wait ?? 0, "wait", 0);
    const print = fingerprint === undefined ? "" : await hash(fingerprint);
    const attempts = maxAttempts < 1 / 0 ? maxAttempts : 0;
    const waitUntil = boundWaitUntil(given);
    const answer = await contend<OnceBeginReply, unknown>({
      place,
      operation: "begin",
      close: holds.close,
      leaseMs,
      signal: given.signal,
      waitUntil,
      waitMs,
      maxPolls: toCount(maxPolls, "maxPolls"),
      backoff: toFunction(backoff, "backoff"),
      blockedBy: (reply) =>
        reply.status === "running"
          ? { remainingMs: reply.remaining / 1000, ageMs: 0, tenureMs: 0, queueMs: 0 }
          : undefined,
      request: {},
      async ask({ id, before }, call) {
        const args = [id, leaseMs, ttlMs, retentionMs, attempts, print, before?.now ?? 9e15, holder] as const;
        const reply = await runScript(place, onceBegin, args, call);
        // There is no queue to leave: an id is closed only where a wait ends without a result.
        if (call.doubt && reply.status !== "running") call.doubt.queued = false;
        return reply;
      },
    });
    if (!answer) throw timedOut(place, waitMs);
    const { id, doubted, status } = answer;
    if (status !== "granted") tell(status);
    switch (status) {
      case "granted": {
        const { token, attempt } = answer;
        const hold = { place, ...holds, id, token, leaseMs, doubted, works: 1 };
        const held = await grantLease(hold, { ...answer, holds: 1 }, waitUntil, given.signal);
        tell("started", attempt, held);
        return started(held, id, token, attempt);
      }
      case "running":
        if (wait !== undefined) throw timedOut(place, waitMs, answer.remaining / 1000);
        return { status: "running", retryAfterMs: Math.ceil(answer.remaining / 1000) };
      case "done":
        return { status: "done", result: JSON.parse(answer.result.slice(1)), token: answer.token };
      case "exhausted":
        return { status: "exhausted", attempts: answer.attempts };
      case "mismatch":
        return { status: "mismatch" };
    }
  }

  async function run<T>(work: (turn: Started | undefined) => Promise<T> | T, given: OnceRunOptions = {}) {
    toFunction(work, "work");
    const waitUntil = boundWaitUntil(given);
    toLimits(given.keepAlive, waitUntil);
    const known = "signal waitUntil keepAlive backoff wait timeout>wait maxPolls onUnavailable";
    const turn = await orUnprotected(place, given, () => begin(given, known));
    if (!turn) return { status: "unprotected", result: JSON.parse(toJson(await work(undefined))) };
    if (turn.status === "done") return { ...(turn as Done<T>), fresh: false };
    if (turn.status !== "started") return turn;
    const finished = finish(turn, work, waitUntil, given.keepAlive);
    waitUntil?.(finished.catch(noop));
    return finished;
  }

  return {
    name: key,
    begin: (given) => begin(given),
    run: run as Once["run"],
    inspect: async () => stateOf(await inspectRecord(place)),
    forceRelease: () => forceRecord(place),
  };
}
