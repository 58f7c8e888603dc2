import {
  type Changes,
  createEngine,
  createJournal,
  createScriptCache,
  type Engine,
  ErrorReply,
  type Journal,
  type KeyChange,
  type ScriptCache,
} from "leasehold-engine";
import type { ObjectStorage } from "./object-storage.ts";
import { openTables, type Survey, type Tables } from "./tables.ts";

export interface ObjectServerOptions {
  readonly storage: ObjectStorage;
  /** In ms since 1970. Default `Date.now`. */
  readonly now?: () => number;
  /** Uniform in [0, 1). Default `Math.random`. */
  readonly random?: () => number;
}

/** Compiled scripts are shared by the isolate, since each of its objects would compile them again. */
let scripts: ScriptCache | undefined;

/** Scripts with and without a first line are accepted: Upstash's flag concerns locks that an object does not need. */
const DIALECT = "upstash";

const NEVER = Number.POSITIVE_INFINITY;

/**
 * The memory of a request, in bytes. An isolate has 128 MB for all its objects, with what they store, the answer and the
 * platform's own.
 */
const MAX_BYTES = 32 * 2 ** 20;

/** An engine with its journal, and the tables it was loaded from. */
interface Memory {
  readonly engine: Engine;
  readonly journal: Journal;
  readonly tables: Tables;
}

/** The error of commands whose changes could not be stored. None of them was. */
function notStored(error: unknown): ErrorReply {
  const message = error instanceof Error ? error.message : String(error);
  if (/SQLITE_FULL|SQLITE_TOOBIG|too big/i.test(message))
    return new ErrorReply(`OOM the object cannot store more: ${message}`);
  return new ErrorReply(`TRYAGAIN the object could not store this: ${message}`);
}

/** The first expiry of written keys; see {@link Cache.takeSoonest}. Members alone have none of their own. */
function soonestOf({ isCleared, keys }: Changes): number {
  const ends = keys.map(({ isReplaced, head }) => head?.expiresAt ?? (isReplaced && !head ? 0 : NEVER));
  // A request may write more keys than a function has arguments.
  return ends.reduce((soonest, end) => Math.min(soonest, end), isCleared ? 0 : NEVER);
}

/** Undoes all changes since the journal was last taken. */
function undo({ engine, journal, tables }: Memory): void {
  const { isCleared, keys } = journal.take(engine.keys);
  if (isCleared) for (const stored of tables.load()) engine.keys.restore(stored.key, stored);
  for (const { key } of keys) engine.keys.restore(key, tables.read(key));
  // What was restored is no change.
  journal.take(engine.keys);
}

/** The engine of an object: a cache of the stored data. */
export interface Cache {
  /** Loads the keys if they are not in memory. */
  open(): Memory;
  /** The engine in memory, if it is loaded. */
  readonly memory: Memory | undefined;
  /**
   * Runs a function on the engine, and stores the changes.
   *
   * @param wrote called with the stored changes
   * @param keeps undoes the changes instead if it is false of the result
   */
  perform<T>(
    work: (engine: Engine) => T,
    wrote: (changes: readonly KeyChange[]) => void,
    keeps?: (result: T) => boolean,
  ): T | ErrorReply;
  /**
   * The first expiry of the keys that were written since the last call, in ms since 1970; 0 for a removed key,
   * undefined if none of them expires.
   */
  takeSoonest(): number | undefined;
  /** Removes expired data from memory and storage. Returns the rest. */
  sweep(): Survey;
}

/** Makes the cache of a storage. Nothing is read before the first use. */
export function createCache({ storage, now, random }: Required<ObjectServerOptions>): Cache {
  let memory: Memory | undefined;
  let soonest = NEVER;

  function open(): Memory {
    if (memory) return memory;
    const tables = openTables(storage);
    const journal = createJournal();
    scripts ??= createScriptCache(DIALECT);
    const stored = tables.load();
    const engine = createEngine({
      dialect: DIALECT,
      now: () => now(),
      random,
      stored,
      journal,
      scripts,
      maxBytes: MAX_BYTES,
    });
    memory = { engine, journal, tables };
    return memory;
  }

  return {
    open,
    get memory() {
      return memory;
    },
    perform(work, wrote, keeps = () => true) {
      const opened = open();
      const { engine, journal, tables } = opened;
      // Until everything is stored, memory may differ from storage: after any error, it is reloaded.
      memory = undefined;
      const result = work(engine);
      if (!keeps(result)) undo(opened);
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
      soonest = Math.min(soonest, soonestOf(changes));
      wrote(changes.keys);
      return result;
    },
    takeSoonest() {
      const taken = soonest;
      soonest = NEVER;
      return taken === NEVER ? undefined : taken;
    },
    sweep() {
      const { engine, tables } = open();
      tables.sweep(now());
      const left = tables.survey();
      if (left.count === 0) memory = undefined;
      engine.keys.at = Math.floor(now());
      engine.keys.expireAll();
      return left;
    },
  };
}
