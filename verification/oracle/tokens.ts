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
  /** All that were granted, each with those who may share it. */
  readonly granted: ReadonlySet<string>;
  /** The highest token that the fenced resource has seen. */
  readonly written: number;
}

export interface TokenRules {
  /** Whether the holds of one owner, or all readers, may have one token. */
  readonly shared: boolean;
  /**
   * Whether no server forgets anything. A resource that forgets accepts everything. A primary that was replaced and does
   * not know it may let holds join a tenure after its replacement has granted another.
   */
  readonly keepsData: boolean;
}

type TokenCall = Call<TokenState, Operation>;

function granting({ shared, keepsData }: TokenRules, { token, side, reentryKey }: Operation): TokenCall["step"] {
  const owner = side === "read" ? "readers" : reentryKey;
  const grant = `${token} ${owner}`;
  return (state) => {
    if (token > state.last) return [{ ...state, last: token, granted: new Set([...state.granted, grant]) }];
    const joins = shared && owner !== "" && state.granted.has(grant) && (token === state.last || !keepsData);
    return joins ? [state] : [];
  };
}

function stepOf(rules: TokenRules, operation: Operation): TokenCall["step"] | undefined {
  const { action, status, token } = operation;
  const isDone = status === "ok";
  if (action === "acquire" || action === "begin") return isDone ? granting(rules, operation) : undefined;
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
    initial: { last: 0, granted: new Set(), written: 0 },
    calls,
    keyOf: ({ last, granted, written }) => `${last} ${[...granted].sort()} ${written}`,
    timesOf: () => [],
    drift: () => [],
  };
}
