import { sha1 } from "../shared/crypto.ts";
import { LeaseholdError, OutcomeUnknownError, wrongKind } from "../shared/errors.ts";
import type { Happening } from "../shared/events.ts";
import { sleep } from "../shared/timers.ts";
import { offsetOf, stopwatch } from "./clock.ts";
import type { Connection } from "./connect.ts";
import { type Answer, attempt, type Command, type Outcome, type Port } from "./port.ts";
import { type Answered, decodeReply, type Script } from "./script.ts";

/** The name or names that a script is run for, and their keys. */
export interface Place {
  readonly connection: Connection;
  readonly kind: string;
  /** The name for people; several names are joined. */
  readonly name: string;
  readonly names: readonly string[];
  readonly group: string | undefined;
  /** The keys of the records, followed by the key of the crowd for a kind that has one. */
  readonly keys: readonly string[];
  /** Tells listeners what happened to the name. */
  readonly emit: ((event: Happening) => unknown) | undefined;
}

/** Another port than the connection's own. It is asked for before anything is awaited. */
export type Via = (connection: Connection) => Port;

export interface Call {
  /** The name of the operation in events: acquire, extend, release, … */
  readonly operation: string;
  /** How long to go on without an answer, in ms. Default: {@link patienceOf} the connection. */
  readonly budgetMs?: number | undefined;
  /**
   * Whether re-sending goes on for the whole budget when the server cannot be reached. Otherwise it ends within a
   * second.
   */
  readonly waits?: boolean;
  readonly signal?: AbortSignal | undefined;
  readonly doubt?: Doubt | undefined;
  /** Whether a request of the released acquisition may still arrive. */
  readonly doubted?: boolean | undefined;
  /** The number of requests so far, and the most that may be sent. */
  readonly tries?: { made: number; readonly most: number } | undefined;
  /** The least time for an attempt, however little of the budget is left. */
  readonly leastMs?: number;
  readonly via?: Via | undefined;
  /** Called with every reply that the operation gets, also where it makes several requests. */
  readonly heard?: ((place: Place, reply: Answered & { readonly remaining?: number }) => void) | undefined;
  /** Commands that go right behind the script, on the same connection, and the time in ms that they may take. */
  readonly behind?: readonly Command[];
  readonly moreMs?: number;
}

/** The doubt about an operation's requests. */
export interface Doubt {
  /** True while an attempt is under way, and after an unanswered one as long as it may have run or may still run. */
  open: boolean;
  /** The server time (µs) after which every unanswered attempt is void. */
  until?: number;
  /** The time since the first unanswered attempt was sent. */
  since?: (() => number) | undefined;
  /** Whether a waiter was refused, so that it may have a place in a queue. */
  queued?: boolean;
}

/** The server time (µs) after which every request sent up to now is void. */
export function dueOf(place: Place): number {
  const { clock, state, requestTimeoutMs } = place.connection;
  const offsetMs = offsetOf(state.offsets, place.keys[0] as string);
  return Math.max(state.due, Math.ceil((clock.now() + offsetMs + requestTimeoutMs) * 1000));
}

/** Statuses that `runScript` turns into errors. */
type Refusing = { readonly status: "kind" | "late" };

/** A script's reply, and its timing. */
export type Ran<Reply> = Exclude<Reply, Refusing> & Timing;

export interface Timing {
  /** The wall clock before the answered attempt was sent, and the time since then. */
  readonly sentAt: number;
  readonly since: () => number;
  /** The answers to the script and to the commands behind it. */
  readonly answers?: readonly Answer[] | undefined;
}

/** The time for an operation that does not wait: a little less than `requestTimeout`, since timers are late. */
export const patienceOf = (connection: Connection): number => 0.9 * connection.requestTimeoutMs;

export const RETRY_BASE_MS = 50;
/** The most attempts that fail one after the other. With the two of a cancel they are 8, however long the budget is. */
const MOST_FAILURES = 6;
/** How long to try a server that cannot be reached: a restart may take a moment. */
export const AWAY_MS = 700;
/** With less time than this left, no answer can be expected. */
export const LAST_MOMENT_MS = 25;

/** Error replies that mean "not executed". */
export const NOT_EXECUTED: RegExp = /^(LOADING|READONLY|\w+DOWN|TRYAGAIN|BUSY) /;

/** The first line of a flagged script. */
const KEY_LOCKING = "#!lua flags=allow-key-locking\n";

/** The SHA-1 of each text that was sent. They are computed on first use, since a bundle compresses no hashes. */
const shas = new Map<string, string>();

async function shaOf(text: string): Promise<string> {
  const known = shas.get(text) ?? (await sha1(text));
  shas.set(text, known);
  return known;
}

/** Turns a failed attempt into the caller's error, and tells whether another attempt may succeed. */
export function judge(
  { name, connection }: Pick<Place, "name" | "connection">,
  { status = 1 / 0, unsure, away, cause, retryAfterMs }: Outcome,
  error: string,
): [LeaseholdError, boolean] {
  // A 500 or 501 is final; other 5xx come from something in between.
  if (away || (unsure && status > 501)) {
    const [host] = connection.server.split("/");
    return [new OutcomeUnknownError(name, `${error}${host && ` (${host})`}`, cause), true];
  }
  if (/^WRONGTYPE/.test(error)) return [wrongKind(name, "foreign"), false];
  if (status === 429) return [new LeaseholdError("rate_limited", error, { retryAfterMs }), true];
  const refused = status === 401 || /^(WRONGPASS|NOAUTH) /.test(error);
  return [new LeaseholdError(refused ? "unauthorized" : "redis_error", error), NOT_EXECUTED.test(error)];
}

