import type { ConnectionSource } from "leasehold";
import { bytesOf, checkOptions, connectionOf, inCall, refuseMissing, toIdentity, toText } from "leasehold/internal";
import { type StoredOf, storedAt } from "./stored.ts";
import { type ThreadLocks, threadLocks } from "./thread-locks.ts";
import { type Threads, threadsIn } from "./threads.ts";
import { type Values, valuesIn } from "./values.ts";

/** The maximum length of a name, and of the prefix in it. */
const MAX_BYTES = 512;
const MAX_PREFIX_BYTES = 100;

/** Options of {@link chatState}. */
export interface ChatStateOptions {
  /** The prefix of all names; use another one for each bot of a database. Default `"chat:"`. */
  readonly prefix?: string | undefined;
}

/** The state of a bot: a `StateAdapter` of the package `chat`. */
export interface ChatState extends ThreadLocks, Threads, Values {
  /** Sends nothing, since there is no connection to open. Call it before the other methods, as with every adapter. */
  connect(): Promise<void>;
  disconnect(): Promise<void>;
}

/**
 * Makes the state of a bot for the package `chat`, on the connection of the locks.
 *
 * @example
 * ```ts
 * const state = chatState(connection);
 * await state.connect();
 * const lock = await state.acquireLock("slack:C123:17", 30_000);
 * if (lock) {
 *   console.log(fencingTokenOf(lock));
 *   await state.releaseLock(lock);
 * }
 * ```
 *
 * @throws TypeError or RangeError for an invalid connection or option.
 */
export function chatState(source: ConnectionSource, options: ChatStateOptions = {}): ChatState {
  const [connection, prefix] = inCall("chatState", () => {
    checkOptions(options, "prefix keyPrefix>prefix");
    const prefix = toText(options.prefix === undefined ? "chat:" : options.prefix, "prefix", 0, MAX_PREFIX_BYTES);
    return [connectionOf(source), refuseMissing(prefix, "prefix")];
  });
  const maxIdBytes = MAX_BYTES - bytesOf(prefix).length;
  let isConnected = false;

  /** The name of a thread or a key. */
  function nameOf(id: string): string {
    if (!isConnected) throw new Error("chatState is not connected: call connect() first");
    return prefix + inCall("chatState", () => toIdentity(id, "key", maxIdBytes));
  }
  const stored: StoredOf = (purpose, id) => storedAt(connection, purpose, nameOf(id));

  return {
    async connect() {
      isConnected = true;
    },
    async disconnect() {
      isConnected = false;
    },
    ...threadLocks(connection, nameOf),
    ...threadsIn(stored, connection.clock),
    ...valuesIn(stored),
  };
}
