import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createEngine, type Engine } from "../../engine/src/redis/engine.ts";
import { ErrorReply, type Reply } from "../../engine/src/redis/reply.ts";
import { toBytes } from "../../engine/src/rest/bytes.ts";
import { replyJson } from "../../engine/src/rest/reply-json.ts";
import { type BuiltScript, buildAll, buildScript } from "../../tools/lua-scripts.ts";
import type { Random } from "./random.ts";
import type { World } from "./world.ts";

/** One script that ran: its arguments and its reply by their names. */
export interface Execution<Op> {
  readonly server: string;
  readonly script: string;
  readonly keys: readonly string[];
  readonly args: Readonly<Record<string, string>>;
  readonly status: string;
  /** The server's clock in µs, as the script read it. */
  readonly now: number;
  readonly reply: Readonly<Record<string, string | number>>;
  /** How many commands ran, the script's own included. */
  readonly commands: number;
  /** Whether memory was full. */
  readonly isFull: boolean;
  readonly op: Op | undefined;
}

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

/** A change to the text of a script: a rule broken on purpose. */
export interface Break {
  readonly script: string;
  readonly from: string;
  readonly to: string;
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

/** Errors that a script's caller must expect. */
const EXPECTED = /^(OOM|NOSCRIPT) /;

const scripts: ReadonlyMap<string, BuiltScript> = new Map(buildAll().map((script) => [script.sha[0], script]));

/** The text of a script with some of its lines replaced. */
function brokenText(name: string, list: readonly Break[]): string {
  const source = readFileSync(join(import.meta.dirname, "../../lua", `${name}.lua`), "utf8");
  const changed = list.reduce((lua, { from, to }) => {
    if (!lua.includes(from)) throw new Error(`${name}.lua has no ${from}`);
    return lua.replace(from, to);
  }, source);
  return buildScript(name, changed).lua;
}

/** The arguments of a script by the names in its header; the last may stand for all that follow. */
function named({ args }: BuiltScript, values: readonly string[]): Record<string, string> {
  const found: Record<string, string> = {};
  args.forEach((arg, index) => {
    found[arg.replace("…", "")] = arg.endsWith("…") ? values.slice(index).join(" ") : (values[index] ?? "");
  });
  return found;
}

function decoded({ replies }: BuiltScript, reply: readonly Reply[]): Record<string, string | number> {
  const [status = "", now = 0, ...values] = reply as readonly (string | number)[];
  const found: Record<string, string | number> = { status, now };
  replies.get(String(status))?.forEach(({ name }, index) => {
    found[name] = values[index] ?? "";
  });
  return found;
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

const byText: ReadonlyMap<string, BuiltScript> = new Map([...scripts.values()].map((script) => [script.lua, script]));

/** `changed` has other texts for scripts, by their names. */
export function createServer(
  world: World,
  name: string,
  random: Random,
  offsetMs: number,
  breaks: readonly Break[],
  onChange?: (change: Change) => void,
  changed: ReadonlyMap<string, string> = new Map(),
) {
  let steppedMs = offsetMs;
  let looks = 0;
  let commands = 0;
  // It goes on by a µs with every look at it, since two requests never have the same time.
  const clock = (): number => (Math.round((world.now() + steppedMs) * 1000) + ++looks) / 1000;
  const engine = createEngine({
    dialect: "redis",
    now: clock,
    random,
    onCommand: () => {
      commands++;
    },
  });
  const settle = (): void => {
    engine.keys.at = Math.floor(world.now() + steppedMs);
  };
  const texts = new Map<string, string>();
  /** A command with the text of a script whose rule is broken, if one is. */
  function broken(words: readonly string[]): readonly string[] {
    const script = scripts.get(words[1] ?? "") ?? byText.get(words[1] ?? "");
    const list = breaks.filter(({ script: each }) => each === script?.name);
    const given = changed.get(script?.name ?? "");
    if (!script || (list.length === 0 && given === undefined)) return words;
    const text = texts.get(script.name) ?? toBytes(given ?? brokenText(script.name, list));
    texts.set(script.name, text);
    return ["EVAL", text, ...words.slice(2)];
  }
  let behind = 0;
  let waitMs = 0;
  /** The only replica has all writes at once, or none of the last ones. */
  function waitFor([, , timeout]: readonly string[]): number {
    waitMs = behind > 0 ? Number(timeout) : 1;
    return behind > 0 ? 0 : 1;
  }
  const storedAt = (key: string): Value => ({
    text: engine.keys.get(key, "string"),
    expires: engine.keys.expiryOf(key) ?? -1,
  });
  const isEvaluated = (words: readonly string[]): boolean => /^EVAL/.test(words[0] ?? "");

  const server: Server = {
    name,
    clock: () => (Math.round((world.now() + steppedMs) * 1000) + looks) / 1000,
    perform(list, isPipeline, op, observe) {
      waitMs = 0;
      const replies = list.map((given) => {
        commands = 0;
        const words = breaks.length + changed.size > 0 ? broken(given) : given;
        if (onChange) settle();
        const key = onChange && isEvaluated(given) && given[2] === "1" ? given[3] : undefined;
        const before = key === undefined ? undefined : storedAt(key);
        const reply = given[0] === "WAIT" ? waitFor(given) : engine.run(words);
        const failure = reply instanceof ErrorReply && !EXPECTED.test(reply.message) && reply.message;
        if (isEvaluated(given) && (Array.isArray(reply) || failure)) {
          const text = given[1] ?? "";
          const script = given[0] === "EVALSHA" ? scripts.get(text) : byText.get(text);
          if (!script) throw new Error("a script that is not in lua/");
          const count = Number(given[2]);
          const fields = failure ? { status: "failed", now: 0, failure } : decoded(script, reply as readonly Reply[]);
          if (!failure && before && key !== undefined)
            onChange?.({
              script: script.name,
              args: named(script, given.slice(4)),
              reply: reply as readonly (string | number)[],
              before,
              after: storedAt(key),
            });
          observe({
            server: name,
            script: script.name,
            keys: given.slice(3, 3 + count),
            args: named(script, given.slice(3 + count)),
            status: String(fields["status"]),
            now: Number(fields["now"]),
            reply: fields,
            commands,
            isFull: engine.isFull,
            op,
          });
        }
        return reply;
      });
      const bodies = replies.map((reply) => replyJson(reply, "text"));
      if (isPipeline) return { status: 200, body: `[${bodies.join(",")}]`, waitMs };
      return { status: replies[0] instanceof ErrorReply ? 400 : 200, body: bodies[0] ?? "", waitMs };
    },
    setBehind(isBehind) {
      behind += isBehind ? 1 : -1;
    },
    contents() {
      settle();
      const told = engine.keys.keys().map(({ key, type }) => {
        const members = type === "zset" ? [...(engine.keys.get(key, "zset")?.all ?? [])] : [];
        const value = type === "zset" ? JSON.stringify(members) : engine.keys.get(key, "string");
        return `${key} ${value}`;
      });
      return told.sort().join("\n");
    },
    step(ms) {
      steppedMs += ms;
    },
    flushScripts: () => void engine.run(["SCRIPT", "FLUSH"]),
    setFull(isFull) {
      engine.isFull = isFull;
    },
    clear: () => engine.keys.clear(),
    delete(key) {
      settle();
      return engine.keys.delete(key);
    },
    keep() {
      settle();
      const contents = contentsOf(engine);
      return () => {
        engine.keys.clear();
        settle();
        for (const restore of contents) restore();
      };
    },
    keys() {
      settle();
      return engine.keys.keys().map(({ key }) => key);
    },
  };
  return server;
}
