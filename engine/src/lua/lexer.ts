import { parseNumber } from "./number.ts";

/** A text that is not Lua. */
export class SyntaxFailure extends Error {}

/** A symbol or keyword is its own type. */
export interface Token {
  readonly type: string;
  /** The value of a name, string or number. */
  readonly value: string | number;
  /** The source text. */
  readonly text: string;
  readonly line: number;
}

const KEYWORDS: ReadonlySet<string> = new Set(
  "and break do else elseif end false for function if in local nil not or repeat return then true until while".split(
    " ",
  ),
);

export function failNear(message: string, line: number, near?: string): never {
  throw new SyntaxFailure(`user_script:${line}: ${message}${near === undefined ? "" : ` near '${near}'`}`);
}

const SPACE = /[ \t\v\f\r\n]+/y;
const NAME = /[A-Za-z_]\w*/y;
const NUMBER = /(?:\d|\.\d)[\d.]*(?:[eE][+-]?)?\w*/y;
const SYMBOL = /\.\.\.|\.\.|==|~=|<=|>=|[+\-*/%^#<>=(){}[\];:,.]/y;
/** A part of a string up to its next escape or its end. */
const IN_DOUBLE = /[^"\\\n]+/y;
const IN_SINGLE = /[^'\\\n]+/y;
const LONG = /\[(=*)\[/y;
const ESCAPES: Readonly<Record<string, string>> = {
  a: "\x07",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
};

/** A script, and the position up to which it was read. */
interface Cursor {
  readonly text: string;
  at: number;
  line: number;
}

function take(cursor: Cursor, pattern: RegExp): string | undefined {
  pattern.lastIndex = cursor.at;
  const found = pattern.exec(cursor.text)?.[0];
  if (found !== undefined) cursor.at += found.length;
  return found;
}

const linesIn = (part: string): number => part.split("\n").length - 1;

/** Reads the text in long brackets that begin here, without the line break that comes first. */
function takeLong(cursor: Cursor, what: "string" | "comment"): string | undefined {
  const { text, at, line } = cursor;
  LONG.lastIndex = at;
  const [open, level] = LONG.exec(text) ?? [];
  if (open === undefined || level === undefined) return undefined;
  const close = `]${level}]`;
  const end = text.indexOf(close, at + open.length);
  if (end === -1) failNear(`unfinished long ${what}`, line + linesIn(text.slice(at)), "<eof>");
  const inside = text.slice(at + open.length, end);
  if (level === "" && inside.includes("[["))
    failNear("nesting of [[...]] is deprecated", line + linesIn(inside.split("[[", 1)[0] as string), "[[");
  cursor.at = end + close.length;
  cursor.line += linesIn(inside);
  return inside.replace(/\r\n?/g, "\n").replace(/^\n/, "");
}

/** Goes to the next token, past spaces and comments. */
function skip(cursor: Cursor): void {
  const { text } = cursor;
  for (;;) {
    const space = take(cursor, SPACE);
    if (space !== undefined) cursor.line += linesIn(space);
    else if (text.startsWith("--", cursor.at)) {
      cursor.at += 2;
      if (takeLong(cursor, "comment") !== undefined) continue;
      const end = text.indexOf("\n", cursor.at);
      cursor.at = end === -1 ? text.length : end;
    } else return;
  }
}

/** Reads the character of an escape, after its backslash. The string begins at `from`. */
function takeEscaped(cursor: Cursor, from: number): string {
  const { text } = cursor;
  const c = text[cursor.at] as string;
  if (/\d/.test(c)) {
    const [digits = ""] = /^\d{1,3}/.exec(text.slice(cursor.at, cursor.at + 3)) ?? [];
    cursor.at += digits.length;
    if (Number(digits) > 255) failNear("escape sequence too large", cursor.line, text.slice(from, cursor.at));
    return String.fromCharCode(Number(digits));
  }
  cursor.at++;
  if (c === "\n") cursor.line++;
  return ESCAPES[c] ?? c;
}

/** Reads a string from its opening quote. */
function takeString(cursor: Cursor, quote: string): string {
  const { text, at: from } = cursor;
  cursor.at++;
  const parts: string[] = [];
  for (;;) {
    parts.push(take(cursor, quote === '"' ? IN_DOUBLE : IN_SINGLE) ?? "");
    const c = text[cursor.at];
    if (c === undefined) return failNear("unfinished string", cursor.line, "<eof>");
    if (c === "\n") return failNear("unfinished string", cursor.line, text.slice(from, cursor.at));
    cursor.at++;
    if (c === quote) return parts.join("");
    if (cursor.at < text.length) parts.push(takeEscaped(cursor, from));
  }
}

function nextToken(cursor: Cursor): Token {
  skip(cursor);
  const { text, at: from, line: begin } = cursor;
  const token = (type: string, value: string | number = ""): Token => ({
    type,
    value,
    text: type === "eof" ? "<eof>" : text.slice(from, cursor.at),
    line: type === "string" ? cursor.line : begin,
  });
  const c = text[from];
  if (c === undefined) return token("eof");
  const name = take(cursor, NAME);
  if (name !== undefined) return KEYWORDS.has(name) ? token(name) : token("name", name);
  const digits = take(cursor, NUMBER);
  if (digits !== undefined) return token("number", parseNumber(digits) ?? failNear("malformed number", begin, digits));
  if (c === '"' || c === "'") return token("string", takeString(cursor, c));
  const inBrackets = c === "[" ? takeLong(cursor, "string") : undefined;
  if (inBrackets !== undefined) return token("string", inBrackets);
  const symbol = take(cursor, SYMBOL);
  if (symbol !== undefined) return token(symbol);
  cursor.at++;
  return token(c);
}

/** Splits a script into tokens, one at a time. */
export function createLexer(text: string): () => Token {
  const cursor = { text, at: 0, line: 1 };
  return () => nextToken(cursor);
}
