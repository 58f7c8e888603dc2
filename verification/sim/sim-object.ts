import { type Alarm, createAlarm } from "../../durable-object/src/alarm.ts";
import { type Cache, createCache } from "../../durable-object/src/cache.ts";
import { openSqlite, type SqliteStorage } from "../../durable-object/test/support/sqlite-storage.ts";
import { ErrorReply, type Reply } from "../../engine/src/redis/reply.ts";
import type { Random } from "./random.ts";
import { Unanswered } from "./store.ts";

/** The chances of faults per command. */
export interface ObjectTroubles {
  /** The object is evicted from memory before the command. */
  readonly restarts: number;
  /** One statement of the command fails. */
  readonly failures: number;
  /** The object ends at one statement of the command. */
  readonly kills: number;
  readonly broken?: ObjectBreak | undefined;
}

/** A part of the objects that is broken on purpose. */
export type ObjectBreak =
  /** Each statement is stored separately. */
  | "stores by halves"
  /** A response can precede the storing of its changes, and the object ends in between. */
  | "answers too early";

/** One object with a real SQLite. */
export interface SimObject {
  readonly storage: SqliteStorage;
  readonly cache: Cache;
  run(words: readonly string[]): Reply;
  /** Evicts it from memory. Its storage is kept. */
  restart(): void;
  /** Runs its alarm if that is due. */
  ring(): void;
}

export interface SimObjectOptions {
  /** In whole ms: the clock of an object is stopped during a request. */
  readonly now: () => number;
  readonly random: Random;
  readonly isFull: () => boolean;
  readonly troubles: ObjectTroubles;
}

/** No command has more statements, so any of them can be the one that fails. */
const MAX_STATEMENTS = 8;
/** The chance that an object that answered too early ends. */
const LOSES = 0.05;
/** Statements that need space. */
const GROWS = /^\s*(CREATE|INSERT)/;

const nobody = (): void => {};

/** A storage that can be full, and that can be broken on purpose. @param lost called after a premature response */
function openStorage({ random, isFull, troubles }: SimObjectOptions, lost: () => void): SqliteStorage {
  const storage = openSqlite();
  const { exec } = storage.sql;
  const { transactionSync } = storage;
  storage.sql.exec = (query, ...bindings) => {
    if (isFull() && GROWS.test(query)) throw new Error("database or disk is full: SQLITE_FULL");
    return exec(query, ...bindings);
  };
  if (troubles.broken === "stores by halves") storage.transactionSync = (work) => work();
  if (troubles.broken === "answers too early")
    storage.transactionSync = (work) => {
      if (storage.tables.length === 0 || !random.chance(LOSES)) return transactionSync(work);
      storage.begin();
      const result = work();
      storage.rollBack();
      lost();
      return result;
    };
  return storage;
}

export function createSimObject(options: SimObjectOptions): SimObject {
  const { now, random, troubles } = options;
  let hasLost = false;
  const storage = openStorage(options, () => {
    hasLost = true;
  });
  let cache = createCache({ storage, now, random });
  let alarm: Alarm = createAlarm(storage, now);

  function restart(): void {
    cache = createCache({ storage, now, random });
    alarm = createAlarm(storage, now);
    hasLost = false;
  }
  /** Runs a command, one statement of which fails. With `kills` the object ends at that statement. */
  function stumble(words: readonly string[], kills: boolean): Reply {
    storage.failAt(random.below(MAX_STATEMENTS));
    try {
      const reply = cache.perform((engine) => engine.run(words), nobody);
      if (kills && reply instanceof ErrorReply && /^(TRYAGAIN|OOM) /.test(reply.message))
        throw new Error("the object ended");
      return reply;
    } catch (error) {
      throw new Unanswered(String(error));
    } finally {
      storage.failAt(undefined);
      if (kills) restart();
    }
  }

  return {
    storage,
    get cache() {
      return cache;
    },
    run(words) {
      if (random.chance(troubles.restarts) || hasLost) restart();
      const wasThere = cache.open().tables.exist;
      const [fails, kills] = [random.chance(troubles.failures), random.chance(troubles.kills)];
      const reply = fails || kills ? stumble(words, kills) : cache.perform((engine) => engine.run(words), nobody);
      void alarm.guard(cache.memory?.tables, wasThere, cache.takeSoonest());
      return reply;
    },
    restart,
    ring() {
      if (storage.alarm === null || storage.alarm > now()) return;
      storage.alarm = null;
      const left = cache.sweep();
      if (left.count > 0) void alarm.set(left);
      else {
        alarm.forget();
        void storage.deleteAll();
      }
    },
  };
}
