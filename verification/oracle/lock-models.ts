/**
 * What a lock may grant, as the models of Jepsen's lock workloads say it: mutex, owner-aware mutex, reentrant mutex,
 * their fenced forms, a semaphore's permits, and a read-write lock. None of them knows time: a hold lasts until
 * something ends it.
 */

/** Somebody who asks for a hold. */
export interface Asker {
  readonly hold: number;
  /** Who asks; empty for somebody who is never the same as another. */
  readonly owner: string;
  readonly side: "read" | "write";
  readonly permits: number;
}

export interface Held extends Asker {
  /** 0 as long as nobody has seen it. */
  readonly token: number;
}

export interface LockModel {
  /** Whether the hold may be granted beside those. */
  admits(held: readonly Held[], asker: Asker): boolean;
  /** Whether somebody else's hold explains a refusal. */
  explainsRefusal(held: readonly Held[], asker: Asker): boolean;
  /** Whether a hold of the same owner explains a refusal. */
  isOwn(held: readonly Held[], asker: Asker): boolean;
  /** Whether the hold shares its token with those that it is granted beside. */
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

const semaphoreOf = (most: number): LockModel => {
  const admits = (held: readonly Held[], asker: Asker): boolean =>
    held.reduce((used, { permits }) => used + permits, asker.permits) <= most;
  return { ...MUTEX, admits, explainsRefusal: (held, asker) => !admits(held, asker) };
};

const READ_WRITE: LockModel = {
  ...MUTEX,
  admits: (held, { side }) => held.every((hold) => side === "read" && hold.side === "read"),
  explainsRefusal: (held, { side }) => held.some((hold) => side === "write" || hold.side === "write"),
  sharesTokens: true,
};

/** What the workload says of its lock. */
export interface LockRules {
  readonly reentrant?: boolean;
  /** Whether those who wait come first, so that a free lock may be refused. */
  readonly waiters?: boolean;
  /** How many permits a semaphore has. */
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
  // Nobody tells the oracle who was in the queue, so it accepts every refusal of a lock that has one.
  return { ...unfenced, isFenced: fenced, ...(waiters && { explainsRefusal: () => true }) };
}
