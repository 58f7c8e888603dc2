import { StaleTokenError } from "../fence/rule.ts";
import type { Started } from "../kinds/attempts.ts";
import { LeaseholdError, LeaseLostError } from "../shared/errors.ts";
import { unsendable, verdictOf } from "../shared/handler-response.ts";
import { writeResult } from "../shared/json.ts";
import type { WaitUntil } from "../shared/wait-until.ts";
import type { Context } from "./exchange.ts";
import type { Settings } from "./options.ts";
import { overrule, problem, setStatus } from "./response.ts";
import { type StoredAnswer, shorten, toStored } from "./stored-answer.ts";

/** The used part of a platform's execution context. */
export interface Execution {
  readonly waitUntil: WaitUntil;
}

/** Makes the 503 for a delivery while Redis is unavailable. */
export const unavailable = (settings: Settings, c?: Context, retryAfterMs = 1000): Response =>
  problem(c, "unavailable", { code: 503, title: "The store of deliveries is not reachable", retryAfterMs }, settings);

/** Whether the handler failed by its response: storing that would lose the delivery. */
const isFailure = (response: Response): boolean =>
  verdictOf(response) === "failed" || unsendable(response) !== undefined;

/**
 * Ends the attempt before the answer goes out, so that a redelivery can begin; it takes at most `requestTimeout`.
 * Returns false when the attempt was over already, and undefined without an answer: then it ends with its lease, and an
 * event has reported that.
 */
const giveUp = (turn: Started): Promise<boolean | undefined> => turn.fail().catch(() => undefined);

/** Whether the handler's error shows that another attempt has taken over. */
const isOvertaken = (error: unknown, name: string, ours: boolean | undefined): boolean =>
  error instanceof StaleTokenError ? error.lockName === name : error instanceof LeaseLostError && ours === false;

/** The answer as it is stored: without its body where that is too large. */
const storable = (answer: StoredAnswer): StoredAnswer =>
  writeResult(answer).text === undefined ? shorten(answer) : answer;

/** Runs the handler under the lease of its attempt and stores its answer before that goes out, in `c.res`. */
export async function runHandler(
  c: Context,
  next: () => Promise<void>,
  turn: Started,
  settings: Settings,
  execution: Execution | undefined,
): Promise<void> {
  const { lease } = turn;

  /** Returns the answer to store, undefined when the handler failed. @throws an error that the framework let pass. */
  async function run(): Promise<StoredAnswer | undefined> {
    try {
      await next();
      // Hono turned an error into a response (c.error); a handler that returned nothing is about to become an error.
      if (!c.error && c.finalized && !isFailure(c.res)) return await toStored(c, settings.replay);
    } catch (error) {
      await giveUp(turn);
      throw error;
    }
    const ours = await giveUp(turn);
    if (isOvertaken(c.error, lease.name, ours)) stale();
    else setStatus(c, "failed");
    return undefined;
  }

  /**
   * Answers that another attempt took over. That one may still fail, so the sender must come again. Nothing of the
   * handler's answer may go out, not even its headers, which the context has by now.
   */
  const stale = (): void =>
    overrule(
      c,
      problem(undefined, "stale", { code: 409, title: "Another attempt took over", retryAfterMs: 1000 }, settings),
    );

  async function store(answer: StoredAnswer): Promise<void> {
    try {
      await turn.complete(storable(answer));
      setStatus(c, "processed");
    } catch (error) {
      if (error instanceof LeaseLostError) stale();
      else if (!(error instanceof LeaseholdError)) throw error;
      // The work is done and nobody else can have begun it: a doubtful memory is no reason to have it done again.
      else if (lease.remaining > 0) setStatus(c, "unconfirmed");
      else overrule(c, unavailable(settings));
    }
  }

  let ended = false;
  const work = async (): Promise<void> => {
    const answer = await run();
    if (answer) await store(answer);
    ended = true;
  };
  const maxHold = settings.maxHold ?? (execution ? "25s" : "15m");
  try {
    await lease.keepAlive(execution ?? {}, work, { maxHold });
  } catch (error) {
    // The server has judged a lease that ran out: it accepted the answer unless another attempt had taken over.
    if (!ended) throw error;
  }
}
