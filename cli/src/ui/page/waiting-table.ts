import type { ListedWaiter } from "../../../../src/list/index.ts";
import { make, tableOf } from "./elements.ts";
import { count, isolated, span } from "./words.ts";

const MAX_ROWS = 50;

/** Lists the waiters, the first of a queue first. `all` is their number; the table has a limited number of rows. */
export function waitingTable(waiting: readonly ListedWaiter[], all: number, now: number): readonly Element[] {
  if (waiting.length === 0) return [];
  const shown = waiting.slice(0, MAX_ROWS);
  const rows = shown.map(({ label, holder, since, mode }, n) => [
    // Only a queue has an order.
    mode === undefined ? count(n + 1) : "",
    label === undefined ? "" : isolated(label),
    holder === undefined ? "" : isolated(holder),
    mode ?? "",
    since === undefined ? "" : span(Math.max(now - since, 0)),
  ]);
  const rest = all - shown.length;
  return [
    make("h3", {}, "Waiters"),
    make("div", { class: "waiters" }, tableOf("Waiters", ["Place", "Label", "Process", "Wants to", "For"], rows)),
    ...(rest > 0 ? [make("p", { class: "quiet small" }, `and ${count(rest)} more`)] : []),
  ];
}
