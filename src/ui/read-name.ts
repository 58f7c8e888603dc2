import { type Listed, list } from "../list/index.ts";
import type { Connection } from "../redis/connect.ts";
import { idOfTarget } from "./book.ts";
import { type Holder, idOf, type Look } from "./wire.ts";

/** Reads one name, of whatever kind. */
export async function readName(
  connection: Connection,
  target: NonNullable<Look["name"]>,
): Promise<(Listed & { readonly holders?: readonly Holder[] }) | undefined> {
  const { name, group } = target;
  for await (const entry of list(connection, { prefix: name, group, pageSize: 1000 }))
    if (idOf(entry) === idOfTarget(target)) return entry;
  return undefined;
}
