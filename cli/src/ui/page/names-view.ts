import type { Listed } from "../../../../src/list/index.ts";
import { idOf } from "../wire.ts";
import { byId, make, setAttribute, setText } from "./elements.ts";
import type { Store } from "./store.ts";
import { count, isolated, KINDS, kindName, many, span, visible } from "./words.ts";

/** The table of names, of which only the rows in sight are elements. */
export interface NamesView {
  /** Sorts and filters again, and shows the result. */
  refresh(): void;
  /** Moves the times on. */
  tick(): void;
}

type Compare = (a: Listed, b: Listed) => number;
const byName: Compare = (a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0);
const LAST = Number.MAX_SAFE_INTEGER;

const SORTS: Readonly<Record<string, readonly [words: string, compare: Compare]>> = {
  since: ["Longest held first", (a, b) => (a.held ? (a.since ?? 0) : LAST) - (b.held ? (b.since ?? 0) : LAST)],
  until: ["Ends soonest first", (a, b) => (a.until ?? LAST) - (b.until ?? LAST)],
  newest: ["Newest first", (a, b) => (b.since ?? 0) - (a.since ?? 0)],
  waiters: ["Most waiters first", (a, b) => (b.waiters ?? 0) - (a.waiters ?? 0)],
  attempts: ["Most attempts first", (a, b) => (b.attempts ?? 0) - (a.attempts ?? 0)],
  name: ["By name", byName],
};

const COLUMNS = ["Name", "Kind", "State", "For", "Left", "Holder", "Waiting", "Token"] as const;
const SPARE_ROWS = 6;

const holderOf = ({ label, holder, holds }: Listed): string =>
  [label, holder].filter((text) => text !== undefined).join(" · ") || (holds > 1 ? many(holds, "holder") : "");

/** The cells of a row, in the order of the columns. */
function cellsOf(entry: Listed, now: number): readonly string[] {
  const { kind, state, held, since, until, waiters, token, attempts } = entry;
  return [
    visible(entry.name),
    kindName(kind),
    attempts !== undefined && attempts > 1 ? `${state}, attempt ${attempts}` : state,
    held && since !== undefined ? span(now - since) : "",
    until === undefined ? "" : until > now ? span(until - now) : "over",
    visible(holderOf(entry)),
    waiters ? count(waiters) : "",
    token > 0 ? `${token}` : "",
  ];
}

function fits({ name, group = "", label = "", kind, held, unreadable }: Listed): boolean {
  const wanted = byId<HTMLInputElement>("search").value.trim().toLowerCase();
  const chosen = byId<HTMLSelectElement>("kind").value;
  if (byId<HTMLInputElement>("held").checked && !held && unreadable === undefined) return false;
  return (chosen === "" || kind === chosen) && `${group}\n${name}\n${label}`.toLowerCase().includes(wanted);
}

function makeRow(n: number): HTMLElement {
  const cells = COLUMNS.map((head, column) =>
    make("span", { role: "gridcell", class: head.toLowerCase(), "aria-colindex": column + 1 }),
  );
  const name = cells[0] as HTMLElement;
  name.append(isolated("", { class: "own" }), make("span", { class: "group" }));
  return make("div", { role: "row", class: "row", id: `row-${n}` }, ...cells);
}

/** Writes an entry into a row. */
function writeRow(row: HTMLElement, entry: Listed, now: number): void {
  const texts = cellsOf(entry, now);
  const [name, ...others] = [...row.children];
  const [own, group] = [...(name as Element).children];
  setText(own as Element, texts[0] as string);
  setText(group as Element, entry.group === undefined ? "" : ` in ${visible(entry.group)}`);
  setAttribute(row, "title", `${texts[0]}${group?.textContent}`);
  for (const [n, cell] of others.entries()) setText(cell, texts[n + 1] as string);
  setAttribute(row, "data-state", entry.state);
  setAttribute(row, "data-late", entry.held && (entry.until ?? now) <= now);
}

/** Makes the table without rows: its head, the space for the rows, and what stands there when there are none. */
function makeGrid() {
  const grid = byId("grid");
  const attributes = { role: "grid", tabindex: 0, "aria-label": "Names", "aria-describedby": "fresh" };
  for (const [name, value] of Object.entries(attributes)) setAttribute(grid, name, value);
  const head = make("div", { role: "row", class: "row head", "aria-rowindex": 1 });
  head.append(
    ...COLUMNS.map((text, n) =>
      make("span", { role: "columnheader", class: text.toLowerCase(), "aria-colindex": n + 1 }, text),
    ),
  );
  const space = make("div", { class: "space", role: "rowgroup" });
  const empty = make("p", { class: "empty quiet", hidden: true });
  grid.append(make("div", { role: "rowgroup", class: "heads" }, head), space, empty);
  return { grid, head, space, empty };
}

/** Puts a row where the entry of this index belongs. */
function placeRow(row: HTMLElement, index: number, height: number): void {
  row.style.transform = `translateY(${index * height}px)`;
  // The first row of the table is its head.
  setAttribute(row, "aria-rowindex", index + 2);
}

function markRow(row: HTMLElement, id: string, isOpen: boolean, isActive: boolean): void {
  row.dataset["id"] = id;
  setAttribute(row, "aria-selected", `${isOpen}`);
  setAttribute(row, "data-active", isActive);
}

