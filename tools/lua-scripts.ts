/**
 * Reads the scripts of `lua/` with their includes, and checks them. A script's header is its contract, and a body that
 * disagrees with it is an error: every declared KEYS and ARGV must be used and vice versa, and every reply must be
 * declared with its number of fields.
 */
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { constantsOf, minify, shorten, undeclared } from "./minify-lua.ts";

const luaDir: string = join(import.meta.dirname, "../lua");

/** The first line with which Upstash locks only a script's keys, instead of the whole database. */
export const FLAG_LINE = "#!lua flags=allow-key-locking\n";

/**
 * The commands that scripts may call: each is O(log n) in the members of a sorted set, plus its arguments or results.
 */
const COMMANDS: ReadonlySet<string> = new Set(
  "TIME GET MGET SET DEL PUBLISH UNLINK EXISTS PEXPIRE RPUSH LPUSH LPOP LTRIM ZADD ZCARD ZCOUNT ZMSCORE ZRANGEBYSCORE ZREVRANGEBYSCORE ZREM ZREMRANGEBYSCORE ZSCORE TYPE".split(
    " ",
  ),
);

export interface Field {
  readonly name: string;
  readonly integer: boolean;
}

/** The header line `WAIT`: the status for which a server may hold a request, and what it needs to know for that. */
export interface Wait {
  readonly refusal: string;
  /** By name: a field of the reply, an argument, a number or a word. */
  readonly facts: ReadonlyMap<string, string>;
}

