/**
 * Why a lease has ended. `spent`: its permits were spent, by another call or with another count. `gone`: the server no
 * longer remembers it, for example after it lost its data.
 */
export type LossReason = "expired" | "taken" | "released" | "forced" | "spent" | "gone";

/**
 * Every code of a {@link LeaseholdError}: a closed union, so that a `switch` over it narrows.
 *
 * - `lock_timeout`: not acquired in time, and nothing is held. It does not mean that the holder is stuck. If no server
 *   answered in time, `cause` is the reason. With `onUnavailable: "run"`, it is also the error if Redis became
 *   unavailable during the wait while a lease reported by a server was still live; `cause` is then the failure, and
 *   says whether anything is held.
 * - `lease_lost`: the lease has ended. Stop the work; a fence refuses its later writes.
 * - `outcome_unknown`: neither the request nor its cancel was answered, or a retry was refused after an attempt that may
 *   have run. A hold that may have been granted ends with its lease, and the message says so. It does not mean that
 *   another client holds the name. The message names the host, and `cause` is the failure itself, without secrets.
 * - `unreachable`: no server could be reached, so nothing was sent and nothing is held. `cause` is the failure.
 * - `unauthorized`: the API token was rejected, or may not run the script, for example a read-only token; nothing was
 *   done.
 * - `rate_limited`: the server asked for a longer delay (`retryAfterMs`) than the time left; nothing was done.
 * - `redis_error`: Redis refused the command, for example `OOM` when memory is full.
 * - `malformed_answer`: the answer does not follow the protocol, or is a 4xx that is not from Redis. Check the URL, and
 *   any proxy in between.
 * - `wrong_kind`: the name is in use as another kind (`kind`), or its key holds a value that leasehold did not write
 *   (`foreign`). Nothing was changed.
 * - `not_reentrant`: the same re-entry key already holds the lock, which was made with `reentrant: false`. The hold is
 *   unchanged.
 * - `too_many_holds`: one re-entry key holds the lock 64 times, which is probably a leak.
 * - `too_many_messages`: the conversation keeps 100 messages or 256 kB of them, the maximum, until the running turn has
 *   ended. This message was not kept; deliver it again later. `remainingMs` is the time left of the running turn's lease.
 * - `upgrade_refused`: a reader requested the write lock. It would wait for itself; release the read first.
 * - `not_replicated`: fewer replicas than requested had the hold in time. The grant was rolled back, and nothing is
 *   held.
 * - `no_quorum`: fewer than a majority of the servers answered. Nothing is held, except holds on single servers that
 *   end with their lease.
 * - `no_result`: another call did the work, but its result could not be stored. It does not mean that the work failed.
 *   Look for its effects where the work writes them.
 * - `state_lost`: the server no longer has the latch, so it is unknown whether it reached zero. Or it knows no number of
 *   permits, so nothing was spent. Or the messages of a turn were lost before it got them.
 */
export type LeaseholdErrorCode =
  | "lock_timeout"
  | "lease_lost"
  | "outcome_unknown"
  | "unreachable"
  | "unauthorized"
  | "rate_limited"
  | "redis_error"
  | "malformed_answer"
  | "wrong_kind"
  | "not_reentrant"
  | "too_many_holds"
  | "too_many_messages"
  | "upgrade_refused"
  | "not_replicated"
  | "no_quorum"
  | "no_result"
  | "state_lost";

/** Details that some errors have besides their code. */
export interface ErrorDetails {
  /**
   * In ms. With `lock_timeout`: the time left of the blocking lease, if there was one. With another error of a wait:
   * the time left of a lease that a server reported before the failure.
   */
  readonly remainingMs?: number | undefined;
  /** With `rate_limited`: the server's `Retry-After` in ms, if it sent one. */
  readonly retryAfterMs?: number | undefined;
  /**
   * With `wrong_kind`: the kind that the name is in use as; `lock/2` is a format newer than this release. With
   * `lock_timeout`: the kind that was not acquired.
   */
  readonly kind?: string | undefined;
  /** With `lock_timeout`: the name, or the names joined. */
  readonly lockName?: string | undefined;
  /** With `lock_timeout`: the label of the holder, and its process, if known. */
  readonly label?: string | undefined;
  readonly holder?: string | undefined;
  /** With `lock_timeout`: how many other callers were waiting, if the kind knows it. */
  readonly waiters?: number | undefined;
  /** With `lock_timeout` of a counter: the number of available permits, too few for the call. */
  readonly available?: number | undefined;
  /** With `lock_timeout`: how long the call waited, in ms. */
  readonly waitedMs?: number | undefined;
  /** With `lease_lost` of a lease for several names: the lost ones. */
  readonly names?: readonly string[] | undefined;
  /** With `lease_lost`: why the lease ended. */
  readonly reason?: LossReason | undefined;
  /**
   * With `outcome_unknown`: the operation that may have run, such as `release` or `setPermits`; undefined for an
   * acquisition.
   */
  readonly operation?: string | undefined;
  readonly cause?: unknown;
}

