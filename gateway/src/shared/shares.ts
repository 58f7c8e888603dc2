import { type Budget, createBudget, type Hold, type Portion } from "./budget.ts";
import { NotSent } from "./errors.ts";
import { createGate, type Gate } from "./gate.ts";
import type { Limits } from "./limits.ts";
import { memoized } from "./memo.ts";

/** What the requests with one token may have here, so that none takes what the others need. A token is for one database, and so is its share. */
interface Share {
  readonly streams: Gate;
  /**
   * Lets a request in.
   *
   * @throws {NotSent} when there is too much of its token already; what is let in must `leave`
   */
  enter(): Held;
}

/** What one request has. */
export interface Held {
  /** The bytes of its body, and of what was made of it. */
  readonly body: Hold;
  /** The bytes of replies to it. */
  readonly replies: Hold;
  readonly streams: Gate;
  /** It is answered: nothing is held but its answer. */
  leave(): void;
}

/** What all tokens have together, and how much of it is in use. */
export interface Shares {
  readonly inFlight: number;
  readonly bodies: Budget;
  readonly replies: Budget;
  /** The share of a token. */
  of(id: string): Share;
}

/** @param onFull is told of each request that is refused since its token has too much already */
export function createShares(limits: Limits, onFull: () => void): Shares {
  const all = createGate();
  const bodies = createBudget(limits.bodyBudgetBytes, onFull);
  const replies = createBudget(limits.replyBudgetBytes, onFull);

  function share(): Share {
    const requests = createGate(limits.maxInFlight, "requests", onFull);
    const streams = createGate(limits.maxStreams, "subscriptions and monitors");
    const [body, reply]: [Portion, Portion] = [bodies.portion(), replies.portion()];
    return {
      streams,
      enter() {
        if (reply.isFull) {
          onFull();
          throw new NotSent("too many bytes of replies at once");
        }
        requests.enter();
        all.enter();
        const held = body.hold();
        return {
          body: held,
          replies: reply.hold(),
          streams,
          leave() {
            held.release();
            requests.leave();
            all.leave();
          },
        };
      },
    };
  }

  return {
    get inFlight() {
      return all.inFlight;
    },
    bodies,
    replies,
    // Also those of tokens that are gone: they have requests in flight, and may come back.
    of: memoized(share),
  };
}
