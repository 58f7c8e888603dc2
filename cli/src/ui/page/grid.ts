import type { Listed } from "../../../../src/list/index.ts";
import { idOf } from "../wire.ts";
import { HEADS, makeRow, type Order, writeRow } from "./columns.ts";
import { byId, make, setAttribute, setText } from "./elements.ts";
import type { Store } from "./store.ts";

/** The table of names, in which only visible rows are elements. */
export interface Grid {
  /** Shows these entries, or says why there are none. */
  show(entries: readonly Listed[], emptyText: string): void;
  showOrder(order: Order): void;
  /** Redraws the visible rows. */
  paint(): void;
}

/** The context of the table. */
export interface GridUses {
  readonly store: Store;
  openName(entry: Listed): void;
  /** The ID of the open name. */
  opened(): string;
  /** The head of a column was clicked. */
  sortBy(column: string): void;
}

const SPARE_ROWS = 6;
const USUAL_HEIGHT = 36;

/** The permanent parts of the table. */
interface Parts {
  readonly grid: HTMLElement;
  readonly head: HTMLElement;
  readonly space: HTMLElement;
  readonly empty: HTMLElement;
}

function makeParts(sortBy: (column: string) => void): Parts {
  const grid = byId("grid");
  const attributes = { role: "grid", tabindex: 0, "aria-label": "Names", "aria-describedby": "fresh" };
  for (const [name, value] of Object.entries(attributes)) setAttribute(grid, name, value);
  const head = make("div", { role: "row", class: "row head", "aria-rowindex": 1 });
  const cells = HEADS.map((text, n) => {
    const button = make("button", { type: "button" }, text);
    button.addEventListener("click", () => sortBy(text));
    return make("span", { role: "columnheader", class: text.toLowerCase(), "aria-colindex": n + 1 }, button);
  });
  head.append(...cells);
  const space = make("div", { class: "space", role: "rowgroup" });
  const empty = make("p", { class: "empty quiet", hidden: true });
  grid.append(make("div", { role: "rowgroup", class: "heads" }, head), space, empty);
  return { grid, head, space, empty };
}

const heightIn = (grid: HTMLElement): number =>
  Number.parseFloat(getComputedStyle(grid).getPropertyValue("--row")) || USUAL_HEIGHT;

/** The visible rows, and some more. */
function windowOf(grid: HTMLElement, height: number, length: number): { first: number; wanted: number } {
  const first = Math.max(0, Math.floor(grid.scrollTop / height) - SPARE_ROWS);
  return { first, wanted: Math.min(length - first, Math.ceil(grid.clientHeight / height) + 2 * SPARE_ROWS) };
}

/** Scrolls until a row is visible. */
function reveal({ grid, head }: Parts, index: number, height: number): void {
  const top = index * height;
  const room = grid.clientHeight - head.offsetHeight - height;
  if (top < grid.scrollTop) grid.scrollTop = top;
  else if (top > grid.scrollTop + room) grid.scrollTop = top - room;
}

/** Positions a row at the entry of this index. */
function placeRow(row: HTMLElement, index: number, height: number): void {
  row.style.transform = `translateY(${index * height}px)`;
  // The first row of the table is its head.
  setAttribute(row, "aria-rowindex", index + 2);
}

/** Makes the table usable by keyboard. */
function listen(grid: HTMLElement, move: (by: number) => void, choose: () => void): void {
  const page = (): number => Math.floor(grid.clientHeight / heightIn(grid)) - 1;
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
    // The heads are separate buttons.
    if (!act || event.target !== grid || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    act();
  });
}

/** Draws the rows, by the shown entries and the active one. */
interface Drawing {
  shown: readonly Listed[];
  active: string;
  readonly pool: HTMLElement[];
}

function paintRows({ grid, space }: Parts, drawing: Drawing, { store, opened }: GridUses): void {
  const { shown, active, pool } = drawing;
  const height = heightIn(grid);
  const { first, wanted } = windowOf(grid, height, shown.length);
  space.style.height = `${shown.length * height}px`;
  while (pool.length < wanted) pool.push(makeRow(pool.length));
  let activeRow: string | undefined;
  for (const [n, row] of pool.entries()) {
    const entry = n < wanted ? shown[first + n] : undefined;
    if (!entry) {
      row.remove();
      continue;
    }
    const id = idOf(entry);
    if (!row.isConnected) space.append(row);
    placeRow(row, first + n, height);
    writeRow(row, entry, store);
    row.dataset["id"] = id;
    setAttribute(row, "aria-selected", `${id === opened()}`);
    setAttribute(row, "data-active", id === active);
    if (id === active) activeRow = row.id;
  }
  setAttribute(grid, "aria-activedescendant", activeRow);
}

export function makeGrid(uses: GridUses): Grid {
  const parts = makeParts(uses.sortBy);
  const { grid, head, empty } = parts;
  const drawing: Drawing = { shown: [], active: "", pool: [] };
  const paint = (): void => paintRows(parts, drawing, uses);

  /** Moves the active row, and scrolls to it. */
  function move(by: number): void {
    // None is active before the first move: the index is then -1.
    const at = drawing.shown.findIndex((entry) => idOf(entry) === drawing.active);
    const next = Math.min(Math.max(at + by, 0), drawing.shown.length - 1);
    const entry = drawing.shown[next];
    if (!entry) return;
    drawing.active = idOf(entry);
    reveal(parts, next, heightIn(grid));
    paint();
  }

  function choose(id: string | undefined): void {
    const entry = drawing.shown.find((each) => idOf(each) === id);
    if (!entry) return;
    drawing.active = idOf(entry);
    uses.openName(entry);
    paint();
  }

  listen(grid, move, () => choose(drawing.active));
  grid.addEventListener("scroll", paint, { passive: true });
  grid.addEventListener("click", ({ target }) =>
    choose((target as Element).closest<HTMLElement>(".space .row")?.dataset["id"]),
  );
  new ResizeObserver(paint).observe(grid);
  return {
    paint,
    show(entries, emptyText) {
      drawing.shown = entries;
      setAttribute(grid, "aria-rowcount", entries.length + 1);
      empty.hidden = entries.length > 0 || emptyText === "";
      setText(empty, emptyText);
      paint();
    },
    showOrder({ column, isBackward }) {
      for (const [n, cell] of [...head.children].entries())
        setAttribute(cell, "aria-sort", HEADS[n] === column ? (isBackward ? "descending" : "ascending") : "none");
    },
  };
}
