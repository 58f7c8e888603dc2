import { type Acquirable, acquirable } from "../lease/acquire.ts";
import { type AcquireOptions, LOCK_OPTIONS } from "../lease/acquire-options.ts";
import { type HoldKind, holdCalls } from "../lease/hold.ts";
import type { Occupant } from "../lease/lock-timeout.ts";
import { isOwnToken } from "../lease/own-tokens.ts";
import { bodyOf, decoded, forceRecord, inspectRecord, type Joint, type RecordState } from "../lease/record.ts";
import type { ConnectionSource } from "../redis/connect.ts";
import { runScript } from "../redis/run.ts";
import { holdExtend, lockAcquire, lockClose } from "../redis/scripts.gen.ts";
import { callOf, channelsOf, type Target, toTarget } from "../redis/target.ts";
import { toFlag } from "../shared/checks.ts";
import { inCall } from "../shared/misuse.ts";
import { type Note, noteOf } from "../shared/note.ts";

/** Defaults for the acquisitions of one lock, and options of the lock itself. */
export interface LockOptions extends AcquireOptions {
  /**
   * Whether a re-entry key that holds the lock may acquire it again. If false, that throws `not_reentrant`. Default
   * true.
   */
  readonly reentrant?: boolean | undefined;
}

/** What `inspect` of a lock returns. */
export type LockState =
  | { readonly state: "free" /** The last token given; 0 when none is remembered. */; readonly token: number }
  | ({
      readonly state: "held";
      readonly token: number;
      /** Milliseconds until the last hold ends. */
      readonly remaining: number;
      readonly holds: number;
      /** The hash of the holder's re-entry key, if it has one. */
      readonly reentryKey?: string;
    } & Note);

/** A lock by name. It holds nothing itself: every acquisition returns its own lease. */
export interface Lock extends Acquirable {
  readonly name: string;
  /** Reads the state on the server. */
  inspect(): Promise<LockState>;
  /** Releases the lock by force, and raises the token. Returns true if it was held. */
  forceRelease(): Promise<boolean>;
}

/** The holds of a lock. */
export const LOCK: HoldKind = { kind: "lock", extend: holdExtend, close: lockClose };

/** The argument `asked` of a poll that must read the server's clock. */
const READ_CLOCK = "";
/** The first poll, and then one in this many, reads the server's clock. */
const CLOCK_EACH = 8;

/** Decodes the record of a lock. */
export function lockState(record: RecordState): LockState {
  if (record.status === "free" || !record.holds) return { state: "free", token: record.token };
  const { token, left, holds } = record;
  const [reentryKey, note] = bodyOf(record).split(" ");
  return {
    state: "held",
    token,
    remaining: left / 1000,
    holds,
    ...(reentryKey && { reentryKey }),
    ...noteOf(note),
  };
}

/** Who holds a lock. */
export function occupantOf(state: LockState): Occupant {
  const { label, holder } = state as Note;
  return { label, holder };
}

/** Who holds a lock that is reentrant on one server. */
export const holderOf = (target: Target, state: LockState): Occupant => ({
  ...occupantOf(state),
  isOwn: isOwnToken(target, state.token),
});

/** The argument `reentrant` of the scripts. @throws TypeError for an option that is not a boolean. */
export const reentrantOf = (target: Target, { reentrant }: LockOptions): 0 | 1 =>
  inCall(
    () => callOf(target),
    () => (toFlag(reentrant, "reentrant") === false ? 0 : 1),
  );

function lockOf(target: Target, options: LockOptions, findsHolder = true): Acquirable {
  const { retentionMs, clock } = target.connection;
  const reentrant = reentrantOf(target, options);
  return acquirable(
    {
      target,
      ...holdCalls(target, LOCK),
      channels: channelsOf(target),
      ask({ id, leaseMs, reentryKey, note, waitedMs, polls, before, listensMs }, call) {
        // Most polls carry an estimate of the server's time, by which the server may refuse them without reading its
        // clock.
        const mayGuess = before !== undefined && !before.wasParked && polls % CLOCK_EACH !== 0;
        const nowUs = mayGuess ? before.now + (clock.now() - before.sentAt) * 1000 : READ_CLOCK;
        const args = [id, leaseMs, retentionMs, reentryKey, note, reentrant, waitedMs, nowUs, listensMs] as const;
        return runScript(target, lockAcquire, args, call);
      },
      ...(findsHolder && {
        look: async (call) => holderOf(target, lockState(await inspectRecord(target, undefined, call))),
      }),
    },
    options,
  );
}

/**
 * Opens a lock for acquiring only.
 *
 * @throws like {@link lock}.
 */
export function mutex(connection: ConnectionSource, name: string, options: LockOptions): Acquirable {
  const target = toTarget(connection, LOCK.kind, name, options, LOCK_OPTIONS);
  // `tryAcquire` does not report the holder, since reading it would cost one more request.
  return lockOf(target, options, false);
}

/**
 * Makes a lock: one holder of the name at a time. Acquisitions with the same `reentryKey` are reentrant. It is not
 * fair: any waiter may be next. Nothing is sent yet.
 *
 * @example
 * ```ts
 * const invoice = lock(connection, "invoice 17", { lease: "10s" });
 * await invoice.run({ wait: "2s" }, async ({ token, signal }) => {
 *   await charge({ invoice: 17, fencingToken: token, signal });
 * });
 * ```
 *
 * @throws TypeError or RangeError for an invalid name or option.
 */
export function lock(connection: ConnectionSource, name: string, options: LockOptions = {}): Lock {
  const target = toTarget(connection, LOCK.kind, name, options, LOCK_OPTIONS);
  return {
    name,
    ...lockOf(target, options),
    async inspect(joint?: Joint) {
      const record = await inspectRecord(target, joint);
      return decoded(target, () => lockState(record));
    },
    forceRelease: (joint?: Joint) => forceRecord(target, joint),
  };
}
