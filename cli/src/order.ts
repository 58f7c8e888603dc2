import type { Listed } from "../../src/list/index.ts";
import { titleOf } from "./entry.ts";

type Compare = (a: Listed, b: Listed) => number;

const byName: Compare = (a, b) => (titleOf(a) < titleOf(b) ? -1 : 1);
const byWaiters: Compare = (a, b) => (b.waiters ?? 0) - (a.waiters ?? 0);
/** Held names come first, ordered by when they were acquired. */
const byAge: Compare = (a, b) =>
  Number(b.held) - Number(a.held) || (a.since ?? Number.MAX_SAFE_INTEGER) - (b.since ?? Number.MAX_SAFE_INTEGER);

/** The values of `--sort`. */
export const ORDERS = ["name", "age", "waiters"] as const;
export type Order = (typeof ORDERS)[number];

/** Sorts names for people; equal ones are sorted by name. */
export function inOrder(entries: Iterable<Listed>, order: Order): readonly Listed[] {
  const compare: Compare = (a, b) => {
    if (order === "age") return byAge(a, b);
    return order === "waiters" ? byWaiters(a, b) || byAge(a, b) : 0;
  };
  return [...entries].sort((a, b) => compare(a, b) || byName(a, b));
}
