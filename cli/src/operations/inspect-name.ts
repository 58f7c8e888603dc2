import { type Inspected, inspect, type Listed, type ListOptions, list } from "../../../src/list/index.ts";
import type { Connection } from "../../../src/redis/connect.ts";
import { type WaitingReader, withHeld, withHeldCount } from "./waiting.ts";

/**
 * Reads a name of whatever kind, as `inspect` of the library does, with those who wait where the record or the server
 * knows them.
 *
 * @throws as `inspect`
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
    // What is no name is for `inspect` to say.
    waiting.of(named, signal).catch(() => undefined),
  ]);
  return withHeld(entry, held);
}

/** Lists names, as `list` of the library does, with how many wait where the record or the server knows it. */
export async function* listNames(
  connection: Connection,
  waiting: WaitingReader,
  options: ListOptions & { readonly signal: AbortSignal },
): AsyncGenerator<Listed> {
  const asked = waiting.counts(options.signal);
  for await (const entry of list(connection, options)) yield withHeldCount(entry, await asked);
}
