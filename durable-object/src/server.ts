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
import type { ObjectStorage } from "./storage.ts";
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
  /** Does something with the engine, and stores what it changed. */
  perform<T>(work: (engine: Engine) => T): T | ErrorReply;
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
    perform(work) {
      const opened = open();
      const { engine, journal, tables } = opened;
      // Until everything is stored, memory may differ from it: whatever is thrown, it is loaded anew.
      memory = undefined;
      const result = work(engine);
      if (journal.isEmpty) tables.touch();
      else {
        try {
          tables.write(journal.take(engine.keys));
        } catch (error) {
          return notStored(error);
        }
      }
      memory = opened;
      return result;
    },
    drop() {
      memory = undefined;
    },
  };
}

/** Makes the server of an object. Nothing is read or written before the first command. */
export function createObjectServer({
  storage,
  now = Date.now,
  random = Math.random,
}: ObjectServerOptions): ObjectServer {
  const cache = createCache({ storage, now, random });
  let isAlarmSet = false;

  async function setAlarm(survey: Survey): Promise<void> {
    const at = alarmTime(survey, now());
    isAlarmSet = false;
    if (at !== undefined) await storage.setAlarm(at);
    isAlarmSet = at !== undefined;
  }

  /** Sees to it that an object with keys has an alarm. */
  async function guard(wasThere: boolean): Promise<void> {
    const tables = cache.memory?.tables;
    if (isAlarmSet || !tables?.exist) return;
    // The first write of an object and its alarm are stored together, since nothing is awaited between them.
    if (wasThere && (await storage.getAlarm()) !== null) isAlarmSet = true;
    else await setAlarm(tables.survey());
  }

  async function serve<T>(work: () => T): Promise<T> {
    const wasThere = cache.open().tables.exist;
    const result = work();
    await guard(wasThere);
    return result;
  }

  return {
    run: (commands) => serve(() => commands.map((words) => cache.perform((engine) => engine.run(words)))),
    transact: (commands) => serve(() => cache.perform((engine) => engine.transact(commands))),
    async alarm() {
      const { engine, tables } = cache.open();
      tables.sweep(now());
      const left = tables.survey();
      if (left.count === 0) {
        cache.drop();
        isAlarmSet = false;
        await storage.deleteAll();
        return;
      }
      engine.keys.at = Math.floor(now());
      // What has expired leaves memory as it is looked at.
      engine.keys.keys();
      await setAlarm(left);
    },
  };
}
