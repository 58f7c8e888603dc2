/** The record of a name, in Redis and in the specification. */
import type { Value } from "./quint.ts";

/** A fixed number for each text: the specification uses numbers as ids and results. */
export interface Numbers {
  of(text: string): number;
}

/** Numbers texts from 1 in the order of their first use; 0 for no text. */
export function countingNumbers(): Numbers {
  const known = new Map<string, number>([["", 0]]);
  return {
    of(text) {
      const number = known.get(text) ?? known.size;
      known.set(text, number);
      return number;
    },
  };
}

/** A key's value, and its expiry in ms. */
export interface Stored {
  readonly text: string | undefined;
  readonly expires: number;
}

/** The end of an id: the record's note that it has ended. */
export const tailOf = (id: string): string => id.slice(24, 36);

export const NOTHING = {
  kind: "none",
  last: 0,
  til: 0,
  sure: [] as readonly Value[],
  doubt: [] as readonly Value[],
  holds: [] as readonly Value[],
  reentryKey: "",
  attempts: 0,
  print: "",
  done: 0,
  result: 0,
  expires: -1,
};

/** In a fixed order, each with its fields in a fixed order. */
function sorted(list: readonly Value[]): readonly Value[] {
  const told = (value: Value): string => JSON.stringify(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
  return [...list].sort((a, b) => (told(a) < told(b) ? -1 : 1));
}

/** The fields that a kind adds to its record. */
function bodyOf(kind: string, body: string, ids: Numbers, results: Numbers) {
  const fields = body.split(" ");
  if (kind === "lock" || kind === "fair") return { reentryKey: fields[0] ?? "" };
  if (kind !== "once" || body === "") return {};
  const [attempts, print = "", done = ""] = fields;
  const result = done === "" ? 0 : results.of(fields.slice(3).join(" "));
  return { attempts: Number(attempts), print, done: done === "" ? 0 : ids.of(tailOf(done)), result };
}

/** Reads a record like lua/include/record.lua. */
export function recordOf({ text, expires }: Stored, ids: Numbers, results: Numbers): Value {
  if (text === undefined) return NOTHING;
  const match = /^(\w+) 1 (\d+) (\d+) (\S*) (\S*) (.*)$/s.exec(text);
  if (!match) throw new Error(`not a record: ${text}`);
  const [, kind = "", last, til, closed = "", holds = "", body = ""] = match;
  const [sure = "", ...groups] = closed.split(";");
  const entries = (list: string) =>
    [...list.matchAll(/(.{12})([A-Z])/g)].map(([, id = "", outcome = ""]) => ({ id: ids.of(id), outcome }));
  return {
    ...NOTHING,
    kind,
    last: Number(last),
    til: Number(til),
    sure: entries(sure),
    doubt: sorted(
      groups.flatMap((group) => {
        const [due = "", list = ""] = group.split(":");
        return entries(list).map((entry) => ({ ...entry, due: Number(due) }));
      }),
    ),
    holds: sorted(
      [...holds.matchAll(/([^:,]+):(\d+)/g)].map(([, id = "", ends]) => [ids.of(tailOf(id)), Number(ends)]),
    ),
    ...bodyOf(kind, body, ids, results),
    expires,
  };
}

/** A record of the specification in the same form. */
export function settled(record: Value): Value {
  const { doubt, holds, ...rest } = record as typeof NOTHING;
  return { ...rest, doubt: sorted(doubt), holds: sorted(holds) };
}

/** A value in the notation of traces, for the evaluator: lists of `doubt` are sets and those of `holds` a map. */
export function recordToItf(record: Value): object {
  const { doubt, holds, sure, ...rest } = record as typeof NOTHING;
  return {
    ...(toItf(rest) as object),
    sure: sure.map(toItf),
    doubt: { "#set": doubt.map(toItf) },
    holds: { "#map": (holds as readonly (readonly Value[])[]).map((pair) => pair.map(toItf)) },
  };
}

export function toItf(value: Value): unknown {
  if (typeof value === "number") return { "#bigint": `${value}` };
  if (Array.isArray(value)) return value.map(toItf);
  if (typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([field, each]) => [field, toItf(each as Value)]));
}
