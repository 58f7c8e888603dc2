import type { Listed } from "../../../../src/list/index.ts";
import { make, setAttribute, setText } from "./elements.ts";
import { odditiesOf } from "./on-call.ts";
import type { Store } from "./store.ts";
import { count, isolated, kindName, many, span, visible } from "./words.ts";

type Compare = (a: Listed, b: Listed) => number;
const LAST = Number.MAX_SAFE_INTEGER;
const byText = (a: string, b: string): number => Number(a > b) - Number(a < b);
const byName: Compare = (a, b) => byText(a.name, b.name);

/** The holder's label and process; for a kind with several holders, their number. */
function holderOf({ kind, state, label, holder, holds, held, count: number }: Listed): string {
  const who = [label, holder].filter((text) => text !== undefined).join(" · ");
  if (who !== "") return who;
  if (kind === "semaphore" && held) return number === undefined ? many(holds, "permit") : `${holds} of ${number}`;
  if (state === "read") return many(holds, "reader");
  return holds > 1 ? many(holds, "holder") : "";
}

/** The columns, each with its sort order. */
const COLUMNS: Readonly<Record<string, Compare>> = {
  Name: byName,
  Kind: (a, b) => byText(kindName(a.kind), kindName(b.kind)),
  State: (a, b) => byText(a.state, b.state),
  For: (a, b) => (a.held ? (a.since ?? 0) : LAST) - (b.held ? (b.since ?? 0) : LAST),
  Left: (a, b) => (a.until ?? LAST) - (b.until ?? LAST),
  Holder: (a, b) => byText(holderOf(a) || "\uffff", holderOf(b) || "\uffff"),
  Waiting: (a, b) => (b.waiters ?? 0) - (a.waiters ?? 0),
  Token: (a, b) => b.token - a.token,
};
export const HEADS: readonly string[] = Object.keys(COLUMNS);

/** The order of the list: a column, ascending or descending. */
export interface Order {
  readonly column: string;
  readonly isBackward: boolean;
}

/** The available orders in words, for users who do not see the heads. */
export const ORDERS: Readonly<Record<string, string>> = {
  For: "Longest held first",
  Left: "Ends soonest first",
  "-Left": "Most time left first",
  "-For": "Newest first",
  Waiting: "Most waiters first",
  Name: "By name",
};

export const orderOf = (text: string): Order => ({
  column: text.replace(/^-/, ""),
  isBackward: text.startsWith("-"),
});

/** Sorts entries; equal ones are sorted by name. */
export function sorted(entries: readonly Listed[], { column, isBackward }: Order): readonly Listed[] {
  const compare = COLUMNS[column] ?? byName;
  return [...entries].sort((a, b) => (isBackward ? compare(b, a) : compare(a, b)) || byName(a, b));
}

/** The cells of a row, in the order of the columns. */
function cellsOf(entry: Listed, odd: readonly string[], now: number): readonly string[] {
  const { kind, state, held, since, until, waiters, token, attempts } = entry;
  const stateText = attempts !== undefined && attempts > 1 ? `${state}, attempt ${attempts}` : state;
  return [
    visible(entry.name),
    kindName(kind),
    // What is odd comes first: the end is cut where there is no room.
    [...odd, stateText].join(" · "),
    held && since !== undefined ? span(now - since) : "",
    until === undefined ? "" : until > now ? span(until - now) : "expired",
    visible(holderOf(entry)),
    waiters ? count(waiters) : "",
    token > 0 ? `${token}` : "",
  ];
}

/** The characters of a long name that are shown however narrow its column is. */
const END_CHARACTERS = 8;

/** Splits a long name where it may be shortened. A character stays whole, with its marks. */
function inTwo(name: string): readonly [start: string, end: string] {
  if (name.length < 2 * END_CHARACTERS) return [name, ""];
  const characters = [...new Intl.Segmenter().segment(name)].map(({ segment }) => segment);
  return [characters.slice(0, -END_CHARACTERS).join(""), characters.slice(-END_CHARACTERS).join("")];
}

export function makeRow(n: number): HTMLElement {
  const cells = HEADS.map((head, column) =>
    make("span", { role: "gridcell", class: head.toLowerCase(), "aria-colindex": column + 1 }),
  );
  const name = cells[0] as HTMLElement;
  // Two parts, of which the first is shortened: names often differ only at their end.
  const own = isolated("", { class: "own" });
  own.append(make("span", { class: "start" }), make("span", { class: "end" }));
  name.append(own, make("span", { class: "group" }));
  return make("div", { role: "row", class: "row", id: `row-${n}` }, ...cells);
}

/** Writes an entry into a row. */
export function writeRow(row: HTMLElement, entry: Listed, store: Store): void {
  const now = store.now();
  const { suspicious, failed } = odditiesOf(entry, store, now);
  const texts = cellsOf(entry, [...suspicious, ...failed], now);
  const [name, ...others] = [...row.children];
  const [own, group] = [...(name as Element).children];
  const [start, end] = [...(own as Element).children];
  const [beginning, ending] = inTwo(texts[0] as string);
  setText(start as Element, beginning);
  setText(end as Element, ending);
  setText(group as Element, entry.group === undefined ? "" : ` in ${visible(entry.group)}`);
  const whole = `${texts[0]}${group?.textContent}`;
  setAttribute(row, "title", whole);
  // Readers of the screen hear one word.
  setAttribute(name as Element, "aria-label", whole);
  for (const [n, cell] of others.entries()) setText(cell, texts[n + 1] as string);
  setAttribute(row, "data-state", entry.state);
  setAttribute(row, "data-odd", failed.length > 0 ? "failed" : suspicious.length > 0 ? "suspicious" : undefined);
  setAttribute(row, "data-late", entry.held && (entry.until ?? now) <= now);
}
