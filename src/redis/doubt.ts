/** A request that was sent, until it is known what came of it. */
export interface Sent {
  /**
   * It was answered, or cannot run: it left nothing behind that the answer does not report. `nowUs` is the server's time
   * in the answer, if the server read its clock.
   */
  answered(nowUs?: number): void;
  /** It may have run, or may still run. */
  unanswered(): void;
}

/**
 * What an operation may have left on the server without knowing it, and for how long. Only the functions of this object
 * change it.
 *
 * - R3b: `ageMs` is the age of the oldest request that went unanswered, or was granted without a lease. The server
 *   remembers an id for `retention`, so no request under the id is sent when that has passed.
 * - R4: while `isOpen`, something of the operation may be held or may still be granted. An operation that ends without a
 *   lease while it `owesCancel` closes its id.
 */
export interface Doubt {
  /** Whether something may be held, or may still be granted, of which there is no lease. */
  isOpen(): boolean;
  /** Whether an operation that ends now has to close its id. */
  owesCancel(): boolean;
  /**
   * The time in ms since the first request of which something may be left was sent; 0 where there is none. The parts are
   * left out: the requests of each are sent under a doubt of its own.
   */
  ageMs(): number;
  /**
   * A request is sent: its outcome is unknown from now on. `since` measures the time from now; after `voidAfterUs`, in
   * the server's time, the request changes nothing any more (R3c).
   */
  sends(since: () => number, voidAfterUs: number): Sent;
  /**
   * Something may be held without a lease: it has to be released, unless a lease is made. `since` measures the time
   * since the request, for a request that is repeated.
   */
  mayHold(since?: () => number): void;
  /** A waiter was refused, so that it may have a place in a queue. */
  joinsQueue(): void;
  /** There is no place in a queue any more. */
  leavesQueue(): void;
  /** What is unknown about a part of the operation is unknown about the whole. */
  covers(part: Doubt): void;
}

/** The requests that went unanswered, all together. */
interface Unanswered {
  /** The time since the first of them was sent. */
  readonly since: () => number;
  /** The server time (µs) after which all of them are void. */
  readonly voidAfterUs: number;
}

/** Makes the doubt of one operation, which has sent nothing yet. */
export function createDoubt(): Doubt {
  let underWay = 0;
  let unanswered: Unanswered | undefined;
  let isHeld = false;
  let heldSince = (): number => 0;
  let isQueued = false;
  let parts: readonly Doubt[] = [];

  function isOpen(): boolean {
    return underWay > 0 || unanswered !== undefined || isHeld || parts.some((part) => part.isOpen());
  }

  return {
    isOpen,
    owesCancel: () => isQueued || isOpen(),
    ageMs: () => Math.max(unanswered?.since() ?? 0, heldSince()),
    sends(since, voidAfterUs) {
      underWay++;
      return {
        answered(nowUs = 0) {
          underWay--;
          // All requests before it are void by now, so the answer reports what came of them, too.
          if (unanswered && nowUs > unanswered.voidAfterUs) unanswered = undefined;
        },
        unanswered() {
          underWay--;
          unanswered = {
            since: unanswered?.since ?? since,
            voidAfterUs: Math.max(unanswered?.voidAfterUs ?? 0, voidAfterUs),
          };
        },
      };
    },
    mayHold(since) {
      if (!isHeld && since) heldSince = since;
      isHeld = true;
    },
    joinsQueue() {
      isQueued = true;
    },
    leavesQueue() {
      isQueued = false;
    },
    covers(part) {
      parts = [...parts, part];
    },
  };
}

/** How long the server still remembers an unanswered attempt, in ms. No request under its id may work later than that. */
export const rememberedMs = (doubt: Doubt, retentionMs: number): number => retentionMs - doubt.ageMs();
