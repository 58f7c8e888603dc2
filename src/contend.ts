import { randomId } from "./crypto.ts";
import { LeaseholdError, LockTimeoutError, OutcomeUnknownError } from "./errors.ts";
import { elapsedMs, instant } from "./redis/clock.ts";
import { type Call, type Place, type Ran, runScript } from "./redis/run.ts";
import type { Answered, Script } from "./redis/script.ts";
import { type Backoff, type Blocked, sleep, type WaitUntil } from "./wait.ts";

/** One operation that tries to get hold of a name, under one random id for all its polls and re-sends. */
export interface Contest<Reply> {
  readonly place: Place;
  readonly operation: string;
  readonly run: (id: string, waitedMs: number, call: Call) => Promise<Ran<Reply>>;
  readonly close: Script<readonly [id: string, token: number, retention: number], Answered>;
  /** Whether the reply gives us a hold, says what is in the way, or neither: then it is the result. */
  readonly read: (reply: Reply) => { readonly wonMs?: number; readonly blocked?: Blocked };
}

export interface Patience {
  /** How long to wait for the way to become free; 0 tries once. */
  readonly waitMs: number;
  /** How long to insist on an answer to one try, when that is longer than what is left of the wait. */
  readonly budgetMs: number;
  readonly maxPolls: number;
  readonly backoff: Backoff;
  readonly signal: AbortSignal | undefined;
  readonly waitUntil: WaitUntil | undefined;
}

const NOT_BLOCKED: Blocked = { remainingMs: 0, ageMs: 0, tenureMs: 0, queueMs: 0 };

/** How it ended: an answer under `id`, or time ran out and nothing is held. */
export type Contended<Reply> =
  | { readonly ran: Ran<Reply>; readonly id: string; readonly polls: number; readonly waitedMs: number }
  | {
      readonly ran?: undefined;
      readonly remainingMs: number | undefined;
      readonly polls: number;
      readonly waitedMs: number;
    };

/**
 * Tries, sleeps and tries again. Whatever the way out, it leaves nothing behind: an operation that ends without a hold while any of
 * its requests may still be granted closes its id on the server, and only if that fails too is the outcome unknown.
 */
export async function contend<Reply extends Answered>(
  contest: Contest<Reply>,
  patience: Patience,
): Promise<Contended<Reply>> {
  const { place, operation } = contest;
  const { connection, kind, name } = place;
  const { signal, waitMs, waitUntil } = patience;
  const start = instant(connection.clock);
  const elapsed = (): number => elapsedMs(connection.clock, start);
  const doubt = { open: false };
  let id = randomId();
  let polls = 0;
  let remainingMs: number | undefined;

  /** Whether the id is known to be closed. In the background it is not known yet. */
  async function letGo(): Promise<boolean> {
    const { retentionMs, requestTimeoutMs: budgetMs } = connection;
    const cancel = runScript(place, contest.close, [id, 0, retentionMs], { operation: "cancel", budgetMs }).then(
      () => true,
      () => {
        connection.emit({ type: "unanswered", kind, name, operation: "cancel" });
        return false;
      },
    );
    if (!waitUntil) return cancel;
    waitUntil(cancel);
    return false;
  }

  try {
    for (;;) {
      const budgetMs = Math.max(waitMs - elapsed(), patience.budgetMs);
      const ran = await contest.run(id, Math.round(elapsed()), { operation, budgetMs, signal, doubt });
      polls++;
      const roundTripMs = elapsedMs(connection.clock, ran.sentAt);
      const { wonMs, blocked = NOT_BLOCKED } = contest.read(ran.reply);
      if (wonMs !== undefined) {
        if (roundTripMs < wonMs && !signal?.aborted) return { ran, id, polls, waitedMs: elapsed() };
        // Won too late: the lease is over, or the caller is gone.
        doubt.open = true;
        if (signal?.aborted) throw signal.reason;
      } else if (blocked === NOT_BLOCKED) {
        if (ran.reply.status !== "closed") {
          if (doubt.open) await letGo();
          return { ran, id, polls, waitedMs: elapsed() };
        }
        // An earlier copy of this id was granted, and its hold ended before any answer reached us.
        id = randomId();
        doubt.open = false;
      } else {
        remainingMs = blocked.remainingMs;
        connection.emit({ type: "refused", kind, name, remainingMs, polls });
      }
      const leftMs = waitMs - elapsed();
      if (leftMs <= 0 || polls >= patience.maxPolls) break;
      const info = { ...blocked, polls, waitedMs: elapsed(), roundTripMs, random: connection.random };
      const wanted = patience.backoff(info);
      const delayMs = Math.min(Math.max(Number.isFinite(wanted) ? wanted : leftMs, 0), leftMs);
      connection.emit({ type: "polled", kind, name, delayMs, polls });
      await sleep(delayMs, signal);
    }
  } catch (error) {
    if (!doubt.open) throw error;
    const closed = await letGo();
    const unanswered = error instanceof OutcomeUnknownError;
    if (!(closed && unanswered)) {
      const settled = closed || (waitUntil && !unanswered);
      throw settled || unanswered ? error : unknown(place, error);
    }
    return { remainingMs, polls, waitedMs: elapsed() };
  }
  if (doubt.open && !(await letGo()) && !waitUntil) throw unknown(place);
  return { remainingMs, polls, waitedMs: elapsed() };
}

const unknown = (place: Place, cause?: unknown): OutcomeUnknownError =>
  new OutcomeUnknownError(
    `no answer about "${place.name}" that says whether it was granted`,
    cause instanceof LeaseholdError ? { cause } : undefined,
  );

/** Time ran out: the error that says so. */
export function timedOut(place: Place, ended: { remainingMs?: number | undefined; polls: number; waitedMs: number }) {
  const { remainingMs, polls, waitedMs } = ended;
  const held = remainingMs === undefined ? "" : `; the lease in the way runs ${Math.round(remainingMs)} ms more`;
  return new LockTimeoutError(
    `"${place.name}" not acquired in ${Math.round(waitedMs)} ms and ${polls} polls${held}`,
    remainingMs,
  );
}
