import { type Acquirable, acquirable, PARTS } from "../engine/acquire.ts";
import type { KeepAliveLimits } from "../engine/keep-alive.ts";
import { toLimits } from "../engine/keep-alive.ts";
import type { Lease, Work } from "../engine/lease.ts";
import { resumeHold } from "../engine/resume.ts";
import type { Exhausted, Mismatch, Running } from "../kinds/attempts.ts";
import { type Ended, once } from "../kinds/once.ts";
import { checkOptions, type Duration, type RunArguments, toRun } from "../shared/checks.ts";
import { digest } from "../shared/crypto.ts";
import { LockTimeoutError } from "../shared/errors.ts";
import type { OnlyJson } from "../shared/json.ts";
import { inCall, misuse, shown } from "../shared/misuse.ts";

export interface TakeOverOptions extends KeepAliveLimits {
  /**
   * Text that all deliveries of a message have in common, and no other message has. Default: the ticket. Needed where
   * several messages carry the same ticket.
   */
  readonly key?: string | undefined;
  /** How long the result is remembered: longer than the queue keeps a message. Default 15 d. */
  readonly ttl?: Duration | undefined;
  /** How long a consumer that died keeps the next one out. Default: the connection's, 30 s. */
  readonly lease?: Duration | undefined;
}

/** The ticket came late, and another client has the lock, for `retryAfterMs` more at most. Nothing was done. */
export interface HeldByOthers {
  readonly status: "held";
  readonly retryAfterMs: number;
}

type TakenOver<T> = Exclude<Ended<T>, Exhausted | Mismatch> | Running | HeldByOthers;

/**
 * Does the work of a queue's message under the lease that its ticket hands over, once, however often the message is
 * delivered:
 *
 * - The lease is still ours: `work` runs under it. It is extended meanwhile, and released at the end.
 * - The lease has ended, since the message came late or an earlier try released it: what the ticket stands for is
 *   acquired again, as many permits or the same side of a read-write lock, under a new token. If another client has it,
 *   the result is `held`, and nothing was done. Retry the message, or drop it if the other client does the same work.
 * - Another delivery of the message is at work: `running`. Retry this one, since the other may die.
 * - The work was done: `done`, with its result, which is remembered as JSON.
 * - `work` throws: so does this call. The lock is free, nothing is remembered, and the queue's next try works again.
 *
 * Acknowledge a message when it is `done`, and never before: then no message is lost. A consumer that froze may still
 * write after another has taken over, so pass the lease's token to what it writes to.
 *
 * @example
 * ```ts
 * const report = locks.lock("report");
 * const message = { ticket: (await report.acquire({ lease: "5m" })).ticket() };
 * const job = await takeOver(report, message.ticket, { lease: "1m" }, async ({ token }) => {
 *   await record(token);
 * });
 * if (job.status === "done") console.log("acknowledge");
 * else console.log("retry", job.retryAfterMs);
 * ```
 *
 * @throws TypeError for a ticket of another lock, or of the other side of a read-write lock, which names what the ticket
 * stands for, or an invalid option; what `work` throws; LeaseLostError when the lease was lost meanwhile; another
 * LeaseholdError when Redis is unavailable. Retry the message then.
 */
export function takeOver<T>(
  lock: Acquirable,
  ticket: string,
  options: TakeOverOptions | undefined,
  work: Work<T> & OnlyJson<T>,
): Promise<TakenOver<T>>;
export function takeOver<T>(lock: Acquirable, ticket: string, work: Work<T> & OnlyJson<T>): Promise<TakenOver<T>>;
export async function takeOver<T>(
  lock: Acquirable,
  ticket: string,
  ...given: RunArguments<TakeOverOptions, Work<T> & OnlyJson<T>>
): Promise<TakenOver<T>> {
  const [options, work] = toRun(given, "takeOver", "takeOver(lock, ticket, options, work)");
  const { ttl = "15d", lease, maxHold, maxExtends } = options;
  const limits = { maxHold, maxExtends };
  const part = inCall("takeOver", () => {
    checkOptions(options, "key ttl lease maxHold maxExtends");
    toLimits(limits, undefined);
    const [only, ...others] = lock?.[PARTS]?.() ?? [];
    if (!only) throw misuse(TypeError, `lock must be a lock or a semaphore, not ${shown(lock)}`);
    if (others.length > 0) throw misuse(TypeError, "lock must have one ticket, and this multi-lock has several");
    return only;
  });
  const { connection } = part.target;
  const { lease: handed, id } = await resumeHold(connection, ticket, [], part);
  // What the ticket stands for, and not more: a multi-lock of one part returns a lease without a token.
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

  // All deliveries of a message have the same lease, so the lock does not keep them apart.
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
