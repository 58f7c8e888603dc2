const MAX_RESULT_BYTES = 256 * 1024;

/** Whether an object is plain: it has no prototype, or one that has none. */
function isPlain(value: object): boolean {
  const prototype = Object.getPrototypeOf(value) as object | null;
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

function refuse(key: string, what: string): never {
  throw new TypeError(`the result is not JSON: ${what}${key ? ` at "${key}"` : ""}`);
}

/**
 * Writes a result as JSON; undefined becomes null. Values that JSON would change in silence (a Map, NaN, a function)
 * are refused, since a stored result must be what the first caller got.
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
