import { fairLock } from "../kinds/fair-lock.ts";
import { toLimits } from "../lease/keep-alive.ts";
import type { Lease } from "../lease/lease.ts";
import { type Connection, type ConnectionSource, connectionOf } from "../redis/connect.ts";
import { onAbort } from "../shared/abort.ts";
import { checkOptions, type Duration, toChoice, toLease, toMs, toSignal, toTtl, toWork } from "../shared/checks.ts";
import { toIdentity } from "../shared/identity.ts";
import { inCall } from "../shared/misuse.ts";
import { type Background, boundWaitUntil, type WaitUntil } from "../shared/wait-until.ts";
import { createStep, type Step, type StepContext } from "./step.ts";
import { supersede, type Taken } from "./supersede.ts";
import { watch } from "./watch.ts";

/**
 * What a turn does if another turn of its conversation is running: `supersede` ends that turn and begins; `queue`
 * waits, in order of arrival; `reject` throws a LockTimeoutError that names the running turn.
 */
export type OnBusy = "supersede" | "queue" | "reject";

/** Options of {@link turn}. */
export interface TurnOptions {
  /** What to do if another turn of the conversation is running. Use the same value for all turns of a conversation. */
  readonly onBusy: OnBusy;
  /**
   * What the turn answers, such as the ID of a message. A turn with the same ID gets the results of an earlier turn's
   * steps, for example of one whose process died. Default: steps are remembered only for this turn.
   */
  readonly id?: string | undefined;
  /**
   * The lease of a turn, in ms or like `"15s"`, extended while the turn runs. A dead turn blocks the others for this
   * time. Default: the connection's `lease`, 30 s.
   */
  readonly lease?: Duration | undefined;
  /**
   * How long to wait with `queue`, and how long to retry with `supersede` while no server answers, in ms or like
   * `"10s"`. Default 10 s.
   */
  readonly wait?: Duration | undefined;
  /** A text for people, shown by the error of a refused turn. */
  readonly label?: string | undefined;
  /** How long the results of steps are remembered, in ms or like `"24h"`. Default 24 h. */
  readonly ttl?: Duration | undefined;
  /**
   * The maximum time between two checks whether the turn was overtaken, if the server does not hold requests; the first
   * checks are more frequent. Default 1 s, or a third of the lease if that is shorter.
   */
  readonly checkEvery?: Duration | undefined;
  /** How long to keep extending the lease, in ms or like `"1h"`. Default 25 s with a `waitUntil`, otherwise 1 h. */
  readonly maxHold?: Duration | undefined;
  /** Aborts the wait for the turn, and the signal of the running turn. */
  readonly signal?: AbortSignal | undefined;
  /** The platform's `waitUntil`. It receives work that the call does not await. */
  readonly waitUntil?: WaitUntil | undefined;
}

/** A running turn. */
export interface AgentTurn extends Omit<StepContext, "commit"> {
  /**
   * Aborts as soon as this turn notices that a newer one has taken the conversation or that its lease was lost (with a
   * LeaseLostError), and with the caller's own `signal`. Pass it to the model and to every request.
   */
  readonly signal: AbortSignal;
  /** The fencing token: larger than that of every earlier turn of the conversation. Pass it with every write. */
  readonly token: number;
  /** The lease of the conversation, for `leasehold/fence`. */
  readonly lease: Lease;
  /**
   * Runs `work` once for this name (1 to 512 bytes) within the turn, and remembers its result, which must be JSON.
   * Another call with the same name waits for the result and gets it, also in a later turn with the same `id`. Right
   * before the work, it verifies the turn with the server, so that an overtaken turn calls no more tools.
   *
   * @throws what `work` throws; LeaseLostError if the turn was overtaken, also during the work, or if the server did
   * not answer while the lease lasted; TypeError if the work of a step calls that step again, directly or through the
   * steps it waits for, since it would wait for itself; otherwise like `singleFlight`.
   */
  readonly step: Step;
}

const OPTIONS = "onBusy id lease wait label ttl checkEvery maxHold signal waitUntil timeout>wait";
const DEFAULT_CHECK_MS = 1000;

/** The checked options of a turn. */
interface Settled {
  readonly leaseMs: number;
  readonly waitMs: number;
  readonly checkMs: number;
  readonly ttl: Duration;
  readonly waitUntil: Background | undefined;
}