/** Reads a header line `-- WAIT status name=value …`. */
function readWait(line: string): Wait | undefined {
  const [, refusal, pairs = ""] = /^-- WAIT (\w+)((?: \w+=[\w#,]+)*)$/.exec(line) ?? [];
  if (refusal === undefined) return undefined;
  const facts = pairs
    .split(" ")
    .filter(Boolean)
    .map((pair) => pair.split("=") as [string, string]);
  return { refusal, facts: new Map(facts) };
}

export interface BuiltScript {
  readonly name: string;
  readonly purpose: string;
  readonly keys: readonly string[];
  readonly args: readonly string[];
  readonly replies: ReadonlyMap<string, readonly Field[]>;
  /** How a server holds a request refused by this script; undefined for a script that is never held. */
  readonly wait: Wait | undefined;
  /** The text that is sent. */
  readonly lua: string;
  /** The same in pieces: own text, or an include. */
  readonly pieces: readonly Piece[];
  readonly sha: readonly [plain: string, flagged: string];
}

export interface Piece {
  readonly include?: string;
  readonly text: string;
}

export const sha1 = (text: string): string => createHash("sha1").update(text).digest("hex");

/**
 * Header lines come first: `-- KEYS[n] name`, `-- ARGV[n] name note`, `-- REPLY status field field#`; `#` marks an
 * integer, `KEYS[*]` means any number of keys, and `ARGV[*]` any number of arguments after the others. `-- CALLS
 * ARGV[n]` marks the caller's own command. `-- WAIT status name=value …` says how a server may hold a request that was
 * refused with this status; see lua/README.md.
 */
function readHeader(name: string, source: string) {
  const fail = (why: string): never => {
    throw new Error(`lua/${name}.lua: ${why}`);
  };
  const lists = { KEYS: [] as string[], ARGV: [] as string[] };
  const replies = new Map<string, Field[]>();
  const purpose: string[] = [];
  let calls: string | undefined;
  let wait: Wait | undefined;
  for (const line of source.split("\n")) {
    if (!line.startsWith("--") || line.startsWith("--@")) break;
    const slot = /^-- (KEYS|ARGV)\[(\d+|\*)\] (\w+)/.exec(line);
    const reply = /^-- REPLY (\w+)((?: \w+#?)*)$/.exec(line);
    const called = /^-- CALLS (ARGV\[\d+\])$/.exec(line);
    const held = readWait(line);
    if (slot) {
      const list = lists[slot[1] as "KEYS" | "ARGV"];
      const any = slot[2] === "*";
      const last = list.at(-1)?.endsWith("…") ?? false;
      if (any ? slot[1] === "KEYS" && list.length > 0 : last || Number(slot[2]) !== list.length + 1) {
        fail(`${slot[1]}[${slot[2]}] is declared out of order`);
      }
      list.push(any ? `${slot[3]}…` : (slot[3] as string));
    } else if (reply) {
      const fields = (reply[2] ?? "").split(" ").filter(Boolean);
      replies.set(
        reply[1] as string,
        fields.map((field) => ({ name: field.replace("#", ""), integer: field.endsWith("#") })),
      );
    } else if (called) {
      calls = called[1];
    } else if (held) {
      wait = held;
    } else if (/^-- (KEYS|ARGV|REPLY|CALLS|WAIT)/.test(line)) {
      fail(`cannot read the header line "${line}"`);
    } else if (line !== "--" && !/^-- {2}/.test(line)) {
      // An indented line continues the note of an argument.
      purpose.push(line.slice(3));
    }
  }
  return { keys: lists.KEYS, args: lists.ARGV, replies, calls, wait, purpose: purpose.join(" ") };
}

const luaFiles = (dir: string): string[] =>
  readdirSync(dir)
    .filter((file) => file.endsWith(".lua"))
    .sort();
const sourcesOf = (dir: string): [name: string, source: string][] =>
  luaFiles(dir).map((file) => [basename(file, ".lua"), readFileSync(join(dir, file), "utf8")]);

/** The names that a source declares for everything after it. */
const declared = (source: string): readonly string[] =>
  [...source.matchAll(/^local (?:function )?([\w, ]+?)(?= =|\(|$)/gm)].flatMap(([, names = ""]) => names.split(", "));

/** An include's names are in scope wherever it is included, so its first line must list them. */
function readInclude(part: string): string {
  const source = readFileSync(join(luaDir, "include", `${part}.lua`), "utf8");
  const [, listed = ""] = /^-- defines: (.*)$/m.exec(source) ?? [];
  const names = [...new Set(declared(source))].join(" ");
  if (names !== listed) throw new Error(`lua/include/${part}.lua: its header has to say "-- defines: ${names}"`);
  return source;
}

/** The numbers that have names. */
const constants: ReadonlyMap<string, string> = constantsOf(
  [...sourcesOf(luaDir), ...sourcesOf(join(luaDir, "include"))].map(([, source]) => source),
);

/** A source as its own text and that of its includes, in order. */
function split(name: string, source: string, within: string | undefined, seen: string[]): Piece[] {
  return source.split(/^ *(?=--@include)/m).flatMap((chunk) => {
    const [, part, rest] = /^--@include (\w+)\n([\s\S]*)$/.exec(chunk) ?? [];
    const own = (text: string): Piece => ({ ...(within && { include: within }), text });
    if (part === undefined || rest === undefined) return [own(chunk)];
    if (!existsSync(join(luaDir, "include", `${part}.lua`)))
      throw new Error(`lua/${name}.lua: no include named ${part}`);
    const source = readInclude(part);
    // Declaring a number again changes nothing.
    if (seen.includes(part) && minify(source, new Map(), constants) !== "")
      throw new Error(`lua/${name}.lua: ${part} is included twice`);
    seen.push(part);
    return [...split(name, source, part, seen), own(rest)];
  });
}

const withoutComments = (source: string): string =>
  source
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line && !line.startsWith("--"))
    .join("\n");

/** The short names of all local ones. */
const shortNames = (): ReadonlyMap<string, string> => {
  const scripts = sourcesOf(luaDir);
  const whole = scripts.map((script) =>
    split(...script, undefined, [])
      .map(({ text }) => text)
      .join("\n"),
  );
  return shorten(
    whole,
    [...scripts, ...sourcesOf(join(luaDir, "include"))].map(([, source]) => source),
  );
};
const names = shortNames();

function compareWithBody(name: string, header: ReturnType<typeof readHeader>, lua: string): void {
  const fail = (why: string): never => {
    throw new Error(`lua/${name}.lua: ${why}`);
  };
  if (/--/.test(lua)) fail("a comment must stand on a line of its own");
  for (const [list, names] of [
    ["KEYS", header.keys],
    ["ARGV", header.args],
  ] as const) {
    if (names[0]?.endsWith("…")) {
      if (!/\bKEYS\b/.test(lua) || /KEYS\[/.test(lua)) fail("KEYS[*] is declared: use all of KEYS, and none by index");
      continue;
    }
    const used = new Set([...lua.matchAll(new RegExp(`${list}\\[(\\d+)\\]`, "g"))].map((match) => Number(match[1])));
    const rest = names.at(-1)?.endsWith("…") ?? false;
    const fixed = rest ? names.length - 1 : names.length;
    for (const index of used) if (index < 1 || index > fixed) fail(`${list}[${index}] is used but not declared`);
    for (let index = 1; index <= fixed; index++) {
      // A script that changes nothing does not use the ID, but a server that holds its request identifies waiters by
      // it.
      const isForServers = header.wait !== undefined && names[index - 1] === "id";
      if (!used.has(index) && !isForServers) fail(`${list}[${index}] is declared but not used`);
    }
    const behind = `unpack(${list}, ${names.length})`;
    if (rest && !lua.includes(behind)) fail(`${list}[*] is declared: take what is behind the others by ${behind}`);
    const others = rest ? lua.replaceAll(behind, "") : lua;
    if (new RegExp(`\\b${list}\\b(?!\\[\\d+\\])`).test(others)) fail(`${list} is used other than by a fixed index`);
  }
  const seen = new Set<string>();
  for (const match of lua.matchAll(/\{ '(\w+)'((?:, [^{}]*)?) \}/g)) {
    const [, status, rest] = match as unknown as [string, string, string];
    const fields = header.replies.get(status);
    if (!fields) throw new Error(`lua/${name}.lua: reply "${status}" is not declared`);
    // Commas inside calls do not separate fields.
    let depth = 0;
    let count = 0;
    for (const char of rest) {
      if (char === "(") depth++;
      else if (char === ")") depth--;
      else if (char === "," && depth === 0) count++;
    }
    if (count !== fields.length + 1 || !rest.startsWith(", now")) {
      fail(`reply "${status}" must have now and ${fields.length} fields, and has ${count - 1}`);
    }
    seen.add(status);
  }
  for (const status of header.replies.keys())
    if (!seen.has(status)) fail(`reply "${status}" is declared but never given`);
  const called = [...lua.matchAll(/redis\.p?call\(([^,)]+)/g)].map((match) => match[1] as string);
  for (const command of called) {
    if (command === header.calls) continue;
    if (!/^'\w+'$/.test(command)) fail(`${command} is called, and no command of ours: declare it with CALLS`);
    if (!COMMANDS.has(command.slice(1, -1))) fail(`${command.slice(1, -1)} is not a command we know the cost of`);
  }
  if (header.calls && !called.includes(header.calls)) fail(`CALLS ${header.calls} is declared, and it is not called`);
}

/** A piece in a script, which ends its line if something may follow. */
export const lined = ({ include, text }: Piece, at: number, { length }: readonly Piece[]): string =>
  include === undefined && at === length - 1 ? text : `${text}\n`;

export function buildScript(name: string, source: string): BuiltScript {
  const header = readHeader(name, source);
  const parts = split(name, source, undefined, []);
  const whole = parts.map(({ text }) => text).join("\n");
  compareWithBody(name, header, withoutComments(whole));
  const [nameless] = undeclared(whole);
  if (nameless !== undefined) throw new Error(`lua/${name}.lua: ${nameless} is used, and no include declares it`);
  // A source that is built separately, in a test, may also declare numbers.
  const numbers = new Map([...constants, ...constantsOf([source])]);
  const pieces = parts
    .map((piece) => ({ ...piece, text: minify(piece.text, names, numbers) }))
    .filter(({ text }) => text);
  // No piece ends within a statement.
  const lua = pieces.map(lined).join("");
  return { name, ...header, lua, pieces, sha: [sha1(lua), sha1(FLAG_LINE + lua)] };
}

/** Builds all scripts of `lua/`. A failing one is skipped if `failed` accepts its error. */
export function buildAll(failed?: (error: unknown) => void): BuiltScript[] {
  return luaFiles(luaDir).flatMap((file) => {
    try {
      return buildScript(basename(file, ".lua"), readFileSync(join(luaDir, file), "utf8"));
    } catch (error) {
      if (!failed) throw error;
      failed(error);
      return [];
    }
  });
}
