import { type Budget, createBudget, type Hold, type Portion } from "./budget.ts";
import { NotSent } from "./error-answers.ts";
import type { Limits } from "./limits.ts";
import { createRate } from "./rate.ts";

/** A counter of requests or streams in flight, with a limit. */
export interface Gate {
  readonly inFlight: number;
  readonly isFull: boolean;
  /** @throws {NotSent} when the gate is full; whatever has entered must leave */
  enter(): void;
  leave(): void;
}

/**
 * @param most the limit; none by default
 * @param what the error's word for the things that are counted
 * @param onFull called for each one that is refused
 */
export function createGate(
  most: number = Number.POSITIVE_INFINITY,
  what = "requests",
  onFull: () => void = () => {},
): Gate {
  let inFlight = 0;
  return {
    get inFlight() {
      return inFlight;
    },
    get isFull() {
      return inFlight >= most;
    },
    enter() {
      if (inFlight >= most) {
        onFull();
        throw new NotSent(`more than ${most} ${what} at once`);
      }
      inFlight++;
    },
    leave() {
      inFlight--;
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
  /** By token. Kept for revoked ones too: they have requests in flight, and may come back. */
  const shares = new Map<string, Share>();

  function share(): Share {
    const { maxRequestsPerSecond } = limits;
    const rate = maxRequestsPerSecond === 0 ? undefined : createRate(maxRequestsPerSecond);
    const requests = createGate(limits.maxInFlight, "requests", onFull);
    const streams = createGate(limits.maxStreams, "subscriptions and monitors");
    const waiting = createGate(limits.maxHeld);
    const gates: Gates = { requests: [requests, all], waiting: [waiting, allWaiting] };
    const [body, reply]: [Portion, Portion] = [bodies.portion(), replies.portion()];
    return {
      streams,
      enter() {
        rate?.take();
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
    of(id) {
      const known = shares.get(id) ?? share();
      shares.set(id, known);
      return known;
    },
  };
}
