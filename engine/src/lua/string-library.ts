import { type Arguments, library } from "./arguments.ts";
import { format } from "./format.ts";
import { formatNumber } from "./number.ts";
import { callBack, getRaw, LARGEST_STACK, textIn } from "./operations.ts";
import { type Match, Matcher, search } from "./pattern.ts";
import { PatternError } from "./pattern-class.ts";
import { indexIn } from "./search.ts";
import { LuaTable } from "./table.ts";
import { fail, first, type LuaFunction, type Machine, NOTHING, type Result, typeOf, type Value } from "./value.ts";

/** So many characters are joined at once: a function cannot have arguments without limit. */
const CHUNK = 8192;

/** Makes a text of this length from the codes of its characters. */
function textBy(length: number, codeAt: (at: number) => number): string {
  const codes = new Uint8Array(Math.min(CHUNK, length));
  let made = "";
  for (let from = 0; from < length; from += CHUNK) {
    const size = Math.min(CHUNK, length - from);
    for (let n = 0; n < size; n++) codes[n] = codeAt(from + n);
    made += String.fromCharCode.apply(undefined, codes.subarray(0, size) as unknown as number[]);
  }
  return made;
}

const reversed = (text: string): string => textBy(text.length, (at) => text.charCodeAt(text.length - 1 - at));

/** Only ASCII letters have another case, as in C's own locale. */
const lowered = (text: string): string =>
  textBy(text.length, (at) => {
    const c = text.charCodeAt(at);
    return c >= 65 && c <= 90 ? c + 32 : c;
  });

const raised = (text: string): string =>
  textBy(text.length, (at) => {
    const c = text.charCodeAt(at);
    return c >= 97 && c <= 122 ? c - 32 : c;
  });

/** A position as Lua counts: from 1, or from the end. */
const placeIn = (text: string, at: number): number => (at >= 0 ? at : Math.max(text.length + at + 1, 0));

/** Without one of these, `find` looks for the literal text. */
const SPECIALS = /[\^$*+?.([%-]/;

function guarded<T>(machine: Machine, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof PatternError) fail(machine, error.message);
    throw error;
  }
}

function find(machine: Machine, read: Arguments, args: readonly Value[], isFind: boolean): Result {
  const text = read.string(args, 0);
  const pattern = read.string(args, 1);
  const from = Math.min(Math.max(placeIn(text, read.integer(args, 2, 1)) - 1, 0), text.length);
  if (isFind && (!SPECIALS.test(pattern) || (args[3] !== undefined && args[3] !== false))) {
    const at = indexIn(machine.budget, text, pattern, from);
    return at === -1 ? undefined : [at + 1, at + pattern.length];
  }
  return guarded(machine, () => {
    const match = search(machine, text, pattern, from);
    if (!match) return undefined;
    const captures = match.captures();
    if (!isFind) return captures;
    // Without captures in the pattern, the capture is the whole match, which `find` does not repeat.
    return [match.start + 1, match.end, ...(match.count > 0 ? captures : [])];
  });
}

/** The memory of an iterator. */
const ITERATOR_BYTES = 300;

function gmatch(machine: Machine, read: Arguments): LuaFunction {
  return (args) => {
    const text = read.string(args, 0);
    machine.budget.allot(ITERATOR_BYTES);
    const matcher = new Matcher(machine, text, read.string(args, 1));
    let from = 0;
    return () => {
      return guarded(machine, () => {
        for (let at = matcher.firstPlace(from, 0); at !== -1; at = matcher.firstPlace(at + 1, 0)) {
          const match = matcher.matchAt(at, 0);
          if (!match) continue;
          from = match.end === at ? at + 1 : match.end;
          return match.captures();
        }
        from = text.length + 1;
        return undefined;
      });
    };
  };
}

/** Writes the replacement of a match by a template, in which `%1` is the first capture, and `%0` the whole match. */
function filled(machine: Machine, template: string, whole: string, match: Match): string {
  const { budget } = machine;
  budget.read(template.length);
  const parts: string[] = [];
  let from = 0;
  for (let at = template.indexOf("%"); at !== -1; at = template.indexOf("%", from)) {
    const c = template.charAt(at + 1);
    parts.push(template.slice(from, at));
    from = at + 2;
    budget.spend(1);
    // A C string ends with a NUL, which follows a `%` at the end.
    if (c === "") parts.push("\0");
    else if (c < "0" || c > "9") parts.push(c);
    else {
      const part = textIn(machine, c === "0" ? whole : match.capture(Number(c) - 1)) ?? "";
      budget.text(part.length);
      parts.push(part);
    }
  }
  parts.push(template.slice(from));
  return parts.join("");
}

