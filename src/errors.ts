/** Why a lease is over. `gone`: the server has no memory of it, for example after it lost its data. */
export type LossReason = "expired" | "taken" | "released" | "forced" | "gone";

/** Every code of a {@link LeaseholdError}: a closed union, so that a `switch` over it narrows. */
export type LeaseholdErrorCode =
  | "lock_timeout"
  | "lease_lost"
  | "outcome_unknown"
  | "unauthorized"
  | "rate_limited"
  | "redis_error"
  | "malformed_answer"
  | "wrong_kind"
  | "not_reentrant"
  | "too_many_holds";

/**
 * Base of every error that is not plain misuse (misuse is a `TypeError` or `RangeError` at the call). Tell them apart by `code` or by
 * class. Messages and causes never hold an API token, a hold id, a ticket or a command.
 */
export abstract class LeaseholdError extends Error {
  abstract readonly code: LeaseholdErrorCode;
}

/** It was not acquired within `wait` or `maxPolls`, and nothing is held. It does not mean that the holder is stuck. */
export class LockTimeoutError extends LeaseholdError {
  override readonly name = "LockTimeoutError";
  readonly code = "lock_timeout";
  /** How long the lease in the way still ran, as the server last said; undefined if it never said that one was. */
  readonly remainingMs: number | undefined;
  constructor(message: string, remainingMs?: number) {
    super(message);
    this.remainingMs = remainingMs;
  }
}

/** The lease is no longer ours. Stop the work; what it still writes is refused by whoever checks the token. */
export class LeaseLostError extends LeaseholdError {
  override readonly name = "LeaseLostError";
  readonly code = "lease_lost";
  readonly reason: LossReason;
  constructor(lockName: string, reason: LossReason) {
    super(`the lease of "${lockName}" is over: ${reason}`);
    this.reason = reason;
  }
}

/**
 * The server may or may not have done it: no answer came, and neither to the attempt to take it back. A lock that was granted
 * unseen frees itself when its lease ends. It does not mean that somebody else holds the name.
 */
export class OutcomeUnknownError extends LeaseholdError {
  override readonly name = "OutcomeUnknownError";
  readonly code = "outcome_unknown";
}

/** The API token was refused; nothing was done. */
export class UnauthorizedError extends LeaseholdError {
  override readonly name = "UnauthorizedError";
  readonly code = "unauthorized";
}

/** The server asked us to slow down for longer than the call had time; nothing was done. */
export class RateLimitedError extends LeaseholdError {
  override readonly name = "RateLimitedError";
  readonly code = "rate_limited";
  /** What the server's `Retry-After` asked for, if it said. */
  readonly retryAfterMs: number | undefined;
  constructor(message: string, retryAfterMs?: number) {
    super(message);
    this.retryAfterMs = retryAfterMs;
  }
}

/** Redis refused the command, for example because memory is full (`OOM`) or the account may not run scripts (`NOPERM`). */
export class RedisReplyError extends LeaseholdError {
  override readonly name = "RedisReplyError";
  readonly code = "redis_error";
}

/** What answered does not speak our protocol; the operation may have run. Check the URL, and what stands in between. */
export class MalformedAnswerError extends LeaseholdError {
  override readonly name = "MalformedAnswerError";
  readonly code = "malformed_answer";
}

/** The name is in use as another kind of lock, or its key holds a value that is not ours. Nothing was changed. */
export class WrongKindError extends LeaseholdError {
  override readonly name = "WrongKindError";
  readonly code = "wrong_kind";
  /** The kind that the name is in use as; `foreign` for a value that is not ours, `lock/2` for a format newer than this release. */
  readonly kind: string;
  constructor(lockName: string, kind: string) {
    super(`"${lockName}" is in use as ${kind}`);
    this.kind = kind;
  }
}

/** The same owner holds the lock already, and it was made with `reentrant: false`. The hold is untouched. */
export class NotReentrantError extends LeaseholdError {
  override readonly name = "NotReentrantError";
  readonly code = "not_reentrant";
}

/** One owner holds the lock 64 times: that many re-entries are a leak. */
export class TooManyHoldsError extends LeaseholdError {
  override readonly name = "TooManyHoldsError";
  readonly code = "too_many_holds";
}
