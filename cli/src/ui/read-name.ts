import { inspect } from "../../../src/list/index.ts";
import type { Connection } from "../../../src/redis/connect.ts";
import { viewOf } from "../../../src/redis/group.ts";
import type { Look, Seen } from "./wire.ts";

/** Reads one name, or its fence; undefined if nothing is known about it. */
export async function readName(
  connection: Connection,
  { name, group, isFence = false }: NonNullable<Look["name"]>,
  signal: AbortSignal,
): Promise<Seen | undefined> {
  const found = await inspect(viewOf(connection, group), name, { signal });
  if (!isFence) return found.kind === "none" && found.token === 0 ? undefined : found;
  const named = { name, ...(group !== undefined && { group }) };
  const { fence, unreadableFence } = found;
  const nobody = { held: false, holds: 0 };
  if (unreadableFence !== undefined)
    return { ...named, ...nobody, kind: "fence/1", state: "unreadable", unreadable: unreadableFence, token: 0 };
  return fence === undefined ? undefined : { ...named, ...nobody, kind: "fence", state: "fence", token: fence };
}
