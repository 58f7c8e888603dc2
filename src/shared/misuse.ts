/** Marks an error that does not name its call yet, under a key that no console shows. */
const WITHOUT_PLACE = Symbol();
type Misuse = typeof TypeError | typeof RangeError;

/**
 * Makes the error for an invalid argument. It says what was passed and what is expected; {@link inCall} adds the call.
 */
export const misuse = (type: Misuse, text: string): Error =>
  Object.defineProperty(new type(text), WITHOUT_PLACE, { value: type });

/**
 * Checks a caller's arguments. An error names the call as the caller wrote it: `lock("a").run: lease "10" has no unit:
 * "10ms" or "10s"?`.
 */
export function inCall<T>(place: string | (() => string), check: () => T): T {
  try {
    return check();
  } catch (error) {
    const { [WITHOUT_PLACE]: type, message } = Object(error) as { [WITHOUT_PLACE]?: Misuse; message: string };
    if (type === undefined) throw error;
    // A new error, since the stack of an error keeps its original message.
    throw new type(`${typeof place === "string" ? place : place()}: ${message}`);
  }
}

/** How much of a text is shown. */
const LONGEST = 60;

/** The type of a value, for a value that may be a secret or has no short form. */
export function kindOf(value: unknown): string {
  if (value === null || value === undefined) return `${value}`;
  if (Array.isArray(value)) return "a list";
  if (typeof (value as PromiseLike<unknown>).then === "function") return "a Promise";
  if (typeof value === "function") return "a function";
  if (typeof value !== "object") return `a ${typeof value}`;
  const { name } = Object(value.constructor) as { readonly name?: string };
  return name && name !== "Object" ? `an object (${name})` : "an object";
}

/** A value as the caller passed it, for an error. Never for a secret. */
export function shown(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value.length > LONGEST ? `${value.slice(0, LONGEST)}…` : value);
  if (typeof value === "number" || typeof value === "boolean" || typeof value === "bigint") return `${value}`;
  return kindOf(value);
}
