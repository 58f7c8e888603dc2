import { objectOf } from "../../durable-object/src/route.ts";
import { ErrorReply } from "../../engine/src/redis/reply.ts";
import { createSimObject, type ObjectTroubles, type SimObject } from "./sim-object.ts";
import { type DurableStore, type StoreOptions, textsOf } from "./store.ts";

/** Durable Objects instead of a Redis: one per hash tag, each with a real SQLite. They lose nothing. */
export function createObjectStore({ quietNow, random }: StoreOptions, troubles: ObjectTroubles): DurableStore {
  const now = (): number => Math.floor(quietNow());
  const objects = new Map<string, SimObject>();
  let isFull = false;

  function make(name: string): SimObject {
    const object = createSimObject({ now, random, troubles, isFull: () => isFull });
    // The process still has the scripts of earlier runs, which would change this run.
    if (objects.size === 0) object.cache.open().engine.run(["SCRIPT", "FLUSH"]);
    objects.set(name, object);
    return object;
  }
  /** All objects, whose alarms are not overdue. */
  function all(): SimObject[] {
    for (const object of objects.values()) object.ring();
    return [...objects.values()];
  }

  return {
    run(words) {
      const { name, error } = objectOf(words);
      if (name === undefined) return new ErrorReply(error ?? `ERR ${words[0]} needs all names in one place`);
      const object = objects.get(name) ?? make(name);
      object.ring();
      return object.run(words);
    },
    commands: 0,
    get isFull() {
      return isFull;
    },
    set isFull(full) {
      isFull = full;
    },
    valueOf: () => ({ text: undefined, expires: -1 }),
    contents() {
      const engines = all().map(({ cache }) => cache.open().engine);
      for (const { keys } of engines) keys.at = now();
      return new Map(engines.flatMap(textsOf));
    },
    clear() {},
    delete: () => false,
    keep() {
      const kept = all();
      for (const { storage } of kept) storage.begin();
      return () => {
        for (const { storage, restart } of kept) {
          storage.rollBack();
          restart();
        }
      };
    },
    flushScripts() {
      for (const { cache } of objects.values()) cache.open().engine.run(["SCRIPT", "FLUSH"]);
    },
    restart() {
      for (const { restart } of objects.values()) restart();
    },
  };
}
