/**
 * The rule of fencing, the same for every resource: **accept a write if its token is not lower than the highest seen
 * under the lock's name, and remember it as the highest.** A resource can refuse a stale write only after it has seen
 * the newer token. So a new holder first raises the token there, by a write or by `claim()`.
 */
import { toCount, toText } from "../shared/checks.ts";
import { helpOf } from "../shared/errors.ts";
import { inCall, misuse } from "../shared/misuse.ts";

/**
 * The part of a lease that fences a write. Plain data from another invocation works as well. Every `Lease` fits, except
 * a lease of several names: each name has its own fence, so pass the `{ name, token }` of each.
 */
export interface Fenced {
  /** The lock's name. Only tokens of the same name are compared. */
  readonly name: string;
  readonly token: number;
}

/** A write was refused because a later holder has written or claimed. Stop the work; a retry does not help. */
export class StaleTokenError extends Error {
  readonly code = "stale_token";
  /** The address of the documentation of the code. */
  readonly help: string;
  /** The lock's name. */
  readonly lockName: string;
  /** The stale token. */
  readonly token: number;
  /** The highest token that the resource has seen, if it is known. */
  readonly seen: number | undefined;
  constructor({ name, token }: Fenced, seen?: number) {
    super(`the token ${token} of "${name}" is stale${seen === undefined ? "" : `: ${seen} was seen`}`);
    this.name = "StaleTokenError";
    this.help = helpOf(this.code);
    this.lockName = name;
    this.token = token;
    this.seen = seen;
  }
}

/**
 * Checks a token. @throws TypeError or RangeError for a value that no lease can have; the message does not name the
 * call.
 */
export function toToken(token: number): number {
  if (token === undefined) throw misuse(TypeError, "token is missing: pass lease.token");
  return toCount(token, "token", 1, Number.MAX_SAFE_INTEGER);
}

/** Checks name and token. @throws TypeError or RangeError for a value that no lease can have. */
export function toFenced(lease: Fenced): Fenced {
  const { name, token, tokens = {} } = (lease ?? {}) as Fenced & { readonly tokens?: object };
  if (Object.keys(tokens).length > 1) {
    throw new TypeError(
      "fence: a lease of several names has no fence of its own: pass { name, token } of each of its tokens",
    );
  }
  return inCall("fence", () => ({ name: toText(name, "lease.name"), token: toToken(token) }));
}
