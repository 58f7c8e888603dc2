import { alarm, type Timed } from "../shared/timers.ts";
import type { WakeUps } from "./wake-ups.ts";

/** The answer to one command: its result, or Redis's error. */
export interface Answer {
  readonly result?: unknown;
  readonly error?: string | undefined;
}

/** Redis ran every command of the attempt. */
export interface Answered {
  readonly type: "answered";
  /** The result of the command. */
  readonly result: unknown;
  /** The answers to the command and to those after it. */
  readonly answers: readonly Answer[];
  /**
   * How long the server reports that it held the request before its last run, in ms; undefined if it does not hold
   * requests.
   */
  readonly parkedMs?: number | undefined;
  /**
   * Whether the server refused a held request only because it cannot know whether its client still lives: it grants the
   * name if the client asks again now.
   */
  readonly isOffered?: boolean | undefined;
}

/** The members of every attempt without a result. */
interface Failure {
  /** What went wrong: the server's message or the system's code. */
  readonly error: string;
  /** The thrown error, without secrets. */
  readonly cause?: Error | undefined;
  /** The server's `Retry-After`, in ms. */
  readonly retryAfterMs?: number | undefined;
}

/** The server answered with a refusal. Nothing was done, except by commands whose `answers` say so. */
export interface Refused extends Failure {
  readonly type: "refused";
  /** The code of the caller's error. */
  readonly code: "redis_error" | "unauthorized" | "rate_limited" | "malformed_answer";
  /** The answers to the command and to those after it, if only some of them are errors. */
  readonly answers?: readonly Answer[] | undefined;
}

/** Why nothing could be sent. */
export type Unsent = "refused" | "not found" | "no TLS" | "not trusted" | "not allowed" | "closed" | "unreachable";

/** The command was never sent, so it cannot run. No server could be reached. */
export interface NotSent extends Failure {
  readonly type: "not sent";
  readonly reason: Unsent;
}

/** There was no usable answer: the command may have run, or may still run. */
export interface Unknown extends Failure {
  readonly type: "unknown";
  /** If the failure suggests, but does not prove, that no server could be reached: why. */
  readonly looksUnreachable?: boolean;
  readonly reason?: Unsent | undefined;
  /** Whether the server failed because of this request, so that the same request would fail again. */
  readonly failsAgain?: boolean;
  /** The answers to the command and to those after it, if only some of them are missing. */
  readonly answers?: readonly Answer[] | undefined;
}

/** The outcome of one attempt without a result. */
export type Failed = Refused | NotSent | Unknown;

/** The outcome of one attempt to run a command, and the commands after it. */
export type Outcome = Answered | Failed;

export type Command = readonly (string | number)[];

/**
 * Sends one command to Redis in one attempt, which ends with `signal`. It never rejects. Other commands are sent right
 * after the first, on the same connection. A server that supports it may hold the request for `parkMs` instead of
 * refusing it.
 */
export interface Port {
  (command: Command, signal: AbortSignal, behind?: readonly Command[], parkMs?: number): Promise<Outcome>;
  /**
   * Whether independent commands are sent one by one. Over TCP that costs nothing, and on a cluster they go to
   * different nodes.
   */
  readonly isSingle?: boolean;
}

/** A TCP client, adapted for `connect` by `leasehold/ioredis`, `leasehold/node-redis` or `leasehold/bun`. */
export interface RedisOverTcp {
  readonly port: Port;
  /** Host and port, empty if unknown. */
  readonly server: string;
  /** Messages that wake waiters. Default: the client cannot receive any. */
  readonly wakeUps?: WakeUps | undefined;
}

/** The outcome of a command that Redis answered with this error. */
export function refused(error: string, details?: Partial<Refused>): Refused {
  const code = /^(WRONGPASS|NOAUTH|NOPERM) /.test(error) ? "unauthorized" : "redis_error";
  return { type: "refused", code, error, ...details };
}

/** The error of the gateway for a command of a pipeline that it sent to a server of a cluster which did not answer. */
const NO_ANSWER = /^NOANSWER /;

/** The outcome of answered commands: unknown if any of them may have run without an answer, else refused if any was. */
export function answered(answers: readonly Answer[]): Answered | Refused | Unknown {
  const errors = answers.flatMap((each) => each?.error || []);
  const missing = errors.find((error) => NO_ANSWER.test(error));
  if (missing !== undefined) return { type: "unknown", error: missing, answers };
  const [error] = errors;
  return error === undefined ? { type: "answered", result: answers[0]?.result, answers } : refused(error, { answers });
}

