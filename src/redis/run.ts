import { sha1 } from "../shared/crypto.ts";
import { LeaseholdError, OutcomeUnknownError, wrongKind } from "../shared/errors.ts";
import type { Happening } from "../shared/events.ts";
import { sleep } from "../shared/timers.ts";
import { learnOffset, offsetOf, stopwatch } from "./clock.ts";
import type { Connection } from "./connect.ts";
import { attempt, type Outcome, redact } from "./port.ts";
import { type Answered, decodeReply, type Script } from "./script.ts";

/** The name that a script is run for, or several as one, and the keys of it. */
export interface Place {
  readonly connection: Connection;
  readonly kind: string;
  /** For people; of several they are all in it. */
  readonly name: string;
  readonly names: readonly string[];
  readonly group: string | undefined;
  /** The records; after the one of a kind that needs it, the crowd. */
  readonly keys: readonly string[];
  /** Tells listeners what happened to the name. */
  readonly emit: (event: Happening) => void;
}

export interface Call {
  /** For events: acquire, extend, release, … */
  readonly operation: string;
  /** How long to insist on an answer. Default: {@link patienceOf} the connection. */
  readonly budgetMs?: number | undefined;
  /** Worth waiting for: where nobody is there it is sent again as long as where nobody answers. Else that ends within a second. */
  readonly waits?: boolean;
  readonly signal?: AbortSignal | undefined;
  readonly doubt?: Doubt | undefined;
  /** Of a release: whether the acquisition was in doubt, so that a request of it may still be on its way. */
  readonly doubted?: boolean | undefined;
  /** Requests made, and how many may be; one more fails without being sent again. */
  readonly tries?: { made: number; readonly most: number } | undefined;
  /** What an attempt is given however little of the budget is left. */
  readonly leastMs?: number;
  /** `WAIT` right behind the script, on the same connection. */
  readonly replicas?: Replicas | undefined;
}

/** What is not known of an operation's requests. */
export interface Doubt {
  /** True while an attempt is under way, and after one that went unanswered for as long as it may have run, or may yet. */
  open: boolean;
  /** The server time (µs) after which no unanswered attempt works any more. */
  until?: number;
  /** The time since the first unanswered attempt was sent. */
  since?: (() => number) | undefined;
  /** Whether a waiter was refused, so that it may have a place in a queue. */
  queued?: boolean;
}

/** The server time (µs) after which nothing works any more that was sent up to now. */
export const dueOf = ({ connection: { clock, state, requestTimeoutMs }, keys }: Place): number =>
  Math.max(state.due, Math.ceil((clock.now() + offsetOf(state.offsets, keys[0] as string) + requestTimeoutMs) * 1000));

/** How many replicas must have what was written, and how long to wait for them. */
export interface Replicas {
  readonly min: number;
  readonly timeoutMs: number;
}

/** Statuses that `runScript` itself makes an error of. */
type Refusing = { readonly status: "kind" | "late" };

/** What the script replied, and how that came. */
export type Ran<Reply> = Exclude<Reply, Refusing> & Timing;

export interface Timing {
  /** The wall clock before the attempt that was answered, and the time since then. */
  readonly sentAt: number;
  readonly since: () => number;
  /** How many replicas have it; 0 where nobody asked. */
  readonly replicas: number;
}

/** How long an operation that does not wait takes in all: `requestTimeout`, and a little less, since timers are late. */
export const patienceOf = ({ requestTimeoutMs }: Connection): number => 0.9 * requestTimeoutMs;

export const RETRY_BASE_MS = 50;
/** Attempts that fail one after the other. With the two of a cancel they are 8, however long the budget. */
const MOST_FAILURES = 6;
/** How long to look for a server that is not there: a restart may take a moment. */
const AWAY_MS = 700;
/** With less than this left, an answer is not to be expected any more. */
export const LAST_MOMENT_MS = 25;

/** Error replies that say: not executed. */
export const NOT_EXECUTED: RegExp = /^(LOADING|READONLY|MASTERDOWN|CLUSTERDOWN|TRYAGAIN|BUSY) /;

/** SHA-1 by text, once it was needed. */
const shas: Record<string, string> = {};

