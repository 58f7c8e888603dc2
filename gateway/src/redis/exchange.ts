import { Command as IoCommand, type Redis } from "ioredis";
import type { Hold } from "../shared/budget.ts";
import { NoAnswer, ReplyTooLarge } from "../shared/errors.ts";
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

/**
 * A command that ioredis carries without looking into it. ioredis acts on names (it rewrites the arguments of `mset`
 * and the reply of `hgetall`, and takes `constructor` for a subscription, since it looks names up in plain objects),
 * and it puts names and arguments into errors and debug output. So it gets an opaque name and the bytes.
 *
 * Callbacks take the reply, not the command's promise: the answers of one chunk are then examined in their order, and
 * under high load the promises between a reply and its request would be most of the cost.
 */
class OpaqueCommand extends IoCommand {
  readonly #bytes: string | Buffer;

  constructor(bytes: string | Buffer, onReply: (reply: Reply) => void, onFailure: (error: Error) => void) {
    super("opaque");
    this.#bytes = bytes;
    this.resolve = onReply;
    this.reject = onFailure;
  }

  override toWritable(): string | Buffer {
    return this.#bytes;
  }
}

/**
 * Sends one batch of commands and resolves with their replies; throws as `Connection.send` does, but for
 * {@link NotSent}.
 */
export type Exchange = (commands: readonly Command[], withinMs: number, room?: Hold) => Promise<readonly Reply[]>;

/**
 * Creates the exchange of one connection: `order` verifies the order of answers, `silence` drops a silent connection.
 */
export function createExchange(redis: Redis, order: AnswerOrder, silence: Silence | undefined): Exchange {
  // The bytes of a batch go out with its first command; the others only take their place in the queue of answers.
  const silent = { isPipeline: true as const, destination: { redis }, write: () => true };

  return (commands, withinMs, room) =>
    new Promise((resolve, reject) => {
      const replies: Reply[] = new Array(commands.length).fill(null);
      let missing = commands.length;
      let failed = false;
      const fail = (error: NoAnswer): void => {
        if (failed) return;
        failed = true;
        // Replies that still arrive have no reader, and are not kept.
        replies.length = 0;
        clearTimeout(timer);
        reject(error);
      };
      // After a standstill of this process, the replies that have arrived meanwhile are read first.
      const timer = setTimeout(() => setImmediate(() => fail(new NoAnswer())), withinMs);
      const mark = order.mark();
      const sent = mark === undefined ? commands : [mark, ...commands];
      const first = sent.length - commands.length;
      silence?.asked(sent.length);
      order.asked(sent.length);
      const take = (at: number, reply: Reply): void => {
        silence?.answered();
        const isRight = at < first ? order.isMark(reply) : order.isAnswer(reply);
        if (!isRight) fail(new NoAnswer());
        if (failed || at < first) return;
        if (room?.take(sizeOf(reply)) === false) {
          fail(new ReplyTooLarge());
          return;
        }
        replies[at - first] = reply;
        if (--missing > 0) return;
        clearTimeout(timer);
        resolve(replies);
      };
      const miss = (): void => {
        silence?.answered();
        order.missed();
        fail(new NoAnswer());
      };
      for (const at of sent.keys()) {
        const bytes = at === 0 ? encodeCommands(sent) : "";
        const onReply = (reply: Reply): void => take(at, reply);
        const onFailure = (error: Error): void => (error.name === "ReplyError" ? onReply(error) : miss());
        const command = new OpaqueCommand(bytes, onReply, onFailure);
        if (at === 0) redis.sendCommand(command);
        else redis.sendCommand(command, silent);
      }
    });
}
