import type { Context, Next } from "hono";
import { StaleTokenError } from "../fence/rule.ts";
import type { Started } from "../kinds/once.ts";
import { LeaseholdError, LeaseLostError } from "../shared/errors.ts";
import { noop, type WaitUntil } from "../shared/wait-until.ts";
import { mark, problem, replace } from "./answer.ts";
import { type Remembered, remember, shorten } from "./memory.ts";
import type { Settings } from "./options.ts";

export interface Execution {
  readonly waitUntil: WaitUntil;
}

/** Redis cannot be asked: not now. */
export const unavailable = (c?: Context, retryAfterMs = 1000): Response =>
  problem(c, "unavailable", { code: 503, title: "The store of deliveries is not reachable", retryAfterMs });

/** Says that it should come again, so that to remember it would lose it. */
const comesAgain = ({ status, headers }: Response): boolean =>
  status >= 500 || status === 408 || status === 425 || status === 429 || (status >= 400 && headers.has("Retry-After"));

/**
 * Forgets the attempt before the answer goes out, so that a redelivery finds it gone; that takes `requestTimeout` at most. Gives false
 * when the attempt was over already, undefined when nobody can say: then it ends with its lease, and an event has said so.
 */
const giveUp = (turn: Started): Promise<boolean | undefined> => turn.fail().catch(() => undefined);

/** The handler found out by itself that somebody else has the delivery now. */
const isOvertaken = (error: unknown, name: string, ours: boolean | undefined): boolean =>
  error instanceof StaleTokenError ? error.lockName === name : error instanceof LeaseLostError && ours === false;

/** Stores the answer, or as much of it as there is room for. */
async function complete(turn: Started, answer: Remembered): Promise<void> {
  try {
    await turn.complete(answer);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    await turn.complete(shorten(answer));
  }
}

/**
 * Runs the handler under the lease of its attempt and stores its answer, before that goes out. It is in `c.res` then.
 */
export async function handle(
  c: Context,
  next: Next,
  turn: Started,
  settings: Settings,
  execution: Execution | undefined,
): Promise<void> {
  const { lease } = turn;

  /** The answer to store, or undefined when the handler failed; throws what the handler threw past Hono. */
  async function run(): Promise<Remembered | undefined> {
    // Has Hono name the type of a text; some platforms do that only as they send it, and lose it with a copy.
    if (settings.replay) void c.res;
    try {
      await next();
      // Hono has made a response of what a handler threw; one that gave none will be an error in a moment.
      if (!c.error && c.finalized && !comesAgain(c.res)) return await remember(c, settings.replay);
    } catch (error) {
      await giveUp(turn);
      throw error;
    }
    const ours = await giveUp(turn);
    if (isOvertaken(c.error, lease.name, ours)) stale();
    else if (c.finalized) mark(c, "failed");
    return undefined;
  }

  /** Instead of the handler's answer, of which nothing must get out: by now the context has its headers too. */
  function overrule(answer: Response): void {
    c.res.body?.cancel().catch(noop);
    replace(c, answer);
  }

  /** Somebody else has the delivery now, and may fail yet: it must come again. */
  const stale = (): void =>
    overrule(problem(undefined, "stale", { code: 409, title: "Another attempt took over", retryAfterMs: 1000 }));

  async function store(answer: Remembered): Promise<void> {
    try {
      await complete(turn, answer);
      mark(c, "processed");
    } catch (error) {
      if (error instanceof LeaseLostError) stale();
      else if (!(error instanceof LeaseholdError)) throw error;
      // It is done, and nobody else can have begun it: that it may be forgotten is no reason to have it done again.
      else if (lease.remaining > 0) mark(c, "unconfirmed");
      else overrule(unavailable());
    }
  }

  let ended = false;
  const work = async (): Promise<void> => {
    const answer = await run();
    if (answer) await store(answer);
    ended = true;
  };
  const maxHold = settings.maxHoldMs ?? (execution ? "25s" : "15m");
  try {
    await lease.keepAlive(execution ?? {}, work, { maxHold });
  } catch (error) {
    // A lease that ran out is for the server to judge, and it has: nobody may have taken over.
    if (!ended) throw error;
  }
}
