import { parseNumber } from "./number.ts";

/** A text that is not Lua. */
export class SyntaxFailure extends Error {}

/** A symbol or keyword is its own type. */
export interface Token {
  readonly type: string;
  /** The value of a name, string or number. */
  readonly value: string | number;
  /** As it is written. */
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

/** Splits a script into tokens, one at a time. */
export function createLexer(text: string): () => Token {
  let at = 0;
  let line = 1;

  function take(pattern: RegExp): string | undefined {
    pattern.lastIndex = at;
    const found = pattern.exec(text)?.[0];
    if (found !== undefined) at += found.length;
    return found;
  }

  const linesIn = (part: string): number => part.split("\n").length - 1;

  /** The text in long brackets that begin here, without the line break that comes first. */
  function long(what: "string" | "comment"): string | undefined {
    LONG.lastIndex = at;
    const [open, level] = LONG.exec(text) ?? [];
    if (open === undefined || level === undefined) return undefined;
    const close = `]${level}]`;
    const end = text.indexOf(close, at + open.length);
    if (end === -1) failNear(`unfinished long ${what}`, line + linesIn(text.slice(at)), "<eof>");
    const inside = text.slice(at + open.length, end);
    if (level === "" && inside.includes("[["))
      failNear("nesting of [[...]] is deprecated", line + linesIn(inside.split("[[", 1)[0] as string), "[[");
    at = end + close.length;
    line += linesIn(inside);
    return inside.replace(/\r\n?/g, "\n").replace(/^\n/, "");
  }

  function skip(): void {
    for (;;) {
      const space = take(SPACE);
      if (space !== undefined) line += linesIn(space);
      else if (text.startsWith("--", at)) {
        at += 2;
        if (long("comment") !== undefined) continue;
        const end = text.indexOf("\n", at);
        at = end === -1 ? text.length : end;
      } else return;
    }
  }

  /** The character that an escape stands for; `at` is behind the backslash. */
  function escaped(from: number): string {
    const c = text[at] as string;
    if (/\d/.test(c)) {
      const [digits = ""] = /^\d{1,3}/.exec(text.slice(at, at + 3)) ?? [];
      at += digits.length;
      if (Number(digits) > 255) failNear("escape sequence too large", line, text.slice(from, at));
      return String.fromCharCode(Number(digits));
    }
    at++;
    if (c === "\n") line++;
    return ESCAPES[c] ?? c;
  }

  function string(quote: string): string {
    const from = at++;
    let value = "";
    for (;;) {
      const c = text[at];
      if (c === undefined) return failNear("unfinished string", line, "<eof>");
      if (c === "\n") return failNear("unfinished string", line, text.slice(from, at));
      at++;
      if (c === quote) return value;
      if (c !== "\\") value += c;
      else if (at < text.length) value += escaped(from);
    }
  }

  return () => {
    skip();
    const begin = line;
    const from = at;
    const token = (type: string, value: string | number = ""): Token => ({
      type,
      value,
      text: type === "eof" ? "<eof>" : text.slice(from, at),
      line: type === "string" ? line : begin,
    });
    const c = text[at];
    if (c === undefined) return token("eof");
    const name = take(NAME);
    if (name !== undefined) return KEYWORDS.has(name) ? token(name) : token("name", name);
    const digits = take(NUMBER);
    if (digits !== undefined) return token("number", parseNumber(digits) ?? failNear("malformed number", line, digits));
    if (c === '"' || c === "'") return token("string", string(c));
    const inBrackets = c === "[" ? long("string") : undefined;
    if (inBrackets !== undefined) return token("string", inBrackets);
    const symbol = take(SYMBOL);
    if (symbol !== undefined) return token(symbol);
    at++;
    return token(c);
  };
}
