import { readNumber } from "./number.ts";
import { newTable, put } from "./operations.ts";
import type { LuaTable } from "./table.ts";
import { fail, type Machine, type Value } from "./value.ts";

/** What begins at a position of a text. A value has its own; all others are named as in the errors of cjson. */
type Token =
  | { readonly type: "T_STRING" | "T_NUMBER" | "T_BOOLEAN" | "T_NULL"; readonly at: number; readonly value: Value }
  | { readonly type: Punctuation | "T_END" | "T_ERROR"; readonly at: number; readonly why?: string };
type Punctuation = "T_OBJ_BEGIN" | "T_OBJ_END" | "T_ARR_BEGIN" | "T_ARR_END" | "T_COLON" | "T_COMMA";

const PUNCTUATION: ReadonlyMap<string, Punctuation> = new Map([
  ["{", "T_OBJ_BEGIN"],
  ["}", "T_OBJ_END"],
  ["[", "T_ARR_BEGIN"],
  ["]", "T_ARR_END"],
  [":", "T_COLON"],
  [",", "T_COMMA"],
]);
const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ["\\", "\\"],
  ["/", "/"],
  ["b", "\b"],
  ["f", "\f"],
  ["n", "\n"],
  ["r", "\r"],
  ["t", "\t"],
]);

