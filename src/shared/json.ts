import { bytesOf } from "./bytes.ts";
import { misuse } from "./misuse.ts";

const MAX_RESULT_BYTES = 262_144;

type Plain = string | number | boolean | null;

/** A member of an object may be undefined: JSON leaves it out. */
type JsonMember<T> = T extends undefined ? T : JsonPart<T>;

type JsonPart<T> = unknown extends T
  ? T
  : T extends Plain
    ? T
    : T extends undefined | bigint | symbol | ((...args: never[]) => unknown) | { toJSON(...given: never[]): unknown }
      ? never
      : T extends readonly unknown[]
        ? { [Index in keyof T]: JsonPart<T[Index]> }
        : T extends object
          ? { [Key in keyof T]: JsonMember<T[Key]> }
          : never;

// biome-ignore lint/suspicious/noConfusingVoidType: work that returns nothing has this type.
type Nothing = void | undefined;

/**
 * The constraint on the type of a result: every value must be JSON, in interfaces and type aliases alike. A result may
 * also be undefined.
 */
export type OnlyJson<T> = [T] extends [T extends Nothing ? T : JsonPart<T>]
  ? unknown
  : { readonly "a result must be what JSON carries": never };

/** A stored result as it is read: undefined is stored as null. */
export type StoredResult<T> = unknown extends T ? T : T extends Nothing ? null : T;

/** Why a value cannot be stored: it is not JSON, or larger than 256 kB. */
type Unfit = "not_json" | "too_large";

/** A value as JSON, or why there is none. */
export type Written = { readonly text: string } | { readonly text?: undefined; why: Unfit; error: Error };

/** Names a value that JSON would silently change; undefined for all others. */
function foreign(value: unknown, isItem: boolean): string | undefined {
  const type = typeof value;
  if (/^(bi|f|sy)/.test(type)) return `a ${type}`;
  if (type === "undefined") return isItem ? "undefined in an array" : undefined;
  if (type === "number") return Number.isFinite(value) ? undefined : `${value}`;
  if (type !== "object" || !value || Array.isArray(value)) return undefined;
  // A plain object has no prototype, or a prototype without one.
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype && Object.getPrototypeOf(prototype) ? `an instance of ${value.constructor?.name}` : undefined;
}

/** Refuses what JSON would silently change. The error does not say yet what the value is for. */
function replacer(this: unknown, key: string, value: unknown): unknown {
  const what = foreign(value, Array.isArray(this));
  if (what) throw new Unwritable(`${what}${key && ` at "${key}"`}`);
  return value;
}

class Unwritable extends Error {}

/**
 * Writes a value as text, independent of the order of members, so that equal values have equal texts.
 *
 * @throws TypeError for a value that JSON would silently change: different values would have the same text.
 */
export function toFingerprint(data: unknown, what: string): string {
  return JSON.stringify(data ?? null, (member, value: unknown) => {
    if (typeof value === "bigint") return { bigint: `${value}` };
    const strange = foreign(value, false);
    if (strange) throw misuse(TypeError, `${what} cannot be compared: ${strange}${member && ` at "${member}"`}`);
    if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
    return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)));
  });
}

/** A value thrown by a getter or a `toJSON` of the value may itself throw when it is read. */
function unreadable(thrown: unknown, what: string): Error {
  try {
    if (thrown instanceof Unwritable) return new TypeError(`${what} is not JSON: ${thrown.message}`);
    return new TypeError(`${what} cannot be written as JSON`, { cause: thrown });
  } catch {
    return new TypeError(`${what} cannot be written as JSON`);
  }
}

/**
 * Writes a value as JSON; undefined becomes null. Values that JSON would silently change (a Map, NaN, a function,
 * undefined in an array) are rejected, since what is read must equal what was stored. It never throws. `what` names the
 * value in errors.
 */
export function writeJson(value: unknown, what: string): Written {
  let text: string | undefined;
  try {
    text = JSON.stringify(value ?? null, replacer);
  } catch (thrown) {
    return { why: "not_json", error: unreadable(thrown, what) };
  }
  if (text === undefined) {
    return { why: "not_json", error: new TypeError(`${what} is not JSON: its toJSON returns undefined`) };
  }
  const bytes = bytesOf(text).length;
  if (bytes <= MAX_RESULT_BYTES) return { text };
  const error = new RangeError(`${what} has ${bytes} bytes of JSON; at most ${MAX_RESULT_BYTES} are stored`);
  return { why: "too_large", error };
}

/** Writes a result as JSON, like {@link writeJson}. */
export const writeResult = (result: unknown): Written => writeJson(result, "the result");
