import { createEngine } from "../../../engine/src/redis/engine.ts";
import { List } from "../../../engine/src/redis/list.ts";
import { ErrorReply, type Reply } from "../../../engine/src/redis/reply.ts";
import type { StoredKey } from "../../../engine/src/redis/values.ts";
import { buildAll } from "../../../tools/lua-scripts.ts";
import { type Args, USUAL_ARGS } from "../../support/script-args.ts";

/** A reply by the names in the script's header, its status first. An error has the status `error`. */
export type Told = Readonly<Record<string, string | number>>;

/** A server with a clock that stands still, and the scripts to call there. */
export interface Scene {
  /** Calls a script on the name's record and crowd. Arguments that are not given have usual values. */
  call(script: string, args?: Args, ...keys: readonly string[]): Told;
  /** Calls a script and compares the parts of its reply that are given; without more, only the status. */
  expect(script: string, args: Args, status: string, parts?: Args, ...keys: readonly string[]): Told;
  /** Sets the server's clock, in ms from its beginning. */
  at(ms: number): void;
  /** The server's clock now, in µs. */
  now(): number;
  /** Compares two values, for people under a name. */
  same(what: string, found: unknown, wanted: unknown): void;
  redis(...words: readonly string[]): unknown;
  /** How long a key is kept, in ms; -2 for one that is not there. */
  ttl(key?: string): number;
  /** The messages that were published since the last call. */
  messages(): readonly string[];
  /** The commands that scripts ran during a call. */
  commandsOf(call: () => unknown): number;
  setFull(isFull: boolean): void;
  setReadOnly(isReadOnly: boolean): void;
}

export interface Case {
  readonly what: string;
  readonly run: (scene: Scene) => void;
}

/** A call of a script, with what the server stores before it. */
export interface Call {
  readonly script: string;
  readonly keys: readonly string[];
  readonly args: readonly string[];
  /** The server's clock. */
  readonly ms: number;
  readonly stored: readonly StoredKey[];
}

const built = new Map(buildAll().map((script) => [script.name, script]));
/** A time in our century, since the bands of the crowd are made for such. */
const START_MS = 2_000_000_000_000;
export const RECORD = "record";
export const CROWD = "crowd";

/** An id of a hold: 36 characters, of which the last twelve are remembered. */
export const id = (letter: string): string => `${letter.repeat(24)}${letter.repeat(11)}.`;

const fail = (why: string): never => {
  throw new Error(why);
};
function same(what: string, found: unknown, wanted: unknown): void {
  const [left, right] = [JSON.stringify(found), JSON.stringify(wanted)];
  if (left !== right) fail(`${what} is ${left}, not ${right}`);
}

/** Calls scripts by a function and compares their replies. */
export const expectBy =
  (call: Scene["call"]): Scene["expect"] =>
  (name, args, status, parts = {}, ...keys) => {
    const told = call(name, args, ...keys);
    same(`the answer of ${name}`, told["status"] + (told["message"] ? ` ${told["message"]}` : ""), status);
    for (const [part, wanted] of Object.entries(parts)) same(`${part} of ${name}`, told[part], wanted);
    return told;
  };

let ms = START_MS;
let published: string[] = [];
let commands = 0;
/** One engine for all cases, so that it compiles a text once. */
const engine = createEngine({
  dialect: "redis",
  now: () => ms,
  random: () => 0.5,
  publish(_, text) {
    published.push(text);
    return 1;
  },
  onCommand(_, isFromScript) {
    if (isFromScript) commands++;
  },
});
const loaded = new Map<string, string>();
function shaOf(text: string): string {
  const sha = loaded.get(text) ?? String(engine.run(["SCRIPT", "LOAD", text]));
  loaded.set(text, sha);
  return sha;
}

/** Everything that the server stores. */
function storedKeys(): StoredKey[] {
  return [...engine.keys.keys()].map(({ key, type }) => {
    const value = engine.keys.get(key, type);
    const expiresAt = engine.keys.expiryOf(key) ?? undefined;
    if (typeof value === "string") return { key, type, text: value, expiresAt, members: [] };
    if (value instanceof List) return { key, type, text: JSON.stringify(value.slice()), expiresAt, members: [] };
    if (value instanceof Map) return { key, type, text: "", expiresAt, members: [...value] };
    if (value instanceof Set)
      return { key, type, text: "", expiresAt, members: [...value].map((member) => [member, null] as const) };
    const members = [...(value?.all ?? [])].map(({ member, score }) => [member, score] as const);
    return { key, type, text: "", expiresAt, members };
  });
}

/**
 * An empty server, where some scripts have other texts. `onCall` gets each call before it runs, unless memory is full or
 * nothing may be written.
 */
export function createScene(texts: ReadonlyMap<string, string>, onCall?: (call: Call) => void): Scene {
  engine.keys.clear();
  published = [];
  engine.isFull = false;
  engine.isReadOnly = false;
  ms = START_MS;
  const plain = (reply: Reply): unknown => (reply instanceof ErrorReply ? reply.message : reply);
  const scene: Scene = {
    call(name, args = {}, ...keys) {
      const script = built.get(name) ?? fail(`there is no script ${name}`);
      const given: Args = { ...USUAL_ARGS, notAfter: ms * 1000 + 60e6, before: ms * 1000 + 1e9, id: id("a"), ...args };
      const listOf = (text: string): readonly string[] => (text === "" ? [] : text.split(" "));
      const values = script.args.flatMap((arg) =>
        arg.endsWith("…") ? listOf(String(given[arg.slice(0, -1)] ?? "")) : [String(given[arg] ?? "")],
      );
      const names = keys.length > 0 ? keys : [RECORD, CROWD].slice(0, script.keys.length);
      const text = texts.get(name) ?? script.lua;
      if (onCall && !engine.isFull && !engine.isReadOnly) {
        engine.keys.at = ms;
        onCall({ script: name, keys: names, args: values, ms, stored: storedKeys() });
      }
      const reply = engine.run(["EVALSHA", shaOf(text), String(names.length), ...names, ...values]);
      if (reply instanceof ErrorReply) return { status: "error", message: reply.message };
      const [status, now, ...fields] = Array.isArray(reply) ? (reply as readonly (string | number)[]) : [];
      const declared = script.replies.get(String(status)) ?? fail(`${name} answered ${JSON.stringify(plain(reply))}`);
      same(`the number of fields of ${status}`, fields.length, declared.length);
      same("the time of the reply", Number(now), ms * 1000);
      const told: Record<string, string | number> = { status: String(status), now: Number(now) };
      declared.forEach((field, index) => {
        const value = fields[index] ?? fail(`${name} gave no ${field.name}`);
        if (typeof value !== (field.integer ? "number" : "string")) fail(`${field.name} is ${JSON.stringify(value)}`);
        told[field.name] = value;
      });
      return told;
    },
    messages() {
      const all = published;
      published = [];
      return all;
    },
    commandsOf(run) {
      const before = commands;
      run();
      return commands - before;
    },
    expect: (...given) => expectBy(scene.call)(...given),
    at(next) {
      ms = START_MS + next;
    },
    now: () => ms * 1000,
    same,
    redis: (...words) => plain(engine.run(words)),
    ttl: (key = RECORD) => Number(engine.run(["PTTL", key])),
    setFull(isFull) {
      engine.isFull = isFull;
    },
    setReadOnly(isReadOnly) {
      engine.isReadOnly = isReadOnly;
    },
  };
  return scene;
}
