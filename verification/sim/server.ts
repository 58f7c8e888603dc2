import { ErrorReply, type Reply } from "../../engine/src/redis/reply.ts";
import { replyJson } from "../../engine/src/rest/reply-json.ts";
import type { Random } from "./random.ts";
import { type Break, createBreaker, type Execution, executionOf, isEvaluated } from "./scripts.ts";
import {
  createMemoryStore,
  type DurableStore,
  type Store,
  type StoreOptions,
  Unanswered,
  type Value,
} from "./store.ts";
import type { World } from "./world.ts";

/** An executed script with one key: its arguments and reply, and the value of the key before and after. */
export interface Change {
  readonly script: string;
  readonly args: Readonly<Record<string, string>>;
  readonly reply: readonly (string | number)[];
  readonly before: Value;
  readonly after: Value;
}

export interface Server {
  readonly name: string;
  /** In ms, with µs as decimals. */
  clock(): number;
  /** Runs the commands of a request and returns the body of the response. */
  perform<Op>(
    commands: readonly (readonly string[])[],
    isPipeline: boolean,
    op: Op | undefined,
    observe: (execution: Execution<Op>) => void,
  ): { readonly status: number; readonly body: string; readonly waitMs: number };
  /** Its replica gets no writes until every caller has undone this. */
  setBehind(isBehind: boolean): void;
  /** Everything that it stores, without expiry times, as a string. */
  contents(): string;
  step(ms: number): void;
  flushScripts(): void;
  setFull(isFull: boolean): void;
  clear(): void;
  delete(key: string): boolean;
  /** Saves its data; returns a function that restores it. */
  keep(): () => void;
  /** The body of the response to a command, whose effects are undone. */
  rehearse(command: readonly string[]): string;
  keys(): readonly string[];
  /** Restarts it with all its data. A Redis has no such restart: it loses the last writes. */
  readonly restart: (() => void) | undefined;
}

export interface ServerOptions {
  readonly world: World;
  readonly name: string;
  readonly random: Random;
  /** The offset of its clock. */
  readonly offsetMs: number;
  /** Rules broken on purpose. */
  readonly breaks?: readonly Break[] | undefined;
  /** Replaced texts of scripts, by name. */
  readonly texts?: ReadonlyMap<string, string> | undefined;
  /** Called with every executed script that has one key. */
  readonly onChange?: ((change: Change) => void) | undefined;
  /** Receives the messages that scripts publish. */
  readonly publish?: StoreOptions["publish"];
  /** Creates its store, if that is not a Redis: one with a clock in whole ms, which restarts without a loss. */
  readonly durable?: ((options: StoreOptions) => DurableStore) | undefined;
}

/** The part of a server that runs the commands of requests. */
function createPerform(options: ServerOptions, store: Store, isBehind: () => boolean): Server["perform"] {
  const { name, breaks = [], texts = new Map(), onChange } = options;
  const broken = createBreaker(breaks, texts);
  /** Runs a command, and reports the changed keys. */
  function run<Op>(given: readonly string[], op: Op | undefined, observe: (execution: Execution<Op>) => void): Reply {
    const key = onChange && isEvaluated(given) && given[2] === "1" ? given[3] : undefined;
    const before = key === undefined ? undefined : store.valueOf(key);
    const ran = store.commands;
    const reply = store.run(broken(given));
    const commands = store.commands - ran;
    const execution = executionOf<Op>(given, reply, { server: name, words: given, commands, isFull: store.isFull, op });
    if (!execution) return reply;
    const { script, args, status } = execution;
    if (before && key !== undefined && status !== "failed") {
      const values = reply as readonly (string | number)[];
      onChange?.({ script, args, reply: values, before, after: store.valueOf(key) });
    }
    observe(execution);
    return reply;
  }
  return (list, isPipeline, op, observe) => {
    // The only replica has all writes immediately, or none of the last ones.
    const waits = list.filter(([command]) => command === "WAIT");
    const waitMs = waits.reduce((_, [, , timeout]) => (isBehind() ? Number(timeout) : 1), 0);
    try {
      const replies = list.map((given) => (given[0] === "WAIT" ? Number(!isBehind()) : run(given, op, observe)));
      const bodies = replies.map((reply) => replyJson(reply, "text"));
      if (isPipeline) return { status: 200, body: `[${bodies.join(",")}]`, waitMs };
      return { status: replies[0] instanceof ErrorReply ? 400 : 200, body: bodies[0] ?? "", waitMs };
    } catch (error) {
      if (!(error instanceof Unanswered)) throw error;
      return { status: 504, body: JSON.stringify({ error: `ERR ${error.message}` }), waitMs };
    }
  };
}

export function createServer(options: ServerOptions): Server {
  const { world, name, random, offsetMs, durable, publish } = options;
  let steppedMs = offsetMs;
  let isRehearsal = false;
  let looks = 0;
  let behind = 0;
  const quietNow = (): number => world.now() + steppedMs;
  // It advances by 1 µs with every read, since two requests never have the same time.
  const now = (): number => (Math.round(quietNow() * 1000) + ++looks) / 1000;
  const objects = durable?.({ now, quietNow, random });
  const sent = (channel: string, text: string): number => (isRehearsal ? 0 : (publish?.(channel, text) ?? 0));
  const store: Store = objects ?? createMemoryStore({ now, quietNow, random, publish: sent });
  const perform = createPerform(options, store, () => behind > 0);
  return {
    name,
    clock: () => (objects ? Math.floor(quietNow()) : (Math.round(quietNow() * 1000) + looks) / 1000),
    perform,
    setBehind(isBehind) {
      behind += isBehind ? 1 : -1;
    },
    contents() {
      const lines = [...store.contents()].map(([key, text]) => `${key} ${text}`);
      return lines.sort().join("\n");
    },
    step(ms) {
      steppedMs += ms;
    },
    flushScripts: store.flushScripts,
    setFull(isFull) {
      store.isFull = isFull;
    },
    clear: store.clear,
    delete: store.delete,
    keep: store.keep,
    rehearse(command) {
      const restore = store.keep();
      isRehearsal = true;
      const { body } = perform([command], false, undefined, () => {});
      isRehearsal = false;
      restore();
      return body;
    },
    keys: () => [...store.contents().keys()],
    restart: objects?.restart,
  };
}
