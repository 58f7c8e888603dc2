import { type Acquirable, acquirable } from "../lease/acquire.ts";
import { LOCK_OPTIONS } from "../lease/acquire-options.ts";
import type { EarlierTenure } from "../lease/earlier-tenure.ts";
import { type HoldCalls, type HoldKind, holdCalls } from "../lease/hold.ts";
import { isOwnToken } from "../lease/own-tokens.ts";
import { decoded, forceRecord, inspectCrowd, type Joint } from "../lease/record.ts";
import type { Call } from "../redis/call.ts";
import { type ConnectionSource, startPatience } from "../redis/connect.ts";
import { runScript } from "../redis/run.ts";
import { crowdExtend, crowdForce, rwAcquire, rwClose, rwForce } from "../redis/scripts.gen.ts";
import { channelsOf, type Target, toTarget, withCrowd } from "../redis/target.ts";
import { randomId } from "../shared/crypto.ts";
import { type Note, noteOf, suffixOf } from "../shared/note.ts";
import { noop } from "../shared/wait-until.ts";
import { type LockOptions, reentrantOf } from "./lock.ts";

/** The maximum interval that a waiter announces. If the waiter dies, others wait this long. */
const BACK_MS = 1000;

/** With the label and the process of the writer. */
export interface ReadWriteState extends Note {
  /** The held side; `free` if neither is held, although there may be waiters. */
  readonly state: "free" | "read" | "write";
  /** The last token, or 0 if none is remembered. */
  readonly token: number;
  /** Milliseconds until the last hold ends. */
  readonly remaining: number;
  /** The number of read holds. */
  readonly readers: number;
  /** The number of the writer's holds. */
  readonly holds: number;
  /** The hash of the writer's re-entry key, if it has one. */
  readonly reentryKey?: string;
  /** The number of waiting writers; they block new readers. */
  readonly waitingWriters: number;
  /** The number of waiting readers that arrived while a writer held the lock; they precede the next writer. */
  readonly waitingReaders: number;
}

/** One side of a read-write lock. */
export interface ReadWriteSide extends Acquirable {
  /** Reads the state of both sides on the server. */
  inspect(): Promise<ReadWriteState>;
  /** Releases this side by force, and leaves the other. Returns true if it was held. */
  forceRelease(): Promise<boolean>;
}

/** A read-write lock by name. It holds nothing itself: every acquisition returns its own lease. */
export interface ReadWriteLock {
  readonly name: string;
  /**
   * Shared by any number of readers, under one token. A caller with the writer's re-entry key may acquire it as well,
   * under the same token.
   */
  readonly read: ReadWriteSide;
  /** Exclusive. For a reader, acquiring it throws `upgrade_refused`, since the reader would wait for itself. */
  readonly write: ReadWriteSide;
  /** Reads the state on the server. */
  inspect(): Promise<ReadWriteState>;
  /** Releases both sides by force, and raises the token. Returns true if one was held. */
  forceRelease(): Promise<boolean>;
}

/** Why a hold is lost of which something may be left. */
const LEAVES = /^(gone|taken|unknown)$/;

/**
 * Closes a hold by its token, and otherwise by its ID alone: if the server has lost the record, it knows the tokens of
 * readers no more, and they still block writers.
 */
function closeLeft({ connection }: Target, close: HoldCalls["close"]): HoldCalls["close"] {
  return async (id, token, call) => {
    const leftMs = startPatience(connection);
    const answer = await close(id, token, call);
    if (token !== 0 && answer.status === "lost" && LEAVES.test(answer.reason)) {
      const { operation, routes } = call;
      await close(id, 0, { operation, routes, budgetMs: leftMs() }).catch(noop);
    }
    return answer;
  };
}

/** The holds of a read-write lock. */
export const READ_WRITE_LOCK: HoldKind = {
  kind: "rw",
  extend: crowdExtend,
  close: rwClose,
  crowd: true,
  leaves: LEAVES,
  closesAll: closeLeft,
};

/**
 * Acquires one side; `steal` takes the write side from its holders, for one acquisition, which has its own `earlier`
 * tenure.
 */
