/**
 * Lists the names in use and inspects one, for operators.
 *
 * @module leasehold/list
 */

export type { Listed, ListedKind } from "./entry.ts";
export type { ListedHolder } from "./holders.ts";
export { type Inspected, type InspectOptions, inspect } from "./inspect.ts";
export { type ListOptions, list } from "./list.ts";
export type { ListedWaiter } from "./waiters.ts";
