import { commitUnder, type Exhausted, type Mismatch, type Started } from "../kinds/attempts.ts";
import { once } from "../kinds/once.ts";
import { type Acquirable, acquirable, PARTS } from "../lease/acquire.ts";
import type { KeepAliveLimits } from "../lease/keep-alive.ts";
import { type Limits, toLimits } from "../lease/keep-alive.ts";
import type { Lease } from "../lease/lease.ts";
import { resumeHold } from "../lease/resume.ts";
import { checkOptions, type Duration, type RunArguments, toLease, toRun, toTtl } from "../shared/checks.ts";
import { digest } from "../shared/crypto.ts";
import { LockTimeoutError } from "../shared/errors.ts";
import { toIdentity } from "../shared/identity.ts";
import type { OnlyJson } from "../shared/json.ts";
import { inCall, misuse, shown } from "../shared/misuse.ts";
import { type HeldByOthers, type MessageWork, type TakenOver, takeOverLock } from "./handed-lock.ts";

export interface TakeOverOptions extends KeepAliveLimits {
  /**
   * A text that identifies the message: the same for all its deliveries, and different for every other message.
   * Required if several messages carry the same ticket. Default, without this option: the ticket; `undefined` is
   * refused.
   */
  readonly key?: string;
  /**
   * How long the result is remembered, in ms or like `"15d"`: longer than the queue keeps a message. Default 15 days.
   */
  readonly ttl?: Duration | undefined;
  /**
   * The lease of the consumer, in ms or like `"1m"`, extended during the work. A dead consumer blocks the next one for
   * this time. Default: the connection's `lease`, 30 s.
   */
  readonly lease?: Duration | undefined;
}

/**
 * Does the work of a queue's message once, however often the message is delivered, under the lease of the message's
 * ticket:
 *
 * - If the lease is live, `work` runs under it. The lease is extended meanwhile, and released at the end.
 * - If the lease has ended, because the message was late or an earlier try released it, the lock of the ticket is
 *   acquired again under a new token: as many permits, or the same side of a read-write lock. If another client holds
 *   it, the result is `held`, and nothing was done. Retry the message, or drop it if the other client does the same
 *   work.
 * - If another delivery of the message is working, the result is `running`. Retry this one, since the other may die.
 * - If the work is done, the result is `done` with the work's result, which is remembered as JSON.
 * - If `work` throws, so does this call. The lock is released, nothing is remembered, and the queue's next try works
 *   again.
 *
 * Acknowledge a message only when it is `done`, so that no message is lost. A frozen consumer may still write after
 * another has taken over, so pass the lease's token to the resource.
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
 * @throws TypeError for an invalid option, or for a ticket of another lock or of the other side of a read-write lock;
 * the error describes the ticket; what `work` throws; LeaseLostError if the lease was lost meanwhile; another
 * LeaseholdError if Redis is unavailable. Retry the message then.
 */
export function takeOver<T>(
  lock: Acquirable,
  ticket: string,
  options: TakeOverOptions | undefined,
  work: MessageWork<T> & OnlyJson<T>,
): Promise<TakenOver<T>>;
export function takeOver<T>(
  lock: Acquirable,
  ticket: string,
  work: MessageWork<T> & OnlyJson<T>,
): Promise<TakenOver<T>>;
export async function takeOver<T>(
  lock: Acquirable,
  ticket: string,
  ...args: RunArguments<TakeOverOptions, MessageWork<T> & OnlyJson<T>>
): Promise<TakenOver<T>> {
  const [options, work] = toRun(args, "takeOver", "takeOver(lock, ticket, options, work)");
  const { ttl = "15d", lease, maxHold, maxExtends } = options;
  const limits = { maxHold, maxExtends };
  const [part, checked] = inCall("takeOver", () => {
    checkOptions(options, "key ttl lease maxHold maxExtends");
    // A missing key must not turn into the ticket, which other messages may carry as well.
    if ("key" in options) toIdentity(options.key as string, "key");
    const terms = {
      ttlMs: toTtl(ttl),
      leaseMs: lease === undefined ? undefined : toLease(lease),
      limits: toLimits(limits, undefined) as Limits,
    };
    const [only, ...others] = lock?.[PARTS]?.() ?? [];
    if (!only) throw misuse(TypeError, `lock must be a lock or a semaphore, not ${shown(lock)}`);
    if (others.length > 0) throw misuse(TypeError, "lock must have one ticket, and this multi-lock has several");
    return [only, terms];
  });
  const { connection } = part.target;
  const { lease: handed, id } = await resumeHold(connection, ticket, [], part);
  const key = options.key ?? `ticket:${await digest(ticket)}`;
  const { target } = part;
  if (target.kind === "lock" && target.names.length === 1) {
    const leaseMs = checked.leaseMs ?? connection.leaseMs;
    const hold = { id, token: handed.token };
    return takeOverLock({ lock: target, ticket, hold, key, ...checked, leaseMs }, work);
  }
  // Acquires exactly what the ticket describes: a multi-lock of one part would return a lease without a token.
  const anew = acquirable(part, part.defaults);
  const same = part.again?.(id);
  let held: HeldByOthers | undefined;

  /** The handed-over lease if it is live, otherwise a new one. */
  async function liveLease(): Promise<Lease> {
    if (await handed.verify()) return handed;
    try {
      return await anew.acquire({ lease, wait: 0, ...same });
    } catch (error) {
      if (error instanceof LockTimeoutError)
        held = { status: "held", retryAfterMs: Math.ceil(error.remainingMs ?? 1000) };
      throw error;
    }
  }

  // All deliveries of a message share one lease, so the lock does not exclude them from each other.
  const job = once(connection, key, { ttl, lease });
  try {
    const run = async (turn: Started): Promise<T> => {
      const own = await liveLease();
      // Holders of a semaphore work at the same time, so a higher token makes no other stale.
      const commit =
        part.target.kind === "semaphore"
          ? turn.commit
          : commitUnder(connection, key, { attempt: turn.attempt, token: turn.lease.token }, own);
      return own.keepAlive((held) => work(held, { attempt: turn.attempt, commit }), limits);
    };
    const turn = await job.run<T>({ keepAlive: limits }, run as typeof run & OnlyJson<T>);
    return turn as Exclude<typeof turn, Exhausted | Mismatch>;
  } catch (error) {
    if (held) return held;
    throw error;
  }
}