/** The rows that are in sight, and some more. */
function windowOf(grid: HTMLElement, height: number, length: number): { first: number; wanted: number } {
  const first = Math.max(0, Math.floor(grid.scrollTop / height) - SPARE_ROWS);
  return { first, wanted: Math.min(length - first, Math.ceil(grid.clientHeight / height) + 2 * SPARE_ROWS) };
}

/** Scrolls until a row is in sight. */
function reveal(grid: HTMLElement, head: HTMLElement, index: number, height: number): void {
  const top = index * height;
  const room = grid.clientHeight - head.offsetHeight - height;
  if (top < grid.scrollTop) grid.scrollTop = top;
  else if (top > grid.scrollTop + room) grid.scrollTop = top - room;
}

export function makeNamesView(store: Store, openName: (entry: Listed) => void, opened: () => string): NamesView {
  const { grid, head, space, empty } = makeGrid();
  let shown: readonly Listed[] = [];
  let active = "";
  const pool: HTMLElement[] = [];

  const heightOf = (): number => Number.parseFloat(getComputedStyle(grid).getPropertyValue("--row")) || 36;

  function paint(): void {
    const height = heightOf();
    const now = store.now();
    const { first, wanted } = windowOf(grid, height, shown.length);
    space.style.height = `${shown.length * height}px`;
    while (pool.length < wanted) pool.push(makeRow(pool.length));
    const visibleIds: string[] = [];
    for (const [n, row] of pool.entries()) {
      const entry = n < wanted ? shown[first + n] : undefined;
      if (!entry) {
        row.remove();
        continue;
      }
      const id = idOf(entry);
      if (!row.isConnected) space.append(row);
      placeRow(row, first + n, height);
      writeRow(row, entry, now);
      markRow(row, id, id === opened(), id === active);
      if (id === active) visibleIds.push(row.id);
    }
    setAttribute(grid, "aria-activedescendant", visibleIds[0]);
  }

  function refresh(): void {
    const [, compare] = SORTS[byId<HTMLSelectElement>("sort").value] ?? ["", byName];
    shown = [...store.rows.values()].filter(fits).sort((a, b) => compare(a, b) || byName(a, b));
    setAttribute(grid, "aria-rowcount", shown.length + 1);
    empty.hidden = shown.length > 0 || !store.status?.lastRound;
    setText(empty, store.rows.size === 0 ? "There is nothing under this prefix." : "No name fits the filter.");
    paint();
  }

  /** Moves the active row, and scrolls to it. */
  function move(by: number): void {
    // None is active before the first move: the index is then -1.
    const at = shown.findIndex((entry) => idOf(entry) === active);
    const next = Math.min(Math.max(at + by, 0), shown.length - 1);
    const entry = shown[next];
    if (!entry) return;
    active = idOf(entry);
    reveal(grid, head, next, heightOf());
    paint();
  }

  const choose = (id: string | undefined): void => {
    const entry = shown.find((each) => idOf(each) === id);
    if (!entry) return;
    active = idOf(entry);
    openName(entry);
    paint();
  };

  listen(grid, { move, choose: () => choose(active), page: () => Math.floor(grid.clientHeight / heightOf()) - 1 });
  grid.addEventListener("scroll", paint, { passive: true });
  grid.addEventListener("click", ({ target }) =>
    choose((target as Element).closest<HTMLElement>(".row")?.dataset["id"]),
  );
  new ResizeObserver(paint).observe(grid);
  fillFilter(refresh);
  return { refresh, tick: paint };
}

/** Lets keys do what the mouse does. */
function listen(
  grid: HTMLElement,
  { move, choose, page }: { move(by: number): void; choose(): void; page(): number },
): void {
  const keys: Readonly<Record<string, () => void>> = {
    ArrowDown: () => move(1),
    ArrowUp: () => move(-1),
    PageDown: () => move(page()),
    PageUp: () => move(-page()),
    Home: () => move(Number.MIN_SAFE_INTEGER),
    End: () => move(Number.MAX_SAFE_INTEGER),
    Enter: choose,
    " ": choose,
  };
  grid.addEventListener("keydown", (event) => {
    const act = keys[event.key];
    if (!act || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    act();
  });
}

/** Fills the choices, and filters as they change. */
function fillFilter(refresh: () => void): void {
  byId("kind").append(
    make("option", { value: "" }, "All kinds"),
    ...Object.keys(KINDS).map((kind) => make("option", { value: kind }, kindName(kind))),
  );
  byId("sort").append(...Object.entries(SORTS).map(([value, [words]]) => make("option", { value }, words)));
  const filter = byId<HTMLFormElement>("filter");
  filter.addEventListener("input", refresh);
  filter.addEventListener("submit", (event) => event.preventDefault());
}

/** Says how many names there are, and how old what is shown can be. */
export function freshness({ status, rows, link }: Store, now: number): string {
  if (!status) return "Reading …";
  const { round, lastRound } = status;
  const names = many(rows.size, "name");
  if (!lastRound) return `Reading all names for the first time: ${many(round?.names ?? 0, "name")} so far.`;
  const age = span(now - lastRound.startedAt);
  const reading = round && lastRound.endedAt !== undefined && round.startedAt > lastRound.startedAt;
  const progress = reading && lastRound.names > 500 ? `, reading again: ${count(round.names)}` : "";
  return `${names} in all${progress}. Each was read within the last ${age}${link === "paused" ? ", as of now paused" : ""}.`;
}
