import type { Call } from "../redis/call.ts";
import type { Clock } from "../redis/clock.ts";

/** What servers last said about leases of others that block an operation. */
export interface Refusals extends Required<Pick<Call, "heard">> {
  /** Milliseconds until the last of these leases ends by our clock, as late as it can be; 0 for none. */
  remainingMs(): number;
}

/** A refusal of one record: the status of its reply, and the ends of the lease that blocks. */
interface Refusal {
  readonly connection: object;
  readonly record: string | undefined;
  readonly leftMs: () => number;
}

const REFUSED = /^(held|running|not_reentrant)$/;

/**
 * The time until another client's lease ends, as late as it can be. Clocks drift apart by at most 1 %, and 2 ms cover
 * rounding. A clock that is never set may stand still while the machine sleeps; that only makes it later.
 */
function latestEnd(clock: Clock, remainingUs: number): () => number {
  const mostMs = remainingUs * 0.00101 + 2;
  const start = clock.monotonic();
  return () => mostMs - (clock.monotonic() - start);
}

/**
 * Keeps account of the refusals that an operation hears, on any number of servers. The last reply about a record
 * counts: a grant replaces a refusal. A refusal that names no lease (a queue, a place that was lost) leaves the one
 * before it standing.
 */
export function createRefusals(): Refusals {
  let standing: Refusal[] = [];
  return {
    heard({ connection, keys: [record] }, { status, remaining = 0 }) {
      const isRefused = REFUSED.test(status) && remaining > 0;
      if (!isRefused && status !== "granted") return;
      standing = standing.filter((each) => each.connection !== connection || each.record !== record);
      if (isRefused) standing.push({ connection, record, leftMs: latestEnd(connection.clock, remaining) });
    },
    remainingMs: () => Math.max(0, ...standing.map(({ leftMs }) => leftMs())),
  };
}
