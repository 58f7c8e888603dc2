/** How many names are in use at a time: as many as the servers can serve. */

/** The share of operations without an answer from which on a name shows that there are too many. */
const TOO_MANY_UNANSWERED = 0.25;

interface Shown {
  readonly history: readonly unknown[];
  readonly unanswered: number;
}

export interface Crowd {
  /** Waits until another name may be used. */
  enter(): Promise<void>;
  /** A name is no longer used. */
  leave(story: Shown): void;
  /** The number of names that may be used now. */
  readonly limit: number;
}

/**
 * Requests that wait for longer than their time limit are answered in vain, and are retried: with too many names, a
 * server does nothing else, and never recovers. So the limit is halved when a name went unanswered, once for all that
 * are in use then, and grows by one with each that was answered: as TCP does it.
 *
 * @param first the number of names at first
 */
export function createCrowd(max: number, first: number = max): Crowd {
  const waiting: (() => void)[] = [];
  let limit = Math.min(first, max);
  let used = 0;
  /** The names that began before the limit was halved, and have not ended since. */
  let old = 0;

  function admit(): void {
    while (used < Math.floor(limit) && waiting.length > 0) {
      used++;
      waiting.shift()?.();
    }
  }

  return {
    get limit() {
      return Math.floor(limit);
    },
    enter: () =>
      new Promise((resolve) => {
        waiting.push(resolve);
        admit();
      }),
    leave({ history, unanswered }) {
      used--;
      const isStruggling = unanswered > TOO_MANY_UNANSWERED * history.length;
      old--;
      if (!isStruggling) limit = Math.min(max, limit + 1);
      else if (old < 0) {
        limit = Math.max(1, limit / 2);
        old = used;
      }
      admit();
    },
  };
}
