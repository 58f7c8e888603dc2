import { type Inspected, inspect, type Listed, type ListOptions, list } from "../../../src/list/index.ts";
import type { Connection } from "../../../src/redis/connect.ts";
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
    inspect(connection, name, { group, signal }),
    // `inspect` rejects invalid names.
    waiting.of(named, signal).catch(() => undefined),
  ]);
  return withHeld(entry, held);
}

/** Lists names, like the library's `list`, with the number of waiters if the record or the server knows it. */
export async function* listNames(
  connection: Connection,
  waiting: WaitingReader,
  options: ListOptions & { readonly signal: AbortSignal },
): AsyncGenerator<Listed> {
  const asked = waiting.counts(options.signal);
  for await (const entry of list(connection, options)) yield withHeldCount(entry, await asked);
}
