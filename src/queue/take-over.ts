import { type Acquirable, acquirable, PARTS } from "../engine/acquire.ts";
import type { KeepAliveLimits, Lease, Work } from "../engine/hold.ts";
import { toLimits } from "../engine/keep-alive.ts";
import { resumeHold } from "../engine/resume.ts";
import type { Exhausted, Mismatch, Running } from "../kinds/attempts.ts";
import { type Ended, once } from "../kinds/once.ts";
import { checkOptions, type Duration, toWork } from "../shared/checks.ts";
import { digest } from "../shared/crypto.ts";
import { LockTimeoutError } from "../shared/errors.ts";
import type { OnlyJson } from "../shared/json.ts";

export interface TakeOverOptions extends KeepAliveLimits {
  /**
   * The text that all copies of a message have in common, and no other message. Default: the ticket. Needed where
   * several messages carry the same ticket.
   */
  readonly key?: string | undefined;
  /** How long it is remembered that the work is done: longer than the queue keeps a message. Default 15 d. */
  readonly ttl?: Duration | undefined;
  /** How long a consumer that died keeps the next one out. Default: the connection's, 30 s. */
  readonly lease?: Duration | undefined;
}

/** The ticket came late, and somebody else has the lock, for `retryAfterMs` more at most. Nothing was done. */
export interface HeldByOthers {
  readonly status: "held";
  readonly retryAfterMs: number;
}

/**
 * Does the work of a queue's message under the lease that its ticket hands over, once, however often the message comes:
 *
 * - The lease is still ours: `work` runs under it. It is extended meanwhile, and released at the end.
 * - It has ended, since the message came late or an earlier try has released it: what the ticket stands for is acquired
 *   anew, as many permits or the same side of a read-write lock, under a new token. If somebody else has it, the answer is `held`, and nothing was done: let the message come again, or drop it
 *   where theirs does the same.
 * - Another copy of the message is at work: `running`. Let this one come again: the other may die.
 * - The work was done: `done`, with its result, which is remembered as JSON.
 * - `work` throws: so does this call. The lock is free, nothing is remembered, and the queue's next try works anew.
 *
 * Acknowledge a message when it is `done`, and never before: then no message is lost. A consumer that froze may still
 * write when another has taken over, so pass the lease's token to what it writes to.
 *
 * @example
 * ```ts
 * const report = locks.lock("report");
 * const message = { ticket: (await report.acquire({ lease: "5m" })).ticket() };
 * const job = await takeOver(report, message.ticket, async ({ token }) => {
 *   await record(token);
 * });
 * if (job.status === "done") console.log("acknowledge");
 * else console.log("let it come again", job.retryAfterMs);
 * ```
 *
 * @throws TypeError for a ticket of another lock, or of the other side of a read-write lock, which says what the ticket
 * stands for, or an option that is not valid; what `work` throws;
 * LeaseLostError when the lease was lost meanwhile; another LeaseholdError when there is no answer. The message then
 * has to come again.
 */
export async function takeOver<T>(
  lock: Acquirable,
  ticket: string,
  work: Work<T> & OnlyJson<T>,
  options: TakeOverOptions = {},
): Promise<Exclude<Ended<T>, Exhausted | Mismatch> | Running | HeldByOthers> {
  toWork(work, "takeOver", "takeOver(lock, ticket, work, options)");
  checkOptions(options, "key ttl lease maxHold maxExtends");
  const { ttl = "15d", lease, maxHold, maxExtends } = options;
  const limits = { maxHold, maxExtends };
  toLimits(limits, undefined);
  const [part, ...others] = lock?.[PARTS]?.() ?? [];
  if (!part || others.length > 0) throw new TypeError("takeOver needs a lock that has one ticket");
  const { connection } = part.place;
  const { lease: handed, id } = await resumeHold(connection, ticket, [], part);
  // What the ticket stands for, and not more: a multi-lock of one part gives a lease without a token.
  const anew = acquirable(part, part.defaults);
  const same = part.again?.(id);
  let held: HeldByOthers | undefined;

  /** The handed lease if it is still ours, otherwise one of our own. */
  async function ours(): Promise<Lease> {
    if (await handed.verify()) return handed;
    try {
      return await anew.acquire({ lease, wait: 0, ...same });
    } catch (error) {
      if (error instanceof LockTimeoutError)
        held = { status: "held", retryAfterMs: Math.ceil(error.remainingMs ?? 1000) };
      throw error;
    }
  }

  // Copies of a message have the same lease, so the lock does not keep them apart.
  const job = once(connection, options.key ?? `ticket:${await digest(ticket)}`, { ttl, lease });
  try {
    const run = async (): Promise<T> => (await ours()).keepAlive(work, limits);
    const turn = await job.run<T>({ keepAlive: limits }, run as typeof run & OnlyJson<T>);
    return turn as Exclude<typeof turn, Exhausted | Mismatch>;
  } catch (error) {
    if (held) return held;
    throw error;
  }
}
