import { sharedRoutes } from "../redis/batch.ts";
import type { Call, Refusing } from "../redis/call.ts";
import type { Connection } from "../redis/connect.ts";
import { viewOf } from "../redis/group.ts";
import { runScript } from "../redis/run.ts";
import { decodeReply } from "../redis/script.ts";
import { type NameInspectReply, nameInspect, namesInspect } from "../redis/scripts.gen.ts";
import { targetOf } from "../redis/target.ts";
import { bytesOf } from "../shared/bytes.ts";
import { LeaseholdError } from "../shared/errors.ts";
import type { Listed } from "./entry.ts";
import { entryFrom, parseKey, readName, unreadable } from "./read.ts";

/** The result of reading a key once. */
export interface Reading {
  readonly key: string;
  /** A digest of this state of the key. A later reading that sends it returns only changes. */
  readonly digest: string;
  /** Undefined if the key no longer exists. */
  readonly entry: Listed | undefined;
}

type ReadCall = Pick<Call, "operation" | "signal">;

const DIGEST_LENGTH = 12;
/** The maximum bytes of keys in one request, which contains each key twice. */
const MAX_BYTES = 230_000;
const MANY_SLOTS = /CROSSSLOT/;

/** An entry of the script's JSON: the number of the name, its digest, a status and its fields, all as texts. */
type Row = readonly [n: string, digest: string, status: string, ...fields: string[]];

/** Converts the texts to the reply of name-inspect. */
function replyOf(now: number, [, , status, ...fields]: Row): NameInspectReply {
  const types = Object.values(nameInspect.replies[status] ?? {});
  const values = types.map((type, n) => {
    const field = fields[n];
    return type === "integer" ? Number(field) : (field ?? "=");
  });
  return decodeReply<NameInspectReply>(nameInspect, [status, now, ...values]);
}

/** Whether a key can be one of leasehold's. */
function isOurs(connection: Connection, key: string): boolean {
  const parsed = parseKey(key.slice(connection.prefix.length));
  if (!parsed) return false;
  try {
    targetOf(viewOf(connection, parsed.group), "list", [parsed.name]);
    return true;
  } catch {
    // No name of leasehold is that long.
    return false;
  }
}

/** Reads names one by one, in a pipeline, since their keys may be in many slots of a cluster. */
async function readEach(connection: Connection, keys: readonly string[], call: ReadCall): Promise<Reading[]> {
  const routes = sharedRoutes();
  const entries = await Promise.all(keys.map((key) => readName(connection, key, 0, { ...call, routes })));
  return keys.map((key, n) => ({ key, digest: "", entry: entries[n] }));
}

/** Splits keys into lists that fit into one request each. */
function inRequests(keys: readonly string[]): readonly (readonly string[])[] {
  const lists: string[][] = [[]];
  let bytes = 0;
  for (const key of keys) {
    const size = bytesOf(JSON.stringify(key)).length;
    if (bytes + size > MAX_BYTES) {
      lists.push([]);
      bytes = 0;
    }
    lists.at(-1)?.push(key);
    bytes += size;
  }
  return lists;
}

/**
 * Reads at most 1 000 keys by one script. `known` has the digest of each key at its last reading, or an empty text:
 * unchanged keys without a crowd are left out of the result. So are keys that are not leasehold's.
 *
 * @throws LeaseholdError, like every request; the signal's reason
 */
export async function readNames(
  connection: Connection,
  known: ReadonlyMap<string, string>,
  call: ReadCall,
): Promise<readonly Reading[]> {
  const keys = [...known.keys()].filter((key) => isOurs(connection, key));
  const readings: Reading[] = [];
  for (const list of inRequests(keys))
    if (list.length > 0) readings.push(...(await readTogether(connection, list, known, call)));
  return readings;
}

async function readTogether(
  connection: Connection,
  keys: readonly string[],
  known: ReadonlyMap<string, string>,
  call: ReadCall,
): Promise<readonly Reading[]> {
  const digests = keys.map((key) => `${known.get(key)}`.padEnd(DIGEST_LENGTH)).join("");
  const target = { ...targetOf(connection, "list", []), name: connection.prefix };
  const both = keys.flatMap((key) => [key, `${key}%crowd`]);
  try {
    const { now, entries } = await runScript({ ...target, keys: both }, namesInspect, [digests], call);
    return (JSON.parse(entries) as readonly Row[]).map((row) => {
      const [n, digest, status] = row;
      const key = `${keys[Number(n) - 1]}`;
      const entry = status === "none" ? undefined : entryOfKey(connection, key, replyOf(now, row));
      return { key, digest, entry };
    });
  } catch (error) {
    if (!(error instanceof LeaseholdError && MANY_SLOTS.test(error.message))) throw error;
    return readEach(connection, keys, call);
  }
}

function entryOfKey(connection: Connection, key: string, reply: NameInspectReply): Listed | undefined {
  const { isFence = false, ...named } = parseKey(key.slice(connection.prefix.length)) ?? { name: key };
  if (reply.status === "kind") return unreadable(named, reply.kind, isFence);
  return entryFrom(named, reply as Exclude<NameInspectReply, Refusing>, 0);
}
