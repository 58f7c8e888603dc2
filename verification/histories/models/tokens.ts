/**
 * The model of what is left when a lease may end early: where a clock steps, or a failover loses writes. Tokens only
 * rise, and a resource that checks them accepts none that is lower than one before.
 */
import type { Model } from "../checker.ts";
import type { Operation } from "../history.ts";
import { usableOf } from "./holds.ts";

export interface Tokens {
  readonly last: number;
  /** The callers that may share the tokens that were granted, by token: a re-entry key, or all readers. */
  readonly sharers: ReadonlyMap<number, string>;
  /** The highest token that the resource has seen. */
  readonly seen: number;
}

export interface TokenRules {
  /** Whether a re-entry key that enters again, or a reader that joins others, gets their token. */
  readonly shared: boolean;
  /**
   * Whether there is one server, with all its data. Else a tenure may live on where others have begun: on a primary
   * that does not know yet that it is one no more. Who joins it gets its token.
   */
  readonly keepsData: boolean;
}

/** The caller whose holds may share a token: a reentry key, or all readers. Empty for nobody. */
const sharerOf = ({ side, reentryKey }: Operation): string => (side === "read" ? "readers" : reentryKey);

/** When each sharer may first have begun a tenure that nobody saw: it got no grant, or it got one too late. */
export function unseenTenures(history: readonly Operation[]): ReadonlyMap<string, number> {
  const since = new Map<string, number>();
  for (const operation of history) {
    const { action, status, call, ret, lease } = operation;
    if (action !== "acquire" || (status === "ok" && ret - call < usableOf(lease))) continue;
    const sharer = sharerOf(operation);
    since.set(sharer, Math.min(since.get(sharer) ?? Infinity, call));
  }
  return since;
}

/** @param unseen since when each sharer may have a tenure that nobody saw begin */
export function tokenModel(
  { shared, keepsData }: TokenRules,
  unseen: ReadonlyMap<string, number> = new Map(),
): Model<Tokens> {
  return {
    initial: { last: 0, sharers: new Map(), seen: 0 },
    keyOf: ({ last, sharers, seen }) => `${last} ${[...sharers.keys()].sort()} ${seen}`,
    step(state, operation, at, by) {
      const { action, status, token } = operation;
      const { last, sharers, seen } = state;
      const same = [{ state, at }];
      if (action === "write" && keepsData) {
        if (status === "refused") return token < seen ? same : [];
        return token >= seen || status !== "ok" ? [{ state: { ...state, seen: Math.max(seen, token) }, at }] : [];
      }
      if ((action !== "acquire" && action !== "begin") || status !== "ok") return same;
      const sharer = sharerOf(operation);
      const shown = { ...state, last: Math.max(last, token), sharers: new Map([...sharers, [token, sharer]]) };
      if (token > last) return [{ state: shown, at }];
      if (!shared || sharer === "" || (keepsData && token !== last)) return [];
      if (sharers.has(token)) return sharers.get(token) === sharer ? same : [];
      return (unseen.get(sharer) ?? Infinity) <= by ? [{ state: shown, at }] : [];
    },
  };
}
