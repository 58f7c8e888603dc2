import type { Connection } from "../redis/connect.ts";
import { viewOf } from "../redis/group.ts";
import { toIdentity } from "../shared/identity.ts";
import { misuse } from "../shared/misuse.ts";

const MAX_BYTES = 200;
/** The limit for a name followed by a cron expression: with an instant as the slot, it still fits into a key. */
export const WITH_EXPRESSION_BYTES = 300;
/** An instant in ISO 8601. As text, it means the same slot as the `Date`. */
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/;

/** Checks a name or a slot. Together they form a key of at most 512 bytes. */
export const toPart = (text: string, what: string, mostBytes: number = MAX_BYTES): string =>
  toIdentity(text, what, mostBytes);

/** Names the lock that keeps runs of one job from overlapping. */
export const lockName = (name: string): string => `cron:${name}`;

/** A connection whose names share the slot of the job's lock: those of its group, or else those of the lock's tag. */
export const jobView = (connection: Connection, name: string): Connection =>
  connection.group === undefined ? viewOf(connection, lockName(name)) : connection;

/** Names the `once` of a slot. It includes the name's length, so no other name and slot have the same key. */
export const slotKey = (name: string, slot: string): string => `cron-slot:${name.length}:${name}:${slot}`;

/** Names the record. It differs from the lock's name, under which the work may fence its own writes. */
export const recordName = (name: string): string => `cron-last:${name}`;

/** Converts a slot to one text: instants in UTC, any other text unchanged. */
export function toSlot(slot: Date | string): string {
  const isInstant = typeof slot === "string" && INSTANT.test(slot);
  const date = slot instanceof Date ? slot : new Date(isInstant ? slot : Number.NaN);
  if (!Number.isNaN(date.getTime())) return date.toISOString();
  if (slot instanceof Date) throw misuse(TypeError, "slot is an invalid Date: pass a valid one, or a string");
  return toPart(slot, "slot");
}
