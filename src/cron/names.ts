import { toText } from "../shared/checks.ts";

const MOST_BYTES = 200;
/** A name of that and a cron expression: with an instant for a slot they still make a key. */
export const WITH_EXPRESSION_BYTES = 300;
/** What ISO 8601 calls an instant: with it a text and a `Date` mean the same slot. */
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/;

/** A name, or a slot: several of them make a key, which has 512 bytes at most. */
export function toPart(text: string, what: string, mostBytes: number = MOST_BYTES): string {
  toText(text, what);
  if (new TextEncoder().encode(text).length > mostBytes)
    throw new RangeError(`${what} must have 1 to ${mostBytes} bytes`);
  return text;
}

/** The lock that no two runs of the cron hold at once. */
export const lockName = (name: string): string => `cron:${name}`;

/** What runs once. The name's length stands in it, so that no name and slot make the key of another two. */
export const slotKey = (name: string, slot: string): string => `cron-slot:${name.length}:${name}:${slot}`;

/** Not the lock's name: under that the work may fence writes of its own. */
export const recordName = (name: string): string => `cron-last:${name}`;

/** One text for one slot: instants in UTC, any other text as it is. */
export function toSlot(slot: Date | string): string {
  const date = slot instanceof Date ? slot : new Date(INSTANT.test(slot) ? slot : Number.NaN);
  if (!Number.isNaN(date.getTime())) return date.toISOString();
  if (slot instanceof Date) throw new TypeError("slot must be a valid Date, or text");
  return toPart(slot, "slot");
}
