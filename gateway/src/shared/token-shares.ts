import { type Budget, createBudget, type Hold, type Portion } from "./budget.ts";
import { NotSent, TooManyRequests } from "./error-answers.ts";
import { createGate, type Gate } from "./gate.ts";
import type { Limits } from "./limits.ts";
import { memoized } from "./memo.ts";

/** How many requests a second one token may make. */
export interface Rate {
  /** @throws {TooManyRequests} for a request above the limit */
  take(): void;
}

const SECOND_MS = 1_000;

/**
 * A token bucket: it holds the requests of one second, and fills again evenly, so that a burst of a second's requests is
 * served at once.
 *
 * @param perSecond the limit; 0 is none
 * @param now the time in ms, which never goes back
 */
export function createRate(perSecond: number, now: () => number = () => performance.now()): Rate {
  if (perSecond === 0) return { take() {} };
  let room = perSecond;
  let filledAt = now();
  return {
    take() {
      const time = now();
      room = Math.min(perSecond, room + ((time - filledAt) * perSecond) / SECOND_MS);
      filledAt = time;
      if (room < 1) throw new TooManyRequests(perSecond, Math.ceil((1 - room) / perSecond));
      room--;
    },
  };
}

/**
 * The share of one token, so that none takes away resources that others need. A token is for one database, and so is
 * its share.
 */
interface Share {
  readonly streams: Gate;
  /**
   * Admits a request, which must `leave`.
   *
   * @throws {TooManyRequests} when its token makes too many requests a second
   * @throws {NotSent} when too much is in flight with its token
   */
  enter(): Held;
}

/** The resources of one request. */
export interface Held {
  /** The bytes of its body, and of the commands parsed from it. */
  readonly body: Hold;
  /** The bytes of its replies. */
  readonly replies: Hold;
  readonly streams: Gate;
  /**
   * Counts the request as one that waits, and no longer as one in flight. False, and changes nothing, when too many
   * wait already.
   */
  park(): boolean;
  /** Releases all but the bytes of the answer, once the request is answered. */
  leave(): void;
}

/** The shares of all tokens, and their sums. */
export interface Shares {
  /** The requests in flight, without those that wait. */
  readonly inFlight: number;
  /** Those that wait. */
  readonly waiting: number;
  readonly bodies: Budget;
  readonly replies: Budget;
  /** The share of a token. */
  of(id: string): Share;
}

/** The gates of one token, and those of all. */
interface Gates {
  readonly requests: readonly [Gate, Gate];
  readonly waiting: readonly [Gate, Gate];
}

class HeldOf implements Held {
  readonly body: Hold;
  readonly replies: Hold;
  readonly streams: Gate;
  readonly #gates: Gates;
  #entered: readonly Gate[];

  /** @param gates those of `requests` have been entered */
  constructor(body: Hold, replies: Hold, streams: Gate, gates: Gates) {
    this.body = body;
    this.replies = replies;
    this.streams = streams;
    this.#gates = gates;
    this.#entered = gates.requests;
  }

  park(): boolean {
    const { waiting } = this.#gates;
    if (waiting.some((gate) => gate.isFull)) return false;
    for (const gate of waiting) gate.enter();
    for (const gate of this.#entered) gate.leave();
    this.#entered = waiting;
    return true;
  }

  leave(): void {
    this.body.release();
    for (const gate of this.#entered) gate.leave();
  }
}

/** @param onFull called for each request that is refused because its token has too much in flight */
export function createShares(limits: Limits, onFull: () => void): Shares {
  const all = createGate();
  const allWaiting = createGate(limits.maxHeldInAll);
  const bodies = createBudget(limits.bodyBudgetBytes, onFull);
  const replies = createBudget(limits.replyBudgetBytes, onFull);

  function share(): Share {
    const rate = createRate(limits.maxRequestsPerSecond);
    const requests = createGate(limits.maxInFlight, "requests", onFull);
    const streams = createGate(limits.maxStreams, "subscriptions and monitors");
    const waiting = createGate(limits.maxHeld);
    const gates: Gates = { requests: [requests, all], waiting: [waiting, allWaiting] };
    const [body, reply]: [Portion, Portion] = [bodies.portion(), replies.portion()];
    return {
      streams,
      enter() {
        rate.take();
        if (reply.isFull) {
          onFull();
          throw new NotSent("too many bytes of replies at once");
        }
        requests.enter();
        all.enter();
        return new HeldOf(body.hold(), reply.hold(), streams, gates);
      },
    };
  }

  return {
    get inFlight() {
      return all.inFlight;
    },
    get waiting() {
      return allWaiting.inFlight;
    },
    bodies,
    replies,
    // Kept for revoked tokens too: they have requests in flight, and may come back.
    of: memoized(share),
  };
}
