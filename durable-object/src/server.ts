import {
  createEngine,
  createJournal,
  createScriptCache,
  type Engine,
  ErrorReply,
  type Journal,
  type Reply,
  type ScriptCache,
} from "leasehold-engine";
import type { ObjectStorage } from "./object-storage.ts";
import { openTables, type Survey, type Tables } from "./tables.ts";

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
  /** As `run`, for one command that nobody is told of. */
  runQuietly(command: readonly string[]): Promise<Reply>;
  /** How many commands have written something. */
  readonly writes: number;
  /** Removes what has expired. An object that has nothing left deletes everything. */
  alarm(): Promise<void>;
}

export interface ObjectServerOptions {
  readonly storage: ObjectStorage;
  /** In ms since 1970. Default `Date.now`. */
  readonly now?: () => number;
  /** Uniform in [0, 1). Default `Math.random`. */
  readonly random?: () => number;
}

/** Called with the commands that wrote something, once that is stored, and with the keys that they wrote. */
type OnWrite = (commands: Commands, keys: readonly string[]) => void;

/** An alarm is no nearer than this, since a name that is in use would set it again and again. */
const LEAST_DELAY_MS = 10 * 60_000;
/** An object with more keys is swept at least that often. Expired keys of a small one wait for its last key. */
const SMALL = 10;
const MOST_DELAY_MS = 24 * 60 * 60_000;

/** Compiled scripts are the isolate's: each of its objects would compile them anew. */
let scripts: ScriptCache | undefined;

/** Both first lines of scripts are taken: Upstash's flag concerns locks that an object does not need. */
const DIALECT = "upstash";

/** An engine with its journal, and the tables that it was loaded from. */
interface Memory {
  readonly engine: Engine;
  readonly journal: Journal;
  readonly tables: Tables;
}

/** The error of commands whose changes could not be stored. Nothing of them was. */
function notStored(error: unknown): ErrorReply {
  const message = error instanceof Error ? error.message : String(error);
  if (/SQLITE_FULL|SQLITE_TOOBIG|too big/i.test(message))
    return new ErrorReply(`OOM the object cannot store more: ${message}`);
  return new ErrorReply(`TRYAGAIN the object could not store this: ${message}`);
}

/** When to look for expired keys; undefined where none expires. */
function alarmTime({ count, lastExpiry }: Survey, now: number): number | undefined {
  if (lastExpiry === undefined || count === 0) return undefined;
  // A key lives up to and with the millisecond of its expiry.
  const wanted = Math.max(lastExpiry + 1, now + LEAST_DELAY_MS);
  return count > SMALL ? Math.min(wanted, now + MOST_DELAY_MS) : wanted;
}

/** The engine of an object: a cache of what is stored. */
interface Cache {
  /** Loads the keys if they are not in memory. */
  open(): Memory;
  /** What is in memory, if anything is. */
  readonly memory: Memory | undefined;
  /** Does something with the engine, and stores what it changed. @param wrote called with the keys that it wrote */
  perform<T>(work: (engine: Engine) => T, wrote: (keys: readonly string[]) => void): T | ErrorReply;
  /** Forgets what is in memory. */
  drop(): void;
}

function createCache({ storage, now, random }: Required<ObjectServerOptions>): Cache {
  let memory: Memory | undefined;

  function open(): Memory {
    if (memory) return memory;
    const tables = openTables(storage);
    const journal = createJournal();
    scripts ??= createScriptCache(DIALECT);
    const stored = tables.load();
    const engine = createEngine({ dialect: DIALECT, now: () => now(), random, stored, journal, scripts });
    memory = { engine, journal, tables };
    return memory;
  }

  return {
    open,
    get memory() {
      return memory;
    },
    perform(work, wrote) {
      const opened = open();
      const { engine, journal, tables } = opened;
      // Until everything is stored, memory may differ from it: whatever is thrown, it is loaded anew.
      memory = undefined;
      const result = work(engine);
      if (journal.isEmpty) {
        tables.touch();
        memory = opened;
        return result;
      }
      const changes = journal.take(engine.keys);
      try {
        tables.write(changes);
      } catch (error) {
        return notStored(error);
      }
      memory = opened;
      wrote(changes.keys.map(({ key }) => key));
      return result;
    },
    drop() {
      memory = undefined;
    },
  };
}

/** The one alarm of an object, after which something can have expired. */
interface Alarm {
  set(survey: Survey): Promise<void>;
  /** Sees to it that an object with keys has an alarm. @param wasThere whether it had keys before the present request */
  guard(tables: Tables | undefined, wasThere: boolean): Promise<void>;
  /** The alarm is gone. */
  forget(): void;
}

function createAlarm(storage: ObjectStorage, now: () => number): Alarm {
  let isSet = false;
  const alarm: Alarm = {
    async set(survey) {
      const at = alarmTime(survey, now());
      isSet = false;
      if (at !== undefined) await storage.setAlarm(at);
      isSet = at !== undefined;
    },
    async guard(tables, wasThere) {
      if (isSet || !tables?.exist) return;
      // The first write of an object and its alarm are stored together, since nothing is awaited between them.
      if (wasThere && (await storage.getAlarm()) !== null) isSet = true;
      else await alarm.set(tables.survey());
    },
    forget() {
      isSet = false;
    },
  };
  return alarm;
}

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
      const { engine, tables } = cache.open();
      tables.sweep(now());
      const left = tables.survey();
      if (left.count === 0) {
        cache.drop();
        alarm.forget();
        await storage.deleteAll();
        return;
      }
      engine.keys.at = Math.floor(now());
      // What has expired leaves memory as it is looked at.
      engine.keys.keys();
      await alarm.set(left);
    },
  };
}
