import { homeOf } from "../../../src/list/home.ts";
import { inspect } from "../../../src/list/index.ts";
import { strangerTo } from "../../../src/list/read.ts";
import { readNames } from "../../../src/list/read-names.ts";
import type { Connection } from "../../../src/redis/connect.ts";
import { viewOf } from "../../../src/redis/group.ts";
import { targetOf } from "../../../src/redis/target.ts";
import { idOfTarget } from "./book.ts";
import type { Pace } from "./pace.ts";
import type { Look, Seen } from "./wire.ts";

/** Reads one name, or its fence; undefined if nothing is known about it. */
async function readName(
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

type Wanted = NonNullable<Look["name"]>;

/** The last full state of a name. */
interface Last {
  readonly digests: ReadonlyMap<string, string>;
  readonly entry: Seen | undefined;
}

/** The keys of a viewed name: its record and its fence. */
export function keysOf(connection: Connection, { name, group }: Wanted): readonly string[] {
  const [key = ""] = targetOf(homeOf(connection, { name, group }), "list", [name]).keys;
  return [key, `${key}%fence`];
}

/**
 * Makes the function that reads a name in full, with its holders and its fence. While both are unchanged, it reads only
 * their digests.
 */
export function makeTargetReader({
  connection: source,
  now,
  hurry,
}: Pick<Pace, "connection" | "now" | "hurry">): (wanted: Wanted, signal: AbortSignal) => Promise<Seen | undefined> {
  const connection = strangerTo(source);
  const lasts = new Map<string, Last>();
  return async (wanted, signal) => {
    const id = idOfTarget(wanted);
    const last = lasts.get(id);
    const isStale = last?.entry?.until !== undefined && last.entry.until <= now();
    const digests = new Map(
      keysOf(connection, wanted).map((key) => [key, isStale ? "" : (last?.digests.get(key) ?? "")]),
    );
    if (!last) hurry(1);
    const readings = await readNames(connection, digests, { operation: "list", signal });
    if (last && readings.length === 0) return last.entry;
    for (const { key, digest } of readings) digests.set(key, digest);
    if (!last) hurry(1);
    const entry = await readName(connection, wanted, signal);
    // One name is viewed for a long time; the previous one is not needed again.
    lasts.clear();
    lasts.set(id, { digests, entry });
    return entry;
  };
}
