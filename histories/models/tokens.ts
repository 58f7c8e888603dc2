/**
 * The model of what is left when a lease may end early: where a clock steps, or a failover loses writes. Tokens only
 * rise, and a resource that checks them accepts none that is lower than one before.
 */
import type { Model } from "../checker.ts";

export interface Tokens {
  /** The highest token, and who may share it. */
  readonly last: number;
  readonly sharer: string;
  readonly seen: number;
}

export interface TokenRules {
  /** Whether an owner that enters again, or a reader that joins others, gets their token. */
  readonly shared: boolean;
  /** Whether the resource is kept when the server loses data. */
  readonly resource: boolean;
}

export function tokenModel({ shared, resource }: TokenRules): Model<Tokens> {
  return {
    initial: { last: 0, sharer: "", seen: 0 },
    keyOf: ({ last, sharer, seen }) => `${last} ${sharer} ${seen}`,
    step(state, { action, status, token, side, owner }, at) {
      const { last, seen } = state;
      const same = [{ state, at }];
      if (action === "write" && resource) {
        if (status === "refused") return token < seen ? same : [];
        return token >= seen || status !== "ok" ? [{ state: { ...state, seen: Math.max(seen, token) }, at }] : [];
      }
      if ((action !== "acquire" && action !== "begin") || status !== "ok") return same;
      const sharer = side === "read" ? "readers" : owner;
      if (token > last) return [{ state: { ...state, last: token, sharer }, at }];
      return shared && token === last && sharer !== "" && sharer === state.sharer ? same : [];
    },
  };
}
