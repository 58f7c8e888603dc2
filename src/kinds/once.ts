import { contend, timedOut } from "../engine/contend.ts";
import { type Held, type HoldKind, holding, type Lease } from "../engine/hold.ts";
import { grantLease } from "../engine/lease.ts";
import { openPlace } from "../engine/place.ts";
import { forceRecord, inspectRecord } from "../engine/record.ts";
import type { ConnectionSource } from "../redis/connect.ts";
import { runScript } from "../redis/run.ts";
import { holdExtend } from "../redis/scripts/hold-extend.gen.ts";
import { type OnceBeginReply, onceBegin } from "../redis/scripts/once-begin.gen.ts";
import { onceClose } from "../redis/scripts/once-close.gen.ts";
import { onceComplete } from "../redis/scripts/once-complete.gen.ts";
import { checkOptions, type Duration, toCount, toFunction, toLease, toTtl } from "../shared/checks.ts";
import { hash } from "../shared/crypto.ts";
import { LeaseLostError, type LossReason } from "../shared/errors.ts";
import { toJson } from "../shared/json.ts";
import { boundWaitUntil, noop, type WaitUntil } from "../shared/wait-until.ts";

export interface OnceOptions {
  /** How long one attempt may take before another may start. Default: the connection's, 30 s. */
  readonly lease?: Duration | undefined;
  /** How long the result is remembered, and the attempts before there is one. Default 24 h. */
  readonly ttl?: Duration | undefined;
  /** How many attempts may start. Default: any number. */
  readonly maxAttempts?: number | undefined;
  /** What the key stands for, such as a body: the same key with another one is a mismatch. Stored hashed. */
  readonly fingerprint?: string | undefined;
  /** Puts the keys of all names of the group into one slot of a cluster; part of the key's name. */
  readonly group?: string | undefined;
}

export interface BeginOptions {
  readonly signal?: AbortSignal | undefined;
  /** Takes what need not be awaited. */
  readonly waitUntil?: WaitUntil | undefined;
}

/** It is ours to do. */
export interface Started {
  readonly status: "started";
  /** Of this attempt; its token fences what the attempt writes. To release it is to fail; its `keepAlive` does not. */
  readonly lease: Lease;
  /** 1 for the first. */
  readonly attempt: number;
  /**
   * Remembers the result: JSON of at most 256 kB, nothing for null. Also after the lease ran out, if nobody took over.
   *
   * @throws LeaseLostError when somebody did; TypeError or RangeError for what is no JSON or too large, and nothing is sent.
   */
  complete(result?: unknown): Promise<void>;
  /** Gives up, so that the next delivery starts at once. False when the attempt was over already. */
  fail(): Promise<boolean>;
}
/** Another attempt runs, for `retryAfterMs` more at most. */
export interface Running {
  readonly status: "running";
  readonly retryAfterMs: number;
}
/** It was done, under `token`. What `T` is, only the caller knows: the result comes back as JSON. */
export interface Done<T = unknown> {
  readonly status: "done";
  readonly result: T;
  readonly token: number;
}
/** As many attempts started as may. */
export interface Exhausted {
  readonly status: "exhausted";
  readonly attempts: number;
}
/** The key came before with another fingerprint. */
export interface Mismatch {
  readonly status: "mismatch";
}
export type Turn = Started | Running | Done | Exhausted | Mismatch;

export type OnceState =
  | { readonly state: "free"; readonly token: number }
  | {
      readonly state: "idle" | "running" | "done";
      readonly token: number;
      readonly attempts: number;
      /** Milliseconds that this is still remembered. */
      readonly remaining: number;
    };

/** Runs something once for a key, whoever tries, and remembers the result. */
export interface Once {
  readonly name: string;
  /** One request. @throws LockTimeoutError or OutcomeUnknownError when no answer came in time. */
  begin(options?: BeginOptions): Promise<Turn>;
  /**
   * Begins, does the work and completes it with what the work returns, which must be JSON. `fresh` says that it was this call that did it. Work that
   * throws makes room for the next delivery at once.
   *
   * @throws what `work` throws; LeaseLostError when somebody else took over meanwhile.
   */
  run<T>(
    work: (turn: Started) => Promise<T> | T,
    options?: BeginOptions,
  ): Promise<(Done<T> & { readonly fresh: boolean }) | Running | Exhausted | Mismatch>;
  inspect(): Promise<OnceState>;
  /** Forgets everything but the token, which moves on: the next delivery starts anew. True when there was something. */
  forceRelease(): Promise<boolean>;
}

