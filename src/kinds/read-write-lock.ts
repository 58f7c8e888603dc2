import { type Acquirable, acquirable } from "../engine/acquire.ts";
import { LOCK_OPTIONS } from "../engine/acquire-options.ts";
import { type HoldKind, holding } from "../engine/hold.ts";
import { openPlace, withCrowd } from "../engine/place.ts";
import { forceRecord, inspectCrowd } from "../engine/record.ts";
import type { ConnectionSource } from "../redis/connect.ts";
import { type Place, runScript } from "../redis/run.ts";
import { crowdExtend } from "../redis/scripts/crowd-extend.gen.ts";
import { crowdForce } from "../redis/scripts/crowd-force.gen.ts";
import { rwAcquire } from "../redis/scripts/rw-acquire.gen.ts";
import { rwClose } from "../redis/scripts/rw-close.gen.ts";
import { rwForce } from "../redis/scripts/rw-force.gen.ts";
import { randomId } from "../shared/crypto.ts";
import type { LockOptions } from "./lock.ts";

/** A waiter says that it is back within this. Longer, and it keeps others waiting after its death, or comes late to its turn. */
const BACK_MS = 1000;

export interface ReadWriteState {
  /** `read` and `write` say who has it; `free` that nobody does, though there may be waiters. */
  readonly state: "free" | "read" | "write";
  /** The last one given; 0 when none is remembered. */
  readonly token: number;
  /** Milliseconds until the last hold ends. */
  readonly remaining: number;
  /** Read holds. */
  readonly readers: number;
  /** The writer's holds. */
  readonly holds: number;
  /** Hash of the writer's owner, if it named one. */
  readonly owner?: string;
  /** The writer's. */
  readonly label?: string;
  /** Writers that said they would ask again; new readers are held back meanwhile. */
  readonly waitingWriters: number;
  /** Readers that came while a writer had it, and go before the next one. */
  readonly waitingReaders: number;
}

/** One side of a read-write lock. */
export interface ReadWriteSide extends Acquirable {
  /** As of the whole. */
  inspect(): Promise<ReadWriteState>;
  /** Takes this side from whoever has it, and leaves the other. True when somebody had it. */
  forceRelease(): Promise<boolean>;
}

/** A recipe: it holds nothing itself, and every acquisition gives a lease of its own. */
export interface ReadWriteLock {
  readonly name: string;
  /** Shared by any number of readers, who have one token in common. Who has `write` may take it too, under the same token. */
  readonly read: ReadWriteSide;
  /** Exclusive. A reader that asks for it gets `upgrade_refused`: it would wait for itself. */
  readonly write: ReadWriteSide;
  /** How it was when the server looked. */
  inspect(): Promise<ReadWriteState>;
  /** Frees both sides whoever holds them, and moves the token on. True when somebody did. */
  forceRelease(): Promise<boolean>;
}

/** The holds of a read-write lock. */
export const READ_WRITE_LOCK: HoldKind = { kind: "rw", extend: crowdExtend, close: rwClose, crowd: true };

/** How one side is acquired; `steal` is the write side, whoever has it. */
export function rwSide(
  place: Place,
  mode: "read" | "write" | "steal",
  options: LockOptions,
  takes?: string,
): Acquirable {
  const { retentionMs } = place.connection;
  const reentrant = options.reentrant === false ? 0 : 1;
  return acquirable(
    {
      place,
      ...holding(place, READ_WRITE_LOCK),
      suffix: ({ owner }) => owner,
      ...(takes && { takes }),
      ask({ id, leaseMs, label, waitMs, waitedMs }, call) {
        const backMs = Math.max(0, Math.min(BACK_MS, waitMs - waitedMs));
        return runScript(place, rwAcquire, [id, leaseMs, retentionMs, mode, label, reentrant, backMs], call);
      },
    },
    options,
  );
}

/**
 * Many readers or one writer. A waiting writer holds back new readers, and when it has released, the readers that came meanwhile go
 * before the next writer, so that neither side starves. Reentrant for callers who pass the same `owner`: who reads may read again
 * whoever waits, and who writes may read, and go on reading after it has released the write.
 *
 * @throws TypeError or RangeError for a name or an option that cannot be.
 */
export function readWriteLock(connection: ConnectionSource, name: string, options: LockOptions = {}): ReadWriteLock {
  const place = withCrowd(openPlace(connection, READ_WRITE_LOCK.kind, name, options, LOCK_OPTIONS));
  async function inspect(): Promise<ReadWriteState> {
    const record = await inspectCrowd(place);
    const { token } = record;
    if (record.status === "free")
      return { state: "free", token, remaining: 0, readers: 0, holds: 0, waitingWriters: 0, waitingReaders: 0 };
    const { left, holds, body, many: readers, waiting: waitingWriters, behind: waitingReaders } = record;
    const [, owner, label] = body.split(" ");
    return {
      state: holds ? "write" : readers ? "read" : "free",
      token,
      remaining: left / 1000,
      readers,
      holds,
      ...(holds && owner && { owner }),
      ...(holds && label && { label: decodeURIComponent(label) }),
      waitingWriters,
      waitingReaders,
    };
  }

  const side = (mode: "read" | "write"): ReadWriteSide => ({
    ...rwSide(place, mode, options),
    inspect,
    async forceRelease() {
      const args = [randomId(), mode, place.connection.retentionMs] as const;
      return (await runScript(place, rwForce, args, { operation: "forceRelease" })).had === 1;
    },
  });
  return {
    name,
    read: side("read"),
    write: side("write"),
    inspect,
    forceRelease: () => forceRecord(place, crowdForce),
  };
}
