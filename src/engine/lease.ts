import { type Call, patienceOf } from "../redis/call.ts";
import { stopwatch } from "../redis/clock.ts";
import { createDoubt } from "../redis/doubt.ts";
import { LAST_MOMENT_MS } from "../redis/retry-policy.ts";
import { checkOptions, type Duration, toMs, toWork } from "../shared/checks.ts";
import { type LossReason, OutcomeUnknownError } from "../shared/errors.ts";
import { type Background, boundWaitUntil, noop, type WaitUntil } from "../shared/wait-until.ts";
import { createExpiry, type Expiry, type Mutable } from "./expiry.ts";
import {
  cancel,
  type ExtendCall,
  type Granted,
  type Held,
  type Hold,
  type KeepAliveLimits,
  type Lease,
  MOST_CANCELS,
  type Work,
} from "./hold.ts";
import { keepAlive, toLimits } from "./keep-alive.ts";
import type { Polled } from "./poll.ts";
import { ticketOf } from "./ticket.ts";

// Vercel's edge runtime lacks the symbol; `await using` is compiled to the registered one there.
const asyncDispose: typeof Symbol.asyncDispose =
  Symbol.asyncDispose ?? (Symbol.for("Symbol.asyncDispose") as typeof Symbol.asyncDispose);

/**
 * Makes the lease of a hold that was granted. Its ticket is signed now, where tickets are signed, so that `ticket()`
 * need not wait. A failure after the grant gives the hold back, since nobody would know of it.
 */
export async function grantLease(
  hold: Hold,
  answer: Granted & Pick<Polled<unknown>, "waitedMs" | "polls">,
  waitUntil: Background | undefined,
  signal: AbortSignal | undefined,
  granted?: Promise<Granted>,
): Promise<Held> {
  const { place, token } = hold;
  const { waitedMs, polls } = answer;
  try {
    const last = granted ? await granted : answer;
    place.emit?.({ type: "acquired", token, waitedMs, polls });
    return createLease(hold, last, await ticketOf(hold));
  } catch (error) {
    const cancelled = await cancel(hold, "acquire", 0.25 * patienceOf(place.connection), waitUntil, signal);
    signal?.throwIfAborted();
    if (cancelled === "unanswered") throw new OutcomeUnknownError(place.name, "it may have been granted", error);
    throw error;
  }
}

/** Makes the lease of a hold. Without `granted` the server has to be asked first whether the hold is still ours. */
export function createLease(hold: Hold, granted: Granted | undefined, ticket: () => string): Held {
  const { place, token, leaseMs, works = 0 } = hold;
  const { name } = place;
  // Two accessors only: making one takes longer than making all the plain members.
  const lease = {
    name,
    token,
    tokens: { [name]: token },
    holds: 0,
    expiresAt: 0,
    get remaining(): number {
      // Notices the end: after a freeze the signal's timer is late.
      expiry.loss();
      return expiry.remaining();
    },
    get signal(): AbortSignal {
      return expiry.signal();
    },
    throwIfEnded() {
      const over = expiry.over();
      if (over) throw over;
    },
    keepAlive<T>(
      options: { waitUntil?: WaitUntil | undefined } | Work<T>,
      work?: unknown,
      limits: KeepAliveLimits = {},
    ) {
      if (typeof options === "function") return lease.keepAlive({}, options, work as KeepAliveLimits);
      toWork(work, "lease.keepAlive", "keepAlive({ waitUntil }, work, limits)");
      checkOptions(options, "waitUntil maxHold>limits");
      const waitUntil = boundWaitUntil(options);
      return keepAlive(held, work as Work<T>, waitUntil, toLimits(limits, waitUntil));
    },
    ticket,
    toJSON: () => ({ name, token: lease.token, holds: lease.holds, expiresAt: lease.expiresAt }),
  } as Mutable<Lease>;
  // Not in the literal, where a computed name takes longer.
  lease[asyncDispose] = () => lease.release().then(noop, noop);
  const expiry = createExpiry(hold, lease);
  const held: Held = Object.assign(expiry, { lease, leaseMs, clock: place.connection.clock, works });
  Object.assign(lease, requestsOf(hold, expiry), hold.adds?.(hold, lease, expiry.learn));
  if (granted) expiry.learn(granted);
  return held;
}

