/**
 * Histories of servers that may end leases early, through a clock step or a failover that lost writes. Two callers may
 * then hold one lock, and only the tokens are judged: they increase, and a resource that checks them accepts none below
 * one that it has accepted.
 */
import type { Operation } from "../histories/history.ts";
import { mostMissed } from "./durations.ts";
import type { Call, Game } from "./linear.ts";

export interface TokenState {
  /** The last token granted. */
  readonly last: number;
  /** All granted tokens, each with the callers that may share it. */
  readonly granted: ReadonlySet<string>;
  /** The highest token accepted by the fenced resource. */
  readonly written: number;
}

export interface TokenRules {
  /** Whether the holds of one owner, or of all readers, may share a token. */
  readonly shared: boolean;
  /**
   * Whether no server loses data. A resource that loses its token accepts everything. A primary that does not know yet
   * that it was replaced may let holds join a tenure after its replacement has granted another.
   */
  readonly keepsData: boolean;
}

type TokenCall = Call<TokenState, Operation>;

const ownerOf = ({ side, reentryKey }: Operation): string => (side === "read" ? "readers" : reentryKey);

/** Whether an acquisition may have been granted without use to its caller: the grant was lost or late. */
const mayBeUnseen = ({ action, status, call, ret, lease }: Operation): boolean =>
  action === "acquire" && (status !== "ok" || mostMissed(call, ret, lease) > 0);

function granting(
  { shared, keepsData }: TokenRules,
  operation: Operation,
  history: readonly Operation[],
): TokenCall["step"] {
  const { token } = operation;
  const owner = ownerOf(operation);
  const grant = `${token} ${owner}`;
  return (state, latest) => {
    const granted: TokenState = {
      ...state,
      last: Math.max(state.last, token),
      granted: new Set([...state.granted, grant]),
    };
    if (token > state.last) return [granted];
    if (!shared || owner === "") return [];
    if (state.granted.has(grant)) return token === state.last || !keepsData ? [state] : [];
    // On a replaced primary it may join a tenure that began, unobserved, before the last one.
    const isTaken = [...state.granted].some((each) => each.startsWith(`${token} `));
    const isUnseen = (each: Operation): boolean => each.call <= latest && ownerOf(each) === owner && mayBeUnseen(each);
    return !keepsData && !isTaken && history.some(isUnseen) ? [granted] : [];
  };
}

function stepOf(rules: TokenRules, operation: Operation, history: readonly Operation[]): TokenCall["step"] | undefined {
  const { action, status, token } = operation;
  const isDone = status === "ok";
  if (action === "acquire" || action === "begin") return isDone ? granting(rules, operation, history) : undefined;
  if (action !== "write") return undefined;
  if (status === "refused") return (state) => (state.written > token ? [state] : []);
  if (!isDone && status !== "unknown") return undefined;
  return (state) => {
    const isAccepted = token >= state.written || !rules.keepsData;
    return isAccepted ? [{ ...state, written: Math.max(state.written, token) }] : [];
  };
}

/** Translates a history of tokens for the linearization. */
export function tokenGame(rules: TokenRules, history: readonly Operation[]): Game<TokenState, Operation> {
  const calls = history.flatMap((operation): readonly TokenCall[] => {
    const step = stepOf(rules, operation, history);
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
