/**
 * The model for servers where a lease can end early, through a clock step or a failover that loses writes. Tokens only
 * increase, and a resource that checks them accepts none below an earlier one.
 */
import type { Model } from "../checker.ts";
import type { Operation } from "../history.ts";
import { usableOf } from "./holds.ts";

export interface Tokens {
  readonly last: number;
  /** The callers that may share each granted token: a re-entry key, or all readers. */
  readonly sharers: ReadonlyMap<number, string>;
  /** The highest token accepted by the resource. */
  readonly seen: number;
}

export interface TokenRules {
  /** Whether a repeated acquire of a re-entry key, or a reader that joins others, gets their token. */
  readonly shared: boolean;
  /**
   * Whether there is one server, which keeps all its data. Otherwise a tenure may continue after later ones have begun,
   * on a primary that does not know yet that it was replaced. An acquisition that joins it gets its token.
   */
  readonly keepsData: boolean;
}

/** The caller whose holds may share a token: a re-entry key, or all readers. Empty if none may. */
const sharerOf = ({ side, reentryKey }: Operation): string => (side === "read" ? "readers" : reentryKey);

/** The earliest time at which each sharer may have begun an unobserved tenure: one whose grant was lost or late. */
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

/** @param unseen the earliest time of an unobserved tenure of each sharer */
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
