import { checkOptions, misuse, shown, toIdentity, toText } from "leasehold/internal";
import { readContext, unknownContext } from "./call-context.ts";

/** A key as a caller's function returns it; undefined for a call without a key. */
export type GivenKey = string | number | undefined;

/** Where the key of a call is: a field of its `_meta`, one of its arguments, or the result of a function. */
export type KeySource<Args, Extra> =
  | { readonly meta: string }
  | { readonly argument: string }
  | ((args: Args, extra: Extra) => GivenKey | Promise<GivenKey>);

/** Where a tool finds its keys. */
export interface KeyReader<Args, Extra> {
  /** Where the key is, for errors. */
  readonly place: string;
  /** @throws TypeError for an unknown context, if the key is in it. */
  read(args: Args, extra: Extra): unknown;
}

/** The maximum length of a key. */
const MAX_KEY_BYTES = 512;

/** Makes the reader of a tool's keys. @throws TypeError; the message does not name the call. */
export function keyReader<Args, Extra>(
  source: KeySource<Args, Extra> = { meta: "idempotencyKey" },
): KeyReader<Args, Extra> {
  if (typeof source === "function") return { place: "the idempotency key", read: source };
  if (typeof source !== "object" || source === null)
    throw misuse(TypeError, `key must be { meta }, { argument } or a function, not ${shown(source)}`);
  checkOptions(source, "meta argument", "key");
  if ("argument" in source) {
    const name = toText(source.argument, "key.argument");
    const read = (args: Args): unknown => (args as { readonly [name: string]: unknown } | undefined)?.[name];
    return { place: `the idempotency key (the argument ${shown(name)})`, read };
  }
  const name = toText(source.meta, "key.meta");
  return {
    place: `the idempotency key (_meta[${shown(name)}])`,
    read(_, extra) {
      const context = readContext(extra);
      if (context === undefined) throw unknownContext(extra, "a function as key");
      return context.meta?.[name];
    },
  };
}

/**
 * Checks a key that a client sent. A number is a key as well: models and schemas often have one.
 *
 * @throws TypeError or RangeError for anything else, or a text that identifies nothing.
 */
export function toKey(value: unknown, place: string): string {
  if (typeof value !== "number") return toIdentity(value as string, place, MAX_KEY_BYTES);
  if (Number.isInteger(value) && !Number.isSafeInteger(value))
    throw misuse(RangeError, `${place} is too large for a number: pass it as text`);
  if (!Number.isFinite(value)) throw misuse(TypeError, `${place} must be a string or a number, not ${value}`);
  return `${value}`;
}
