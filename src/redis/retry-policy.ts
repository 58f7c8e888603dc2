/** The approximate first delay between two attempts, in ms. */
export const RETRY_BASE_MS = 50;
/** The maximum number of requests that an operation sends to a server that does not answer. */
export const MAX_REQUESTS = 8;
/** The maximum number of requests of a cancel or a roll-back. */
export const MAX_CANCELS = 2;
/** The maximum number of failed attempts in a row of a call that does not wait: the other requests are for a cancel. */
export const MAX_FAILURES: number = MAX_REQUESTS - MAX_CANCELS;
/** The exponent of the longest delay; that of the first is 0. */
const LAST_DELAY = MAX_FAILURES - 2;
/** The maximum delay of a call that waits for a name, in ms: it goes on for as long as its wait lasts. */
const MAX_WAITING_DELAY_MS = 3000;
/** The third late attempt, and each after it, counts as a failure. */
const FIRST_COUNTED_LATE = 3;
/** The share of the time left that a delay may take: the rest is for the attempt after it. */
export const MAX_DELAY_SHARE = 0.8;
/** The share of `requestTimeout`, or of a longer budget, that one attempt may take, so that it can be retried. */
export const ATTEMPT_SHARE = 0.4;
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
  /** How many attempts were followed by a delay before this one. */
  readonly failures: number;
  /** The answered polls and failed attempts of the whole operation before this one, and their maximum. */
  readonly made: number;
  readonly max: number;
  /** How long the request has taken so far, and how long it may take. */
  readonly elapsedMs: number;
  readonly budgetMs: number;
  /** The time over which the attempts are spread: the budget, or the longest one of the runs that retry together. */
  readonly spreadMs: number;
  /** When the server was first found unreachable, in ms since the request began; undefined for never. */
  readonly awayAtMs: number | undefined;
  /** Whether the call waits for a name: then its attempts go on at a steady rate, however long the budget is. */
  readonly waits: boolean;
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

/**
 * The time for one attempt: less than half of the larger of the two times, so that an unanswered one can be retried, but
 * at most `requestTimeout`. A budget shorter than the result is for one attempt.
 */
export const attemptLimitOf = (requestTimeoutMs: number, budgetMs: number): number =>
  Math.min(requestTimeoutMs, ATTEMPT_SHARE * Math.max(requestTimeoutMs, budgetMs));

/**
 * The delays grow so that the last of them is about as long as the spread. A call that waits has the longest delay again
 * and again. They have jitter.
 */
function backoffMs({ spreadMs, failures, waits, random }: RetryFacts): number {
  const longestMs = waits ? Math.min(spreadMs, MAX_WAITING_DELAY_MS) : spreadMs;
  const growth = Math.max(1, longestMs / RETRY_BASE_MS) ** (1 / LAST_DELAY);
  return (0.5 + random() / 2) * RETRY_BASE_MS * growth ** Math.min(failures, LAST_DELAY);
}

/**
 * The delay for a server that sent a `Retry-After`; 0 without one. It is never shorter than requested. All clients
 * received the same value and must not retry at the same moment, so jitter is added as far as time is left.
 */
function afterRetryAfterMs({ retryAfterMs, random }: RetryFacts, leftMs: number): number {
  if (retryAfterMs === 0) return 0;
  const spareMs = MAX_DELAY_SHARE * (leftMs - retryAfterMs - LAST_MOMENT_MS);
  const spreadMs = Math.max(0, Math.min(RETRY_AFTER_SPREAD * retryAfterMs, spareMs));
  return retryAfterMs + random() * spreadMs;
}

/** Decides whether and when a request is retried. It is a pure function. */
export function retryPolicy(facts: RetryFacts): Retry {
  const { setback, late, failures, made, max, elapsedMs, waits, rememberedMs } = facts;
  const hasTries = made < max;
  const needsOtherForm = setback === "unknown script" || setback === "refused flag";
  // Usually the estimate of the server's clock was wrong, and is correct now.
  const isFirstLate = setback === "late" && late < FIRST_COUNTED_LATE;
  if (hasTries && (needsOtherForm || isFirstLate)) return { type: "now" };

  const leftMs = Math.min(limitOf(facts) - elapsedMs, rememberedMs);
  const delayMs = Math.max(Math.min(backoffMs(facts), MAX_DELAY_SHARE * leftMs), afterRetryAfterMs(facts, leftMs));
  const mayPass = setback === "passing" || setback === "late";
  const isLast = made + 1 >= max || (!waits && failures + 1 === MAX_FAILURES);
  const isInTime = leftMs - delayMs >= LAST_MOMENT_MS;
  return mayPass && !isLast && isInTime ? { type: "later", delayMs } : { type: "never" };
}
