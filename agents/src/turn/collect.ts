import { type Connection, LeaseholdError } from "leasehold";
import { refuseUnstarted, shown, sleep, stopwatch } from "leasehold/internal";
import {
  type CollectedMessage,
  type Delivered,
  type Ended,
  type Inbox,
  inboxOf,
  noRoom,
  type Tenure,
} from "./inbox.ts";
import { type AgentTurn, runTurn, turnOf } from "./one-turn.ts";
import type { AnyOptions, Settled } from "./options.ts";

/** A running turn that collects. */
export interface CollectTurn<M = unknown> extends AgentTurn {
  /** All messages that arrived until now and were in no turn that has ended, in order of arrival: at least one. */
  readonly messages: readonly CollectedMessage<M>[];
}

/** What became of a message, and of the turns that its delivery ran. */
export interface Collected<T> {
  /**
   * `done`: this call ran the turn that had the message. `kept`: a turn is running, and its successor gets the message.
   * `handled`: a turn that had the message has ended.
   */
  readonly status: "done" | "kept" | "handled";
  /** What the work returned in the turns that this call ran, in order. */
  readonly results: readonly T[];
  /**
   * How many messages wait for the next delivery. Not 0 only if `maxHold` or the signal ended the turns of this call.
   */
  readonly left: number;
}

/** The status of a delivery that has begun turns; undefined if there was no room for its message. */
const STATUS = { waits: "done", handled: "handled", refused: undefined } as const;

/** A turn begins its work after this many times `quiet`, although messages still arrive. */
const MAX_QUIETS = 10;

/** Waits for a pause between messages, and returns the messages. @throws LeaseholdError `state_lost` if they are lost. */
async function messagesOf(
  inbox: Inbox,
  tenure: Tenure,
  connection: Connection,
  quietMs: number,
  ended: AbortSignal,
): Promise<{ readonly messages: readonly CollectedMessage[]; readonly upTo: number }> {
  const { clock } = connection;
  const elapsed = stopwatch(clock);
  let { batch } = tenure;
  while (batch.messages === undefined) {
    const leftMs = Math.max(MAX_QUIETS * quietMs - elapsed(), 0);
    await sleep(Math.min(batch.waitMs, leftMs), ended, clock);
    batch = await inbox.read(tenure, elapsed() < MAX_QUIETS * quietMs ? quietMs : 0, ended);
  }
  if (batch.messages.length > 0) return batch;
  throw new LeaseholdError("state_lost", `the server has lost the messages of ${shown(tenure.held.target.name)}`);
}

/**
 * Delivers a message. If that begins a turn, runs it and its successors until no message waits: each ends in the same
 * request in which the next one begins.
 */
export async function collect<T>(
  connection: Connection,
  conversation: string,
  { id = "", signal }: AnyOptions,
  settled: Settled,
  work: (turn: CollectTurn<never>) => Promise<T> | T,
): Promise<Collected<T>> {
  const elapsed = stopwatch(connection.clock);
  const inbox = await inboxOf(connection, conversation, id, settled);
  const results: T[] = [];
  const isOver = (): boolean => signal?.aborted === true || elapsed() >= settled.maxHoldMs;

  /** Runs a turn, and ends it. Returns its successor, if messages wait. */
  function run(tenure: Tenure): Promise<Ended> {
    const { lease } = tenure.held;
    const maxHoldMs = Math.max(Math.ceil(settled.maxHoldMs - elapsed()), 1);
    return runTurn(
      { connection, lease, isContended: false, settled, signal, maxHoldMs },
      async (ended) => {
        const { messages, upTo } = await messagesOf(inbox, tenure, connection, settled.quietMs, ended);
        // A turn that crashed had the same first message, and its successor has its steps.
        const turn = Object.assign(turnOf(connection, lease, ended, messages[0]?.id, settled), { messages });
        results.push(refuseUnstarted(await work(turn as CollectTurn<never>), "turn"));
        lease.throwIfEnded();
        return upTo;
      },
      (upTo) => inbox.end(tenure, upTo, !isOver()),
    );
  }

  // Once more for each time that older messages left no room for this one.
  for (;;) {
    let answer: Delivered | Ended = await inbox.deliver(signal);
    const status = answer.status === "begun" ? STATUS[answer.own] : (answer.status as "kept" | "handled");
    while (answer.status === "begun") answer = await run(answer);
    if (status !== undefined) return { status, results, left: answer.status === "ended" ? answer.left : 0 };
    signal?.throwIfAborted();
    if (isOver()) throw noRoom(conversation);
  }
}
