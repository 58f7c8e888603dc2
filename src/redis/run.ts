import {
  type LeaseholdError,
  LockTimeoutError,
  MalformedAnswerError,
  OutcomeUnknownError,
  RateLimitedError,
  RedisReplyError,
  UnauthorizedError,
  WrongKindError,
} from "../errors.ts";
import { sleep } from "../wait.ts";
import { elapsedMs, type Instant, instant } from "./clock.ts";
import type { Connection } from "./connect.ts";
import type { Outcome } from "./port.ts";
import { type Answered, decodeReply, type Script } from "./script.ts";

/** The name that a script is run for, and the key of its record. */
export interface Place {
  readonly connection: Connection;
  readonly kind: string;
  readonly name: string;
  readonly group: string | undefined;
  readonly key: string;
}

export interface Call {
  /** For events: acquire, extend, release, … */
  readonly operation: string;
  /** How long to go on sending, answers included; one attempt takes `requestTimeout` at most. */
  readonly budgetMs: number;
  readonly signal?: AbortSignal | undefined;
  /** Set as soon as an attempt goes unanswered: it may have run, or may yet. */
  readonly doubt?: { open: boolean } | undefined;
}

export interface Ran<Reply> {
  readonly reply: Reply;
  /** The instant before the attempt that was answered. */
  readonly sentAt: Instant;
}

const RETRY_BASE_MS = 50;
const RETRY_CAP_MS = 2000;
/** With less than this left, an answer is not to be expected any more. */
export const LAST_MOMENT_MS = 25;
/** Error replies that say: not executed. */
const NOT_EXECUTED = /^(LOADING|READONLY|MASTERDOWN|CLUSTERDOWN|TRYAGAIN|BUSY) /;

/** Redis quotes commands in some errors; what proves ownership must not get out that way. */
function redact(message: string, command: readonly (string | number)[]): string {
  return command
    .map(String)
    .filter((part) => part.length >= 16)
    .reduce((text, part) => text.replaceAll(part, "…"), message.replace(/, with args beginning with.*/s, ""));
}

/** What a failed attempt means: whether to send again (and not before when), and the error if there is no time for that. */
function judge(outcome: Exclude<Outcome, { type: "reply" }>, place: Place, command: readonly (string | number)[]) {
  const final = (error: LeaseholdError) => ({ again: false, why: "", retryAfterMs: undefined, error });
  if (outcome.type === "unanswered") {
    const { why, retryAfterMs } = outcome;
    return {
      again: true,
      why,
      retryAfterMs,
      error: new OutcomeUnknownError(`no answer about "${place.name}": ${why}`),
    };
  }
  if (outcome.type === "refused") {
    const { status, retryAfterMs } = outcome;
    if (status === 401) return final(new UnauthorizedError("the API token was refused"));
    const error = new RateLimitedError("the server limits the rate of requests", retryAfterMs);
    return { again: true, why: "HTTP 429", retryAfterMs, error };
  }
  const message = redact(outcome.message, command);
  if (message.startsWith("WRONGTYPE")) return final(new WrongKindError(place.name, "foreign"));
  if (/^(WRONGPASS|NOAUTH)/.test(message)) return final(new UnauthorizedError(message));
  const error = new RedisReplyError(message);
  if (!NOT_EXECUTED.test(message)) return final(error);
  return { again: true, why: message.split(" ", 1)[0] as string, retryAfterMs: undefined, error };
}

/**
 * Runs one script: `EVALSHA`, and `EVAL` only when the server does not know it. Sends the same arguments again while the answer is
 * missing and the budget lasts, each attempt void for the server as soon as we stop waiting for it.
 *
 * Throws a LeaseholdError, or the signal's reason.
 */
export async function runScript<Args extends readonly (string | number)[], Reply extends Answered>(
  place: Place,
  script: Script<Args, Reply>,
  args: Args,
  call: Call,
): Promise<Ran<Reply>> {
  const { connection } = place;
  const { clock, state, port, requestTimeoutMs } = connection;
  const start = instant(clock);
  let evaluate = false;
  let failures = 0;
  let late = 0;
  for (;;) {
    if (call.signal?.aborted) throw call.signal.reason;
    const sentAt = instant(clock);
    const limitMs = Math.min(requestTimeoutMs, Math.max(call.budgetMs - elapsedMs(clock, start), LAST_MOMENT_MS));
    // Not valid for longer than the server remembers the ids of holds that are over.
    const notAfter = Math.floor((sentAt.wall + state.offsetMs + Math.min(limitMs, connection.retentionMs)) * 1000);
    const { dialect } = state;
    const [verb, text] = evaluate
      ? ["EVAL", dialect === "flagged" ? `#!lua flags=allow-key-locking\n${script.lua}` : script.lua]
      : ["EVALSHA", script.sha[dialect === "flagged" ? 1 : 0]];
    const command = [verb, text, 1, place.key, ...(script.fresh ? [notAfter] : []), ...args];
    const outcome = await port.send(command, limitMs, call.signal);

    let failure: ReturnType<typeof judge>;
    if (outcome.type === "reply") {
      let reply: Reply;
      try {
        reply = decodeReply(script as Script<never, Reply>, outcome.value);
      } catch (error) {
        if (call.doubt) call.doubt.open = true;
        throw error;
      }
      // A lower bound: the answer was on its way since the server read its clock.
      state.offsetMs = reply.now / 1000 - clock.now();
      if (reply.status !== "late") return { reply, sentAt };
      // Usually our clock was wrong, and now we know by how much.
      if (++late <= 2) continue;
      const error = new LockTimeoutError(`requests about "${place.name}" reach the server later than their time-out`);
      failure = { again: true, why: "late", retryAfterMs: undefined, error };
    } else {
      if (outcome.type === "error") {
        if (!evaluate && outcome.message.startsWith("NOSCRIPT")) {
          evaluate = true;
          continue;
        }
        if (dialect === "flagged" && outcome.message.includes("in script shebang")) {
          state.dialect = "plain";
          evaluate = false;
          continue;
        }
      }
      if (outcome.type === "unanswered" && call.doubt) call.doubt.open = true;
      if (call.signal?.aborted) throw call.signal.reason;
      failure = judge(outcome, place, command);
    }

    const leftMs = call.budgetMs - elapsedMs(clock, start);
    const backoffMs = (0.5 + connection.random() / 2) * Math.min(RETRY_CAP_MS, RETRY_BASE_MS * 2 ** failures++);
    const delayMs = Math.max(Math.min(backoffMs, leftMs / 2), failure.retryAfterMs ?? 0);
    if (!failure.again || leftMs - delayMs < LAST_MOMENT_MS) throw failure.error;
    connection.emit({
      type: "retried",
      kind: place.kind,
      name: place.name,
      operation: call.operation,
      why: failure.why,
      delayMs,
    });
    await sleep(delayMs, call.signal);
  }
}

/** A reply that the script gives but this call cannot get: whoever answers does not run our script. */
export const unexpected = (reply: Answered): MalformedAnswerError =>
  new MalformedAnswerError(`unexpected answer "${reply.status}"`);
