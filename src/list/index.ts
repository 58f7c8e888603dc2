import { added } from "../engine/added.ts";
import type { ConnectionSource } from "../redis/connect.ts";
import type { Listed } from "./entry.ts";
import { type Inspected, type InspectOptions, inspect } from "./inspect.ts";
import { type ListOptions, list } from "./list.ts";

export type { Listed, ListedKind } from "./entry.ts";
export type { ListedHolder } from "./holders.ts";
export { type Inspected, type InspectOptions, inspect } from "./inspect.ts";
export { type ListOptions, list } from "./list.ts";

declare module "../engine/added.ts" {
  interface Added {
    /** Lists the names in use, whatever their kind, page by page; from an import of `leasehold/list` on. */
    list(options?: ListOptions): AsyncIterable<Listed>;
    /** Reads a name of whatever kind, with its holders; from an import of `leasehold/list` on. */
    inspect(name: string, options?: InspectOptions): Promise<Inspected>;
  }
}

/** Two methods of what `createLocks` makes. */
const methods: ThisType<ConnectionSource> = {
  list(options?: ListOptions) {
    return list(this, options);
  },
  inspect(name: string, options?: InspectOptions) {
    return inspect(this, name, options);
  },
};
Object.assign(added, methods);
