import { type Alarm, createAlarm } from "../../durable-object/src/alarm.ts";
import { type Cache, createCache } from "../../durable-object/src/cache.ts";
import { objectOf } from "../../durable-object/src/route.ts";
import { openSqlite, type SqliteStorage } from "../../durable-object/test/support/sqlite-storage.ts";
import { ErrorReply, type Reply } from "../../engine/src/redis/reply.ts";
import { type DurableStore, type StoreOptions, textsOf, Unanswered } from "./store.ts";

/** How often objects go wrong, as chances of each command. */
export interface ObjectTroubles {
  /** The object leaves memory before the command. */
  readonly restarts: number;
  /** One statement of the command fails. */
  readonly failures: number;
  /** The object ends at one statement of the command. */
  readonly kills: number;
  readonly broken?: ObjectBreak | undefined;
}

/** A part of the objects that is broken on purpose. */
export type ObjectBreak =
  /** Each statement is stored by itself. */
  | "stores by halves"
  /** An answer can come before its changes are stored, and the object ends then. */
  | "answers too early";

/** No command has more statements, so that each of them can be the one that fails. */
const MOST_STATEMENTS = 8;

/** One object: its storage, and what it is while it is in memory. */
interface SimObject {
  readonly storage: SqliteStorage;
  cache: Cache;
  alarm: Alarm;
  /** What it had stored last is gone, and it is not in memory any more. */
  hasLost: boolean;
}

/** Statements that need space. */
const GROWS = /^\s*(CREATE|INSERT)/;

/** Durable Objects in the place of a Redis: one for each hash tag, each with a real SQLite. They lose nothing. */
export function createObjectStore({ quietNow, random }: StoreOptions, troubles: ObjectTroubles): DurableStore {
  // The clock of an object stands still during a request, and has no fractions.
  const now = (): number => Math.floor(quietNow());
  const objects = new Map<string, SimObject>();
  let isFull = false;

  function open(storage: SqliteStorage): Omit<SimObject, "storage"> {
    return { cache: createCache({ storage, now, random }), alarm: createAlarm(storage, now), hasLost: false };
  }
  /** Breaks what was asked to be broken. */
  function spoil(object: SimObject): void {
    const { storage } = object;
    const { transactionSync } = storage;
    if (troubles.broken === "stores by halves") storage.transactionSync = (work) => work();
    if (troubles.broken !== "answers too early") return;
    storage.transactionSync = (work) => {
      if (storage.tables.length === 0 || !random.chance(0.05)) return transactionSync(work);
      storage.begin();
      const result = work();
      storage.rollBack();
      object.hasLost = true;
      return result;
    };
  }
  function make(name: string): SimObject {
    const storage = openSqlite();
    const { exec } = storage.sql;
    storage.sql.exec = (query, ...bindings) => {
      if (isFull && GROWS.test(query)) throw new Error("database or disk is full: SQLITE_FULL");
      return exec(query, ...bindings);
    };
    const object = { storage, ...open(storage) };
    spoil(object);
    objects.set(name, object);
    return object;
  }
  const restart = (object: SimObject): void => void Object.assign(object, open(object.storage));

  /** Plays the alarm of an object if it is due. */
  function ring({ storage, cache, alarm }: SimObject): void {
    if (storage.alarm === null || storage.alarm > now()) return;
    storage.alarm = null;
    const left = cache.sweep();
    if (left.count > 0) void alarm.set(left);
    else {
      alarm.forget();
      void storage.deleteAll();
    }
  }
  const each = (): SimObject[] => {
    for (const object of objects.values()) ring(object);
    return [...objects.values()];
  };

  /** Runs a command, one statement of which fails. With `kill` nothing comes of the object behind that statement. */
  function stumble(object: SimObject, words: readonly string[], kill: boolean): Reply {
    object.storage.failAt(random.below(MOST_STATEMENTS));
    try {
      const reply = object.cache.perform(
        (engine) => engine.run(words),
        () => {},
      );
      const isHit = reply instanceof ErrorReply && /^(TRYAGAIN|OOM) /.test(reply.message);
      if (kill && isHit) throw new Unanswered("the object ended");
      return reply;
    } catch (error) {
      throw new Unanswered(`${error}`);
    } finally {
      object.storage.failAt(undefined);
      if (kill) restart(object);
    }
  }

  function run(words: readonly string[]): Reply {
    const { name, error } = objectOf(words);
    if (name === undefined) return new ErrorReply(error ?? `ERR ${words[0]} needs all names in one place`);
    const object = objects.get(name) ?? make(name);
    ring(object);
    if (random.chance(troubles.restarts) || object.hasLost) restart(object);
    const wasThere = object.cache.open().tables.exist;
    const [fails, kills] = [random.chance(troubles.failures), random.chance(troubles.kills)];
    const reply =
      fails || kills
        ? stumble(object, words, kills)
        : object.cache.perform(
            (engine) => engine.run(words),
            () => {},
          );
    void object.alarm.guard(object.cache.memory?.tables, wasThere);
    return reply;
  }
  return {
    run,
    commands: 0,
    get isFull() {
      return isFull;
    },
    set isFull(full) {
      isFull = full;
    },
    valueOf: () => ({ text: undefined, expires: -1 }),
    contents() {
      const engines = each().map(({ cache }) => cache.open().engine);
      for (const { keys } of engines) keys.at = now();
      return new Map(engines.flatMap(textsOf));
    },
    clear() {},
    delete: () => false,
    keep() {
      const kept = each();
      for (const { storage } of kept) storage.begin();
      return () => {
        for (const object of kept) {
          object.storage.rollBack();
          restart(object);
        }
      };
    },
    flushScripts() {
      for (const object of objects.values()) object.cache.open().engine.run(["SCRIPT", "FLUSH"]);
    },
    restart() {
      for (const object of objects.values()) restart(object);
    },
  };
}
