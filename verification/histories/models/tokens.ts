/**
 * The model of what is left when a lease may end early: where a clock steps, or a failover loses writes. Tokens only
 * rise, and a resource that checks them accepts none that is lower than one before.
 */
import type { Model } from "../checker.ts";

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

export function tokenModel({ shared, keepsData }: TokenRules): Model<Tokens> {
  return {
    initial: { last: 0, sharers: new Map(), seen: 0 },
    keyOf: ({ last, sharers, seen }) => `${last} ${[...sharers.keys()].sort()} ${seen}`,
    step(state, { action, status, token, side, reentryKey }, at) {
      const { last, sharers, seen } = state;
      const same = [{ state, at }];
      if (action === "write" && keepsData) {
        if (status === "refused") return token < seen ? same : [];
        return token >= seen || status !== "ok" ? [{ state: { ...state, seen: Math.max(seen, token) }, at }] : [];
      }
      if ((action !== "acquire" && action !== "begin") || status !== "ok") return same;
      const sharer = side === "read" ? "readers" : reentryKey;
      if (token > last)
        return [{ state: { ...state, last: token, sharers: new Map([...sharers, [token, sharer]]) }, at }];
      const joins = shared && sharer !== "" && sharers.get(token) === sharer;
      return joins && (token === last || !keepsData) ? same : [];
    },
  };
}
