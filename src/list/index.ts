export type { Listed, ListedKind } from "./entry.ts";
export { type ListOptions, list } from "./list.ts";
