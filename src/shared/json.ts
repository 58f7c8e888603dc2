const MAX_RESULT_BYTES = 256 * 1024;

/** A plain object has no prototype, or one that has none. */
function isPlain(value: object): boolean {
  const prototype = Object.getPrototypeOf(value) as object | null;
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

function refuse(key: string, what: string): never {
  throw new TypeError(`the result is not JSON: ${what}${key ? ` at "${key}"` : ""}`);
}

/**
 * The JSON of a result; undefined becomes null. What JSON would change in silence (a Map, NaN, a function) is refused: whoever
 * gets the stored result must get what the first caller got.
 *
 * @throws TypeError for what is not JSON; RangeError when it has more than 256 kB.
 */
export function toJson(result: unknown): string {
  const text = JSON.stringify(result ?? null, (key, value: unknown) => {
    if (typeof value === "bigint" || typeof value === "function" || typeof value === "symbol")
      refuse(key, `a ${typeof value}`);
    if (typeof value === "number" && !Number.isFinite(value)) refuse(key, String(value));
    if (typeof value === "object" && value !== null && !Array.isArray(value) && !isPlain(value)) {
      refuse(key, `an instance of ${value.constructor?.name ?? "a class"}`);
    }
    return value;
  });
  const bytes = new TextEncoder().encode(text).length;
  if (bytes > MAX_RESULT_BYTES)
    throw new RangeError(`the result has ${bytes} bytes of JSON; at most ${MAX_RESULT_BYTES} are stored`);
  return text;
}
