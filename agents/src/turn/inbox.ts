import { type Connection, LeaseholdError, LeaseLostError, type LossReason, OutcomeUnknownError } from "leasehold";
import {
  type Contesting,
  contend,
  dueOf,
  FAIR_LOCK,
  type FairCollectReply,
  fairCollect,
  grantLease,
  type HeldLease,
  type Hold,
  hash,
  holdCalls,
  ID_LENGTH,
  lookAt,
  runScript,
  shown,
  startWait,
  suffixOf,
  type Target,
  targetOf,
  timedOut,
  withCrowd,
} from "leasehold/internal";
import type { Settled } from "./options.ts";

/** The maximum number of messages that wait, as in `inbox.lua`; for errors. */
const MAX_MESSAGES = 100;

/** A message of a conversation. */
export interface CollectedMessage<M = unknown> {
  /** The ID that it was delivered under. */
  readonly id: string;
  /** As it was delivered; it was read from JSON, and its type is not checked. */
  readonly message: M;
}

/** The messages of a turn, or how long the pause before it must still last, in ms. */
type Batch =
  | { readonly messages: readonly CollectedMessage[]; readonly upTo: number }
  | { readonly messages?: undefined; readonly waitMs: number };

/** A turn that a request has begun. */
export interface Tenure {
  readonly status: "begun";
  readonly held: HeldLease;
  readonly hold: Hold;
  readonly batch: Batch;
  /** What became of the message of the request: it is among the others, its turn has ended, or there was no room for it. */
  readonly own: "waits" | "handled" | "refused";
}

/** The answer to a delivery. */
export type Delivered = Tenure | { readonly status: "kept" | "handled" };

/** The answer to the end of a turn: its successor, or how many messages are left. */
export type Ended = Tenure | { readonly status: "ended"; readonly left: number };

/** The messages of a conversation on the server, and its turns. */
export interface Inbox {
  /**
   * Keeps the message for the running turn's successor, or begins a turn, by one request.
   *
   * @throws LeaseholdError `too_many_messages` if there is no room; LockTimeoutError if the conversation is in use
   * without collecting, or no server answered in time; otherwise like `acquire`.
   */
  deliver(signal: AbortSignal | undefined): Promise<Delivered>;
  /** Reads the messages of a turn that waits for a pause of `quietMs`. @throws LeaseLostError if it has ended. */
  read(tenure: Tenure, quietMs: number, signal: AbortSignal): Promise<Batch>;
  /**
   * Ends a turn whose messages up to this place are handled, and with `begins` begins its successor if messages wait, by
   * one request.
   *
   * @throws LeaseLostError if it had ended before, so that others may have its messages; OutcomeUnknownError without an
   * answer.
   */
  end(tenure: Tenure, upTo: number, begins: boolean): Promise<Ended>;
}

/** The reply of a grant. */
type Granted = Extract<FairCollectReply, { readonly status: "granted" }>;

/** The error for a message for which there is no room. */
export function noRoom(name: string, remainingMs?: number): LeaseholdError {
  const limit = `${MAX_MESSAGES} messages, or 256 kB of them, wait in ${shown(name)}`;
  const why = `${limit}, and this one was not kept: deliver it again when a turn has ended`;
  return new LeaseholdError("too_many_messages", why, { remainingMs });
}

const OWN = ["refused", "waits", "handled"] as const;

function batchOf({ messages, upTo, wait }: Granted): Batch {
  return messages === "" ? { waitMs: Math.ceil(wait / 1000) } : { messages: JSON.parse(messages.slice(1)), upTo };
}

/** What is sent besides the hold. Without a key, no message. */
interface Request {
  readonly key?: string;
  readonly text?: string;
  readonly quietMs?: number;
  /** The turn that ends. */
  readonly former?: Pick<Hold, "id" | "token" | "doubted">;
  readonly upTo?: number;
  readonly begins?: boolean;
}

/** Makes the inbox of a conversation for one message, and the turns of its deliveries. */
export async function inboxOf(
  connection: Connection,
  conversation: string,
  id: string,
  settled: Settled,
): Promise<Inbox> {
  const { leaseMs, waitMs, ttlMs, maxHoldMs, note, waitUntil } = settled;
  const { retentionMs } = connection;
  const target = withCrowd(targetOf(connection, FAIR_LOCK.kind, [conversation]));
  const { name } = target;
  const all: Target = { ...target, keys: [...target.keys, `${target.keys[0]}%inbox`] };
  const calls = holdCalls(target, FAIR_LOCK);
  const keptMs = Math.max(ttlMs, maxHoldMs);
  const delivered = { key: await hash(id), text: settled.text ?? "" };

  const argsOf = (
    hold: string,
    { key = "", text = "", quietMs = settled.quietMs, former, upTo = 0, begins = true }: Request,
  ) =>
    [
      ...([hold, leaseMs, retentionMs, key, text, keptMs, quietMs] as const),
      ...([former?.id ?? "", former?.token ?? 0, upTo, begins ? 1 : 0] as const),
      former?.doubted ? dueOf(target) : 0,
    ] as const;

  /** Contends for a turn. */
  async function contest(operation: string, request: Request, signal: AbortSignal | undefined) {
    const answer = await contend<FairCollectReply, Contesting<FairCollectReply>>({
      target,
      operation,
      suffix: suffixOf(note),
      terms: { leaseMs, waitMs, waitUntil, signal },
      close: calls.close,
      async ask({ id: hold }, call) {
        const reply = await runScript(all, fairCollect, argsOf(hold, request), call);
        return reply.status === "granted" ? { ...reply, id: hold.slice(0, ID_LENGTH) } : reply;
      },
    });
    if (answer.status !== "granted") return answer;
    const { token, doubted } = answer;
    const hold: Hold = { target, ...calls, id: answer.id, token, leaseMs, doubted };
    const held = await grantLease(hold, answer, waitUntil, signal);
    const own = OWN[answer.own] ?? "refused";
    return { status: "begun", held, hold, batch: batchOf(answer), own } satisfies Tenure;
  }

  return {
    async deliver(signal) {
      const times = startWait(connection.clock);
      const answer = await contest("acquire", delivered, signal);
      if (answer.status === "unanswered" || answer.status === "held") {
        const waits = { waitMs, maxPolls: Number.POSITIVE_INFINITY, signal, look: lookAt(target) };
        throw await timedOut({ target, ...waits, ...times }, answer);
      }
      if (answer.status === "full") throw noRoom(name, Math.ceil(answer.remaining / 1000));
      // Only a request that ends a turn has other answers.
      return answer as Delivered;
    },

    async read({ held, hold }, quietMs, signal) {
      // While the lease lasts, the turn can wait for an answer.
      const call = { operation: "read", signal, waits: true, budgetMs: held.remaining() };
      const reply = await runScript(all, fairCollect, argsOf(hold.id, { quietMs, begins: false }), call);
      if (reply.status === "granted" && reply.token === hold.token) return batchOf(reply);
      await held.verify();
      throw held.ended() ?? new LeaseLostError(name, "gone");
    },

    async end({ held, hold }, upTo, begins) {
      // Nothing may rely on the lease from here on: an answer that is lost may have ended it.
      held.finish();
      const answer = await contest("next", { former: hold, upTo, begins }, undefined);
      if (answer.status === "unanswered")
        throw new OutcomeUnknownError(name, "another turn may get the messages again", answer.cause, "next");
      if (answer.status === "lost") throw new LeaseLostError(name, answer.reason as LossReason);
      target.emit?.({ type: "released", token: hold.token, heldMs: held.heldMs() });
      // Only a request with a message has other answers.
      return answer as Ended;
    },
  };
}
