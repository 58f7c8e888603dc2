import type { Call } from "../redis/call.ts";
import { stopwatch } from "../redis/clock.ts";
import { patienceOf } from "../redis/connect.ts";
import { createDoubt } from "../redis/doubt.ts";
import { LAST_MOMENT_MS } from "../redis/retry-policy.ts";
import type { LossReason } from "../shared/errors.ts";
import { until } from "../shared/timers.ts";
import type { Expiry } from "./expiry.ts";
import { ASKING, type ExtendCall, type Hold, MOST_CANCELS, type VerifyCall } from "./hold.ts";

/** The members of a lease that send requests. */
interface LeaseRequests {
  /** Extends it to `ms` from now. */
  extend(ms: number, more?: ExtendCall): Promise<void>;
  verify(more?: VerifyCall): Promise<boolean>;
  release(): Promise<boolean>;
}

/** Retries end once a fifth of the time left is less than this. */
const NO_TIME_MS = 5 * LAST_MOMENT_MS;

const closeHold = ({ close, id, token, doubted }: Hold, more: Pick<Call, "doubt" | "budgetMs" | "tries" | "routes">) =>
  close(id, token, { operation: "release", doubted, ...more });

/** How to verify or extend a lease. */
function asking(hold: Hold, expiry: Expiry) {
  const { target, id, token } = hold;
  const patienceMs = patienceOf(target.connection);
  const { clock } = target.connection;

  const isEnding = (): boolean => expiry.left !== undefined && expiry.remaining() <= NO_TIME_MS;

  /** Whether an unanswered verification waits for the end of the lease, which is near, and reports it as ended. */
  async function hasEnded(signal: AbortSignal | undefined): Promise<boolean> {
    while (!expiry.over() && isEnding() && !signal?.aborted) await until(undefined, expiry.remaining(), signal, clock);
    return expiry.noticeLoss() !== undefined;
  }

  /** Extends the lease to `ms` from now; 0 only verifies it. Returns false if the lease has been lost. */
  return async function ask(operation: string, ms: number, more?: ExtendCall & VerifyCall): Promise<boolean> {
    if (expiry.over()) return false;
    const isExtension = ms > 0;
    const doubt = createDoubt();
    const elapsed = stopwatch(clock);
    const askingMs = isExtension ? ASKING * patienceMs : patienceMs;
    const mostMs = more?.waits ? Number.POSITIVE_INFINITY : askingMs;
    // Once the lease has ended, the answer is known.
    const budgetMs = Math.min(expiry.left ? expiry.remaining() : patienceMs, mostMs);
    // An extension that was or may still be granted must not hold the name for another `ms`.
    async function rollBack(): Promise<void> {
      const restMs = Math.max(patienceMs - elapsed(), patienceMs - askingMs);
      const tries = { made: 0, most: MOST_CANCELS };
      if (isExtension) await closeHold(hold, { budgetMs: restMs, tries, routes: more?.routes });
    }
    try {
      const answer = await hold.extend(id, token, ms, { operation, budgetMs, doubt, ...more });
      if (answer.status === "extended") {
        expiry.learn(answer);
        // The lease had ended locally while the answer was on its way.
        if (expiry.lost) await rollBack();
      } else {
        // The names that were not lost stay held until the release or their expiry, and so does what is left of a hold.
        const isLeft = hold.leaves?.test(answer.reason);
        expiry.told = !isLeft && target.names.every((each) => answer.lost?.includes(each) ?? true);
        if (!expiry.finished) expiry.lose(answer.reason as LossReason, answer.lost);
      }
    } catch (error) {
      const isLost = isExtension ? doubt.isOpen() && isEnding() : await hasEnded(more?.signal);
      if (!isLost) throw error;
      if (!expiry.finished) {
        expiry.lose("expired");
        await rollBack().catch(() => {
          throw error;
        });
      }
    }
    return !expiry.over();
  };
}

/** How to release a lease. */
function releasing(hold: Hold, expiry: Expiry): () => Promise<boolean> {
  const { target, token } = hold;
  const { connection, emit } = target;
  /** The unanswered releases, and whether the first of them was sent while the lease was live. */
  let doubt = createDoubt();
  let wasInTime = false;

  return async function release() {
    if (expiry.told) return false;
    // The server has forgotten earlier releases: another one does no harm, and its reply says nothing about those.
    if (doubt.ageMs() >= connection.retentionMs) {
      doubt = createDoubt();
      wasInTime = false;
    }
    const isInTime = !expiry.lost && expiry.left !== undefined && expiry.left() > 0;
    wasInTime ||= isInTime;
    expiry.finish();
    try {
      const answer = await closeHold(hold, { doubt });
      // An unanswered release that was sent in time has ended the lease, unless the server reports another end.
      const wasReleased = answer.status === "lost" && /unknown|released/.test(answer.reason);
      const isOurs = wasReleased && wasInTime && doubt.isOpen();
      if (answer.status === "closed" || isOurs) {
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
  };
}

/** The requests of the lease of a hold. */
export function requestsOf(hold: Hold, expiry: Expiry): LeaseRequests {
  const { target, token } = hold;
  const ask = asking(hold, expiry);
  return {
    verify: (more) => ask("verify", 0, more),
    async extend(ms, more) {
      if (!(await ask("extend", ms, more))) throw expiry.over();
      target.emit?.({ type: "extended", token, remainingMs: expiry.remaining() });
    },
    release: releasing(hold, expiry),
  };
}
