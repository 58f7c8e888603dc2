import { ErrorReply } from "leasehold-engine";
import { type Encoding, replyJson } from "leasehold-engine/rest";
import { type Commands, createObjectServer, type ObjectServerOptions } from "./server.ts";

/** How commands are run. Members that an older object does not know are ignored there. */
export interface RunOptions {
  /** Whether all of them are one transaction. Default false. */
  readonly transaction?: boolean;
  /** How strings are written. Default `"text"`. */
  readonly encoding?: Encoding;
}

/**
 * What a Durable Object does for `leasehold`, for frameworks that make their own classes. Both members are the bodies
 * of methods of the same names.
 */
export interface ObjectHandler {
  /**
   * Runs commands, given as one character for each byte, and returns the answer to each as JSON, `{"result": …}` or
   * `{"error": …}`. A transaction that is refused has one answer.
   */
  run(commands: Commands, options?: RunOptions): Promise<string[]>;
  alarm(): Promise<void>;
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
  const server = createObjectServer(options);
  return {
    async run(commands, { transaction = false, encoding = "text" } = {}) {
      const replies = transaction ? await server.transact(commands) : await server.run(commands);
      return (replies instanceof ErrorReply ? [replies] : replies).map((reply) => replyJson(reply, encoding));
    },
    alarm: () => server.alarm(),
  };
}
