import { toLimits } from "../engine/keep-alive.ts";
import type { Lease } from "../engine/lease.ts";
import { type FairLock, fairLock } from "../kinds/fair-lock.ts";
import { singleFlight } from "../kinds/single-flight.ts";
import { stopwatch } from "../redis/clock.ts";
import { type Connection, type ConnectionSource, connectionOf } from "../redis/connect.ts";
import { onAbort } from "../shared/abort.ts";
import {
  checkOptions,
  type Duration,
  toChoice,
  toLease,
  toMs,
  toSignal,
  toText,
  toTtl,
  toWork,
} from "../shared/checks.ts";
import type { OnlyJson, StoredResult } from "../shared/json.ts";
import { inCall } from "../shared/misuse.ts";
import { type Background, boundWaitUntil, type WaitUntil } from "../shared/wait-until.ts";
import { watch } from "./watch.ts";

/**
 * What a turn does when another one of its conversation runs: `supersede` ends that one and begins, `queue` waits for
 * its turn in the order of arrival, `reject` throws a LockTimeoutError that says who is running.
 */
export type OnBusy = "supersede" | "queue" | "reject";

/** Options of {@link turn}. */
export interface TurnOptions {
  /** What to do when another turn of the conversation runs. Use one of them for all turns of a conversation. */
  readonly onBusy: OnBusy;
  /**
   * What the turn answers, such as the id of a message. A turn with the same id gets the results of the steps that an
   * earlier one has done, for example one whose process died. Default: steps are remembered for this turn alone.
   */
  readonly id?: string | undefined;
  /** How long a turn that died keeps the others out. It is extended while the turn runs. Default: the connection's, 30 s. */
  readonly lease?: Duration | undefined;
  /** How long to wait with `queue`, and how long to insist with `supersede`. Default 10 s. */
  readonly wait?: Duration | undefined;
  /** A text for people, which the error of a refused turn shows. */
  readonly label?: string | undefined;
  /** How long the results of steps are remembered. Default 24 h. */
  readonly ttl?: Duration | undefined;
  /**
   * The longest time between two checks whether the turn was overtaken, where the server does not hold requests; the
   * first checks follow each other sooner. Default 1 s, or a third of the lease if that is shorter.
   */
  readonly checkEvery?: Duration | undefined;
  /** How long to keep extending the lease. Default 25 s with a `waitUntil`, else 1 h. */
  readonly maxHold?: Duration | undefined;
  /** Ends the wait for the turn, and aborts the signal of a turn that runs. */
  readonly signal?: AbortSignal | undefined;
  /** Takes promises that need not be awaited: the platform's `waitUntil`. */
  readonly waitUntil?: WaitUntil | undefined;
}

/** What a step works with. */
export interface StepContext {
  /** The fencing token of the turn. */
  readonly token: number;
  /** The signal of the turn. */
  readonly signal: AbortSignal;
}

/** A turn that runs. */
export interface AgentTurn extends StepContext {
  /**
   * Aborted as soon as this turn has noticed that a newer one has taken the conversation, or that its lease was lost
   * otherwise (with a LeaseLostError), and with the caller's own `signal`. Pass it to the model and to every request.
   */
  readonly signal: AbortSignal;
  /** The fencing token: larger than that of every earlier turn of the conversation. Pass it with every write. */
  readonly token: number;
  /** The lease of the conversation, for `leasehold/fence`. */
  readonly lease: Lease;
  /**
   * Runs `work` once for this name within the turn, and remembers its result, which must be JSON: a call with the same
   * name gets the result, also in a later turn with the same `id`. It asks the server right before the work whether the
   * turn was overtaken, and refuses then, so that an overtaken turn calls no more tools.
   *
   * @throws what `work` throws; LeaseLostError when the turn was overtaken, also during the work, or when the server
   * did not answer while the lease lasted; otherwise as `singleFlight`.
   */
  step<T>(name: string, work: ((step: StepContext) => Promise<T> | T) & OnlyJson<T>): Promise<StoredResult<T>>;
}

const OPTIONS = "onBusy id lease wait label ttl checkEvery maxHold signal waitUntil timeout>wait";
const DEFAULT_CHECK_MS = 1000;
/** A step waits for another call of the same step for as long as the turn lasts. */
const STEP_WAIT = "365d";

/** The options of a turn, checked. */
interface Settled {
  readonly leaseMs: number;
  readonly waitMs: number;
  readonly checkMs: number;
  readonly ttl: Duration;
  readonly waitUntil: Background | undefined;
}

/** @throws TypeError or RangeError without its place. */
function settle(options: TurnOptions, connection: Connection): Settled {
  checkOptions(options, OPTIONS);
  const { onBusy, id, lease, wait = 10_000, ttl = "24h", checkEvery, maxHold, signal } = options;
  toChoice(onBusy, "onBusy", "supersede or queue or reject");
  if (id !== undefined) toText(id, "id");
  const leaseMs = lease === undefined ? connection.leaseMs : toLease(lease);
  toTtl(ttl);
  toSignal(signal);
  const waitUntil = boundWaitUntil(options);
  toLimits({ maxHold }, waitUntil);
  const checkMs = checkEvery === undefined ? DEFAULT_CHECK_MS : toMs(checkEvery, "checkEvery", 10);
  return { leaseMs, waitMs: toMs(wait, "wait", 0), checkMs: Math.min(checkMs, leaseMs / 3), ttl, waitUntil };
}

