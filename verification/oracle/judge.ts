/**
 * A second judge of histories, which shares nothing with `verification/histories/checker.ts` but the record of an
 * operation: another algorithm and other models, written without knowledge of the first ones.
 */
import type { Operation } from "../histories/history.ts";
import { type Finding, type Game, type Limits, linearize } from "./linear.ts";
import type { LockRules } from "./lock-models.ts";
import { type LockState, lockGame } from "./locks.ts";
import { type OnceRules, type OnceState, onceGame } from "./onces.ts";
import { type TokenState, tokenGame } from "./tokens.ts";

/** The kind of lock. */
export interface Used {
  readonly kind: string;
  readonly rules: LockRules & OnceRules;
  readonly tokens?: { readonly shared: boolean };
}

/** The properties of its servers: see `Site` in `verification/histories/site.ts`. */
export interface Promised {
  /** Whether a lease never ends early. Otherwise only its token is judged. */
  readonly isStrict: boolean;
  readonly keepsData: boolean;
}

export type Ruling = Finding<LockState | OnceState | TokenState, Operation>;

/** After these, a history counts as undecided. */
const LIMITS: Limits = { configurations: 20_000, comparisons: 5_000_000 };

/** Judges the history of one name. */
export function rule(
  { kind, rules, tokens = { shared: false } }: Used,
  history: readonly Operation[],
  { isStrict, keepsData }: Promised,
): Ruling {
  if (!isStrict) return linearize(tokenGame({ ...tokens, keepsData }, history), LIMITS);
  const ruleOn = <S extends LockState | OnceState>(gameOf: (hasUnseen: boolean) => Game<S, Operation>): Ruling => {
    // Unobserved operations make the search longer, and most histories are explained without them.
    const ruling = linearize(gameOf(false), LIMITS);
    return ruling.verdict === "unexplained" ? linearize(gameOf(true), LIMITS) : ruling;
  };
  if (kind === "once" || kind === "cron" || kind === "handOver")
    return ruleOn((hasUnseen) => onceGame(history, hasUnseen, rules));
  return ruleOn((hasUnseen) => lockGame(kind, rules, history, hasUnseen));
}
