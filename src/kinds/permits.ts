import {
  type Acquirable,
  type AcquirableKind,
  type AcquireReply,
  type AcquireRequest,
  acquirable,
} from "../lease/acquire.ts";
import type { AcquireOptions } from "../lease/acquire-options.ts";
import { type HoldCalls, type HoldKind, holdCalls, type Stock } from "../lease/hold.ts";
import type { Look } from "../lease/lock-timeout.ts";
import { bodyOf, forceRecord, inspectCrowd, type Joint } from "../lease/record.ts";
import { permitsOf } from "../lease/ticket.ts";
import type { Call, Ran } from "../redis/call.ts";
import type { ConnectionSource } from "../redis/connect.ts";
import { runScript } from "../redis/run.ts";
import {
  crowdExtend,
  crowdForce,
  type SemaphoreSetReply,
  semaphoreAcquire,
  semaphoreClose,
  semaphoreQueue,
  semaphoreSet,
} from "../redis/scripts.gen.ts";
import { callOf, channelsOf, dueOf, type Target, toTarget, withCrowd } from "../redis/target.ts";
import { type Duration, toCount, toTtl } from "../shared/checks.ts";
import { randomId } from "../shared/crypto.ts";
import { inCall, misuse } from "../shared/misuse.ts";
import { suffixOf } from "../shared/note.ts";
import { ownPace, ticketToSend } from "./queue.ts";

/** Options of the permits of a name. */
export interface PermitsOptions {
  /**
   * The number of permits, unless one was set on the server. Acquiring more permits than a semaphore has is a
   * `RangeError`, also if neither this option nor the server has a number. At least 1; `setPermits(0)` pauses the
   * semaphore, and acquisitions wait. A counter may have 0, which is its default.
   */
  readonly permits?: number | undefined;
  /**
   * How long a number set on the server is remembered after the last change or grant, in ms or like `"7d"`. Default 7
   * days.
   */
  readonly ttl?: Duration | undefined;
}

/** Options with the number of permits to acquire. */
export interface PermitOptions {
  /**
   * The number of permits to acquire, all or none; up to 1000 of a semaphore, under one lease and one token. Default 1.
   */
  readonly permits?: number | undefined;
}

/** The number of permits of a name, and the members that semaphores and counters share. */
export interface Permits {
  readonly name: string;
  /**
   * Sets the number of permits, including those in use. A smaller number takes no permit from a holder, but none is
   * granted until enough were returned.
   *
   * @throws OutcomeUnknownError without an answer, like every change: it may have been made. A change is never made
   * twice.
   */
  setPermits(count: number): Promise<void>;
  /** Sets the number if the server remembers none. Returns false if the number was left unchanged. */
  trySetPermits(count: number): Promise<boolean>;
  /**
   * Adds to the number, for example a delivery; a negative count reduces it, and `available` may fall below zero.
   */
  addPermits(count: number): Promise<void>;
  /** Takes all available permits out of circulation and returns their number, 0 for none. */
  drain(): Promise<number>;
  /** The number of permits that can be acquired; negative if more are in use than exist. */
  available(): Promise<number>;
  /** Forgets the number and the holders of permits. Returns true if there was something to forget. */
  forceRelease(): Promise<boolean>;
}

/** The maximum number of permits. */
export const MAX_PERMITS: number = 2 ** 53 - 1;
const OPTIONS = "permits ttl wait maxPolls backoff signal waitUntil limit>permits max>permits timeout>wait";

/** What `inspect` of a semaphore returns. */
export interface SemaphoreState {
  /** `held`: at least one permit is in use. */
  readonly state: "free" | "held";
  /** The last token, or 0 if none is remembered. */
  readonly token: number;
  /** The number of permits, including those in use. */
  readonly permits: number;
  /** The number of permits that can be acquired; negative if more are in use than exist. */
  readonly available: number;
  /** The number of permits in use. */
  readonly acquired: number;
  /** Milliseconds until the last lease ends. */
  readonly remaining: number;
  /** The length of a fair semaphore's queue. */
  readonly waiters: number;
}

/** The number of permits in the record of a name. */
interface Permitted extends Omit<SemaphoreState, "state"> {
  /** Whether the number was set on the server, and for how many ms it is remembered there. */
  readonly set: boolean;
  readonly remembered: number;
}

/** The permits of a semaphore, and of a counter. */
export const PERMITS: HoldKind = {
  kind: "semaphore",
  extend: crowdExtend,
  close: semaphoreClose,
  crowd: true,
  leaves: /^gone$/,
};

/** The permits of one name, from which a semaphore or a counter is made. */
interface PermitPool {
  readonly target: Target;
  readonly stock: Stock;
  readonly members: Permits;
  /** How permits are acquired: at most `max` per call; first come, first served if there is a `graceMs`. */
  acquirable(max: number, own: Pick<AcquirableKind, "adds" | "takes" | "spending">, graceMs?: number): Acquirable;
  /** Changes the number in one of the script's ways. Returns true if it was changed. */
  changed(operation: string, way: string, count: number): Promise<boolean>;
  inspect(joint?: Joint): Promise<Permitted>;
}

