import type { ErrorReply, Reply } from "leasehold-engine";
import { createAlarm } from "./alarm.ts";
import { createCache, type ObjectServerOptions } from "./cache.ts";

export type { ObjectServerOptions } from "./cache.ts";

/** Commands with one character for each byte. */
export type Commands = readonly (readonly string[])[];

/** The part of Redis that locks need, over the storage of one object. */
export interface ObjectServer {
  /**
   * Runs commands one after the other. What each of them changes is stored at once, all of it or nothing.
   *
   * @throws Error where the storage cannot be read, or where another instance has replaced this object
   */
  run(commands: Commands): Promise<readonly Reply[]>;
  /** As `run`, as one transaction. */
  transact(commands: Commands): Promise<readonly Reply[] | ErrorReply>;
  /** As `run`, for one command that no listener is notified of. */
  runQuietly(command: readonly string[]): Promise<Reply>;
  /** How many commands have written something. */
  readonly writes: number;
  /** Removes what has expired. An object that has nothing left deletes everything. */
  alarm(): Promise<void>;
}

/** Called with the commands that wrote something, once that is stored, and with the keys that they wrote. */
type OnWrite = (commands: Commands, keys: readonly string[]) => void;

/** Makes the server of an object. Nothing is read or written before the first command. */
export function createObjectServer(
  { storage, now = Date.now, random = Math.random }: ObjectServerOptions,
  onWrite?: OnWrite,
): ObjectServer {
  const cache = createCache({ storage, now, random });
  const alarm = createAlarm(storage, now);
  let writes = 0;

  async function serve<T>(work: () => T): Promise<T> {
    const wasThere = cache.open().tables.exist;
    const result = work();
    await alarm.guard(cache.memory?.tables, wasThere);
    return result;
  }

  const counted =
    (commands: Commands, tell: OnWrite | undefined) =>
    (keys: readonly string[]): void => {
      writes++;
      tell?.(commands, keys);
    };
  const runOne = (words: readonly string[], tell?: OnWrite): Reply =>
    cache.perform((engine) => engine.run(words), counted([words], tell));

  return {
    run: (commands) => serve(() => commands.map((words) => runOne(words, onWrite))),
    transact: (commands) =>
      serve(() => cache.perform((engine) => engine.transact(commands), counted(commands, onWrite))),
    runQuietly: (command) => serve(() => runOne(command)),
    get writes() {
      return writes;
    },
    async alarm() {
      const left = cache.sweep();
      if (left.count > 0) return alarm.set(left);
      alarm.forget();
      await storage.deleteAll();
    },
  };
}