/** The requests of a lease. */
function requestsOf(hold: Hold, expiry: Expiry): Pick<Lease, "extend" | "verify" | "release"> {
  const { place, id, token, leaseMs, doubted } = hold;
  const { connection, names, emit } = place;
  /** The doubt about our releases, and whether the first of them was sent while the lease was ours. */
  let releasing = createDoubt();
  let inTime = false;

  const letGo = (more: Pick<Call, "doubt" | "budgetMs" | "tries">) =>
    hold.close(id, token, { operation: "release", doubted, ...more });

  /** Asks for `ms` more; 0 only asks. Returns false when the lease is no longer ours. */
  async function ask(operation: string, ms: number, more?: ExtendCall): Promise<boolean> {
    if (expiry.over()) return false;
    const doubt = createDoubt();
    const patienceMs = patienceOf(connection);
    const elapsed = stopwatch(connection.clock);
    // The rest of an extension is for its roll-back.
    const triesMs = ms ? 0.75 * patienceMs : patienceMs;
    const mostMs = more?.waits ? Number.POSITIVE_INFINITY : triesMs;
    // Once the lease has ended the answer is known.
    const budgetMs = Math.min(expiry.left ? expiry.remaining() : patienceMs, mostMs);
    const rollBack = () =>
      letGo({
        budgetMs: Math.max(patienceMs - elapsed(), patienceMs - triesMs),
        tries: { made: 0, most: MOST_CANCELS },
      });
    try {
      const answer = await hold.extend(id, token, ms, { operation, budgetMs, doubt, ...more });
      if (answer.status === "extended") {
        expiry.learn(answer);
        // We found the lease over while the answer was on its way, so it must not go on at the server.
        if (ms && expiry.lost) await rollBack();
      } else {
        // Names of ours that were not lost wait for our release or their end.
        expiry.told = names.every((each) => answer.lost?.includes(each) ?? true);
        if (!expiry.finished) expiry.lose(answer.reason as LossReason, answer.lost);
      }
    } catch (error) {
      // Re-sending ends when a fifth of the time left is less than the last moment.
      if (ms ? !doubt.isOpen() || !expiry.left || expiry.remaining() > 5 * LAST_MOMENT_MS : !expiry.loss()) throw error;
      if (!expiry.finished) {
        expiry.lose("expired");
        // A request of ours may still arrive: it must not hold the name for another `ms`.
        if (ms)
          await rollBack().catch(() => {
            throw error;
          });
      }
    }
    return !expiry.over();
  }

  return {
    verify: () => ask("verify", 0),
    async extend(duration?: Duration, more?: ExtendCall) {
      const ms = duration === undefined ? leaseMs : toMs(duration, "duration");
      if (!(await ask("extend", ms, more))) throw expiry.over();
      emit?.({ type: "extended", token, remainingMs: expiry.remaining() });
    },
    async release() {
      if (expiry.told) return false;
      // The server has forgotten earlier releases: sending another does no harm, and says nothing about those.
      if (releasing.ageMs() >= connection.retentionMs) {
        releasing = createDoubt();
        inTime = false;
      }
      inTime ||= !expiry.lost && (expiry.left?.() as number) > 0;
      expiry.finish();
      try {
        const answer = await letGo({ doubt: releasing });
        // An unanswered release that was sent in time has ended the lease, unless the server remembers another end.
        if (answer.status === "closed" || (inTime && releasing.isOpen() && /unknown|released/.test(answer.reason))) {
          emit?.({ type: "released", token, heldMs: expiry.heldMs() });
          return true;
        }
        expiry.lose(answer.reason === "unknown" ? "taken" : (answer.reason as LossReason), answer.lost);
        return false;
      } catch (error) {
        expiry.told = false;
        emit?.({ type: "unanswered", operation: "release" });
        throw error;
      }
    },
  };
}
