import { TooManyRequests } from "./error-answers.ts";

/** How many requests a second one token may make. */
export interface Rate {
  /** @throws {TooManyRequests} for a request above the limit */
  take(): void;
}

const SECOND_MS = 1_000;

/**
 * A token bucket: it holds the requests of one second and refills evenly, so that a burst of one second's requests is
 * served immediately.
 *
 * @param perSecond the limit, more than 0
 * @param now the time in ms, which never goes back
 */
export function createRate(perSecond: number, now: () => number = () => performance.now()): Rate {
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
