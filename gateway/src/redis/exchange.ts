import { type Hold, holdOf } from "../shared/budget.ts";
import { NoAnswer, NotSent, ReplyTooLarge } from "../shared/error-answers.ts";
import type { Receiver } from "../shared/receiver.ts";
import type { AnswerOrder } from "./answer-order.ts";
import type { Command, Reply, Wanted } from "./backend.ts";
import { encodeCommands } from "./command-encoding.ts";
import type { ReplySink } from "./reply-builder.ts";

/** The maximum memory for replies to the gateway's own commands, which have no budget. */
const OWN_BYTES = 16 * 1024 * 1024;
/** The maximum memory for the reply to a mark, which is a short text or an error. */
const MARK_BYTES = 4_096;

/**
 * The commands of one connection and their replies, which Redis sends in order. It decides how to handle a reply as
 * soon as it begins: the reply to a failed batch is not kept.
 */
export interface Exchange extends Omit<ReplySink, "broken"> {
  /** Sends one batch of commands and passes on their replies; fails like `Connection.send`. */
  send(commands: readonly Command[], to: Receiver<readonly Reply[]>, withinMs: number, wanted?: Wanted): void;
  /** Records that no more replies will arrive: the connection has ended, or its bytes cannot be read. */
  lose(reason?: string): void;
}

/** Commands that were sent together, until their last reply has arrived. */
interface Batch {
  readonly form: "values" | "bytes";
  readonly replies: Reply[];
  /** Whether the next reply is the reply to a mark. */
  isMarked: boolean;
  missing: number;
  hasFailed: boolean;
  readonly room: Hold;
  /** When it fails without its answers, as of `performance.now()`. */
  readonly deadline: number;
  readonly to: Receiver<readonly Reply[]>;
}

/** Fails a batch. Replies that still arrive are not kept. */
function fail(batch: Batch, error: NoAnswer): void {
  if (batch.hasFailed) return;
  batch.hasFailed = true;
  batch.replies.length = 0;
  batch.to.fail(error);
}

/** Keeps a reply of a batch, and completes the batch with the last one. */
function keep(batch: Batch, reply: Reply): void {
  batch.replies.push(reply);
  if (batch.missing === 0) batch.to.receive(batch.replies);
}

/** Fails batches whose answers are late. */
interface Deadlines {
  /** Checks for late batches at that time or earlier. */
  watch(deadline: number, now: number): void;
}

/** One timer for all batches, which is not stopped with each reply. */
function createDeadlines(batches: readonly Batch[]): Deadlines {
  let timer: NodeJS.Timeout | undefined;
  let dueAt = Number.POSITIVE_INFINITY;

  /** Fails the batches that were late at that time. The replies to others may have arrived but not been read yet. */
  function failLate(at: number): void {
    const now = performance.now();
    dueAt = Number.POSITIVE_INFINITY;
    for (const batch of batches) {
      if (batch.hasFailed) continue;
      if (batch.deadline <= at) fail(batch, new NoAnswer());
      else watch(batch.deadline, now);
    }
  }

  /** After this process froze, the replies that have arrived meanwhile are read first. */
  const ring = (): void => void setImmediate(failLate, performance.now());

  function watch(deadline: number, now: number): void {
    if (deadline >= dueAt) return;
    dueAt = deadline;
    clearTimeout(timer);
    timer = setTimeout(ring, Math.max(1, Math.ceil(deadline - now))).unref();
  }

  return { watch };
}

/** Passes the replies of a connection to its batches, which are in the order of their commands. */
function createSink(batches: Batch[], order: AnswerOrder, silence: Silence | undefined): Omit<ReplySink, "broken"> {
  return {
    begin() {
      const [batch] = batches;
      if (batch === undefined) {
        // It is unsolicited, and the next command must not get it.
        order.lose();
        return "nothing";
      }
      if (batch.isMarked) return "value";
      if (batch.hasFailed) return "nothing";
      return batch.form === "bytes" ? "bytes" : "value";
    },
    room(bytes) {
      const [batch] = batches;
      if (batch === undefined) return false;
      if (batch.isMarked) return bytes <= MARK_BYTES;
      if (batch.room.take(bytes)) return true;
      fail(batch, new ReplyTooLarge());
      return false;
    },
    take(reply, hasMore) {
      const [batch] = batches;
      if (batch === undefined) {
        order.lose();
        return;
      }
      silence?.answered();
      if (batch.isMarked) {
        batch.isMarked = false;
        if (!order.isMark(reply ?? null)) fail(batch, new NoAnswer());
        return;
      }
      if (--batch.missing === 0) batches.shift();
      // An extra reply: the last reply may belong to an earlier command as well, so it is not passed on.
      if (hasMore && batches.length === 0) order.lose();
      if (!order.isAnswer(reply ?? null)) fail(batch, new NoAnswer());
      if (!batch.hasFailed && reply !== undefined) keep(batch, reply);
    },
  };
}

/**
 * Creates the exchange of one connection: `order` verifies the order of replies, `silence` drops a silent connection.
 */
export function createExchange(
  write: (bytes: string | Buffer) => void,
  order: AnswerOrder,
  silence: Silence | undefined,
): Exchange {
  const batches: Batch[] = [];
  const deadlines = createDeadlines(batches);
  return {
    ...createSink(batches, order, silence),
    send(commands, to, withinMs, { room = holdOf(OWN_BYTES), form = "values", signal } = {}) {
      if (signal?.aborted) {
        to.fail(new NotSent());
        return;
      }
      // Everything that may throw precedes this, before anything counts as sent.
      const bytes = encodeCommands(commands);
      const now = performance.now();
      const mark = order.mark(now);
      const isMarked = mark !== undefined;
      silence?.asked(commands.length + (isMarked ? 1 : 0));
      order.asked(commands.length);
      const deadline = now + withinMs;
      const missing = commands.length;
      const batch: Batch = { form, replies: [], isMarked, missing, hasFailed: false, room, deadline, to };
      batches.push(batch);
      deadlines.watch(deadline, now);
      signal?.addEventListener("abort", () => {
        if (batch.missing > 0) fail(batch, new NoAnswer());
      });
      if (mark === undefined) write(bytes);
      else if (typeof bytes === "string") write(mark + bytes);
      else {
        write(mark);
        write(bytes);
      }
    },
    lose(reason) {
      silence?.lost();
      for (const batch of batches.splice(0)) fail(batch, new NoAnswer(reason));
    },
  };
}

/** A watch over outstanding replies; it drops a connection that stays silent while some are due. */
export interface Silence {
  asked(count: number): void;
  answered(): void;
  /** Records that bytes have arrived. */
  heard(): void;
  /** Records that the connection has ended, and with it the outstanding replies. */
  lost(): void;
}

/**
 * Calls `drop` when a connection is silent for too long while replies are due. A time-out of the socket is not enough:
 * after this process froze, it would fire before the bytes that have arrived meanwhile are read.
 *
 * @param longestMs the longest silence
 */
export function createSilence(drop: () => void, longestMs: number): Silence {
  let due = 0;
  let received = 0;
  const end = (): void => {
    const before = received;
    // By then, all that has arrived is read.
    setImmediate(() => {
      if (due > 0 && received === before) drop();
    });
  };
  const timer = setTimeout(end, longestMs).unref();
  return {
    asked(count) {
      if (due === 0) timer.refresh();
      due += count;
    },
    answered() {
      due--;
    },
    heard() {
      received++;
      timer.refresh();
    },
    lost() {
      due = 0;
    },
  };
}