/** Reads the number of permits; `initial` applies if none was set, and is empty for none. */
async function inspectPermits(target: Target, initial: number | "", joint?: Joint, call?: Call): Promise<Permitted> {
  const record = await inspectCrowd(target, joint, call);
  if (record.status !== "live") {
    const permits = Number(initial);
    return {
      token: record.token,
      permits,
      available: permits,
      acquired: 0,
      remaining: 0,
      waiters: 0,
      set: false,
      remembered: 0,
    };
  }
  const [number = ""] = bodyOf(record).split(" ", 1);
  const permits = Number(number === "" ? initial : number);
  return {
    token: record.token,
    permits,
    available: permits - record.many,
    acquired: record.many,
    remaining: record.left / 1000,
    waiters: record.waiting,
    set: number !== "",
    remembered: record.remaining / 1000,
  };
}

/** Changes the number in one of the ways of the script. */
type Change = (operation: string, way: string, count: number) => Promise<Ran<SemaphoreSetReply>>;

function membersOf(target: Target, name: string, change: Change, inspect: () => Promise<Permitted>): Permits {
  const counted = (member: string, count: number, min: number): number =>
    inCall(
      () => `${callOf(target)}.${member}`,
      () => toCount(count, "count", min, MAX_PERMITS),
    );
  return {
    name,
    async setPermits(count) {
      await change("setPermits", "set", counted("setPermits", count, 0));
    },
    async trySetPermits(count) {
      const answer = await change("trySetPermits", "try", counted("trySetPermits", count, 0));
      return answer.status === "done";
    },
    async addPermits(count) {
      await change("addPermits", "add", counted("addPermits", count, -MAX_PERMITS));
    },
    async drain() {
      const answer = await change("drain", "drain", 0);
      return answer.status === "done" ? answer.count : 0;
    },
    available: async () => (await inspect()).available,
    forceRelease: (joint?: Joint) => forceRecord(target, joint, crowdForce),
  };
}

/** The error for acquiring more permits than exist, or any permits while there is no number. */
const tooFew = (name: string, permits: number, wanted: number): RangeError =>
  new RangeError(
    permits > 0 ? `"${name}" has ${permits} permits, not ${wanted}` : `"${name}" needs permits, or setPermits`,
  );

/**
 * The number of permits if none was set; empty for none. @throws TypeError or RangeError; the message does not name the
 * call.
 */
function initialOf(kind: string, { permits }: PermitsOptions): number | "" {
  if (permits === undefined) return "";
  // Zero would be a mistake that shows only as a time-out.
  if (permits === 0 && kind === "semaphore")
    throw misuse(RangeError, "permits 0 would admit nobody: use 1 or more. To pause, call setPermits(0)");
  return toCount(permits, "permits", kind === "semaphore" ? 1 : 0, MAX_PERMITS);
}

/** What a timed-out wait reads: the waiters in the queue, or a counter's permits. */
function lookFor(target: Target, kind: string, initial: number | ""): Look {
  return async (call) => {
    const { waiters, available } = await inspectPermits(target, initial, undefined, call);
    return kind === "counter" ? { available } : { waiters };
  };
}

/** Opens the permits of one name, for a semaphore or a counter. */
export function openPermits(
  source: ConnectionSource,
  kind: string,
  name: string,
  options: PermitsOptions & AcquireOptions,
  more = "",
): PermitPool {
  const target = withCrowd(toTarget(source, kind, name, options, OPTIONS + more));
  const [initial, ttlMs] = inCall(
    () => callOf(target),
    () => [initialOf(kind, options), toTtl(options.ttl ?? "7d")],
  );
  const counts = [initial, ttlMs, target.connection.retentionMs] as const;

  const change: Change = (operation, way, count) =>
    runScript(target, semaphoreSet, [randomId(), kind, way, count, ...counts], { operation });
  const inspect = (joint?: Joint): Promise<Permitted> => inspectPermits(target, initial, joint);

  const askFor = async (
    { id, leaseMs, waitMs, waitedMs, before, own: wanted, listensMs, backoff }: AcquireRequest<number>,
    call: Call,
    graceMs: number,
  ): Promise<Ran<AcquireReply>> => {
    const reply =
      graceMs > 0
        ? await runScript(
            target,
            semaphoreQueue,
            [id, leaseMs, ...counts, ticketToSend(waitMs, before), graceMs, listensMs, ownPace(backoff)],
            call,
          )
        : await runScript(target, semaphoreAcquire, [id, kind, leaseMs, ...counts, waitedMs, listensMs], call);
    if (reply.status === "short") throw tooFew(name, reply.permits, wanted);
    return reply;
  };

  const calls = holdCalls(target, PERMITS);
  // A counter's permits are only cancelled, never extended, and its number limits what is returned.
  const cancelTaken: HoldCalls["close"] = (id, token, call) =>
    runScript(target, semaphoreClose, [id, token, target.connection.retentionMs, dueOf(target), initial], call);

  return {
    target,
    stock: { initial, ttlMs },
    members: membersOf(target, name, change, inspect),
    changed: async (...args) => (await change(...args)).status === "done",
    inspect,
    acquirable: (max, own, graceMs = 0) =>
      acquirable<number>(
        {
          target,
          channels: channelsOf(target),
          ...calls,
          ...(kind === "counter" && { close: cancelTaken }),
          ...own,
          own: ({ permits = 1 }: PermitOptions) => toCount(permits, "permits", 1, max),
          again: (id): PermitOptions => ({ permits: permitsOf(id) }),
          suffix: ({ own: wanted, note }) => `#${wanted}${suffixOf(note)}`,
          ask: (request, call) => askFor(request, call, graceMs),
          // The refusal of a semaphore names a holder; without a queue, the server knows no waiters.
          ...((graceMs > 0 || kind === "counter") && { look: lookFor(target, kind, initial) }),
        },
        options,
      ),
  };
}
