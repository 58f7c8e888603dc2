import type { Hold } from "../shared/budget.ts";
import { NoAnswer, ReplyTooLarge } from "../shared/errors.ts";
import type { Receiver } from "../shared/receiver.ts";
import type { AnswerOrder } from "./answer-order.ts";
import type { Command, Reply } from "./backend.ts";
import { encodeCommands } from "./command-encoding.ts";
import type { Silence } from "./silence-limit.ts";

/** The memory for one item besides its bytes. With many small items it is most of a reply's memory. */
const ITEM_BYTES = 64;

/** The memory that a reply takes, in bytes, roughly. */
function sizeOf(reply: Reply): number {
  if (Array.isArray(reply)) return reply.reduce<number>((sum, item: Reply) => sum + sizeOf(item), ITEM_BYTES);
  if (Buffer.isBuffer(reply) || typeof reply === "string") return ITEM_BYTES + reply.length;
  return ITEM_BYTES;
}

/** The commands of one connection and their answers, which Redis sends in their order. */
export interface Exchange {
  /** Sends one batch of commands and gives their replies; fails as `Connection.send` does. */
  send(commands: readonly Command[], to: Receiver<readonly Reply[]>, withinMs: number, room?: Hold): void;
  /** Takes the next reply that has arrived. */
  take(reply: Reply): void;
  /** Tells that no more answers will come: the connection is gone. */
  lose(): void;
}

/** Commands that were sent together, until their last answer is there. */
interface Batch {
  readonly replies: Reply[];
  /** Whether the next answer is that to a mark. */
  isMarked: boolean;
  missing: number;
  hasFailed: boolean;
  readonly room: Hold | undefined;
  /** When it fails without its answers, as of `performance.now()`. */
  readonly deadline: number;
  readonly to: Receiver<readonly Reply[]>;
}

/** Fails a batch. Replies that still arrive have no reader, and are not kept. */
function fail(batch: Batch, error: NoAnswer): void {
  if (batch.hasFailed) return;
  batch.hasFailed = true;
  batch.replies.length = 0;
  batch.to.fail(error);
}

/** Keeps a reply of a batch, and answers the batch with the last one. */
function keep(batch: Batch, reply: Reply): void {
  if (batch.room?.take(sizeOf(reply)) === false) {
    fail(batch, new ReplyTooLarge());
    return;
  }
  batch.replies.push(reply);
  if (batch.missing === 0) batch.to.receive(batch.replies);
}

/**
 * Creates the exchange of one connection: `order` verifies the order of answers, `silence` drops a silent connection.
 */
export function createExchange(
  write: (bytes: string | Buffer) => void,
  order: AnswerOrder,
  silence: Silence | undefined,
): Exchange {
  const batches: Batch[] = [];
  /** One timer for all batches, and when it is due. It is not stopped with each answer: it looks for what is late. */
  let timer: NodeJS.Timeout | undefined;
  let dueAt = Number.POSITIVE_INFINITY;

  /** Fails the batches that were late at that time. Others may have their answers by now, which are not read yet. */
  function failLate(at: number): void {
    const now = performance.now();
    dueAt = Number.POSITIVE_INFINITY;
    for (const batch of batches) {
      if (batch.hasFailed) continue;
      if (batch.deadline <= at) fail(batch, new NoAnswer());
      else watch(batch.deadline, now);
    }
  }

  /** After a standstill of this process, the replies that have arrived meanwhile are read first. */
  const ring = (): void => void setImmediate(failLate, performance.now());

  /** Looks for late batches at that time, if not before. */
  function watch(deadline: number, now: number): void {
    if (deadline >= dueAt) return;
    dueAt = deadline;
    clearTimeout(timer);
    timer = setTimeout(ring, Math.max(1, Math.ceil(deadline - now))).unref();
  }

  return {
    send(commands, to, withinMs, room) {
      // What throws comes before anything counts as sent.
      const bytes = encodeCommands(commands);
      const now = performance.now();
      const mark = order.mark(now);
      const isMarked = mark !== undefined;
      silence?.asked(commands.length + (isMarked ? 1 : 0));
      order.asked(commands.length);
      const deadline = now + withinMs;
      batches.push({ replies: [], isMarked, missing: commands.length, hasFailed: false, room, deadline, to });
      watch(deadline, now);
      if (mark === undefined) write(bytes);
      else if (typeof bytes === "string") write(mark + bytes);
      else {
        write(mark);
        write(bytes);
      }
    },
    take(reply) {
      const [batch] = batches;
      if (batch === undefined) {
        order.lose();
        return;
      }
      silence?.answered();
      if (batch.isMarked) {
        batch.isMarked = false;
        if (!order.isMark(reply)) fail(batch, new NoAnswer());
        return;
      }
      if (--batch.missing === 0) batches.shift();
      if (!order.isAnswer(reply)) fail(batch, new NoAnswer());
      if (!batch.hasFailed) keep(batch, reply);
    },
    lose() {
      silence?.lost();
      for (const batch of batches.splice(0)) fail(batch, new NoAnswer());
    },
  };
}
