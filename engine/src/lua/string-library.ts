import { type Arguments, library } from "./arguments.ts";
import { format } from "./format.ts";
import { formatNumber } from "./number.ts";
import { callBack } from "./operations.ts";
import { type Match, Matcher, search } from "./pattern.ts";
import { PatternError } from "./pattern-class.ts";
import { LuaTable } from "./table.ts";
import { fail, first, type LuaFunction, type Machine, NOTHING, type Result, typeOf, type Value } from "./value.ts";

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
    const at = text.indexOf(pattern, from);
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

function gmatch(machine: Machine, read: Arguments): LuaFunction {
  return (args) => {
    const text = read.string(args, 0);
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

/** The replacement of a match; nil and false keep it. */
function replacement(machine: Machine, by: Value, match: Match, text: string): string {
  const whole = text.slice(match.start, match.end);
  let value: Value;
  if (by instanceof LuaTable) value = by.get(match.captures()[0]);
  else if (typeof by === "function") value = first(callBack(machine, by, match.captures()));
  else {
    const template = typeof by === "number" ? formatNumber(by) : (by as string);
    return template.replace(/%([\s\S]?)/g, (_, c: string) => {
      if (c < "0" || c > "9" || c === "") return c;
      if (c === "0") return whole;
      const n = Number(c) - 1;
      const captured = match.captures();
      if (n >= captured.length) fail(machine, "invalid capture index");
      const value = captured[n];
      return typeof value === "number" ? formatNumber(value) : (value as string);
    });
  }
  if (value === undefined || value === false) return whole;
  if (typeof value === "string") return value;
  return typeof value === "number"
    ? formatNumber(value)
    : fail(machine, `invalid replacement value (a ${typeOf(value)})`);
}

function gsub(machine: Machine, read: Arguments): LuaFunction {
  return (args) => {
    const text = read.string(args, 0);
    const pattern = read.string(args, 1);
    const by = args[2];
    const most = read.integer(args, 3, text.length + 1);
    if (!["string", "number", "function"].includes(typeof by) && !(by instanceof LuaTable))
      read.fail(2, "string/function/table expected");
    return guarded(machine, () => {
      const matcher = new Matcher(machine, text, pattern);
      const isAnchored = pattern.startsWith("^");
      let made = "";
      let at = 0;
      let count = 0;
      while (count < most) {
        const match = matcher.matchAt(at, isAnchored ? 1 : 0);
        if (match) {
          count++;
          made += replacement(machine, by, match, text);
        }
        if (match && match.end > at) at = match.end;
        else if (at < text.length) made += text[at++];
        else break;
        if (isAnchored) break;
      }
      return [made + text.slice(at), count];
    });
  };
}

/** The library `string`, whose functions are also the methods of strings. */
export function stringLibrary(machine: Machine): LuaTable {
  return library(machine, {
    len: (read) => (args) => read.string(args, 0).length,
    sub: (read) => (args) => {
      const text = read.string(args, 0);
      const from = placeIn(text, read.integer(args, 1));
      const to = placeIn(text, read.integer(args, 2, -1));
      return text.slice(Math.max(from, 1) - 1, Math.max(Math.min(to, text.length), 0));
    },
    reverse: (read) => (args) => [...read.string(args, 0)].reverse().join(""),
    lower: (read) => (args) => read.string(args, 0).replace(/[A-Z]+/g, (part) => part.toLowerCase()),
    upper: (read) => (args) => read.string(args, 0).replace(/[a-z]+/g, (part) => part.toUpperCase()),
    rep: (read) => (args) => read.string(args, 0).repeat(Math.max(read.integer(args, 1), 0)),
    byte: (read) => (args) => {
      const text = read.string(args, 0);
      const from = placeIn(text, read.integer(args, 1, 1));
      const to = Math.min(placeIn(text, read.integer(args, 2, from)), text.length);
      const codes: Value[] = [];
      for (let at = Math.max(from, 1); at <= to; at++) codes.push(text.charCodeAt(at - 1));
      return codes.length > 0 ? codes : NOTHING;
    },
    char: (read) => (args) =>
      args
        .map((_, at) => {
          const code = read.integer(args, at);
          return code >= 0 && code <= 255 ? String.fromCharCode(code) : read.fail(at, "invalid value");
        })
        .join(""),
    format: (read) => (args) => format(machine, read, args),
    find: (read) => (args) => find(machine, read, args, true),
    match: (read) => (args) => find(machine, read, args, false),
    gmatch: (read) => gmatch(machine, read),
    gsub: (read) => gsub(machine, read),
  });
}
