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
  /** Objects leave memory after each call. */
  forgets: boolean;
  /** How many calls there were. */
  requests: number;
  close(): void;
}

/** Objects over real databases in this process, one for each name, and the bindings to them. */
export function localNamespace(now: () => number = Date.now): LocalNamespace {
  const objects = new Map<string, LocalObject>();

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
      return {
        async run(commands, options) {
          namespace.requests++;
          // As RPC does, what comes and goes is copied.
          const answers = await object.handler.run(structuredClone(commands), structuredClone(options));
          if (namespace.forgets) object.restart();
          return structuredClone(answers);
        },
      };
    },
    close() {
      for (const { storage } of objects.values()) storage.close();
    },
  };
  return namespace;
}
