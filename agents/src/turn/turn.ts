import { type Connection, type ConnectionSource, fairLock } from "leasehold";
import { connectionOf, inCall, noop, toIdentity, toWork } from "leasehold/internal";
import { type Collected, type CollectTurn, collect } from "./collect.ts";
import { type AgentTurn, runTurn, turnOf } from "./one-turn.ts";
import { type AnyOptions, type CollectOptions, type Settled, settle, type TurnOptions } from "./options.ts";
import { supersede, type Taken } from "./supersede.ts";

/** Begins a turn that does not collect: takes the conversation, waits for it, or is refused. */
async function begin(
  connection: Connection,
  conversation: string,
  { onBusy, label, signal }: AnyOptions,
  { leaseMs, waitMs, waitUntil }: Settled,
): Promise<Taken> {
  if (onBusy === "supersede") return supersede(connection, conversation, { leaseMs, waitMs, label, signal, waitUntil });
  const lock = fairLock(connection, conversation, { lease: `${leaseMs}ms`, label, waitUntil });
  const lease = await lock.acquire({ wait: onBusy === "queue" ? waitMs : 0, signal });
  return { lease, isContended: false };
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
 * With `collect`, a message that arrives during a turn is kept, by one request. The call that runs the turn then runs
 * another one with all messages that were kept, until none is left. See {@link CollectOptions}.
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
 * or RangeError for an invalid option. With `collect`, also LeaseholdError `too_many_messages` if 100 messages or 256 kB
 * wait, and OutcomeUnknownError if the server did not confirm the end of a turn. A message whose delivery rejects may
 * have been kept: deliver it again, under the same `id`.
 */
export function turn<T, M = unknown>(
  source: ConnectionSource,
  conversation: string,
  options: CollectOptions<M>,
  work: (turn: CollectTurn<M>) => Promise<T> | T,
): Promise<Collected<T>>;
export function turn<T>(
  source: ConnectionSource,
  conversation: string,
  options: TurnOptions,
  work: (turn: AgentTurn) => Promise<T> | T,
): Promise<T>;
export async function turn<T>(
  source: ConnectionSource,
  conversation: string,
  options: AnyOptions,
  work: (turn: never) => Promise<T> | T,
): Promise<T | Collected<T>> {
  toWork(work, "turn", "turn(connection, conversation, options, work)", options);
  const connection = connectionOf(source);
  const settled = inCall("turn", () => {
    toIdentity(conversation, "conversation");
    return settle(options, connection);
  });
  const { waitUntil, maxHoldMs } = settled;
  const { id, signal } = options;
  if (options.onBusy === "collect") {
    const run = work as (turn: CollectTurn<never>) => Promise<T> | T;
    const collected = collect(connection, conversation, options, settled, run);
    // Between two turns, the platform must not end the call.
    waitUntil?.(collected.catch(noop));
    return collected;
  }
  const { lease, isContended } = await begin(connection, conversation, options, settled);
  const run = work as (turn: AgentTurn) => Promise<T> | T;
  return runTurn(
    { connection, lease, isContended, settled, signal, maxHoldMs },
    (ended) => run(turnOf(connection, lease, ended, id, settled)),
    (result) => result,
  );
}
