import type { Listed } from "../../../../src/list/index.ts";
import { ORDERS, orderOf, sorted } from "./columns.ts";
import { byId, make } from "./elements.ts";
import { makeGrid } from "./grid.ts";
import { type Group, isIn, makeStrip } from "./on-call.ts";
import type { Store } from "./store.ts";
import { count, KINDS, kindName, many, span } from "./words.ts";

/** The list of names, with its filter and the strip above it. */
export interface NamesView {
  /** Sorts and filters, and shows the result. */
  refresh(): void;
  /** Updates the times. */
  tick(): void;
}

/** The context of the list. */
export interface NamesUses {
  openName(entry: Listed): void;
  /** The ID of the open name. */
  opened(): string;
  /** The user has typed this, and paused. */
  searched(text: string): void;
}

/** The pause in typing before a name is searched on the server. */
const TYPED_MS = 250;

function fits(entry: Listed, group: Group | undefined, store: Store): boolean {
  const { name, group: within = "", label = "", holder = "", kind, held, unreadable } = entry;
  const wanted = byId<HTMLInputElement>("search").value.trim().toLowerCase();
  const chosen = byId<HTMLSelectElement>("kind").value;
  const isWanted = `${within}/${name}\n${label}\n${holder}`.toLowerCase().includes(wanted);
  if (!isWanted || (chosen !== "" && kind !== chosen)) return false;
  if (group !== undefined) return isIn(group, entry, store, store.now());
  // A user who types a whole name wants to see it, held or not.
  const isExact = wanted !== "" && name.toLowerCase() === wanted;
  return held || unreadable !== undefined || isExact || !byId<HTMLInputElement>("held").checked;
}

/** Why no name is shown, when none is. */
function whyEmpty({ rows }: Store, group: Group | undefined): string {
  if (rows.size === 0) return "No name has this prefix.";
  const isFiltered =
    byId<HTMLInputElement>("search").value.trim() !== "" || byId<HTMLSelectElement>("kind").value !== "";
  if (isFiltered || group !== undefined || !byId<HTMLInputElement>("held").checked)
    return "No name matches the filter.";
  return `Nothing is held; ${many(rows.size, "name is", "names are")} remembered.`;
}

export function makeNamesView(store: Store, { openName, opened, searched }: NamesUses): NamesView {
  const sort = byId<HTMLSelectElement>("sort");

  /** Sorts by a column, and in reverse on a second click. */
  function sortBy(column: string): void {
    const value = sort.value === column ? `-${column}` : column;
    if (![...sort.options].some((option) => option.value === value))
      sort.append(make("option", { value }, `By ${column.toLowerCase()}${value === column ? "" : ", reversed"}`));
    sort.value = value;
    refresh();
  }

  const grid = makeGrid({ store, openName, opened, sortBy });
  const strip = makeStrip(() => refresh());

  function refresh(): void {
    const order = orderOf(sort.value);
    const shown = sorted(
      [...store.rows.values()].filter((entry) => fits(entry, strip.chosen(), store)),
      order,
    );
    grid.show(shown, store.status?.lastRound ? whyEmpty(store, strip.chosen()) : "");
    grid.showOrder(order);
    strip.refresh(store, store.now());
  }

  fillFilter(refresh);
  listenToSearch(searched);
  return {
    refresh,
    tick() {
      grid.paint();
      strip.refresh(store, store.now());
    },
  };
}

/** Fills the choices, and filters as they change. */
function fillFilter(refresh: () => void): void {
  byId("kind").append(
    make("option", { value: "" }, "All kinds"),
    ...Object.keys(KINDS).map((kind) => make("option", { value: kind }, kindName(kind))),
  );
  byId("sort").append(...Object.entries(ORDERS).map(([value, words]) => make("option", { value }, words)));
  const filter = byId<HTMLFormElement>("filter");
  filter.addEventListener("input", refresh);
  filter.addEventListener("submit", (event) => event.preventDefault());
}

/** Reports the search text after a pause in typing. */
function listenToSearch(searched: (text: string) => void): void {
  const search = byId<HTMLInputElement>("search");
  let timer: ReturnType<typeof setTimeout> | undefined;
  search.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(() => searched(search.value.trim()), TYPED_MS);
  });
}

/** Says the number of names, and the maximum age of the data. */
export function freshness({ status, rows, link }: Store, now: number): string {
  if (!status) return "Reading …";
  const { round, lastRound } = status;
  const names = many(rows.size, "name");
  if (!lastRound) return `Reading all names: ${many(round?.names ?? 0, "name")} so far.`;
  const ageMs = now - lastRound.startedAt;
  const age = ageMs < 1500 ? "second" : span(ageMs);
  const reading = round && lastRound.endedAt !== undefined && round.startedAt > lastRound.startedAt;
  const progress = reading && lastRound.names > 500 ? `, reading again: ${count(round.names)}` : "";
  const each = rows.size === 1 ? "It" : "Each";
  return `${names} in all${progress}. ${each} was read within the last ${age}${link === "paused" ? "; paused" : ""}.`;
}
