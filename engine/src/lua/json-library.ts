import { library } from "./arguments.ts";
import { readJson } from "./json-reader.ts";
import { entriesOf, numberText } from "./operations.ts";
import type { LuaTable } from "./table.ts";
import { fail, type Machine, typeOf, type Value } from "./value.ts";

const DEEPEST = 1000;

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

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that have to be escaped
const ESCAPED = /["\\/\x00-\x1f\x7f]/g;
const escaped = (c: string): string => ESCAPES[c] ?? `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`;
/** So many characters are quoted before they are counted. */
const WINDOW = 4096;

/** The number of items of a list, or undefined for an object. */
function listSize(machine: Machine, table: LuaTable): number | undefined {
  let max = 0;
  let count = 0;
  for (const [key] of entriesOf(machine, table)) {
    if (typeof key !== "number" || key < 1 || !Number.isInteger(key)) return undefined;
    max = Math.max(max, key);
    count++;
  }
  return max > Math.max(10, 2 * count) ? -1 : count === 0 ? undefined : max;
}

/** Writes a value as JSON. */
class JsonWriter {
  readonly #machine: Machine;
  readonly #nothing: Value;
  readonly #parts: string[] = [];

  constructor(machine: Machine, nothing: Value) {
    this.#machine = machine;
    this.#nothing = nothing;
  }

  written(value: Value): string {
    this.#write(value, 1);
    return this.#parts.join("");
  }

  #add(part: string): void {
    this.#machine.budget.text(part.length);
    this.#parts.push(part);
  }

  #quote(text: string): void {
    const { budget } = this.#machine;
    this.#add('"');
    for (let at = 0; at < text.length; at += WINDOW) {
      const part = text.slice(at, at + WINDOW);
      const quoted = part.replace(ESCAPED, escaped);
      budget.read(part.length);
      // An escape takes longer than another character.
      budget.spend(quoted.length - part.length);
      this.#add(quoted);
    }
    this.#add('"');
  }

  #write(value: Value, depth: number): void {
    if (value === undefined || value === this.#nothing) this.#add("null");
    else if (typeof value === "boolean") this.#add(String(value));
    else if (typeof value === "string") this.#quote(value);
    else if (typeof value === "number") this.#number(value);
    else if (typeof value === "function") fail(this.#machine, "Cannot serialise function: type not supported");
    else this.#table(value, depth);
  }

  #number(value: number): void {
    if (!Number.isFinite(value)) fail(this.#machine, "Cannot serialise number: must not be NaN or Inf");
    this.#add(numberText(this.#machine, value));
  }

  #table(table: LuaTable, depth: number): void {
    const machine = this.#machine;
    machine.budget.spend(1);
    if (depth > DEEPEST) fail(machine, `Cannot serialise, excessive nesting (${depth})`);
    const size = listSize(machine, table);
    if (size === -1) fail(machine, "Cannot serialise table: excessively sparse array");
    if (size === undefined) this.#object(table, depth);
    else this.#list(table, size, depth);
  }

  #list(table: LuaTable, size: number, depth: number): void {
    this.#add("[");
    for (let at = 1; at <= size; at++) {
      if (at > 1) this.#add(",");
      this.#write(table.get(at), depth + 1);
    }
    this.#add("]");
  }

  #object(table: LuaTable, depth: number): void {
    let before = "{";
    for (const [key, item] of entriesOf(this.#machine, table)) {
      this.#add(before);
      before = ",";
      if (typeof key === "string") this.#quote(key);
      else if (typeof key === "number") this.#add(`"${numberText(this.#machine, key)}"`);
      else fail(this.#machine, `Cannot serialise ${typeOf(key)}: table key must be a number or string`);
      this.#add(":");
      this.#write(item, depth + 1);
    }
    this.#add(before === "{" ? "{}" : "}");
  }
}

/** The library `cjson` of Redis, without its settings. */
export function jsonLibrary(machine: Machine): LuaTable {
  /** Stands for JSON's null, which is not a Lua value; in Redis, it is a light userdata. */
  const nothing: Value = () => fail(machine, "attempt to call a userdata value");
  const table = library(machine, {
    encode: (read) => (args) => new JsonWriter(machine, nothing).written(read.any(args, 0)),
    decode: (read) => (args) => readJson(machine, read.string(args, 0), nothing),
  });
  table.set("null", nothing);
  return table;
}