/** Takes the conversation from its present holder. @throws LockTimeoutError when that was not possible in time. */
async function supersede(lock: FairLock, waitMs: number, signal: AbortSignal | undefined, connection: Connection) {
  const elapsed = stopwatch(connection.clock);
  do {
    const lease = await lock.tryAcquire({ signal });
    if (lease) return lease;
    await lock.forceRelease();
    signal?.throwIfAborted();
  } while (elapsed() < waitMs);
  return lock.acquire({ wait: 0, signal });
}

function take(lock: FairLock, { onBusy, signal }: TurnOptions, waitMs: number, connection: Connection): Promise<Lease> {
  if (onBusy === "supersede") return supersede(lock, waitMs, signal, connection);
  return lock.acquire({ wait: onBusy === "queue" ? waitMs : 0, signal });
}

/** Makes the turn of a lease. Its signal is that of `ended`. */
function turnOf(
  connection: Connection,
  lease: Lease,
  ended: AbortSignal,
  id: string | undefined,
  { leaseMs, ttl }: Settled,
): AgentTurn {
  const { name, token } = lease;
  const throwIfOver = (): void => {
    lease.throwIfEnded();
    ended.throwIfAborted();
  };
  const made: AgentTurn = {
    token,
    lease,
    get signal() {
      // Looks at the clock: the end of the lease ends the turn.
      void lease.signal;
      return ended;
    },
    async step<T>(stepName: string, work: ((step: StepContext) => Promise<T> | T) & OnlyJson<T>) {
      toWork(work, "step", "step(name, work)", stepName);
      inCall("step", () => toText(stepName, "name"));
      throwIfOver();
      const key = `${name}/step/${encodeURIComponent(id ?? token)}/${encodeURIComponent(stepName)}`;
      const options = { lease: `${leaseMs}ms`, ttl, wait: STEP_WAIT, signal: ended } as const;
      async function run(): Promise<T> {
        await lease.verify();
        throwIfOver();
        return await work({ token, signal: made.signal });
      }
      // The type of the work says that its result is JSON.
      const result = await singleFlight<T>(connection, key, options, run as typeof run & OnlyJson<T>);
      throwIfOver();
      return result;
    },
  };
  return made;
}

/**
 * Runs one turn of an agent in a conversation: at most one at a time, on any machine. Its lease is extended while `work`
 * runs, and released at the end. The name of the conversation is that of a {@link fairLock}.
 *
 * With `supersede` the turn that runs is ended by a newer one: its signal aborts within a round trip where the server
 * holds requests, and otherwise within `checkEvery`. Until then, and after a freeze, only the token stops what it still
 * writes: claim with it first, and check it in every write.
 *
 * @example
 * ```ts
 * const options = { onBusy: "supersede", id: "message 7", lease: "15s" } as const;
 * const answer = await turn(connection, "conversation 42", options, async ({ signal, token, step }) => {
 *   const sky = await step("weather", () => "grey");
 *   await settle(signal);
 *   return `${sky}, says turn ${token}`;
 * });
 * console.log(answer);
 * ```
 *
 * @throws what `work` throws, except that an AbortError of its own signal becomes the signal's reason; LeaseLostError
 * when the turn was overtaken or its lease was lost otherwise; LockTimeoutError when it did not get its turn, with the
 * `label` and the remaining time of the one that runs; the reason of `signal`; TypeError or RangeError for an option
 * that is not valid.
 */
export async function turn<T>(
  source: ConnectionSource,
  conversation: string,
  options: TurnOptions,
  work: (turn: AgentTurn) => Promise<T> | T,
): Promise<T> {
  toWork(work, "turn", "turn(connection, conversation, options, work)", options);
  const connection = connectionOf(source);
  const settled = inCall("turn", () => settle(options, connection));
  const { leaseMs, waitMs, checkMs, waitUntil } = settled;
  const { id, label, signal, maxHold } = options;
  const lock = fairLock(connection, conversation, { lease: `${leaseMs}ms`, label, waitUntil });
  const lease = await take(lock, options, waitMs, connection);
  const ended = new AbortController();
  const watched = new AbortController();
  const forget = [onAbort(lease.signal, () => ended.abort(lease.signal.reason))];
  if (signal) forget.push(onAbort(signal, () => ended.abort(signal.reason)));
  if (signal?.aborted) ended.abort(signal.reason);

  async function run(): Promise<T> {
    const watching = watch(lease, checkMs, connection, watched.signal);
    try {
      return await work(turnOf(connection, lease, ended.signal, id, settled));
    } catch (error) {
      const isOwnAbort = ended.signal.aborted && (error as Error | undefined)?.name === "AbortError";
      throw isOwnAbort ? ended.signal.reason : error;
    } finally {
      for (const each of forget) each();
      watched.abort();
      await watching;
    }
  }
  return lease.keepAlive({ waitUntil }, run, { maxHold });
}
