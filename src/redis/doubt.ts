/** A sent request, until its outcome is known. */
export interface Sent {
  /**
   * The request was answered, or cannot run: it left nothing that the answer does not report. `nowUs` is the server's
   * time in the answer, if the server read its clock.
   */
  answered(nowUs?: number): void;
  /** The request may have run, or may still run. */
  unanswered(): void;
}

/**
 * The doubt of an operation: what its requests with unknown outcomes may have left on the server, and for how long.
 * Only the functions of this object change it.
 *
 * - R3b: `ageMs` is the age of the oldest request that was unanswered, or granted without a lease, or of a closed ID. The
 *   server remembers an ID for `retention`, so after that no request under the ID is sent.
 * - R4: while `isOpen`, the operation may hold something, or may still be granted something. If it ends without a lease
 *   while it `owesCancel`, it closes its ID.
 */
export interface Doubt {
  /** Whether something without a lease may be held, or may still be granted. */
  isOpen(): boolean;
  /** Whether the server reported a grant of which no lease is made. */
  isHeld(): boolean;
  /** Whether an operation that ends now must close its ID. */
  owesCancel(): boolean;
  /**
   * The time in ms since the first request that may have left something, or whose ID is closed; 0 if there is none.
   * Requests of parts do not count, since each part has its own doubt.
   */
  ageMs(): number;
  /**
   * Records that a request is sent: its outcome is unknown from now on. `since` measures the time from now; after
   * `voidAfterUs`, in the server's time, the request changes nothing (R3c).
   */
  sends(since: () => number, voidAfterUs: number): Sent;
  /**
   * Records that something may be held without a lease: it must be released, unless a lease is made. `since` measures
   * the time since the request, for a repeated request.
   */
  mayHold(since?: () => number): void;
  /**
   * Records that the server answered that the ID is closed. Nothing is left of it, but the server forgets that. `since`
   * measures the time since the first request under the ID.
   */
  closesId(since: () => number): void;
  /** Records that a waiter was refused, so it may have a place in a queue. */
  joinsQueue(): void;
  /** Records that there is no place in a queue any more. */
  leavesQueue(): void;
  /** Adds the doubt of a part: what is unknown about a part is unknown about the operation. */
  covers(part: Doubt): void;
}

/** All unanswered requests together. */
interface Unanswered {
  /** The time since the first of them was sent. */
  readonly since: () => number;
  /** The server time (µs) after which all of them are void. */
  readonly voidAfterUs: number;
}

/** Makes the doubt of an operation that has sent nothing yet. */
export function createDoubt(): Doubt {
  let underWay = 0;
  let unanswered: Unanswered | undefined;
  let isGranted = false;
  let heldSince = (): number => 0;
  let closedSince = (): number => 0;
  let isQueued = false;
  let parts: readonly Doubt[] = [];

  function isHeld(): boolean {
    return isGranted || parts.some((part) => part.isHeld());
  }
  function isOpen(): boolean {
    return underWay > 0 || unanswered !== undefined || isGranted || parts.some((part) => part.isOpen());
  }

  return {
    isOpen,
    isHeld,
    owesCancel: () => isQueued || isOpen(),
    ageMs: () => Math.max(unanswered?.since() ?? 0, heldSince(), closedSince()),
    sends(since, voidAfterUs) {
      underWay++;
      return {
        answered(nowUs = 0) {
          underWay--;
          // All earlier requests are void by now, so the answer settles them as well.
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
      if (!isGranted && since) heldSince = since;
      isGranted = true;
    },
    closesId(since) {
      closedSince = since;
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

/**
 * How long the server still remembers an unanswered attempt, in ms. No request under its ID may take effect later than
 * that.
 */
export const rememberedMs = (doubt: Doubt, retentionMs: number): number => retentionMs - doubt.ageMs();
