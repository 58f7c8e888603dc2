import type { Call } from "../redis/call.ts";
import type { Clock } from "../redis/clock.ts";
import type { AnyReply } from "../redis/script.ts";
import { MAX_DRIFT, ROUNDING_MS } from "./hold.ts";

/** A reply that may contain the time left of a lease, in µs. */
export type Granting = AnyReply & { readonly remaining?: number };

/** What servers last reported about the leases that block an operation. */
export interface Refusals extends Required<Pick<Call, "onReply">> {
  /** Milliseconds until the last of these leases ends by the local clock, at the latest; 0 for none. */
  remainingMs(): number;
}

/** A refusal of one record: the status of its reply, and the time left of the blocking lease. */
interface Refusal {
  readonly connection: object;
  readonly record: string | undefined;
  readonly leftMs: () => number;
}

const REFUSED = /^(held|running|not_reentrant)$/;

/**
 * The time until another client's lease ends, at the latest; {@link usableMs} is the earliest. The monotonic clock may
 * stop while the machine sleeps, which only makes the result later.
 */
function latestEnd(clock: Clock, remainingUs: number): () => number {
  const mostMs = (remainingUs / 1000) * (1 + MAX_DRIFT) + ROUNDING_MS;
  const start = clock.monotonic();
  return () => mostMs - (clock.monotonic() - start);
}

/**
 * Records the refusals that an operation receives, from any number of servers. The last reply about a record counts: a
 * grant replaces a refusal. A refusal without a lease (a queue, a lost place) keeps the previous one.
 */
export function createRefusals(): Refusals {
  let refusals: Refusal[] = [];
  return {
    onReply({ connection, keys: [record] }, { status, remaining = 0 }) {
      const isRefused = REFUSED.test(status) && remaining > 0;
      if (!isRefused && status !== "granted") return;
      refusals = refusals.filter((each) => each.connection !== connection || each.record !== record);
      if (isRefused) refusals.push({ connection, record, leftMs: latestEnd(connection.clock, remaining) });
    },
    remainingMs: () => Math.max(0, ...refusals.map(({ leftMs }) => leftMs())),
  };
}

/** How long a lease reported by a server can still last, if there is one. */
export function standing(refusals: Refusals): { readonly remainingMs?: number } {
  const remainingMs = Math.ceil(refusals.remainingMs());
  return remainingMs > 0 ? { remainingMs } : {};
}
