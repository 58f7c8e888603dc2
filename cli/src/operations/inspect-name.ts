import { type Inspected, inspect, type Listed, type ListOptions, list } from "../../../src/list/index.ts";
import type { Connection } from "../../../src/redis/connect.ts";
import { viewOf } from "../../../src/redis/group.ts";
import { type WaitingReader, withHeld, withHeldCount } from "./waiting.ts";

/**
 * Reads a name of any kind, like the library's `inspect`, with its waiters if the record or the server knows them.
 *
 * @throws like `inspect`
 */
export async function inspectName(
  connection: Connection,
  waiting: WaitingReader,
  { name, group }: Pick<Listed, "name"> & { readonly group?: string | undefined },
  signal: AbortSignal,
): Promise<Inspected> {
  const named = { name, ...(group !== undefined && { group }) };
  const [entry, held] = await Promise.all([
    inspect(viewOf(connection, group), name, { signal }),
    // `inspect` rejects invalid names.
    waiting.of(named, signal).catch(() => undefined),
  ]);
  return withHeld(entry, held);
}

/** Lists names, like the library's `list`, with the number of waiters if the record or the server knows it. */
export async function* listNames(
  connection: Connection,
  waiting: WaitingReader,
  { group, ...options }: ListOptions & { readonly group?: string | undefined; readonly signal: AbortSignal },
): AsyncGenerator<Listed> {
  const counts = waiting.counts(options.signal);
  for await (const entry of list(viewOf(connection, group), options)) yield withHeldCount(entry, await counts);
}