const DEEPEST = 1000;
const SPACE = /[ \t\n\r]*/y;
const PLAIN = /[^"\\\0]+/y;
const WORD = /true|false|null/y;
/** Numbers, and what cjson reads as a number besides: infinity, NaN and hexadecimal ones. */
const NUMBER = /-|\+|\d|inf|nan/iy;
const UNICODE = /\\u([\da-f]{4})/iy;

/** UTF-8, one character for each byte. */
function utf8(code: number): string {
  const tail = (shift: number): number => 0x80 | ((code >> shift) & 0x3f);
  if (code < 0x80) return String.fromCharCode(code);
  if (code < 0x800) return String.fromCharCode(0xc0 | (code >> 6), tail(0));
  if (code < 0x10000) return String.fromCharCode(0xe0 | (code >> 12), tail(6), tail(0));
  return String.fromCharCode(0xf0 | (code >> 18), tail(12), tail(6), tail(0));
}

/** Reads JSON as cjson does. Each character is looked at once. */
class JsonReader {
  readonly #machine: Machine;
  readonly #text: string;
  readonly #nothing: Value;
  #at = 0;

  constructor(machine: Machine, text: string, nothing: Value) {
    this.#machine = machine;
    this.#text = text;
    this.#nothing = nothing;
  }

  whole(): Value {
    const value = this.#value(this.#next(), 1);
    const rest = this.#next();
    if (rest.type !== "T_END") this.#expected("the end", rest);
    return value;
  }

  #expected(what: string, token: Token): never {
    const found = token.type === "T_ERROR" ? token.why : token.type;
    return fail(this.#machine, `Expected ${what} but found ${found} at character ${token.at + 1}`);
  }

  #take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const [found] = pattern.exec(this.#text) ?? [];
    this.#at += found?.length ?? 0;
    return found;
  }

  #next(): Token {
    this.#machine.budget.spend(1);
    this.#take(SPACE);
    const at = this.#at;
    const c = this.#text[at];
    if (c === undefined || c === "\0") return { type: "T_END", at };
    const punctuation = PUNCTUATION.get(c);
    if (punctuation) {
      this.#at++;
      return { type: punctuation, at };
    }
    if (c === '"') return this.#string(at);
    const word = this.#take(WORD);
    if (word === "null") return { type: "T_NULL", at, value: this.#nothing };
    if (word !== undefined) return { type: "T_BOOLEAN", at, value: word === "true" };
    NUMBER.lastIndex = at;
    return NUMBER.test(this.#text) ? this.#number(at) : { type: "T_ERROR", at, why: "invalid token" };
  }

  #number(at: number): Token {
    const read = readNumber(this.#text, at);
    if (!read) return { type: "T_ERROR", at, why: "invalid number" };
    this.#at = read.end;
    this.#machine.budget.read(read.end - at);
    return { type: "T_NUMBER", at, value: read.value };
  }

  #string(at: number): Token {
    const { budget } = this.#machine;
    const parts: string[] = [];
    this.#at++;
    for (;;) {
      const plain = this.#take(PLAIN) ?? "";
      budget.text(plain.length);
      budget.read(plain.length);
      parts.push(plain);
      const c = this.#text[this.#at];
      if (c === '"') break;
      if (c !== "\\") return { type: "T_ERROR", at: this.#at, why: "unexpected end of string" };
      budget.spend(1);
      const next = this.#text[this.#at + 1] ?? "";
      const escaped = next === "u" ? this.#unicode() : ESCAPES.get(next);
      if (escaped === undefined)
        return { type: "T_ERROR", at: this.#at, why: `invalid ${next === "u" ? "unicode " : ""}escape code` };
      if (next !== "u") this.#at += 2;
      parts.push(escaped);
    }
    this.#at++;
    return { type: "T_STRING", at, value: parts.join("") };
  }

  /** An escape of a code unit, or of two that are a character; undefined, and nothing is passed, for any other. */
  #unicode(): string | undefined {
    const at = this.#at;
    const unit = (): number => Number.parseInt(this.#take(UNICODE)?.slice(2) ?? "", 16);
    const high = unit();
    if ((high & 0xf800) !== 0xd800 && !Number.isNaN(high)) return utf8(high);
    const low = Number.isNaN(high) || (high & 0x400) !== 0 ? Number.NaN : unit();
    if ((low & 0xfc00) === 0xdc00) return utf8((((high & 0x3ff) << 10) | (low & 0x3ff)) + 0x10000);
    this.#at = at;
    return undefined;
  }

  #value(token: Token, depth: number): Value {
    switch (token.type) {
      case "T_STRING":
      case "T_NUMBER":
      case "T_BOOLEAN":
      case "T_NULL":
        return token.value;
      case "T_OBJ_BEGIN":
        return this.#object(depth);
      case "T_ARR_BEGIN":
        return this.#array(depth);
      default:
        return this.#expected("value", token);
    }
  }

  #table(depth: number): LuaTable {
    if (depth > DEEPEST)
      fail(this.#machine, `Found too many nested data structures (${depth}) at character ${this.#at}`);
    return newTable(this.#machine, []);
  }

  #object(depth: number): LuaTable {
    const table = this.#table(depth);
    let token = this.#next();
    if (token.type === "T_OBJ_END") return table;
    for (;;) {
      if (token.type !== "T_STRING") return this.#expected("object key string", token);
      const key = token.value;
      token = this.#next();
      if (token.type !== "T_COLON") return this.#expected("colon", token);
      put(this.#machine.budget, table, key, this.#value(this.#next(), depth + 1));
      token = this.#next();
      if (token.type === "T_OBJ_END") return table;
      if (token.type !== "T_COMMA") return this.#expected("comma or object end", token);
      token = this.#next();
    }
  }

  #array(depth: number): LuaTable {
    const table = this.#table(depth);
    let token = this.#next();
    if (token.type === "T_ARR_END") return table;
    for (let at = 1; ; at++) {
      put(this.#machine.budget, table, at, this.#value(token, depth + 1));
      token = this.#next();
      if (token.type === "T_ARR_END") return table;
      if (token.type !== "T_COMMA") return this.#expected("comma or array end", token);
      token = this.#next();
    }
  }
}

/** The value that a text of JSON stands for. @param nothing stands for null */
export function readJson(machine: Machine, text: string, nothing: Value): Value {
  if (text.length >= 2 && (text[0] === "\0" || text[1] === "\0"))
    fail(machine, "JSON parser does not support UTF-16 or UTF-32");
  return new JsonReader(machine, text, nothing).whole();
}
