/**
 * Histories of servers that may end leases early, by a clock that was set or a failover that lost writes. Two may then
 * hold one lock, and only the tokens are judged: they rise, and a resource that checks them accepts none below one that
 * it has accepted.
 */
import type { Operation } from "../histories/history.ts";
import type { Call, Game } from "./linear.ts";

export interface TokenState {
  /** The last token granted. */
  readonly last: number;
  /** The highest token that the fenced resource has seen. */
  readonly written: number;
}

export interface TokenRules {
  /** Whether several holds may have one token. */
  readonly shared: boolean;
  /** Whether the resource never forgets what it has seen. One that forgets accepts everything. */
  readonly keepsData: boolean;
}

type TokenCall = Call<TokenState, Operation>;

function stepOf(rules: TokenRules, { action, status, token }: Operation): TokenCall["step"] | undefined {
  const isDone = status === "ok";
  if (action === "acquire" || action === "begin") {
    if (!isDone) return undefined;
    return (state) => (token > state.last || (rules.shared && token === state.last) ? [{ ...state, last: token }] : []);
  }
  if (action !== "write") return undefined;
  if (status === "refused") return (state) => (state.written > token ? [state] : []);
  if (!isDone && status !== "unknown") return undefined;
  return (state) => {
    const isAccepted = token >= state.written || !rules.keepsData;
    return isAccepted ? [{ ...state, written: Math.max(state.written, token) }] : [];
  };
}

/** Makes a history of tokens a game for the linearization. */
export function tokenGame(rules: TokenRules, history: readonly Operation[]): Game<TokenState, Operation> {
  const calls = history.flatMap((operation): readonly TokenCall[] => {
    const step = stepOf(rules, operation);
    const { call, ret } = operation;
    return step ? [{ operation, call, ret, mayBeSkipped: () => false, step }] : [];
  });
  return {
    initial: { last: 0, written: 0 },
    calls,
    keyOf: ({ last, written }) => `${last} ${written}`,
    timesOf: () => [],
    drift: () => [],
  };
}
