import { createEngine, type Engine } from "../../engine/src/redis/engine.ts";
import { ErrorReply, type Reply } from "../../engine/src/redis/reply.ts";
import { replyJson } from "../../engine/src/rest/reply-json.ts";
import type { Random } from "./random.ts";
import { type Break, createBreaker, type Execution, executionOf, isEvaluated } from "./scripts.ts";
import type { World } from "./world.ts";

/** A script with one key that ran: what it was given and what it replied, and its key's value before and after. */
export interface Change {
  readonly script: string;
  readonly args: Readonly<Record<string, string>>;
  readonly reply: readonly (string | number)[];
  readonly before: Value;
  readonly after: Value;
}

/** The text of a key, and when it is forgotten, in ms by the server's clock. */
interface Value {
  readonly text: string | undefined;
  readonly expires: number;
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
}

/** Everything that a server stores, as commands that bring it back. */
function contentsOf({ keys }: Engine): (() => void)[] {
  return keys.keys().map(({ key, type }) => {
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

/** Parts of a server that its requests and its faults change. */
interface State {
  readonly engine: Engine;
  /** By how much its clock is off, in ms. */
  steppedMs: number;
  /** How often its clock was read. */
  looks: number;
  /** The commands of the present script. */
  commands: number;
  /** How many have said that its replica gets no writes. */
  behind: number;
}

function createState(world: World, random: Random, offsetMs: number): State {
  const state: State = {
    steppedMs: offsetMs,
    looks: 0,
    commands: 0,
    behind: 0,
    engine: createEngine({
      dialect: "redis",
      // It goes on by a µs with every look at it, since two requests never have the same time.
      now: () => (Math.round((world.now() + state.steppedMs) * 1000) + ++state.looks) / 1000,
      random,
      onCommand: () => {
        state.commands++;
      },
    }),
  };
  return state;
}

/** Puts the engine's keys at the server's time. */
function settle({ engine, steppedMs }: State, world: World): void {
  engine.keys.at = Math.floor(world.now() + steppedMs);
}

const storedAt = ({ engine }: State, key: string): Value => ({
  text: engine.keys.get(key, "string"),
  expires: engine.keys.expiryOf(key) ?? -1,
});

/** Everything that the server stores but for the times when it is over. */
function textOf({ engine: { keys } }: State): string {
  const told = keys.keys().map(({ key, type }) => {
    const members = type === "zset" ? [...(keys.get(key, "zset")?.all ?? [])] : [];
    return `${key} ${type === "zset" ? JSON.stringify(members) : keys.get(key, "string")}`;
  });
  return told.sort().join("\n");
}

/** The part of a server that runs the commands of requests. */
function createPerform(
  state: State,
  world: World,
  name: string,
  broken: ReturnType<typeof createBreaker>,
  onChange: ((change: Change) => void) | undefined,
): Server["perform"] {
  const { engine } = state;
  /** Runs a command, and reports what it changed. */
  function run<Op>(given: readonly string[], op: Op | undefined, observe: (execution: Execution<Op>) => void): Reply {
    state.commands = 0;
    if (onChange) settle(state, world);
    const key = onChange && isEvaluated(given) && given[2] === "1" ? given[3] : undefined;
    const before = key === undefined ? undefined : storedAt(state, key);
    const reply = engine.run(broken(given));
    const { commands } = state;
    const execution = executionOf<Op>(given, reply, { server: name, commands, isFull: engine.isFull, op });
    if (!execution) return reply;
    const { script, args, status } = execution;
    if (before && key !== undefined && status !== "failed") {
      const values = reply as readonly (string | number)[];
      onChange?.({ script, args, reply: values, before, after: storedAt(state, key) });
    }
    observe(execution);
    return reply;
  }
  return (list, isPipeline, op, observe) => {
    // The only replica has all writes at once, or none of the last ones.
    const isBehind = state.behind > 0;
    const waits = list.filter(([command]) => command === "WAIT");
    const waitMs = waits.reduce((_, [, , timeout]) => (isBehind ? Number(timeout) : 1), 0);
    const replies = list.map((given) => (given[0] === "WAIT" ? Number(!isBehind) : run(given, op, observe)));
    const bodies = replies.map((reply) => replyJson(reply, "text"));
    if (isPipeline) return { status: 200, body: `[${bodies.join(",")}]`, waitMs };
    return { status: replies[0] instanceof ErrorReply ? 400 : 200, body: bodies[0] ?? "", waitMs };
  };
}

/** The part of a server that faults and checks use. */
function createFaults(state: State, world: World): Omit<Server, "name" | "clock" | "perform"> {
  const { engine } = state;
  return {
    setBehind(isBehind) {
      state.behind += isBehind ? 1 : -1;
    },
    contents() {
      settle(state, world);
      return textOf(state);
    },
    step(ms) {
      state.steppedMs += ms;
    },
    flushScripts: () => void engine.run(["SCRIPT", "FLUSH"]),
    setFull(isFull) {
      engine.isFull = isFull;
    },
    clear: () => engine.keys.clear(),
    delete(key) {
      settle(state, world);
      return engine.keys.delete(key);
    },
    keep() {
      settle(state, world);
      const contents = contentsOf(engine);
      return () => {
        engine.keys.clear();
        settle(state, world);
        for (const restore of contents) restore();
      };
    },
    keys() {
      settle(state, world);
      return engine.keys.keys().map(({ key }) => key);
    },
  };
}

/** `changed` has other texts for scripts, by their names. */
export function createServer(
  world: World,
  name: string,
  random: Random,
  offsetMs: number,
  breaks: readonly Break[],
  onChange?: (change: Change) => void,
  changed: ReadonlyMap<string, string> = new Map(),
): Server {
  const state = createState(world, random, offsetMs);
  return {
    name,
    clock: () => (Math.round((world.now() + state.steppedMs) * 1000) + state.looks) / 1000,
    perform: createPerform(state, world, name, createBreaker(breaks, changed), onChange),
    ...createFaults(state, world),
  };
}