/** The members that are read of a thrown value. */
interface Thrown {
  readonly name?: string;
  readonly message?: unknown;
  readonly code?: string | undefined;
  readonly syscall?: string;
  readonly cause?: unknown;
  readonly errors?: readonly unknown[];
}

/**
 * Errors of runtimes that prove that nothing was sent: codes and names; the words of Deno, which has no codes; and the
 * words of Node and `fetch` for codes with several meanings. The first match is the reason.
 */
const UNSENT: readonly (readonly [reason: Unsent, codes: RegExp, words: RegExp])[] = [
  ["not allowed", /notcapable|denied/i, /^bad port$|Requests to port \d+ are blocked/],
  ["not found", /enotfound/i, /dns error: (?!.*[Tt]emporary)/],
  [
    "no TLS",
    /^ERR_SSL_(WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|UNSUPPORTED_PROTOCOL|NO_PROTOCOLS_AVAILABLE|HTTP_REQUEST)$/,
    /wrong version number|TLS handshake failed|received corrupt message of type InvalidContentType/,
  ],
  [
    "not trusted",
    /^(CERT_\w+|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_\w+|ERR_TLS_CERT_ALTNAME_INVALID)$/,
    /invalid peer certificate/,
  ],
  ["refused", /refused/i, /tcp connect error: Connection refused/],
  [
    "unreachable",
    /connect[ _]|eai_/i,
    /tcp connect error|dns error: |tls handshake eof|disconnected before secure TLS connection was established/,
  ],
];
/**
 * Deno's word for a server that it could not connect to. Deno itself retries a request whose connection was closed, so
 * an earlier attempt may have arrived, unless the server has no TLS or another server's certificate.
 */
const UNREACHABLE = /\(Connect\)/;
const PROVEN: ReadonlySet<Unsent> = new Set(["no TLS", "not trusted"]);

/**
 * Why nothing was sent, if an error proves that. If several addresses were tried, each of their errors must prove it.
 */
function unsentReason(thrown: unknown): Unsent | undefined {
  const { syscall = "", code = "", name = "", message, errors } = Object(thrown) as Thrown;
  if (errors?.length) {
    const reasons = errors.map(unsentReason);
    return reasons.includes(undefined) ? undefined : reasons[0];
  }
  const words = `${message}`;
  const known = UNSENT.find(
    ([, codes, says]) => codes.test(`${code}`) || codes.test(name) || codes.test(`${syscall} `) || says.test(words),
  );
  return known?.[0];
}

/** Turns a thrown error into an outcome. */
export function failed(thrown: unknown): NotSent | Unknown {
  // `fetch` wraps the error that has the cause.
  const { cause: inner = thrown, name: wrapper } = Object(thrown) as Thrown;
  const { name = "Error", message, code } = Object(inner) as Thrown;
  const error = `${code ?? wrapper ?? name}`;
  const cause = Object.assign(new Error(`${message}`), { name, code });
  const reason = unsentReason(thrown) ?? unsentReason(inner);
  const looksUnreachable = UNREACHABLE.test(`${message}`);
  const isProven = reason !== undefined && (!looksUnreachable || PROVEN.has(reason));
  if (isProven) return { type: "not sent", error, cause, reason };
  return { type: "unknown", error, cause, looksUnreachable, reason };
}

/**
 * Makes one attempt, which a server may park for `parkMs`. It ends after `limitMs` or when `signal` aborts, and leaves no
 * timer and no listener. It replaces `AbortSignal.any`, which Vercel's edge runtime lacks, and ends attempts of clients
 * that ignore signals.
 */
export function attempt(
  port: Port,
  command: Command,
  limitMs: number,
  signal: AbortSignal | undefined,
  clock: Timed | undefined,
  behind?: readonly Command[],
  parkMs = 0,
): Promise<Outcome> {
  const controller = new AbortController();
  return new Promise((resolve) => {
    const end = (outcome: Outcome): void => {
      stop();
      resolve(outcome);
    };
    const giveUp = (): void => {
      controller.abort();
      end({ type: "unknown", error: "time-out" });
    };
    const stop = alarm(limitMs, signal, giveUp, clock);
    if (signal?.aborted) giveUp();
    else port(command, controller.signal, behind, parkMs).then(end);
  });
}
