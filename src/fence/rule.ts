/**
 * The rule, the same for every resource: **accept a write when its token is not lower than the highest seen under the lock's name, and
 * remember it as the highest.** A stale write can only be refused by a resource that has seen the newer token, so a new holder's first
 * act is to raise it there: a write of its own, or `claim()`.
 */
import { toCount, toText } from "../shared/checks.ts";

/**
 * What of a lease fences a write; it may come from another invocation, as plain data. A `Lease` is one, unless it stands for several
 * names: each of these has a fence of its own, which others meet who hold that name alone or among others.
 */
export interface Fenced {
  /** Of the lock: what tokens are compared within. */
  readonly name: string;
  readonly token: number;
}

/** A later holder was here: nothing was written. Stop the work; trying again does not help. */
export class StaleTokenError extends Error {
  readonly code = "stale_token";
  /** The lock's name, or where only the token is known, what was to be written. */
  readonly lockName: string;
  /** The token that is too low. */
  readonly token: number;
  /** The highest that the resource has seen, where it says so. */
  readonly seen: number | undefined;
  constructor({ name, token }: Fenced, seen?: number) {
    super(`the token ${token} of "${name}" is stale${seen === undefined ? "" : `: ${seen} was seen`}`);
    this.name = "StaleTokenError";
    this.lockName = name;
    this.token = token;
    this.seen = seen;
  }
}

export function toToken(token: number): number {
  if (typeof token !== "number") throw new TypeError("token must be a number");
  return toCount(token, "token", 1, Number.MAX_SAFE_INTEGER);
}

/** @throws TypeError or RangeError when it cannot have come from a lease. */
export function toFenced(lease: Fenced): Fenced {
  const { name, token, tokens = {} } = (lease ?? {}) as Fenced & { readonly tokens?: object };
  if (Object.keys(tokens).length > 1) {
    throw new TypeError("a lease of several names has no fence of its own: give { name, token } of each of its tokens");
  }
  return { name: toText(name, "lease.name"), token: toToken(token) };
}
