import { bytesOf } from "./bytes.ts";

const MAX_RESULT_BYTES = 262_144;

/** Names a value that JSON would change in silence; undefined for all others. */
function foreign(value: unknown): string | undefined {
  const type = typeof value;
  if (/^(bi|f|sy)/.test(type)) return `a ${type}`;
  if (type === "number") return Number.isFinite(value) ? undefined : `${value}`;
  if (type !== "object" || !value || Array.isArray(value)) return undefined;
  // A plain object has no prototype, or one that has none.
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype && Object.getPrototypeOf(prototype) ? `an instance of ${value.constructor?.name}` : undefined;
}

/**
 * Writes a result as JSON; undefined becomes null. Values that JSON would change in silence (a Map, NaN, a function)
 * are refused, since a stored result must be what the first caller got.
 *
 * @throws TypeError for what is not JSON; RangeError when it has more than 256 kB.
 */
export function toJson(result: unknown): string {
  const text = JSON.stringify(result ?? null, (key, value: unknown) => {
    const what = foreign(value);
    if (what) throw new TypeError(`the result is not JSON: ${what}${key && ` at "${key}"`}`);
    return value;
  });
  const bytes = bytesOf(text).length;
  if (bytes > MAX_RESULT_BYTES)
    throw new RangeError(`the result has ${bytes} bytes of JSON; at most ${MAX_RESULT_BYTES} are stored`);
  return text;
}
