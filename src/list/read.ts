import type { Call, Ran, Refusing } from "../redis/call.ts";
import { type Connection, withMembers } from "../redis/connect.ts";
import { viewOf } from "../redis/group.ts";
import { runScript } from "../redis/run.ts";
import { type NameInspectReply, nameInspect } from "../redis/scripts.gen.ts";
import { targetOf } from "../redis/target.ts";
import { LeaseholdError } from "../shared/errors.ts";
import { entryOf, type Listed } from "./entry.ts";
import { isAtHome } from "./home.ts";

/** A key contains escaped names, and suffixes that begin with a bare `%`. */
const KEY = /^\{((?:[^{}%]|%25|%7B|%7D)+)\}(?:\/((?:[^{}%]|%25|%7B|%7D)+))?(%fence)?$/;

const FENCE = "%fence";

/** Parses a key; undefined for a crowd, and for a key that is not leasehold's. */
export function parseKey(key: string): { name: string; group?: string; isFence: boolean } | undefined {
  const [, tag, own, fence] = KEY.exec(key) ?? [];
  if (tag === undefined) return undefined;
  const isFence = fence !== undefined;
  if (own === undefined) return { name: decodeURIComponent(tag), isFence };
  const named = { name: decodeURIComponent(own), group: decodeURIComponent(tag) };
  return isAtHome(named) ? { name: named.name, isFence } : { ...named, isFence };
}

/** The same connection with its own clock offsets, so that those of many listed records do not evict others. */
export const strangerTo = (source: Connection): Connection =>
  withMembers(source, { state: { ...source.state, offsets: new Map<string, number>() } });

const KINDS = "none lock fair rw once semaphore counter latch fence".split(" ");

/** Says why a value of this reported kind cannot be read. */
function whyUnreadable(kind: string): string {
  const [own = "", version] = kind.split("/");
  if (kind === "foreign" || !KINDS.includes(own)) return "the value under its key is not leasehold's";
  return version === "1"
    ? `its record is damaged: it begins as one of kind "${own}"`
    : `its format is newer than this release reads: ${kind}`;
}

/** The entry of an unreadable value. A fence keeps its kind, so that it differs from the lock of its name. */
export const unreadable = (named: Pick<Listed, "name" | "group">, kind: string, isFence: boolean): Listed => ({
  ...named,
  kind: (isFence && !kind.startsWith("fence/") ? "fence/1" : kind) as Listed["kind"],
  state: "unreadable",
  unreadable: whyUnreadable(kind),
  held: false,
  token: 0,
  holds: 0,
});

/**
 * Reads the value of a key, and at most `max` holds in its crowd. Returns undefined if the key no longer exists or
 * cannot be leasehold's. An unreadable value has an entry that says so.
 */
export async function readName(
  connection: Connection,
  key: string,
  max: number,
  call: Pick<Call, "operation" | "routes" | "signal">,
): Promise<Listed | undefined> {
  const parsed = parseKey(key.slice(connection.prefix.length));
  if (!parsed) return undefined;
  const { isFence, ...named } = parsed;
  let reply: Ran<NameInspectReply>;
  try {
    const target = targetOf(viewOf(connection, named.group), "list", [named.name]);
    const crowd = `${isFence ? key.slice(0, -FENCE.length) : key}%crowd`;
    reply = await runScript({ ...target, keys: [key, crowd] }, nameInspect, [max], call);
  } catch (error) {
    // No name of leasehold's is that long.
    if (error instanceof RangeError) return undefined;
    if (!(error instanceof LeaseholdError) || error.code !== "wrong_kind") throw error;
    return unreadable(named, `${error.kind}`, isFence);
  }
  return entryFrom(named, reply, max);
}

/** Describes a name from the server's reply; undefined if the reply has nothing. */
export function entryFrom(
  named: Pick<Listed, "name" | "group">,
  reply: Exclude<NameInspectReply, Refusing>,
  max: number,
): Listed | undefined {
  if (reply.status === "free" && reply.token === 0) return undefined;
  try {
    return entryOf(named, reply, max);
  } catch (error) {
    // Its label, or that of a hold in its crowd, is not valid text.
    if (!(error instanceof URIError) || reply.status !== "live") throw error;
    return unreadable(named, `${reply.type}/1`, false);
  }
}