/** The `name` of an error, by its code. */
const NAMES: Readonly<Record<LeaseholdErrorCode, string>> = {
  lock_timeout: "LockTimeoutError",
  lease_lost: "LeaseLostError",
  outcome_unknown: "OutcomeUnknownError",
  unreachable: "UnreachableError",
  unauthorized: "UnauthorizedError",
  rate_limited: "RateLimitedError",
  redis_error: "RedisError",
  malformed_answer: "MalformedAnswerError",
  wrong_kind: "WrongKindError",
  not_reentrant: "NotReentrantError",
  too_many_holds: "TooManyHoldsError",
  too_many_messages: "TooManyMessagesError",
  upgrade_refused: "UpgradeRefusedError",
  not_replicated: "NotReplicatedError",
  no_quorum: "NoQuorumError",
  no_result: "NoResultError",
  state_lost: "StateLostError",
};

/** The page of the documentation on errors. Each code has its anchor there. */
const PAGE = "https://leasehold.github.io/leasehold/errors";

/** The address of the documentation of a code. */
export const helpOf = (code: string): string => `${PAGE}#${code}`;

/**
 * The class of every error except misuse, which is a `TypeError` or `RangeError` at the call. Messages and causes never
 * contain an API token, a hold ID, a ticket or a command.
 */
export class LeaseholdError extends Error implements ErrorDetails {
  declare readonly code: LeaseholdErrorCode;
  /** The address of the documentation of the code. */
  readonly help: string;
  declare readonly remainingMs?: number | undefined;
  declare readonly retryAfterMs?: number | undefined;
  declare readonly kind?: string | undefined;
  declare readonly lockName?: string | undefined;
  declare readonly label?: string | undefined;
  declare readonly holder?: string | undefined;
  declare readonly waiters?: number | undefined;
  declare readonly available?: number | undefined;
  declare readonly waitedMs?: number | undefined;
  declare readonly names?: readonly string[] | undefined;
  declare readonly reason?: LossReason | undefined;
  declare readonly operation?: string | undefined;
  constructor(code: LeaseholdErrorCode, message: string, details?: ErrorDetails) {
    super(message);
    this.code = code;
    this.name = NAMES[code];
    this.help = helpOf(code);
    Object.assign(this, details);
  }
}

/** See `lock_timeout` of {@link LeaseholdErrorCode}. */
export class LockTimeoutError extends LeaseholdError {
  declare readonly code: "lock_timeout";
  constructor(message: string, details: ErrorDetails) {
    super("lock_timeout", message, details);
  }
}

/** What to do about the end of a lease. */
const ADVICE: Readonly<Partial<Record<LossReason, string>>> = {
  expired: ", since nothing extended it in time: use a longer lease, or keepAlive: true",
};

/** See `lease_lost` of {@link LeaseholdErrorCode}. */
export class LeaseLostError extends LeaseholdError {
  declare readonly code: "lease_lost";
  declare readonly reason: LossReason;
  constructor(lockName: string, reason: LossReason, names?: readonly string[]) {
    super("lease_lost", `the lease of "${lockName}" has ended: ${reason}${ADVICE[reason] ?? ""}`, { reason, names });
  }
}

/** Whether an error means that there was no answer, be it that nothing was sent or that it is unknown what became of it. */
export const isNoAnswer = (
  error: unknown,
): error is LeaseholdError & { readonly code: "outcome_unknown" | "unreachable" } =>
  error instanceof LeaseholdError && (error.code === "outcome_unknown" || error.code === "unreachable");

/** See `outcome_unknown` of {@link LeaseholdErrorCode}. */
export class OutcomeUnknownError extends LeaseholdError {
  declare readonly code: "outcome_unknown";
  constructor(lockName: string, why: string, cause?: unknown, operation?: string) {
    super("outcome_unknown", `no answer about "${lockName}": ${why}`, {
      cause,
      ...(operation !== undefined && { operation }),
    });
  }
}

export function wrongKind(lockName: string, kind: string): LeaseholdError {
  const [own = "", version] = kind.split("/");
  let why = `is in use as ${kind}`;
  if (kind === "foreign") why = "has a value under its key that is not leasehold's: choose another name or prefix";
  else if (version === "1")
    why = `has a damaged record of kind "${own}": call forceRelease, and delete its key if that fails too`;
  else if (version !== undefined) why = `has a record of a newer format, ${kind}: update leasehold`;
  return new LeaseholdError("wrong_kind", `"${lockName}" ${why}`, { kind });
}
