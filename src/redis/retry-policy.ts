import type { Call } from "./call.ts";

/** The approximate first delay between two attempts, in ms. */
export const RETRY_BASE_MS = 50;
/** The maximum number of requests that an operation sends to a server that does not answer. */
export const MOST_REQUESTS = 8;
/** The maximum number of failed attempts in a row, whatever the budget: the other two requests are for a cancel. */
export const MOST_FAILURES = 6;
/** How often a request may be late before that counts as a failure. */
const MOST_LATE = 3;
/** How long to try an unreachable server: a restart may take a moment. */
export const AWAY_MS = 700;
/** The maximum jitter added to a server's `Retry-After`, as a share of it. */
const RETRY_AFTER_SPREAD = 0.5;
/** With less time left, no answer can be expected. */
export const LAST_MOMENT_MS = 25;

/**
 * Why an attempt got no usable reply.
 *
 * - `late`: it reached the server after its deadline.
 * - `unknown script`: the server does not know the script by its hash.
 * - `refused flag`: the server rejects flagged scripts.
 * - `passing`: it failed, and another attempt may succeed.
 * - `final`: it failed, and so would another attempt.
 */
export type Setback = "late" | "unknown script" | "refused flag" | "passing" | "final";

/** The facts that decide whether and when a request is retried. */
export interface RetryFacts {
  readonly setback: Setback;
  /** How many attempts were late, including this one. */
  readonly late: number;
  /** How many attempts failed before this one. */
  readonly failures: number;
  /** The number of requests that the whole operation has made before this one, and its maximum. */
  readonly made: number;
  readonly most: number;
  /** How long the request has taken so far, and how long it may take. */
  readonly elapsedMs: number;
  readonly budgetMs: number;
  /** The time over which the attempts are spread: the budget, or the longest one of the runs that retry together. */
  readonly spreadMs: number;
  /** When the server was first found unreachable, in ms since the request began; undefined for never. */
  readonly awayAtMs: number | undefined;
  /** Whether the request continues for its whole budget even if the server is unreachable. */
  readonly insists: boolean;
  /** How long the server still remembers an unanswered attempt. */
  readonly rememberedMs: number;
  /** The server's `Retry-After`, in ms. */
  readonly retryAfterMs: number;
  /** Uniform in [0, 1). */
  readonly random: () => number;
}

/** `now`: retry immediately, in another form. `later`: retry after a delay. `never`: the caller gets the failure. */
export type Retry =
  | { readonly type: "now" }
  | { readonly type: "later"; readonly delayMs: number }
  | { readonly type: "never" };

/** How long a request may take: an unreachable server is tried only briefly. */
export const limitOf = ({
  budgetMs,
  awayAtMs,
  insists,
}: Pick<RetryFacts, "budgetMs" | "awayAtMs" | "insists">): number =>
  awayAtMs === undefined || insists ? budgetMs : Math.min(budgetMs, awayAtMs + AWAY_MS);

/** The time for one attempt: less than half of the budget, so that an unanswered one can be retried. */
export const attemptLimitOf = (requestTimeoutMs: number, budgetMs: number): number =>
  Math.min(requestTimeoutMs, 0.4 * Math.max(requestTimeoutMs, budgetMs));

/** The delays grow so that the last of them is about as long as the spread. They have jitter. */
function backoffMs({ spreadMs, failures, random }: RetryFacts): number {
  const growth = Math.max(1, spreadMs / RETRY_BASE_MS) ** (1 / (MOST_FAILURES - 2));
  return (0.5 + random() / 2) * RETRY_BASE_MS * growth ** failures;
}

/**
 * The delay for a server that sent a `Retry-After`; 0 without one. It is never shorter than requested. All clients
 * received the same value and must not retry at the same moment, so jitter is added as far as time is left.
 */
