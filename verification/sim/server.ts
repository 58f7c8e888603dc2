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

/** A script with one key that ran: what it was given and what it replied, and its key's value before and after. */
export interface Change {
  readonly script: string;
  readonly args: Readonly<Record<string, string>>;
  readonly reply: readonly (string | number)[];
  readonly before: Value;
  readonly after: Value;
}

export interface Server {
  readonly name: string;
  /** In ms, with µs behind the point. */
  clock(): number;
  /** Runs the commands of a request and gives the body of the answer. */
  perform<Op>(
    commands: readonly (readonly string[])[],
    isPipeline: boolean,
    op: Op | undefined,
    observe: (execution: Execution<Op>) => void,
  ): { readonly status: number; readonly body: string; readonly waitMs: number };
  /** Its replica gets no writes until each of those who said so has taken it back. */
  setBehind(isBehind: boolean): void;
  /** Everything that it stores but for the times when it is over, as a text. */
  contents(): string;
  step(ms: number): void;
  flushScripts(): void;
  setFull(isFull: boolean): void;
  clear(): void;
  delete(key: string): boolean;
  /** Keeps what it has; the function that it gives brings that back. */
  keep(): () => void;
  keys(): readonly string[];
  /** Starts it anew with everything that it had. A Redis has no such restart: it loses the last moments. */
  readonly restart: (() => void) | undefined;
}

export interface ServerOptions {
  readonly world: World;
  readonly name: string;
  readonly random: Random;
  /** By how much its clock is off. */
  readonly offsetMs: number;
  /** Rules broken on purpose. */
  readonly breaks?: readonly Break[] | undefined;
  /** Other texts for scripts, by their names. */
  readonly texts?: ReadonlyMap<string, string> | undefined;
  /** Is told of every script with one key that ran. */
  readonly onChange?: ((change: Change) => void) | undefined;
  /** Makes what it runs on, if that is no Redis: something whose clock has whole ms, and that restarts without a loss. */
  readonly durable?: ((options: StoreOptions) => DurableStore) | undefined;
}

/** The part of a server that runs the commands of requests. */
function createPerform(options: ServerOptions, store: Store, isBehind: () => boolean): Server["perform"] {
  const { name, breaks = [], texts = new Map(), onChange } = options;
  const broken = createBreaker(breaks, texts);
  /** Runs a command, and reports what it changed. */
  function run<Op>(given: readonly string[], op: Op | undefined, observe: (execution: Execution<Op>) => void): Reply {
    const key = onChange && isEvaluated(given) && given[2] === "1" ? given[3] : undefined;
    const before = key === undefined ? undefined : store.valueOf(key);
    const ran = store.commands;
    const reply = store.run(broken(given));
    const commands = store.commands - ran;
    const execution = executionOf<Op>(given, reply, { server: name, commands, isFull: store.isFull, op });
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
    // The only replica has all writes at once, or none of the last ones.
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
  const { world, name, random, offsetMs, durable } = options;
  let steppedMs = offsetMs;
  let looks = 0;
  let behind = 0;
  const quietNow = (): number => world.now() + steppedMs;
  // It goes on by a µs with every look at it, since two requests never have the same time.
  const now = (): number => (Math.round(quietNow() * 1000) + ++looks) / 1000;
  const objects = durable?.({ now, quietNow, random });
  const store: Store = objects ?? createMemoryStore({ now, quietNow, random });
  return {
    name,
    clock: () => (objects ? Math.floor(quietNow()) : (Math.round(quietNow() * 1000) + looks) / 1000),
    perform: createPerform(options, store, () => behind > 0),
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
    keys: () => [...store.contents().keys()],
    restart: objects?.restart,
  };
}