export function rwSide(
  target: Target,
  mode: "read" | "write" | "steal",
  options: LockOptions,
  takes?: string,
  earlier?: EarlierTenure,
): Acquirable {
  const { retentionMs } = target.connection;
  const reentrant = reentrantOf(target, options);
  return acquirable(
    {
      target,
      ...holdCalls(target, READ_WRITE_LOCK),
      channels: channelsOf(target),
      mode: mode === "read" ? "read" : "write",
      endsOthers: mode === "steal",
      suffix: ({ reentryKey, note }) => reentryKey + suffixOf(note),
      ...(takes && { takes }),
      async ask({ id, leaseMs, waitMs, waitedMs, listensMs }, call) {
        const backMs = Math.max(0, Math.min(BACK_MS, waitMs - waitedMs));
        const args = [
          id,
          leaseMs,
          retentionMs,
          mode,
          reentrant,
          backMs,
          earlier?.toSend(call) ?? 0,
          listensMs,
        ] as const;
        const reply = await runScript(target, rwAcquire, args, call);
        if (reply.status === "granted") earlier?.had(reply);
        return reply;
      },
      async look(call) {
        const found = await inspectSides(target, undefined, call);
        const { state, token, label, holder, waitingWriters, waitingReaders } = found;
        // A reader cannot become a writer.
        const isOwn = state === "write" && isOwnToken(target, token);
        return { label, holder, isOwn, waiters: waitingWriters + waitingReaders };
      },
    },
    options,
  );
}

/** Finds the record and the crowd of a read-write lock. @throws TypeError or RangeError for an invalid name. */
export const readWriteTarget = (source: ConnectionSource, name: string, options: LockOptions = {}): Target =>
  withCrowd(toTarget(source, READ_WRITE_LOCK.kind, name, options, LOCK_OPTIONS));

/** Reads the state of both sides. */
export async function inspectSides(target: Target, joint?: Joint, call?: Call): Promise<ReadWriteState> {
  const record = await inspectCrowd(target, joint, call);
  const { token } = record;
  if (record.status === "free")
    return { state: "free", token, remaining: 0, readers: 0, holds: 0, waitingWriters: 0, waitingReaders: 0 };
  const { left, holds, body, many: readers, waiting: waitingWriters, behind: waitingReaders } = record;
  const [, reentryKey, note] = body.split(" ");
  return {
    state: holds ? "write" : readers ? "read" : "free",
    token,
    remaining: left / 1000,
    readers,
    holds,
    ...(holds && reentryKey && { reentryKey }),
    ...(holds && decoded(target, () => noteOf(note))),
    waitingWriters,
    waitingReaders,
  };
}

/**
 * Makes a lock for many readers or one writer. A waiting writer blocks new readers, and readers that arrived while it
 * held the lock precede the next writer, so neither side starves. Nothing is sent yet.
 *
 * Acquisitions with the same `reentryKey` are reentrant: a reader may read again whoever waits, and a writer may read,
 * and keep reading after it has released the write side.
 *
 * @example
 * ```ts
 * const config = readWriteLock(connection, "config");
 * await config.write.run(() => build());
 * await config.read.run({ wait: "5s" }, async ({ signal }) => {
 *   await settle(signal);
 * });
 * ```
 *
 * @throws TypeError or RangeError for an invalid name or option.
 */
export function readWriteLock(connection: ConnectionSource, name: string, options: LockOptions = {}): ReadWriteLock {
  const target = readWriteTarget(connection, name, options);
  const inspect = (joint?: Joint): Promise<ReadWriteState> => inspectSides(target, joint);
  const side = (mode: "read" | "write"): ReadWriteSide => ({
    ...rwSide(target, mode, options),
    inspect,
    async forceRelease(joint?: Joint) {
      const args = [randomId(), mode, target.connection.retentionMs] as const;
      const call = { operation: "forceRelease", routes: joint?.routes };
      return (await runScript(target, rwForce, args, call)).had === 1;
    },
  });
  return {
    name,
    read: side("read"),
    write: side("write"),
    inspect,
    forceRelease: () => forceRecord(target, undefined, crowdForce),
  };
}
