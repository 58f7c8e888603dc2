import { type Budget, createBudget, type Hold, type Portion } from "./budget.ts";
import { NoRoom } from "./error-answers.ts";
import type { Limits } from "./limits.ts";
import { createRate } from "./rate.ts";

/** A counter of requests or streams in flight, with a limit. */
export interface Gate {
  readonly inFlight: number;
  readonly isFull: boolean;
  /** @throws {NoRoom} if the gate is full; everything that enters must leave */
  enter(): void;
  leave(): void;
}

/**
 * @param max the limit; none by default
 * @param what the word for the counted things in errors
 * @param onFull called for each refused one
 */
export function createGate(
  max: number = Number.POSITIVE_INFINITY,
  what = "requests",
  onFull: () => void = () => {},
): Gate {
  let inFlight = 0;
  return {
    get inFlight() {
      return inFlight;
    },
    get isFull() {
      return inFlight >= max;
    },
    enter() {
      if (inFlight >= max) {
        onFull();
        throw new NoRoom(`more than ${max} ${what} at once`);
      }
      inFlight++;
    },
    leave() {
      inFlight--;
    },
  };
}

/**
 * The share of one token, so that no token uses up the resources of others. A token belongs to one database, and so
 * does its share.
 */
interface Share {
  readonly streams: Gate;
  /** Ends the held requests of the token. */
  endHeld(): void;
  /**
   * Admits a request, which must `leave`.
   *
   * @throws {TooManyRequests} if its token makes too many requests per second
   * @throws {NoRoom} if too much is in flight with its token
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
   * Counts the request as held, and no longer as in flight. Returns false and changes nothing if too many are held.
   *
   * @param end ends the hold, since the token is no longer valid
   */
  park(end: () => void): boolean;
  /** Releases everything except the bytes of the answer, once the request is answered. */
  leave(): void;
}

/** The shares of all tokens, and their sums. */
export interface Shares {
  /** The requests in flight, without held ones. */
  readonly inFlight: number;
  /** The held requests. */
  readonly waiting: number;
  readonly bodies: Budget;
  readonly replies: Budget;
  /** The share of a token. */
  of(id: string): Share;
  /** Ends the held requests of all tokens but these. */
  endHeldBut(ids: ReadonlySet<string>): void;
}

/** The gates of one token, and of all tokens. */
interface Gates {
  readonly requests: readonly [Gate, Gate];
  readonly waiting: readonly [Gate, Gate];
  /** Ends the held requests of the token. */
  readonly parked: Set<() => void>;
  /** Whether all tokens together leave fewer places to wait than this token has taken. */
  isGreedy(): boolean;
}

class HeldOf implements Held {
  readonly body: Hold;
  readonly replies: Hold;
  readonly streams: Gate;
  readonly #gates: Gates;
  #entered: readonly Gate[];
  #end: (() => void) | undefined;

  /** @param gates the gates of `requests` have been entered */
  constructor(body: Hold, replies: Hold, streams: Gate, gates: Gates) {
    this.body = body;
    this.replies = replies;
    this.streams = streams;
    this.#gates = gates;
    this.#entered = gates.requests;
  }

  park(end: () => void): boolean {
    const { waiting, parked, isGreedy } = this.#gates;
    if (waiting.some((gate) => gate.isFull) || isGreedy()) return false;
    this.#end = end;
    parked.add(end);
    for (const gate of waiting) gate.enter();
    for (const gate of this.#entered) gate.leave();
    this.#entered = waiting;
    return true;
  }

  leave(): void {
    if (this.#end !== undefined) this.#gates.parked.delete(this.#end);
    this.body.release();
    for (const gate of this.#entered) gate.leave();
  }
}

/** @param onFull called for each request refused because its token has too much in flight */
export function createShares(limits: Limits, onFull: () => void): Shares {
  const all = createGate();
  const allWaiting = createGate(limits.maxHeldInAll);
  const bodies = createBudget(limits.bodyBudgetBytes, onFull);
  const replies = createBudget(limits.replyBudgetBytes, onFull);
  /** By token. Revoked tokens are kept as well: they have requests in flight, and may be added again. */
  const shares = new Map<string, Share>();

  function share(): Share {
    const parked = new Set<() => void>();
    const { maxRequestsPerSecond } = limits;
    const rate = maxRequestsPerSecond === 0 ? undefined : createRate(maxRequestsPerSecond);
    const requests = createGate(limits.maxInFlight, "requests", onFull);
    const streams = createGate(limits.maxStreams, "subscriptions and monitors");
    const waiting = createGate(limits.maxHeld);
    const gates: Gates = {
      requests: [requests, all],
      waiting: [waiting, allWaiting],
      parked,
      isGreedy: () => waiting.inFlight >= limits.maxHeldInAll - allWaiting.inFlight,
    };
    const [body, reply]: [Portion, Portion] = [bodies.portion(), replies.portion()];
    return {
      streams,
      endHeld() {
        for (const end of parked) end();
      },
      enter() {
        rate?.take();
        if (reply.isFull) {
          onFull();
          throw new NoRoom("too many bytes of replies at once");
        }
        requests.enter();
        all.enter();
        return new HeldOf(body.hold(), reply.hold(limits.maxReplyBytes), streams, gates);
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
    endHeldBut(ids) {
      for (const [id, share] of shares) if (!ids.has(id)) share.endHeld();
    },
  };
}