/** The replacement of a match; nil and false keep it. */
function replacement(machine: Machine, by: Value, match: Match, text: string): string {
  const whole = text.slice(match.start, match.end);
  if (typeof by === "number") return filled(machine, formatNumber(by), whole, match);
  if (typeof by === "string") return by.includes("%") ? filled(machine, by, whole, match) : by;
  const value =
    by instanceof LuaTable
      ? getRaw(machine.budget, by, match.capture(0))
      : first(callBack(machine, by, match.captures()));
  if (value === undefined || value === false) return whole;
  return textIn(machine, value) ?? fail(machine, `invalid replacement value (a ${typeOf(value)})`);
}

function gsub(machine: Machine, read: Arguments): LuaFunction {
  return (args) => {
    const { budget } = machine;
    const text = read.string(args, 0);
    const pattern = read.string(args, 1);
    const by = args[2];
    const max = read.integer(args, 3, text.length + 1);
    if (!["string", "number", "function"].includes(typeof by) && !(by instanceof LuaTable))
      read.fail(2, "string/function/table expected");
    return guarded(machine, () => {
      const matcher = new Matcher(machine, text, pattern);
      const isAnchored = pattern.startsWith("^");
      const parts: string[] = [];
      /** Where the text begins that is not in the parts. */
      let end = 0;
      let at = 0;
      let count = 0;
      while (count < max) {
        budget.spend(1);
        const match = matcher.matchAt(at, isAnchored ? 1 : 0);
        if (match) {
          count++;
          const part = replacement(machine, by, match, text);
          budget.text(part.length);
          parts.push(text.slice(end, at), part);
          end = match.end;
        }
        if (match && match.end > at) at = match.end;
        else if (at < text.length) at++;
        else break;
        if (isAnchored) break;
      }
      budget.text(text.length);
      return [parts.join("") + text.slice(end), count];
    });
  };
}

/** The library `string`, whose functions are also the methods of strings. */
export function stringLibrary(machine: Machine): LuaTable {
  /** A function that makes another text of the same length. */
  const changed =
    (change: (text: string) => string): ((read: Arguments) => LuaFunction) =>
    (read) =>
    (args) => {
      const text = read.string(args, 0);
      machine.budget.read(text.length);
      machine.budget.text(text.length);
      return change(text);
    };
  return library(machine, {
    len: (read) => (args) => read.string(args, 0).length,
    sub: (read) => (args) => {
      const text = read.string(args, 0);
      const from = placeIn(text, read.integer(args, 1));
      const to = placeIn(text, read.integer(args, 2, -1));
      machine.budget.text(0);
      return text.slice(Math.max(from, 1) - 1, Math.max(Math.min(to, text.length), 0));
    },
    reverse: changed(reversed),
    lower: changed(lowered),
    upper: changed(raised),
    rep: (read) => (args) => {
      const text = read.string(args, 0);
      const wanted = Math.max(read.integer(args, 1), 0);
      const count = text === "" ? 0 : wanted;
      machine.budget.text(text.length * count);
      return text.repeat(count);
    },
    byte: (read) => (args) => {
      const text = read.string(args, 0);
      const from = placeIn(text, read.integer(args, 1, 1));
      const to = Math.min(placeIn(text, read.integer(args, 2, from)), text.length);
      const begin = Math.max(from, 1);
      const count = to - begin + 1;
      if (count <= 0) return NOTHING;
      if (args.length + count > LARGEST_STACK) fail(machine, "stack overflow (string slice too long)");
      machine.budget.values(count);
      const codes: Value[] = [];
      for (let at = begin; at <= to; at++) codes.push(text.charCodeAt(at - 1));
      return codes;
    },
    char: (read) => (args) => {
      machine.budget.values(args.length);
      const codes = args.map((_, at) => {
        const code = read.integer(args, at);
        return code >= 0 && code <= 255 ? code : read.fail(at, "invalid value");
      });
      return String.fromCharCode.apply(undefined, codes);
    },
    format: (read) => (args) => format(machine, read, args),
    find: (read) => (args) => find(machine, read, args, true),
    match: (read) => (args) => find(machine, read, args, false),
    gmatch: (read) => gmatch(machine, read),
    gsub: (read) => gsub(machine, read),
  });
}
