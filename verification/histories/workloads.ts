/** The operations of clients on one name, and the model by which they are judged. */
import { check, type Model, type Verdict } from "./checker.ts";
import type { Operation } from "./history.ts";
import { usableOf } from "./models/holds.ts";
import { leaseModel, type Rules } from "./models/lease.ts";
import { type OnceRules, onceModel } from "./models/once.ts";
import { tokenModel, unseenTenures } from "./models/tokens.ts";
import type { Kind } from "./orders.ts";

export interface Workload {
  readonly kind: Kind;
  readonly rules: Rules & OnceRules;
  /** Whether callers pass a re-entry key. */
  readonly reentryKeys?: boolean;
  /** Whether holders write to a fenced resource. */
  readonly writes?: boolean;
  /** Whether some callers wait for a grant. */
  readonly waits?: boolean;
  /** The share of acquisitions of the read side. */
  readonly reads?: number;
  /** The slots of a job, of which callers run one. */
  readonly slots?: readonly string[];
  /** Whether clients make a mistake that the checker must find: see `Order.apart`. */
  readonly apart?: boolean;
  /** The rules checked where leases may end early; without them nothing is checked there. */
  readonly tokens?: { readonly shared: boolean };
}

const ALONE = { shared: false };
const SHARED = { shared: true };

/** Of the two slots of one job, one runs at a time. */
const CRON: Workload = { kind: "cron", rules: { abandons: true }, slots: ["first", "second"], tokens: ALONE };
/** A message with the ticket of a held lock, and several consumers. */
const HAND_OVER: Workload = { kind: "handOver", rules: { abandons: true, handsOver: true }, tokens: SHARED };

export const WORKLOADS: Readonly<Record<string, Workload>> = {
  mutex: { kind: "lock", rules: {}, waits: true, tokens: ALONE },
  "fair mutex": { kind: "fairLock", rules: { waiters: true }, waits: true, tokens: ALONE },
  "owner-aware": { kind: "lock", rules: {}, reentryKeys: true, tokens: ALONE },
  reentrant: { kind: "lock", rules: { reentrant: true }, reentryKeys: true, waits: true, tokens: SHARED },
  fenced: { kind: "lock", rules: {}, writes: true, tokens: ALONE },
  "reentrant fenced": { kind: "lock", rules: { reentrant: true }, reentryKeys: true, writes: true, tokens: SHARED },
  "read-write": { kind: "readWriteLock", rules: {}, reads: 0.7, tokens: SHARED },
  "read-write with waiters": {
    kind: "readWriteLock",
    rules: { waiters: true },
    reads: 0.6,
    waits: true,
    tokens: SHARED,
  },
  semaphore: { kind: "semaphore", rules: { permits: 3 }, waits: true, tokens: ALONE },
  once: { kind: "once", rules: {}, tokens: ALONE },
  cron: CRON,
  "hand-over": HAND_OVER,
};

/**
 * What the checker must find faults in: two other locks, which claim that a caller holds the name alone until its expiry,
 * and clients of ours that make a mistake.
 */
export const OTHERS: Readonly<Record<string, Workload>> = {
  "SET NX and DEL": { kind: "naive", rules: { fenced: false } },
  "@upstash/lock": { kind: "upstash", rules: { fenced: false } },
  "cron, each slot a job of its own": { ...CRON, apart: true },
  "hand-over, each delivery a message of its own": { ...HAND_OVER, apart: true },
};

/** Operations that the rules of tokens do not concern, which would only make the search longer. */
const aboutTokens = ({ action, status }: Operation): boolean =>
  action === "write" || ((action === "acquire" || action === "begin") && status === "ok");

/** The maximum number of missed grants per waiter that are tried. */
const MAX_MISSED = 2;

/**
 * The maximum number of unobserved grants of a call, each cancelled before the call returned. A refused call may have
 * had an unanswered attempt that was granted after the refusal. A waiter whose lease had ended when the response
 * arrived retries under another id.
 */
function ghostsOf({ status, action, call, ret, lease, slot }: Operation): number {
  const isStart = action === "acquire" || action === "begin";
  if (!isStart || status === "unknown") return 0;
  // A run of a cron whose lease had ended when its start was answered begins again, under another id.
  const isRepeated = action === "acquire" || slot !== "";
  const missed = isRepeated ? Math.floor((ret - call) / usableOf(lease)) : 0;
  return Math.min(missed, MAX_MISSED) + (status === "refused" || status === "own" ? 1 : 0);
}

/**
 * An unobserved grant cannot be the reason of its own call's refusal. Most calls had none, so they are added only where
 * needed.
 */
const withGhosts = (history: readonly Operation[]): readonly Operation[] =>
  history.flatMap((operation) => {
    const ghost: Operation = { ...operation, id: -operation.id, hold: -operation.id, status: "failed", token: 0 };
    return [operation, ...Array<Operation>(ghostsOf(operation)).fill(ghost)];
  });

/** Whether operations of this kind begin, complete and fail attempts. */
export const hasAttempts = (kind: Kind): boolean => kind === "once" || kind === "cron" || kind === "handOver";

/** Judges the history of one name. */
export function judge(
  { kind, rules, tokens = ALONE }: Workload,
  history: readonly Operation[],
  site: { readonly isStrict: boolean; readonly keepsData: boolean },
): Verdict {
  if (!site.isStrict) {
    const rules = { ...tokens, keepsData: site.keepsData };
    return check(tokenModel(rules, unseenTenures(history)), history.filter(aboutTokens));
  }
  const model: Model<never> = (hasAttempts(kind) ? onceModel(rules) : leaseModel(rules)) as Model<never>;
  // Other locks do not need a long search: this limit finds most of their faults.
  const max = kind === "naive" || kind === "upstash" ? 10_000 : 200_000;
  const verdict = check(model, history, max);
  return verdict.verdict === "violated" ? check(model, withGhosts(history), max) : verdict;
}