function leftAloneMs({ retryAfterMs, random }: RetryFacts, leftMs: number): number {
  if (retryAfterMs === 0) return 0;
  const spareMs = 0.8 * (leftMs - retryAfterMs - LAST_MOMENT_MS);
  const spreadMs = Math.max(0, Math.min(RETRY_AFTER_SPREAD * retryAfterMs, spareMs));
  return retryAfterMs + random() * spreadMs;
}

/** Decides whether and when a request is retried. It is a pure function. */
export function retryPolicy(facts: RetryFacts): Retry {
  const { setback, late, failures, made, most, elapsedMs, rememberedMs } = facts;
  const isWanted = made < most;
  const isMissing = setback === "unknown script" || setback === "refused flag";
  // Usually the estimate of the server's clock was wrong, and is correct now.
  const isFirstLate = setback === "late" && late < MOST_LATE;
  if (isWanted && (isMissing || isFirstLate)) return { type: "now" };

  const leftMs = Math.min(limitOf(facts) - elapsedMs, rememberedMs);
  const delayMs = Math.max(Math.min(backoffMs(facts), 0.8 * leftMs), leftAloneMs(facts, leftMs));
  const mayPass = setback === "passing" || setback === "late";
  const isLast = made + 1 >= most || failures + 1 === MOST_FAILURES;
  const isInTime = leftMs - delayMs >= LAST_MOMENT_MS;
  return mayPass && !isLast && isInTime ? { type: "later", delayMs } : { type: "never" };
}

/**
 * The time for the answer to a held request to arrive: a fifth of the attempt, at most half a second, or twice that.
 */
const ANSWER_PART = 0.2;
const ANSWER_MS = 500;
/** The minimum time of a hold, in ms. */
const LEAST_HOLD_MS = 20;
/** After so many late answers no hold is requested: on the way, long requests get no answer. */
const MOST_LATE_HOLDS = 2;
/** The part of a call that says how long its requests may be held. */
type HoldWish = Pick<Call, "hold" | "mostHoldMs">;

/**
 * How long a server may hold an attempt that ends after `limitMs`, in whole ms; 0 for not at all. It is shorter than
 * the attempt, so that the answer has time to arrive.
 */
export function holdMsOf({ hold, mostHoldMs = Number.POSITIVE_INFINITY }: HoldWish, limitMs: number): number {
  if (!hold || hold.isPaused || hold.late >= MOST_LATE_HOLDS) return 0;
  const answerMs = Math.min(ANSWER_MS, limitMs * ANSWER_PART);
  const mostMs = limitMs - (hold.late > 0 ? 2 * answerMs : answerMs);
  // Rounded up, so that a wait ends when its last hold does.
  const holdMs = Math.ceil(Math.min(hold.leftMs(), mostHoldMs, mostMs));
  return holdMs < LEAST_HOLD_MS ? 0 : holdMs;
}

/** The members of a request that concern its hold. */
interface HeldRequest {
  readonly holdMs: number;
  readonly limitMs: number;
  readonly since: () => number;
}

/** What became of a request. */
interface HoldOutcome {
  readonly heldMs: number | undefined;
  readonly isAnswered: boolean;
  readonly isUnanswered: boolean;
  /** Whether any request of the operation may still run. */
  readonly isDoubted: boolean;
}

/** Records the outcome of a request that a server was asked to hold. It decides whether the next one is held. */
export function noteHold(
  { hold }: HoldWish,
  { holdMs, limitMs, since }: HeldRequest,
  { heldMs, isAnswered, isUnanswered, isDoubted }: HoldOutcome,
): void {
  if (!hold) return;
  if (isAnswered) hold.wasHeld = heldMs !== undefined;
  if (isAnswered && !isDoubted) hold.isPaused = false;
  if (holdMs === 0 || !isUnanswered) return;
  // The network may just be slow. Otherwise the server or a proxy ended the request.
  if (since() >= limitMs) hold.late++;
  else hold.isPaused = true;
}
