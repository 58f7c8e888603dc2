import { createEngine, type Engine } from "../../engine/src/redis/engine.ts";
import type { Reply } from "../../engine/src/redis/reply.ts";
import { createKnownScripts, createScriptCache } from "../../engine/src/redis/scripts.ts";
import type { Random } from "./random.ts";

/** The value of a key, and its expiry in ms by the server's clock. */
export interface Value {
  readonly text: string | undefined;
  readonly expires: number;
}

/** Runs the commands of a server and stores its keys. */
export interface Store {
  /** @throws Unanswered if the command ends without a reply. It has then changed nothing. */
  run(words: readonly string[]): Reply;
  /** The number of commands executed so far, those of scripts included. */
  readonly commands: number;
  isFull: boolean;
  /** The current value of a key. */
  valueOf(key: string): Value;
  /** Each existing key with its value, as a string. */
  contents(): ReadonlyMap<string, string>;
  clear(): void;
  delete(key: string): boolean;
  /** Saves its data; returns a function that restores it. */
  keep(): () => void;
  flushScripts(): void;
}

/** A restarted store with the same data. */
export interface DurableStore extends Store {
  restart(): void;
}

/** The server ended during a command. */
export class Unanswered extends Error {}

export interface StoreOptions {
  /** In ms. */
  readonly now: () => number;
  /** The time of actions without a request. */
  readonly quietNow: () => number;
  readonly random: Random;
  /** Sends a message to those who listen, and returns their number. By default nobody listens. */
  readonly publish?: ((channel: string, text: string) => number) | undefined;
}

/** The contents of keys, by name. */
export function textsOf({ keys }: Engine): [key: string, text: string][] {
  return [...keys.keys()].map(({ key, type }) => {
    const members = type === "zset" ? [...(keys.get(key, "zset")?.all ?? [])] : [];
    return [key, String(type === "zset" ? JSON.stringify(members) : keys.get(key, "string"))];
  });
}

/** Everything that an engine stores, as functions that restore it. */
function restoring({ keys }: Engine): (() => void)[] {
  return [...keys.keys()].map(({ key, type }) => {
    const expiry = keys.expiryOf(key) ?? undefined;
    if (type === "string") {
      const value = keys.get(key, "string") ?? "";
      return () => keys.setString(key, value, expiry);
    }
    if (type !== "zset") throw new Error(`no script makes a ${type}`);
    const members = [...(keys.get(key, "zset")?.all ?? [])];
    return () => {
      const set = keys.open(key, "zset");
      for (const { member, score } of members) set.set(member, score);
      keys.expire(key, expiry);
    };
  });
}

/** The compiled scripts of all stores of this process. */
const compiled = createScriptCache("redis");

/** A Redis: all keys in one place, in memory. */
export function createMemoryStore({ now, quietNow, random, publish = () => 0 }: StoreOptions): Store {
  let commands = 0;
  const engine = createEngine({
    dialect: "redis",
    now,
    random,
    publish,
    scripts: createKnownScripts(compiled),
    onCommand: ([name]) => {
      // A message is counted with those who listen.
      if (name?.toUpperCase() !== "PUBLISH") commands++;
    },
  });
  const { keys } = engine;
  const settle = (): void => {
    keys.at = Math.floor(quietNow());
  };
  return {
    run: (words) => engine.run(words),
    get commands() {
      return commands;
    },
    get isFull() {
      return engine.isFull;
    },
    set isFull(isFull) {
      engine.isFull = isFull;
    },
    valueOf(key) {
      settle();
      return { text: keys.get(key, "string"), expires: keys.expiryOf(key) ?? -1 };
    },
    contents() {
      settle();
      return new Map(textsOf(engine));
    },
    clear: () => keys.clear(),
    delete(key) {
      settle();
      return keys.delete(key);
    },
    keep() {
      settle();
      const restore = restoring(engine);
      return () => {
        keys.clear();
        settle();
        for (const bring of restore) bring();
      };
    },
    flushScripts: () => void engine.run(["SCRIPT", "FLUSH"]),
  };
}
