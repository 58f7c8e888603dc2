import { createObjectHandler, type ObjectHandler } from "../../src/handler.ts";
import type { LeaseholdNamespace, LeaseholdStub } from "../../src/namespace.ts";
import { openSqlite, type SqliteStorage } from "./sqlite-storage.ts";

/** An object in this process. */
interface LocalObject {
  readonly storage: SqliteStorage;
  handler: ObjectHandler;
  /** Throws the object out of memory. Its storage stays. */
  restart(): void;
}

export interface LocalNamespace extends LeaseholdNamespace {
  readonly objects: ReadonlyMap<string, LocalObject>;
  object(name: string): LocalObject;
  /** Objects leave memory after each call, unless another call is in progress: that keeps an object there. */
  forgets: boolean;
  /** How many calls there were. */
  requests: number;
  close(): void;
}

/** Objects over real databases in this process, one for each name, and the bindings to them. */
export function localNamespace(now: () => number = Date.now): LocalNamespace {
  const objects = new Map<string, LocalObject>();
  const pending = new Map<string, number>();

  function make(name: string): LocalObject {
    const storage = openSqlite();
    const handler = (): ObjectHandler => createObjectHandler({ storage, now });
    const object: LocalObject = {
      storage,
      handler: handler(),
      restart() {
        object.handler = handler();
      },
    };
    objects.set(name, object);
    return object;
  }

  const namespace: LocalNamespace = {
    objects,
    forgets: false,
    requests: 0,
    object: (name) => objects.get(name) ?? make(name),
    idFromName: (name) => name,
    get(id: string): LeaseholdStub {
      const object = namespace.object(id);
      const end = (): void => {
        const left = (pending.get(id) ?? 1) - 1;
        pending.set(id, left);
        if (namespace.forgets && left === 0) object.restart();
      };
      return {
        async run(commands, options) {
          namespace.requests++;
          // As RPC does, what comes and goes is copied.
          pending.set(id, (pending.get(id) ?? 0) + 1);
          try {
            return structuredClone(await object.handler.run(structuredClone(commands), structuredClone(options)));
          } finally {
            end();
          }
        },
      };
    },
    close() {
      for (const { storage } of objects.values()) storage.close();
    },
  };
  return namespace;
}