/** What a failed attempt means for the caller, and whether the next one may fare better. */
function judge(
  { name, connection }: Place,
  { status = 1 / 0, unsure, away, cause, retryAfterMs }: Outcome,
  error: string,
): [LeaseholdError, boolean] {
  // A 5xx with an error of its own is final, but for those that say: somewhere else.
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
 * Runs one script until it is answered: `EVALSHA`, and `EVAL` only when the server does not know it. What goes unanswered is sent
 * again with the same ids, each attempt void for the server as soon as we stop waiting for it. That the name is in use as another
 * kind is an error.
 *
 * Throws a LeaseholdError, or the signal's reason.
 */
export async function runScript<Args extends readonly (string | number)[], Reply extends Answered>(
  place: Place,
  script: Script<Args, Reply>,
  args: Args,
  call: Call,
): Promise<Ran<Reply>> {
  const { connection, name, keys, emit } = place;
  const { clock, state, random, requestTimeoutMs } = connection;
  const { signal, operation, waits, leastMs = LAST_MOMENT_MS, replicas } = call;
  const { doubt = { open: false }, tries = { made: 0, most: 1 / 0 } } = call;
  let { budgetMs = patienceOf(connection) } = call;
  /** Less than half, so that there is time to send one again that goes unanswered. */
  const mostMs = Math.min(requestTimeoutMs, 0.4 * Math.max(requestTimeoutMs, budgetMs));
  const growth = Math.max(1, budgetMs / RETRY_BASE_MS) ** (1 / (MOST_FAILURES - 2));
  // The first argument of such a script is the server time after which it is void.
  const fresh = script.replies.includes("late");
  const record = keys[0] as string;
  const elapsed = stopwatch(clock);
  /** The server remembers what came of an unanswered attempt for so long, so no request under its id may work later. */
  const rememberedMs = (): number => connection.retentionMs - (doubt.since?.() ?? 0);
  let evaluate = false;
  let failures = 0;
  let late = 0;

  for (;;) {
    const flagged = state.dialect === "flagged";
    const text = (flagged ? "#!lua flags=allow-key-locking\n" : "") + script.lua;
    shas[text] ??= await sha1(text);
    if (signal?.aborted) throw signal.reason;
    if (rememberedMs() <= 0) throw new OutcomeUnknownError(name, "no answer for too long");
    const limitMs = Math.min(mostMs, Math.max(budgetMs - elapsed(), leastMs)) + (replicas?.timeoutMs ?? 0);
    const sentAt = clock.now();
    const since = stopwatch(clock);
    const notAfter = Math.floor((sentAt + offsetOf(state.offsets, record) + Math.min(limitMs, rememberedMs())) * 1000);
    state.due = Math.max(state.due, notAfter);
    const command = [
      ...(evaluate ? ["EVAL", text] : ["EVALSHA", `${shas[text]}`]),
      keys.length,
      ...keys,
      ...(fresh ? [notAfter] : []),
      ...args,
    ];
    // Open until the answer says what came of this attempt.
    const doubtful = doubt.open;
    doubt.open = true;
    const outcome = await attempt(
      connection.port,
      command,
      limitMs,
      signal,
      replicas && ["WAIT", replicas.min, replicas.timeoutMs],
    );
    // What cannot be read leaves it open.
    const reply = outcome.error === undefined && decodeReply(script as Script<never, Reply>, outcome.value);
    if (outcome.unsure) {
      doubt.since ??= since;
      doubt.until = Math.max(doubt.until ?? 0, fresh ? notAfter : 1 / 0);
    }
    doubt.open = outcome.unsure === true || (doubtful && !(reply && reply.now > (doubt.until ?? 1 / 0)));
    if (!doubt.open) doubt.since = undefined;

    let why = outcome.error ? redact(outcome.error, command) : "";
    if (reply) {
      // A lower bound: the answer was on its way since the server read its clock.
      learnOffset(state.offsets, record, reply.now / 1000 - clock.now());
      if (reply.status === "kind") throw wrongKind(name, reply.kind as string);
      if (reply.status !== "late") {
        tries.made++;
        return { ...(reply as Exclude<Reply, Refusing>), sentAt, since, replicas: Number(outcome.replicas) || 0 };
      }
      // Usually our clock was wrong, and now we know by how much.
      if (++late < 3) continue;
      why = "TRYAGAIN too late";
    } else if (/^NOSCRIPT/.test(why) && !evaluate) {
      evaluate = true;
      continue;
    } else if (flagged && /in script shebang/.test(why)) {
      state.dialect = "plain";
      evaluate = false;
      continue;
    }
    if (signal?.aborted) throw signal.reason;

    const [error, again] = judge(place, outcome, why);
    if (outcome.away && !waits) budgetMs = Math.min(budgetMs, elapsed() + AWAY_MS);
    const leftMs = Math.min(budgetMs - elapsed(), rememberedMs());
    const backoffMs = (0.5 + random() / 2) * RETRY_BASE_MS * growth ** failures++;
    const delayMs = Math.max(Math.min(backoffMs, 0.8 * leftMs), outcome.retryAfterMs ?? 0);
    if (!again || ++tries.made >= tries.most || failures === MOST_FAILURES || leftMs - delayMs < LAST_MOMENT_MS)
      throw error;
    emit({ type: "retried", operation, why, delayMs });
    await sleep(delayMs, signal);
    // Nobody waits for it any more.
    if (tries.made >= tries.most) throw error;
  }
}
