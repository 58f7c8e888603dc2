import type { AcquireReply } from "../lease/acquire.ts";
import { type Backoff, defaultBackoff } from "../lease/backoff.ts";

/** The request does not queue: it is refused if others wait. */
const NO_PLACE = -1;
/** The request joins the queue, or joins it again. */
const NEW_PLACE = 0;

/** The argument `ticket` of a script with a queue: the caller's place from its last poll, if it waits. */
export function ticketToSend(waitMs: number, before: AcquireReply | undefined): number {
  if (waitMs === 0) return NO_PLACE;
  return before?.status === "held" ? (before.ticket ?? NEW_PLACE) : NEW_PLACE;
}

/**
 * The argument `ownPace` of a script with a queue: 1 for a caller with a back-off of its own, which then may poll as
 * seldom as every 2 s; 0 for one that polls when the server says.
 */
export const ownPace = (backoff: Backoff): 0 | 1 => (backoff === defaultBackoff ? 0 : 1);
