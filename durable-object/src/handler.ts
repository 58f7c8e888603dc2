import { ErrorReply, type Reply } from "leasehold-engine";
import { type Encoding, jsonBytes, replyJson } from "leasehold-engine/rest";
import type { Commands, ObjectServerOptions } from "./server.ts";
import { createWaitingServer } from "./waiting.ts";

/** Options of running commands. An older object ignores members that it does not know. */
export interface RunOptions {
  /** Whether all of them are one transaction. Default false. */
  readonly transaction?: boolean;
  /** The encoding of strings in replies. Default `"text"`. */
  readonly encoding?: Encoding;
  /** How long a single command may be held instead of being refused, in ms. Default 0. */
  readonly waitMs?: number;
}

/** The answers to commands. Callers ignore members that they do not know. */
export interface RunResult {
  /** The answer to each as JSON, `{"result": …}` or `{"error": …}`. A refused transaction has one answer. */
  readonly answers: readonly string[];
  /** How long the command had been held when it last ran, in ms; undefined if it was not held. */
  readonly heldMs?: number | undefined;
  /**
   * Whether the refused command would be granted if it were sent again now. A name is kept for its waiter for a second.
   */
  readonly isOffered?: boolean | undefined;
}

/**
 * The logic of a Durable Object for `leasehold`, for frameworks with their own classes. Both members implement the
 * methods of the same names.
 */
export interface ObjectHandler {
  /** Runs commands. Their arguments have one character for each byte. */
  run(commands: Commands, options?: RunOptions): Promise<RunResult>;
  alarm(): Promise<void>;
}

/** The maximum size of all answers to a call, as JSON. A call carries 32 MB; a character may take two bytes. */
const MAX_ANSWER_BYTES = 16 * 2 ** 20;
const TOO_LARGE = new ErrorReply("ERR the command has run, but the answers are larger than 16 MB");

/** The replies as JSON. Those for which there is no room are errors. */
function answersOf(replies: readonly Reply[], encoding: Encoding): string[] {
  let room = MAX_ANSWER_BYTES;
  return replies.map((reply) => {
    const bytes = jsonBytes(reply, encoding, room);
    if (bytes > room) return replyJson(TOO_LARGE, "text");
    room -= bytes;
    return replyJson(reply, encoding);
  });
}

/**
 * Makes the logic of an object.
 *
 * @example
 * ```ts no-run
 * class Locks extends DurableObject {
 *   readonly #handler = createObjectHandler({ storage: this.ctx.storage });
 *   run(...args: Parameters<ObjectHandler["run"]>) {
 *     return this.#handler.run(...args);
 *   }
 *   alarm() {
 *     return this.#handler.alarm();
 *   }
 * }
 * ```
 */
export function createObjectHandler(options: ObjectServerOptions): ObjectHandler {
  const server = createWaitingServer(options);
  return {
    async run(commands, { transaction = false, encoding = "text", waitMs = 0 } = {}) {
      const [only] = commands;
      if (only && commands.length === 1 && waitMs > 0 && !transaction) {
        const { reply, heldMs, isOffered } = await server.runWaiting(only, waitMs);
        return { answers: answersOf([reply], encoding), heldMs, isOffered };
      }
      const replies = transaction ? await server.transact(commands) : await server.run(commands);
      return { answers: answersOf(replies instanceof ErrorReply ? [replies] : replies, encoding) };
    },
    alarm: () => server.alarm(),
  };
}
