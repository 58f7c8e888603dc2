import type { Listed } from "../../../../src/list/index.ts";
import { make } from "./elements.ts";

const UNSEEN = /[\p{Cc}\p{Cf}\p{Co}\p{Zl}\p{Zp}]/gu;

/** Makes invisible characters visible, and those that change the text direction. */
export const visible = (text: string): string =>
  text.replace(UNSEEN, (character) => `\\u{${(character.codePointAt(0) as number).toString(16)}}`);

/** An untrusted text, isolated from the direction of the surrounding text. */
export const isolated = (text: string, attributes: Readonly<Record<string, string>> = {}): HTMLElement =>
  make("bdi", { dir: "auto", title: visible(text), ...attributes }, visible(text));

export const count = (number: number): string => number.toLocaleString("en");

/** A number with its word in the right form. */
export const many = (number: number, one: string, more: string = `${one}s`): string =>
  `${count(number)} ${number === 1 ? one : more}`;

const UNITS = [
  ["d", 86_400],
  ["h", 3600],
  ["m", 60],
  ["s", 1],
] as const;

/** A time span with its two largest units: "3 m 12 s". */
export function span(ms: number): string {
  let left = Math.max(0, Math.round(ms / 1000));
  const first = UNITS.findIndex(([, seconds]) => left >= seconds);
  if (first < 0) return "0 s";
  const parts = UNITS.slice(first, first + 2).flatMap(([unit, seconds]) => {
    const number = Math.floor(left / seconds);
    left -= number * seconds;
    return number > 0 ? [`${number} ${unit}`] : [];
  });
  return parts.join(" ");
}

/** A duration that may be short: "30 ms", "2.4 s", otherwise like {@link span}. */
export const briefly = (ms: number): string =>
  ms < 1000 ? `${Math.round(ms)} ms` : ms < 10_000 ? `${(ms / 1000).toFixed(1)} s` : span(ms);

/** A time of day, with the date if it is not today. */
export function clockTime(at: number, now: number): string {
  const date = new Date(at);
  const time = date.toLocaleTimeString("en-GB");
  return date.toDateString() === new Date(now).toDateString() ? time : `${date.toLocaleDateString("en-CA")} ${time}`;
}

export const KINDS: Readonly<Record<string, string>> = {
  lock: "lock",
  fair: "fair lock",
  rw: "read-write lock",
  once: "once",
  semaphore: "semaphore",
  counter: "counter",
  latch: "latch",
  fence: "fence",
  none: "free name",
  foreign: "foreign",
};

export const kindName = (kind: string): string => KINDS[kind] ?? kind;

const remembered = ({ until }: Listed, now: number): string =>
  until === undefined ? "" : ` It is remembered for another ${span(until - now)}.`;

/** Describes the current state of a name in a sentence or two. */
export function describe(entry: Listed, now: number): string {
  const { kind, state, since, until = now, label, holder, holds, waiters = 0, attempts = 0, count: number } = entry;
  if (entry.unreadable !== undefined) return `Unreadable: ${visible(entry.unreadable)}.`;
  const who = [label, holder].filter((text) => text !== undefined).map((text) => visible(text as string));
  const by = who.length > 0 ? ` by ${who.join(", ")}` : "";
  const time = since === undefined ? "" : ` for ${span(now - since)}`;
  const end =
    until > now ? `Its lease expires in ${span(until - now)} unless it is extended.` : "Its lease has expired.";
  const waiting = waiters > 0 ? ` ${many(waiters, "waiter")}.` : "";
  const sentences: Readonly<Record<string, string>> = {
    held:
      kind === "semaphore"
        ? `${number ? `${count(holds)} of ${many(number, "permit is", "permits are")}` : many(holds, "permit is", "permits are")} in use. The last lease expires in ${span(until - now)}.${waiting}`
        : `Held${by}${time}. ${end}${waiting}`,
    write: `Held for writing${by}${time}. ${end}${waiting}`,
    read: `${many(holds, "reader", "readers")}. The last lease expires in ${span(until - now)}.${waiting}`,
    running: `Attempt ${attempts} is running${time}. ${end}`,
    done: `Done, on attempt ${attempts}.${remembered(entry, now)}`,
    idle: `No attempt is running; there ${attempts === 0 ? "was none" : attempts === 1 ? "was one" : `were ${attempts}`}. The next one can begin.${remembered(entry, now)}`,
    set: `${kind === "counter" ? "Counts up to" : `No permit is in use; there ${number === 1 ? "is" : "are"}`} ${number === undefined ? "as many as each call says" : count(number)}.${waiting}`,
    counting: `Counting: ${count(number ?? 0)} to go.${remembered(entry, now)}`,
    open: `Open: the count has reached zero.${remembered(entry, now)}`,
    free: `Free. Only the last token is remembered.${waiting}`,
    fence: "The highest token that was seen at the fence. A write with a lower one is refused.",
  };
  return sentences[state] ?? state;
}
