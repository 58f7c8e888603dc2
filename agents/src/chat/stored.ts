import { type Connection, LeaseholdError } from "leasehold";
import { randomId, readCommand, runScript, stateChange, type Target, targetOf } from "leasehold/internal";

/**
 * The purpose of a key. The lock of a thread has the same name, so that all data of a thread is in one slot, or one
 * object.
 */
export type Purpose = "subscription" | "value" | "list" | "queue";

/** A change of one key; see `lua/state-change.lua`. */
interface Change {
  readonly verb: "set" | "add" | "delete" | "push" | "pop";
  readonly value?: string;
  /** In ms; 0 for none, or to keep the list's present one. */
  readonly ttlMs?: number | undefined;
  /** The number of newest items that a list keeps; 0 for all. */
  readonly max?: number | undefined;
}

/** One key of the state. */
export interface Stored {
  /** Makes the change once, even if its request is retried or arrives twice. */
  change(change: Change): Promise<{ readonly count: number; readonly item: string | undefined }>;
  /** Sends a command that only reads the key. */
  read(verb: "GET" | "LLEN" | "LRANGE", ...rest: readonly number[]): Promise<unknown>;
}

/** Finds the key for a purpose, under the name of a thread or a key. */
export type StoredOf = (purpose: Purpose, id: string) => Stored;

/** A whole number of at least 0; a ttl below a millisecond becomes 1. */
function toWhole(value: number | undefined, what: string): number {
  const number = value ?? 0;
  if (typeof number !== "number" || !Number.isFinite(number) || number < 0)
    throw new RangeError(`chatState: ${what} must be a number of 0 or more`);
  return Math.ceil(number);
}

/** Finds a key of the state. */
export function storedAt(connection: Connection, purpose: Purpose, name: string): Stored {
  const record = targetOf(connection, "chat", [name]);
  const key = `${record.keys[0]}%${purpose}`;
  const target: Target = { ...record, keys: [key] };
  return {
    async change({ verb, value = "", ttlMs, max }) {
      // The answer is remembered while a request of this operation may still arrive.
      const both = { ...target, keys: [key, `${key}%${randomId()}`] };
      const limits = [toWhole(ttlMs, "ttlMs"), toWhole(max, "the length")] as const;
      const args = [connection.retentionMs, verb, value, ...limits] as const;
      const { count, item } = await runScript(both, stateChange, args, { operation: verb });
      return { count, item: item === "" ? undefined : item.slice(1) };
    },
    read: (verb, ...rest) => readCommand(target, [verb, key, ...rest], { operation: "read" }),
  };
}

/** Writes a value as JSON. @throws TypeError for a value that is not JSON. */
export function toJson(value: unknown): string {
  const text = JSON.stringify(value);
  if (text === undefined) throw new TypeError("chatState: a value must be JSON");
  return text;
}

/** Reads JSON that this state wrote. @throws LeaseholdError for any other text. */
export function fromJson<T>(text: unknown): T {
  try {
    return JSON.parse(String(text)) as T;
  } catch {
    throw new LeaseholdError("malformed_answer", "a value of the bot's state is not JSON: something else wrote it");
  }
}
