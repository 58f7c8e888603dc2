import { library } from "./arguments.ts";
import { formatG } from "./number.ts";
import { LuaTable } from "./table.ts";
import { fail, type Machine, typeOf, type Value } from "./value.ts";

const DEEPEST = 1000;

/** Represents JSON's null, which is not a Lua value; in Redis, it is a light userdata. */
const ESCAPES: Readonly<Record<string, string>> = {
  '"': '\\"',
  "\\": "\\\\",
  "/": "\\/",
  "\b": "\\b",
  "\f": "\\f",
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
};

const quote = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that have to be escaped
  `"${text.replace(/["\\/\x00-\x1f\x7f]/g, (c) => ESCAPES[c] ?? `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`)}"`;

/** The number of items of a list, or undefined for an object. */
function listSize(table: LuaTable): number | undefined {
  let most = 0;
  let count = 0;
  for (let entry = table.next(undefined); entry; entry = table.next(entry[0])) {
    const [key] = entry;
    if (typeof key !== "number" || key < 1 || !Number.isInteger(key)) return undefined;
    most = Math.max(most, key);
    count++;
  }
  return most > Math.max(10, 2 * count) ? -1 : count === 0 ? undefined : most;
}

function encode(machine: Machine, value: Value, nothing: Value, depth: number): string {
  if (value === nothing) return "null";
  switch (typeof value) {
    case "undefined":
      return "null";
    case "boolean":
      return String(value);
    case "string":
      return quote(value);
    case "number":
      if (!Number.isFinite(value)) fail(machine, "Cannot serialise number: must not be NaN or Inf");
      return formatG(value, 14);
    case "function":
      return fail(machine, "Cannot serialise function: type not supported");
  }
  if (depth > DEEPEST) fail(machine, `Cannot serialise, excessive nesting (${depth})`);
  const size = listSize(value);
  if (size === -1) fail(machine, "Cannot serialise table: excessively sparse array");
  const parts: string[] = [];
  if (size !== undefined) {
    for (let at = 1; at <= size; at++) parts.push(encode(machine, value.get(at), nothing, depth + 1));
    return `[${parts.join(",")}]`;
  }
  for (let entry = value.next(undefined); entry; entry = value.next(entry[0])) {
    const [key, item] = entry;
    if (typeof key !== "string" && typeof key !== "number")
      fail(machine, `Cannot serialise ${typeOf(key)}: table key must be a number or string`);
    const name = typeof key === "number" ? `"${formatG(key, 14)}"` : quote(key);
    parts.push(`${name}:${encode(machine, item, nothing, depth + 1)}`);
  }
  return `{${parts.join(",")}}`;
}

/** UTF-8, one character for each byte. */
const bytesOf = (text: string): string => {
  let bytes = "";
  for (const byte of new TextEncoder().encode(text)) bytes += String.fromCharCode(byte);
  return bytes;
};

function decode(value: unknown, nothing: Value): Value {
  if (value === null) return nothing;
  if (typeof value === "string") return /[^\0-\x7f]/.test(value) ? restored(value) : value;
  if (typeof value === "number" || typeof value === "boolean") return value;
  const table = new LuaTable();
  if (Array.isArray(value)) {
    value.forEach((item, at) => {
      table.set(at + 1, decode(item, nothing));
    });
    return table;
  }
  for (const [key, item] of Object.entries(value as object)) table.set(decode(key, nothing), decode(item, nothing));
  return table;
}

/** Bytes were parsed as characters, so only escapes can have produced larger ones. */
const restored = (text: string): string => text.replace(/[\u0100-\uffff]+/g, bytesOf);

/** Where a text has more arrays and objects inside each other than are allowed, from 1; undefined if it has not. */
function excessAt(text: string): number | undefined {
  let depth = 0;
  let isQuoted = false;
  for (let at = 0; at < text.length; at++) {
    const c = text[at];
    if (c === '"') isQuoted = !isQuoted;
    else if (isQuoted) at += Number(c === "\\");
    else if (c === "]" || c === "}") depth--;
    else if ((c === "[" || c === "{") && ++depth > DEEPEST) return at + 1;
  }
  return undefined;
}

function parsed(machine: Machine, text: string): unknown {
  const excess = text.length > DEEPEST ? excessAt(text) : undefined;
  if (excess !== undefined)
    fail(machine, `Found too many nested data structures (${DEEPEST + 1}) at character ${excess}`);
  // Characters beyond ASCII from escapes are written as UTF-8; literal ones already are.
  const escaped = text.replace(/\\u00([89a-f][\da-f])/gi, (_, digits: string) =>
    bytesOf(String.fromCharCode(Number.parseInt(digits, 16))),
  );
  try {
    return JSON.parse(escaped);
  } catch {
    return fail(machine, "Expected value but found invalid token at character 1");
  }
}

/** The library `cjson` of Redis, without its settings and numbers that JSON does not have. */
export function jsonLibrary(machine: Machine): LuaTable {
  const nothing: Value = () => fail(machine, "attempt to call a userdata value");
  const table = library(machine, {
    encode: (read) => (args) => encode(machine, read.any(args, 0), nothing, 1),
    decode: (read) => (args) => decode(parsed(machine, read.string(args, 0)), nothing),
  });
  table.set("null", nothing);
  return table;
}
