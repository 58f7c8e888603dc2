import { type Acquirable, acquirable } from "../engine/acquire.ts";
import { type AcquireOptions, LOCK_OPTIONS } from "../engine/acquire-options.ts";
import { type HoldKind, holding } from "../engine/hold.ts";
import { openPlace } from "../engine/place.ts";
import { forceRecord, inspectRecord, type RecordState } from "../engine/record.ts";
import type { several } from "../engine/several-names.ts";
import type { ConnectionSource } from "../redis/connect.ts";
import { type Place, runScript } from "../redis/run.ts";
import { holdExtend } from "../redis/scripts/hold-extend.gen.ts";
import { lockAcquire } from "../redis/scripts/lock-acquire.gen.ts";
import { lockClose } from "../redis/scripts/lock-close.gen.ts";

/** Defaults for the acquisitions of one lock, and what is the lock's own. */
export interface LockOptions extends AcquireOptions {
  /** Whether an owner that holds it may acquire it again. Default true; else that is a `not_reentrant` error. */
  readonly reentrant?: boolean | undefined;
  /**
   * Puts the keys of all names of the group into one slot of a cluster. Part of the name: without it one means another lock. So a name
   * that a multi-lock had in a group is a `TypeError` without one, over the same connection.
   */
  readonly group?: string | undefined;
}

export type LockState =
  | { readonly state: "free" /** The last one given; 0 when none is remembered. */; readonly token: number }
  | {
      readonly state: "held";
      readonly token: number;
      /** Milliseconds until the last hold ends. */
      readonly remaining: number;
      readonly holds: number;
      /** Hash of the owner, if the holder named one. */
      readonly owner?: string;
      readonly label?: string;
    };

/** A recipe: it holds nothing itself, and every acquisition gives a lease of its own. */
export interface Lock extends Acquirable {
  readonly name: string;
  /** How it was when the server looked. */
  inspect(): Promise<LockState>;
  /** Frees it whoever holds it, and moves the token on. True when somebody held it. */
  forceRelease(): Promise<boolean>;
}

/** The holds of a lock. */
export const LOCK: HoldKind = { kind: "lock", extend: holdExtend, close: lockClose };

/** What a record says of a lock. */
export function lockState(record: RecordState): LockState {
  if (record.status === "free" || !record.holds) return { state: "free", token: record.token };
  const { token, left, holds } = record;
  const [owner, label] = record.body.slice(1).split(" ");
  return {
    state: "held",
    token,
    remaining: left / 1000,
    holds,
    ...(owner && { owner }),
    ...(label && { label: decodeURIComponent(label) }),
  };
}

/** Acquires a lock; a multi-lock brings what several names in one slot need besides. */
export function lockOf(
  place: Place,
  options: LockOptions,
  script: typeof lockAcquire = lockAcquire,
  also?: typeof several,
): Acquirable {
  const held = holding(place, LOCK);
  const { retentionMs } = place.connection;
  const reentrant = options.reentrant === false ? 0 : 1;
  return acquirable(
    {
      place,
      ...(also?.(place, held) ?? held),
      ask: ({ id, leaseMs, owner, label, waitedMs }, call) =>
        runScript(place, script, [id, leaseMs, retentionMs, owner, label, reentrant, waitedMs], call),
    },
    options,
  );
}

/**
 * Mutual exclusion; reentrant for callers who pass the same `owner`.
 *
 * @throws TypeError or RangeError for a name or an option that cannot be.
 */
export function lock(connection: ConnectionSource, name: string, options: LockOptions = {}): Lock {
  const place = openPlace(connection, LOCK.kind, name, options, LOCK_OPTIONS);
  const own = (): Place => {
    place.connection.state.grouped?.check(place);
    return place;
  };
  return {
    name,
    ...lockOf(own(), options),
    inspect: async () => lockState(await inspectRecord(own())),
    forceRelease: async () => forceRecord(own()),
  };
}
