/**
 * What a lock may grant, after the models of Jepsen's lock workloads: mutex, owner-aware mutex, reentrant mutex, their
 * fenced forms, semaphore and read-write lock. The models have no time: a hold lasts until something ends it.
 */

/** A caller that requests a hold. */
export interface Asker {
  readonly hold: number;
  /** The owner; empty for a caller that never equals another one. */
  readonly owner: string;
  readonly side: "read" | "write";
  readonly permits: number;
}

export interface Held extends Asker {
  /** 0 until a response has shown it. */
  readonly token: number;
}

export interface LockModel {
  /** Whether the hold may be granted beside those. */
  admits(held: readonly Held[], asker: Asker): boolean;
  /** Whether a hold of another owner explains a refusal. */
  explainsRefusal(held: readonly Held[], asker: Asker): boolean;
  /** Whether a hold of the same owner explains a refusal. */
  isOwn(held: readonly Held[], asker: Asker): boolean;
  /** Whether the hold shares its token with the existing holds. */
  readonly sharesTokens: boolean;
  /** Whether a grant has a token. */
  readonly isFenced: boolean;
}

const isSame = ({ owner }: Asker, other: Asker): boolean => owner !== "" && owner === other.owner;
const never = (): boolean => false;

const MUTEX: LockModel = {
  admits: (held) => held.length === 0,
  explainsRefusal: (held) => held.length > 0,
  isOwn: never,
  sharesTokens: false,
  isFenced: false,
};

const OWNER_AWARE_MUTEX: LockModel = {
  ...MUTEX,
  explainsRefusal: (held, asker) => held.some((hold) => !isSame(hold, asker)),
  isOwn: (held, asker) => held.some((hold) => isSame(hold, asker)),
};

const REENTRANT_MUTEX: LockModel = {
  ...MUTEX,
  admits: (held, asker) => held.every((hold) => isSame(hold, asker)),
  explainsRefusal: (held, asker) => held.some((hold) => !isSame(hold, asker)),
  sharesTokens: true,
};

const semaphoreOf = (max: number): LockModel => {
  const admits = (held: readonly Held[], asker: Asker): boolean =>
    held.reduce((used, { permits }) => used + permits, asker.permits) <= max;
  return { ...MUTEX, admits, explainsRefusal: (held, asker) => !admits(held, asker) };
};

const READ_WRITE: LockModel = {
  ...MUTEX,
  admits: (held, { side }) => held.every((hold) => side === "read" && hold.side === "read"),
  explainsRefusal: (held, { side }) => held.some((hold) => side === "write" || hold.side === "write"),
  sharesTokens: true,
};

/** The workload's description of its lock. */
export interface LockRules {
  readonly reentrant?: boolean;
  /** Whether waiters have precedence, so that a free lock may be refused. */
  readonly waiters?: boolean;
  /** The number of permits of a semaphore. */
  readonly permits?: number;
  readonly fenced?: boolean;
}

/** The model of a kind of lock. */
export function lockModelOf(kind: string, rules: LockRules): LockModel {
  const { reentrant = false, waiters = false, permits = 0, fenced = true } = rules;
  const unfenced =
    kind === "semaphore"
      ? semaphoreOf(permits)
      : kind === "readWriteLock"
        ? READ_WRITE
        : reentrant
          ? REENTRANT_MUTEX
          : OWNER_AWARE_MUTEX;
  // The history does not record the queue, so every refusal of a lock with a queue is accepted.
  return { ...unfenced, isFenced: fenced, ...(waiters && { explainsRefusal: () => true }) };
}
