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
  /** Ends the present run. Must be called before its bytes go out. */
  seal(): void;
  /** Takes the next reply that has arrived. */
  take(reply: Reply): void;
  /** Tells that no more answers will come: the connection is gone. */
  lose(): void;
}

/** The commands of one caller, until their last answer is there. */
interface Batch {
  readonly replies: Reply[];
  missing: number;
  hasFailed: boolean;
  readonly room: Hold | undefined;
  /** When it fails without its answers, as of `performance.now()`. */
  readonly deadline: number;
  readonly to: Receiver<readonly Reply[]>;
}

/**
 * Batches that go out together. A mark follows several of them, and none gets its replies before the mark has come
 * back: an answer that is missing, or comes twice, cannot go to another one.
 */
interface Run {
  readonly batches: Batch[];
  /** The number of batches whose replies are there. */
  answered: number;
  /** Whether the next answer is that to a mark before the batches. */
  isMarked: boolean;
  /** Whether a mark follows. */
  isSealed: boolean;
}

/** Fails a batch. Replies that still arrive have no reader, and are not kept. */
function fail(batch: Batch, error: NoAnswer): void {
  if (batch.hasFailed) return;
  batch.hasFailed = true;
  batch.replies.length = 0;
  batch.to.fail(error);
}

function keep(batch: Batch, reply: Reply): void {
  if (batch.hasFailed) return;
  if (batch.room?.take(sizeOf(reply)) === false) fail(batch, new ReplyTooLarge());
  else batch.replies.push(reply);
}

/** Gives a batch its replies. */
function deliver(batch: Batch): void {
  if (!batch.hasFailed) batch.to.receive(batch.replies);
}

/**
 * Creates the exchange of one connection: `order` verifies the order of answers, `silence` drops a silent connection.
 */
export function createExchange(
  write: (bytes: string | Buffer) => void,
  order: AnswerOrder,
  silence: Silence | undefined,
): Exchange {
  const runs: Run[] = [];
  /** The last run while batches may join it, since its bytes have not gone out. */
  let joinable: Run | undefined;
  /** One timer for all batches, and when it is due. It is not stopped with each answer: it looks for what is late. */
  let timer: NodeJS.Timeout | undefined;
  let dueAt = Number.POSITIVE_INFINITY;

  /** Fails the batches that were late at that time. Others may have their answers by now, which are not read yet. */
  function failLate(at: number): void {
    const now = performance.now();
    dueAt = Number.POSITIVE_INFINITY;
    for (const batch of runs.flatMap(({ batches }) => batches)) {
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

  /** Sends a mark if one is needed. */
  function mark(now: number): boolean {
    const command = order.mark(now);
    if (command === undefined) return false;
    silence?.asked(1);
    write(encodeCommands([command]));
    return true;
  }

  function begin(now: number): Run {
    const run: Run = { batches: [], answered: 0, isMarked: mark(now), isSealed: false };
    runs.push(run);
    joinable = run;
    return run;
  }

  function seal(): void {
    const run = joinable;
    joinable = undefined;
    if (run !== undefined && run.batches.length > 1) run.isSealed = mark(performance.now());
  }

  /** Takes the answer to the mark behind a run, whose batches get their replies if it is the right one. */
  function end(run: Run, answer: Reply): void {
    runs.shift();
    const isRight = order.isMark(answer);
    for (const batch of run.batches) {
      if (isRight) deliver(batch);
      else fail(batch, new NoAnswer());
    }
  }

  return {
    send(commands, to, withinMs, room) {
      // What throws comes before anything counts as sent.
      const bytes = encodeCommands(commands);
      // Others would wait for all of its answers.
      const isLong = commands.length > 1 || typeof bytes !== "string";
      if (isLong) seal();
      const now = performance.now();
      const run = joinable ?? begin(now);
      const deadline = now + withinMs;
      run.batches.push({ replies: [], missing: commands.length, hasFailed: false, room, deadline, to });
      silence?.asked(commands.length);
      order.asked(commands.length);
      watch(deadline, now);
      write(bytes);
      if (isLong) seal();
    },
    take(reply) {
      const [run] = runs;
      if (run === undefined || run === joinable) {
        order.lose();
        return;
      }
      silence?.answered();
      const batch = run.batches[run.answered];
      if (run.isMarked) {
        run.isMarked = false;
        order.isMark(reply);
      } else if (batch === undefined) end(run, reply);
      else {
        if (order.isAnswer(reply)) keep(batch, reply);
        else fail(batch, new NoAnswer());
        if (--batch.missing > 0) return;
        run.answered++;
        if (run.isSealed) return;
        runs.shift();
        deliver(batch);
      }
    },
    seal,
    lose() {
      joinable = undefined;
      silence?.lost();
      for (const { batches } of runs.splice(0)) for (const batch of batches) fail(batch, new NoAnswer());
    },
  };
}
