/** Why a lease has ended. `gone`: the server has no memory of it, for example after it lost its data. */
export type LossReason = "expired" | "taken" | "released" | "forced" | "gone";

/**
 * Every code of a {@link LeaseholdError}: a closed union, so that a `switch` over it narrows.
 *
 * - `lock_timeout`: not acquired in time, and nothing is held. It does not mean that the holder is stuck. Where no
 *   server answered in time, `cause` is why. With `onUnavailable: "run"` it is also the error of a wait that lost Redis
 *   while a lease that a server had reported still ran; `cause` is then the failure, and says whether anything is held.
 * - `lease_lost`: the lease is no longer ours. Stop the work; a fence refuses what it still writes.
 * - `outcome_unknown`: no answer came, neither to the request nor to its cancel; or no server could be reached, and
 *   then nothing is held. A hold that may have been granted ends with its lease, and the message says so. It does not
 *   mean that somebody else holds the name. The message names the host, and `cause` is the failure itself, without
 *   secrets.
 * - `unauthorized`: the API token was refused, or may not run the script, as a read-only one; nothing was done.
 * - `rate_limited`: the server asked us to slow down for longer than there was time (`retryAfterMs`); nothing was done.
 * - `redis_error`: Redis refused the command, for example `OOM` when memory is full.
 * - `malformed_answer`: the answer does not follow our protocol, or is a 4xx of something else than Redis. Check the URL,
 *   and any proxy in between.
 * - `wrong_kind`: the name is in use as another kind (`kind`), or its key holds a value that is not ours (`foreign`).
 *   Nothing was changed.
 * - `not_reentrant`: the same reentry key holds the lock already, and it was made with `reentrant: false`. The hold is
 *   untouched.
 * - `too_many_holds`: one reentry key holds the lock 64 times; that many re-entries are a leak.
 * - `upgrade_refused`: a reader asked for the write lock. It would wait for itself; release first.
 * - `not_replicated`: fewer replicas than requested had the hold in time. The grant was rolled back, and nothing is
 *   held.
 * - `no_quorum`: fewer than a majority of the servers answered. Nothing is held, except for holds that end with their
 *   lease.
 * - `no_result`: the work was done by another call, and its result could not be stored. It does not mean that the work
 *   failed. Look for what it did where it was written.
 * - `state_lost`: the latch is gone from the server, so nobody can tell whether it reached zero.
 */
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
  | "too_many_holds"
  | "upgrade_refused"
  | "not_replicated"
  | "no_quorum"
  | "no_result"
  | "state_lost";

/** Details that some errors have besides their code. */
export interface ErrorDetails {
  /**
   * With `lock_timeout`: how long the blocking lease still ran, if there was one. With another error of a wait: how
   * long a lease that a server reported before the failure still ran.
   */
  readonly remainingMs?: number | undefined;
  /** With `rate_limited`: the server's `Retry-After`, if it sent one. */
  readonly retryAfterMs?: number | undefined;
  /**
   * With `wrong_kind`: the kind that the name is in use as; `lock/2` is a format newer than this release. With
   * `lock_timeout`: the kind of what was not acquired.
   */
  readonly kind?: string | undefined;
  /** With `lock_timeout`: the name, or the names joined. */
  readonly lockName?: string | undefined;
  /** With `lock_timeout`: the label of the holder, and its process, where they are known. */
  readonly label?: string | undefined;
  readonly holder?: string | undefined;
  /** With `lock_timeout`: how many others were waiting, where the kind knows it. */
  readonly waiters?: number | undefined;
  /** With `lock_timeout` of a counter: how many permits were available, too few for the call. */
  readonly available?: number | undefined;
  /** With `lock_timeout`: how long the call waited. */
  readonly waitedMs?: number | undefined;
  /** With `lease_lost`, when one lease stood for several names: the lost ones. */
  readonly names?: readonly string[] | undefined;
  /** With `lease_lost`. */
  readonly reason?: LossReason | undefined;
  readonly cause?: unknown;
}

/** The `name` of an error, by its code. */
const NAMES: Readonly<Record<LeaseholdErrorCode, string>> = {
  lock_timeout: "LockTimeoutError",
  lease_lost: "LeaseLostError",
  outcome_unknown: "OutcomeUnknownError",
  unauthorized: "UnauthorizedError",
  rate_limited: "RateLimitedError",
  redis_error: "RedisError",
  malformed_answer: "MalformedAnswerError",
  wrong_kind: "WrongKindError",
  not_reentrant: "NotReentrantError",
  too_many_holds: "TooManyHoldsError",
  upgrade_refused: "UpgradeRefusedError",
  not_replicated: "NotReplicatedError",
  no_quorum: "NoQuorumError",
  no_result: "NoResultError",
  state_lost: "StateLostError",
};

/** The page of the documents on errors. Each code has its anchor there. */
const PAGE = "https://leasehold.github.io/leasehold/errors";

/** The address of what the documents say of a code. */
export const helpOf = (code: string): string => `${PAGE}#${code}`;

/**
 * Every error that is not plain misuse (misuse is a `TypeError` or `RangeError` at the call). Messages and causes never
 * hold an API token, a hold id, a ticket or a command.
 */
export class LeaseholdError extends Error implements ErrorDetails {
  declare readonly code: LeaseholdErrorCode;
  /** The address of what the documents say of the code. */
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

/** See `lease_lost` of {@link LeaseholdErrorCode}. */
export class LeaseLostError extends LeaseholdError {
  declare readonly code: "lease_lost";
  declare readonly reason: LossReason;
  constructor(lockName: string, reason: LossReason, names?: readonly string[]) {
    super("lease_lost", `the lease of "${lockName}" has ended: ${reason}`, { reason, names });
  }
}

/** See `outcome_unknown` of {@link LeaseholdErrorCode}. */
export class OutcomeUnknownError extends LeaseholdError {
  declare readonly code: "outcome_unknown";
  constructor(lockName: string, why: string, cause?: unknown) {
    super("outcome_unknown", `no answer about "${lockName}": ${why}`, { cause });
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
