import { NoRoom, NotSent } from "./error-answers.ts";

/** How long Redis may be unreachable before callers are asked to wait for a second. Most interruptions are shorter. */
const BLIP_MS = 1_000;

/** How long a Redis has been unreachable, as its callers see it. */
export class Outage {
  #since: number | undefined;

  /** Records an answer of Redis. */
  answered(): void {
    this.#since = undefined;
  }

  /**
   * The headers to add to the answer for a failure: `Retry-After` if Redis has been unreachable for a while, or if the
   * caller waits anyway, who would otherwise use up its retries during a failover.
   */
  adviceFor(error: unknown, isWaiting: boolean): Readonly<Record<string, string>> {
    if (!(error instanceof NotSent) || error instanceof NoRoom) return {};
    const now = performance.now();
    this.#since ??= now;
    return now - this.#since < BLIP_MS && !isWaiting ? {} : { "retry-after": "1" };
  }
}