/**
 * Runs a script until it is answered: by `EVALSHA`, and by `EVAL` only when the server does not know it. An unanswered
 * request is sent again with the same ids; each attempt is void for the server once we stop waiting for it.
 *
 * @throws LeaseholdError, also when the name is in use as another kind; the signal's reason.
 */
export async function runScript<Args extends readonly (string | number)[], Reply extends Answered>(
  place: Place,
  script: Script<Args, Reply>,
  args: Args,
  call: Call,
): Promise<Ran<Reply>> {
  const { connection, name, keys, emit } = place;
  // The port first: on its first use it may find out which dialect its server takes.
  const port = call.via?.(connection) ?? connection.port;
  const { clock, state, random, requestTimeoutMs } = connection;
  const { signal, operation, waits, leastMs = LAST_MOMENT_MS, moreMs = 0 } = call;
  const { doubt = { open: false }, tries = { made: 0, most: 1 / 0 } } = call;
  let { budgetMs = patienceOf(connection) } = call;
  /** Less than half of the budget, so that an unanswered attempt can be sent again. */
  const mostMs = Math.min(requestTimeoutMs, 0.4 * Math.max(requestTimeoutMs, budgetMs));
  const growth = Math.max(1, budgetMs / RETRY_BASE_MS) ** (1 / (MOST_FAILURES - 2));
  // A script that can answer `late` takes, as its first argument, the server time after which the request is void.
  const fresh = "late" in script.replies;
  const record = keys[0] as string;
  const elapsed = stopwatch(clock);
  /** How long the server still remembers an unanswered attempt. No request under its id may work later than that. */
  const rememberedMs = (): number => connection.retentionMs - (doubt.since?.() ?? 0);
  let evaluate = false;
  let failures = 0;
  let late = 0;
  let attempts = 0;
  let cause: Error | undefined;

  for (;;) {
    const flagged = state.dialect === "flagged";
    const text = (flagged ? KEY_LOCKING : "") + script.lua;
    const sha = await shaOf(text);
    signal?.throwIfAborted();
    if (rememberedMs() <= 0) throw new OutcomeUnknownError(name, "no answer for too long");
    const limitMs = Math.min(mostMs, Math.max(budgetMs - elapsed(), leastMs)) + moreMs;
    const sentAt = clock.now();
    const since = stopwatch(clock);
    const notAfter = Math.floor((sentAt + offsetOf(state.offsets, record) + Math.min(limitMs, rememberedMs())) * 1000);
    state.due = Math.max(state.due, notAfter);
    const named = evaluate ? ["EVAL", text] : ["EVALSHA", sha];
    const command = [...named, keys.length, ...keys, ...(fresh ? [notAfter] : []), ...args];
    // In doubt until an answer tells the outcome of this attempt.
    const doubtful = doubt.open;
    doubt.open = true;
    const outcome = await attempt(port, command, limitMs, signal, clock, call.behind);
    // An unreadable answer leaves it in doubt.
    const reply = outcome.error === undefined ? decodeReply(script as Script<never, Reply>, outcome.result) : undefined;
    // A request that came too late may be a copy of one that came in time.
    const unsure = outcome.unsure || reply?.status === "late";
    if (unsure) {
      doubt.since ??= since;
      doubt.until = Math.max(doubt.until ?? 0, fresh ? notAfter : 1 / 0);
    }
    doubt.open = doubtful || unsure;

    let why = outcome.error ?? "";
    emit?.({ type: "request", operation, attempt: ++attempts, durationMs: since(), status: reply?.status, why });
    // A call that was given up meanwhile sends nothing more: its id is cancelled, and may be forgotten, by then.
    const wanted = tries.made < tries.most;
    if (reply) {
      // A lower bound: time has passed since the server read its clock. A hundred records' are remembered at most.
      if (state.offsets.size > 99) state.offsets.clear();
      const isClockRead = reply.clockRead !== 0;
      if (isClockRead) state.offsets.set(record, reply.now / 1000 - clock.now());
      if (reply.status !== "late") {
        // When all attempts before it are void, it tells their outcome too.
        if (isClockRead && reply.now > (doubt.until as number)) {
          doubt.open = false;
          doubt.since = undefined;
        }
        if (reply.status === "kind") throw wrongKind(name, reply.kind as string);
        tries.made++;
        call.heard?.(place, reply);
        return Object.assign(reply as Exclude<Reply, Refusing>, { sentAt, since, answers: outcome.answers });
      }
      // Usually our estimate of the server's clock was wrong, and is right now.
      if (++late < 3 && wanted) continue;
      why = "TRYAGAIN too late";
    } else if (/^NOSCRIPT/.test(why) && !evaluate && wanted) {
      evaluate = true;
      continue;
    } else if (flagged && wanted && /in script shebang/.test(why)) {
      state.dialect = "plain";
      evaluate = false;
      continue;
    }
    signal?.throwIfAborted();

    // The last attempt may have too little time left to fail for the reason that the one before had.
    cause = outcome.cause ?? cause;
    const [error, again] = judge(place, { ...outcome, cause }, why);
    if (outcome.away && !waits) budgetMs = Math.min(budgetMs, elapsed() + AWAY_MS);
    const leftMs = Math.min(budgetMs - elapsed(), rememberedMs());
    const backoffMs = (0.5 + random() / 2) * RETRY_BASE_MS * growth ** failures++;
    const delayMs = Math.max(Math.min(backoffMs, 0.8 * leftMs), outcome.retryAfterMs ?? 0);
    if (!again || ++tries.made >= tries.most || failures === MOST_FAILURES || leftMs - delayMs < LAST_MOMENT_MS)
      throw error;
    emit?.({ type: "retried", operation, why, delayMs });
    await sleep(delayMs, signal, clock);
    // Others share `tries` and may have used them up.
    if (tries.made >= tries.most) throw error;
  }
}
