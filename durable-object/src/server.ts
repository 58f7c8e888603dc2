import type { ErrorReply, Reply } from "leasehold-engine";
import { createAlarm } from "./alarm.ts";
import { createCache, type ObjectServerOptions } from "./cache.ts";

export type { ObjectServerOptions } from "./cache.ts";

/** Commands with one character for each byte. */
export type Commands = readonly (readonly string[])[];

/** The part of Redis that locks need, on the storage of one object. */
export interface ObjectServer {
  /**
   * Runs commands one by one. The changes of each command are stored immediately and atomically.
   *
   * @throws Error if the storage cannot be read, or if another instance has replaced this object
   */
  run(commands: Commands): Promise<readonly Reply[]>;
  /** Like `run`, as one transaction. */
  transact(commands: Commands): Promise<readonly Reply[] | ErrorReply>;
  /**
   * Runs commands together, without notifying the listener, and returns the last reply. Undoes all of them if `keeps`
   * is false of it.
   */
  tryOut(commands: Commands, keeps: (last: Reply) => boolean): Promise<Reply>;
  /** The number of commands that have written. */
  readonly writes: number;
  /** Removes expired data. An empty object deletes all its storage. */
  alarm(): Promise<void>;
}

/** Called with the commands that wrote, once their changes are stored, and with the written keys. */
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
    await alarm.guard(cache.memory?.tables, wasThere, cache.takeSoonest());
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
    tryOut: (commands, keeps) =>
      serve(() =>
        cache.perform(
          (engine) => commands.map((words) => engine.run(words)).at(-1) ?? null,
          counted(commands, undefined),
          keeps,
        ),
      ),
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
