import { isWellFormed, toText } from "./checks.ts";
import { kindOf, misuse } from "./misuse.ts";

/**
 * What JavaScript writes for a missing value or an object: as a whole text, or as a part that separators delimit. A
 * space is a separator only in front of the last part, so that sentences may contain these words.
 */
const MISSING = /(?:^|[\s:/|,;#=&?@+])(undefined|null|NaN|\[object \w+\])(?=$|[:/|,;#=&?@+])/;

/**
 * Finds a part of a text that stands for a missing value, as in `user:${undefined}`. Everybody whose value is missing
 * would share this text, so it identifies nobody.
 */
const missingIn = (text: string): string | undefined => MISSING.exec(text)?.[1];

/** Whether a value can identify something: a non-empty, well-formed string without a missing part. */
export const isIdentity = (value: unknown): value is string =>
  isWellFormed(value) && value !== "" && missingIn(value) === undefined;

/** @throws TypeError for a text with a missing part. The error does not show the text, which may be a secret. */
export function refuseMissing(text: string, what: string): string {
  const missing = missingIn(text);
  if (missing !== undefined) throw misuse(TypeError, `${what} contains "${missing}": a value is missing`);
  return text;
}

/**
 * Checks a text under which a result is shared or a right is granted: a key, a name that a host's object makes, the
 * holder of a lock.
 *
 * @throws TypeError or RangeError like `toText`; TypeError for a text with a missing part.
 */
export const toIdentity = (text: string, what: string, max?: number): string =>
  refuseMissing(toText(text, what, 1, max), what);

/** Separates owners of keys: a text, or a list of its parts. */
export type Scope = string | readonly string[];

/** Lists the parts of a scope. @throws TypeError for a scope that tenants could share: no parts, or an empty part. */
export function scopeParts(scope: Scope): readonly string[] {
  const parts: unknown = typeof scope === "string" && scope !== "" ? [scope] : scope;
  if (Array.isArray(parts) && parts.length > 0 && parts.every((part) => part && isWellFormed(part))) return parts;
  const found = typeof parts === "string" || Array.isArray(parts) ? "" : `, not ${kindOf(parts)}`;
  throw misuse(TypeError, `scope must be a non-empty, well-formed string, or a list of such strings${found}`);
}

/** Like {@link scopeParts}, for a scope from the caller's code. @throws TypeError also for a missing part. */
export function toScope(scope: Scope): readonly string[] {
  const parts = scopeParts(scope);
  for (const part of parts) refuseMissing(part, "scope");
  return parts;
}

/** Joins parts so that different lists have different texts: `a:b` and `c` differ from `a` and `b:c`. */
export const joinParts = (parts: readonly string[]): string => parts.map((part) => `${part.length}:${part}`).join("");
