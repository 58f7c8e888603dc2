import { patienceOf } from "../redis/connect.ts";
import { OutcomeUnknownError } from "../shared/errors.ts";
import type { Background } from "../shared/wait-until.ts";
import type { Polled } from "./contest.ts";
import { HeldLease } from "./held-lease.ts";
import { cancel, type Hold, type HoldReply, REQUEST_SHARE } from "./hold.ts";
import { noteToken } from "./own-tokens.ts";
import { ticketOf } from "./ticket.ts";

/**
 * Makes the lease of a granted hold. If tickets are signed, its ticket is signed now, so that `ticket()` need not wait.
 * A failure after the grant releases the hold, since the caller never receives it. `replicated` is the answer of the
 * extension that waits for replicas, if the caller requested that.
 */
export async function grantLease(
  hold: Hold,
  answer: HoldReply & Pick<Polled<unknown>, "waitedMs" | "polls">,
  waitUntil: Background | undefined,
  signal: AbortSignal | undefined,
  replicated?: Promise<HoldReply>,
): Promise<HeldLease> {
  const { target, token } = hold;
  const { waitedMs, polls } = answer;
  try {
    const last = replicated ? await replicated : answer;
    target.emit?.({ type: "acquired", token, waitedMs, polls });
    noteToken(target, token);
    return new HeldLease(hold, last, await ticketOf(hold));
  } catch (error) {
    const cancelled = await cancel(
      hold,
      "acquire",
      (1 - REQUEST_SHARE) * patienceOf(target.connection),
      waitUntil,
      signal,
    );
    signal?.throwIfAborted();
    if (cancelled === "unanswered") throw new OutcomeUnknownError(target.name, "it may have been granted", error);
    throw error;
  }
}