/** @throws TypeError or RangeError; the message does not name the call. */
function settle(options: TurnOptions, connection: Connection): Settled {
  checkOptions(options, OPTIONS);
  const { onBusy, id, lease, wait = 10_000, ttl = "24h", checkEvery, maxHold, signal } = options;
  toChoice(onBusy, "onBusy", "supersede or queue or reject");
  if (id !== undefined) toIdentity(id, "id");
  const leaseMs = lease === undefined ? connection.leaseMs : toLease(lease);
  toTtl(ttl);
  toSignal(signal);
  const waitUntil = boundWaitUntil(options);
  toLimits({ maxHold }, waitUntil);
  const checkMs = checkEvery === undefined ? DEFAULT_CHECK_MS : toMs(checkEvery, "checkEvery", 10);
  return { leaseMs, waitMs: toMs(wait, "wait", 0), checkMs: Math.min(checkMs, leaseMs / 3), ttl, waitUntil };
}

/** Begins a turn: takes the conversation, waits for it, or is refused. */
async function begin(
  connection: Connection,
  conversation: string,
  { onBusy, label, signal }: TurnOptions,
  { leaseMs, waitMs, waitUntil }: Settled,
): Promise<Taken> {
  if (onBusy === "supersede") return supersede(connection, conversation, { leaseMs, waitMs, label, signal, waitUntil });
  const lock = fairLock(connection, conversation, { lease: `${leaseMs}ms`, label, waitUntil });
  const lease = await lock.acquire({ wait: onBusy === "queue" ? waitMs : 0, signal });
  return { lease, isContended: false };
}

/** Makes the turn of a lease. Its signal is the signal of `ended`. */
function turnOf(
  connection: Connection,
  lease: Lease,
  ended: AbortSignal,
  id: string | undefined,
  { leaseMs, ttl }: Settled,
): AgentTurn {
  const { token } = lease;
  return {
    token,
    lease,
    get signal() {
      // Reads the clock: the end of the lease ends the turn.
      void lease.signal;
      return ended;
    },
    step: createStep({ connection, lease, ended, id: id ?? token, isNamed: id !== undefined, leaseMs, ttl }),
  };
}

/**
 * Runs one turn of an agent in a conversation: at most one at a time, on any machine. Its lease is extended while
 * `work` runs, and released at the end. The conversation is the name of a {@link fairLock}.
 *
 * With `supersede`, a newer turn ends the running one: its signal aborts within a round trip if the server holds
 * requests, otherwise within `checkEvery`. Until then, and after a freeze, only the token stops its writes: claim with
 * it first, and check it in every write. The newest turn is the one whose request reached the server last; no retry
 * ends a newer turn.
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
 * if the turn was overtaken, also before `work` began, or its lease was lost; LockTimeoutError if the conversation was
 * not free in time, with the `label` and the remaining time of the running turn; OutcomeUnknownError if the server did
 * not confirm in time that a turn which superseded another one is still the newest; the reason of `signal`; TypeError
 * or RangeError for an invalid option.
 */
export async function turn<T>(
  source: ConnectionSource,
  conversation: string,
  options: TurnOptions,
  work: (turn: AgentTurn) => Promise<T> | T,
): Promise<T> {
  toWork(work, "turn", "turn(connection, conversation, options, work)", options);
  const connection = connectionOf(source);
  const settled = inCall("turn", () => {
    toIdentity(conversation, "conversation");
    return settle(options, connection);
  });
  const { checkMs, waitUntil } = settled;
  const { id, signal, maxHold } = options;
  const { lease, isContended } = await begin(connection, conversation, options, settled);
  const ended = new AbortController();
  const watched = new AbortController();
  const forget = [onAbort(lease.signal, () => ended.abort(lease.signal.reason))];
  if (signal) forget.push(onAbort(signal, () => ended.abort(signal.reason)));
  if (signal?.aborted) ended.abort(signal.reason);

  async function run(): Promise<T> {
    let watching: Promise<void> | undefined;
    try {
      // Of many turns at once, all but the newest end here, before their work calls anything.
      if (isContended) await lease.verify();
      lease.throwIfEnded();
      ended.signal.throwIfAborted();
      watching = watch(lease, checkMs, connection, watched.signal);
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
