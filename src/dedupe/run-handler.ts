import { StaleTokenError } from "../fence/rule.ts";
import type { Started } from "../kinds/attempts.ts";
import { LeaseholdError, LeaseLostError } from "../shared/errors.ts";
import { unsendable, verdictOf } from "../shared/handler-response.ts";
import { writeResult } from "../shared/json.ts";
import type { WaitUntil } from "../shared/wait-until.ts";
import { bareResponse, type MakeResponse } from "./exchange.ts";
import type { Settings } from "./options.ts";
import { type DedupeStatus, drop, mark, problem } from "./response.ts";
import { type Storable, type StoredAnswer, shorten, toStored } from "./stored-answer.ts";

/** The used part of a platform's execution context. */
export interface Execution {
  readonly waitUntil: WaitUntil;
}

/** The result of the handler. */
export interface Ended {
  /** Undefined if there is none; the framework is about to report that as an error. */
  readonly response: Response | undefined;
  /** The error from which the framework made the response. */
  readonly error?: unknown;
}

/** The response to send, and how the delivery ended. */
export interface Answered {
  readonly response: Response | undefined;
  readonly status: DedupeStatus;
}

/** Makes the 503 for a delivery while Redis is unavailable. */
export function unavailable(newResponse: MakeResponse, settings: Settings, retryAfterMs = 1000): Response {
  const title = "The store of deliveries is not reachable";
  return problem(newResponse, "unavailable", { code: 503, title, retryAfterMs }, settings);
}

/**
 * Makes the 409 after another attempt took over. That attempt may still fail, so the sender must retry. Nothing of the
 * handler's answer may be sent, not even headers that other middleware has set by now.
 */
function stale(settings: Settings): Answered {
  const about = { code: 409, title: "Another attempt took over", retryAfterMs: 1000 };
  return { status: "stale", response: problem(bareResponse, "stale", about, settings) };
}

/** Whether the handler failed by its response: storing that would lose the delivery. */
const isFailure = (response: Response): boolean =>
  verdictOf(response) === "failed" || unsendable(response) !== undefined;

/** Whether the handler's error shows that another attempt has taken over. */
const isOvertaken = (error: unknown, name: string, isCurrent: boolean | undefined): boolean =>
  error instanceof StaleTokenError ? error.lockName === name : error instanceof LeaseLostError && isCurrent === false;

/**
 * Ends a failed attempt before the answer is sent, so that a redelivery can begin; it takes at most `requestTimeout`.
 * Without an answer from Redis, the attempt ends with its lease, and an event has reported that. Returns whether
 * another attempt had taken over.
 */
async function giveUp(turn: Started, error: unknown): Promise<boolean> {
  // False if the attempt had already ended.
  const isCurrent = await turn.fail().catch(() => undefined);
  return isOvertaken(error, turn.lease.name, isCurrent);
}

/** The stored form of the answer, without its body if that is too large. */
const storable = (answer: StoredAnswer): StoredAnswer =>
  writeResult(answer).text === undefined ? shorten(answer) : answer;

/** Stores the answer, and decides which response to send. */
async function store({ response, answer }: Storable, turn: Started, settings: Settings): Promise<Answered> {
  try {
    await turn.complete(storable(answer));
    return { response: mark(response, "processed"), status: "processed" };
  } catch (error) {
    if (!(error instanceof LeaseholdError)) throw error;
    // The work is done, and no other attempt can have begun. It must not be repeated just because storing is uncertain.
    if (!(error instanceof LeaseLostError) && turn.lease.remaining > 0)
      return { response: mark(response, "unconfirmed"), status: "unconfirmed" };
    drop(response);
    if (error instanceof LeaseLostError) return stale(settings);
    return { response: unavailable(bareResponse, settings), status: "unavailable" };
  }
}

/** Runs the handler and stores its answer. @throws what the handler throws. */
async function handle(next: () => Promise<Ended>, turn: Started, settings: Settings): Promise<Answered> {
  let ended: Ended;
  let stored: Storable | undefined;
  try {
    ended = await next();
    const { response, error } = ended;
    if (response && error === undefined && !isFailure(response)) stored = await toStored(response, settings.replay);
  } catch (error) {
    if (await giveUp(turn, error)) return stale(settings);
    throw error;
  }
  if (stored) return store(stored, turn, settings);
  const { response, error } = ended;
  if (await giveUp(turn, error)) {
    drop(response);
    return stale(settings);
  }
  return { response: response && mark(response, "failed"), status: "failed" };
}

/** Runs the handler under the lease of its attempt, and stores its answer before sending it. */
export async function runHandler(
  next: () => Promise<Ended>,
  turn: Started,
  settings: Settings,
  execution: Execution | undefined,
): Promise<Answered> {
  const maxHold = settings.maxHold ?? (execution ? "25s" : "15m");
  const run: { answered?: Answered } = {};
  async function work(): Promise<Answered> {
    run.answered = await handle(next, turn, settings);
    return run.answered;
  }
  try {
    return await turn.lease.keepAlive(execution ?? {}, work, { maxHold });
  } catch (error) {
    // For an expired lease, the server decided: it accepted the answer unless another attempt had taken over.
    if (run.answered) return run.answered;
    throw error;
  }
}