/** The attempts of a once. */
export const ONCE: HoldKind = { kind: "once", extend: holdExtend, close: onceClose };

/**
 * Run once, remember the result: what deduplicates webhooks.
 *
 * @throws TypeError or RangeError for a key or an option that cannot be.
 */
export function once(connection: ConnectionSource, key: string, options: OnceOptions = {}): Once {
  const place = openPlace(connection, ONCE.kind, key, options, "lease ttl maxAttempts fingerprint group");
  const { retentionMs } = place.connection;
  const leaseMs = toLease(options.lease ?? `${place.connection.leaseMs}ms`);
  const ttlMs = toTtl(options.ttl ?? "24h");
  const maxAttempts = toCount(options.maxAttempts, "maxAttempts");
  const fingerprint = options.fingerprint;
  if (fingerprint !== undefined && typeof fingerprint !== "string") throw new TypeError("fingerprint must be a string");
  const holds = holding(place, ONCE);

  function started(held: Held, id: string, token: number, attempt: number): Started {
    const { lease } = held;
    return {
      status: "started",
      lease,
      attempt,
      async complete(result) {
        const args = [id, token, ttlMs, retentionMs, toJson(result)] as const;
        const answer = await runScript(place, onceComplete, args, { operation: "complete", waits: true });
        if (answer.status === "lost") throw new LeaseLostError(key, answer.reason as LossReason);
        held.finish();
      },
      fail: () => lease.release(),
    };
  }

  async function begin(given: BeginOptions = {}): Promise<Turn> {
    checkOptions(given, "signal waitUntil");
    const print = fingerprint === undefined ? "" : await hash(fingerprint);
    const attempts = Number.isFinite(maxAttempts) ? maxAttempts : 0;
    const waitUntil = boundWaitUntil(given);
    const answer = await contend<OnceBeginReply, unknown>({
      place,
      operation: "begin",
      close: holds.close,
      leaseMs,
      signal: given.signal,
      waitUntil,
      request: {},
      ask: ({ id }, call) => runScript(place, onceBegin, [id, leaseMs, ttlMs, retentionMs, attempts, print], call),
    });
    if (!answer) throw timedOut(place);
    const { id, doubted, polls } = answer;
    switch (answer.status) {
      case "granted": {
        const { token, attempt } = answer;
        const hold = { place, ...holds, id, token, leaseMs, doubted, works: 1 };
        return started(await grantLease(hold, { ...answer, holds: 1 }, waitUntil, given.signal), id, token, attempt);
      }
      case "running":
        place.emit({ type: "refused", remainingMs: answer.remaining / 1000, polls });
        return { status: "running", retryAfterMs: Math.ceil(answer.remaining / 1000) };
      case "done":
        return { status: "done", result: JSON.parse(answer.result.slice(1)), token: answer.token };
      case "exhausted":
        return { status: "exhausted", attempts: answer.attempts };
      case "mismatch":
        return { status: "mismatch" };
    }
  }

  return {
    name: key,
    begin,
    async run<T>(work: (turn: Started) => Promise<T> | T, given: BeginOptions = {}) {
      toFunction(work, "work");
      const turn = await begin(given);
      if (turn.status === "done") return { ...(turn as Done<T>), fresh: false };
      if (turn.status !== "started") return turn;
      const waitUntil = boundWaitUntil(given);
      const finish = async (): Promise<Done<T> & { readonly fresh: boolean }> => {
        let result: T;
        try {
          // As the others will get it: through JSON.
          result = JSON.parse(toJson(await work(turn)));
        } catch (error) {
          const failed = turn.fail().catch(noop);
          await (waitUntil ? waitUntil(failed) : failed);
          throw error;
        }
        // The work is done: when no answer says that this is known, the attempt is left to its lease rather than begun again.
        await turn.complete(result);
        return { status: "done", result, token: turn.lease.token, fresh: true };
      };
      const finished = finish();
      waitUntil?.(finished.catch(noop));
      return finished;
    },
    async inspect() {
      const record = await inspectRecord(place);
      if (record.status === "free") return { state: "free", token: record.token };
      const [attempts, , done] = record.body.slice(1).split(" ", 3);
      const state = done ? "done" : record.holds > 0 ? "running" : "idle";
      return { state, token: record.token, attempts: Number(attempts), remaining: record.remaining / 1000 };
    },
    forceRelease: () => forceRecord(place),
  };
}
