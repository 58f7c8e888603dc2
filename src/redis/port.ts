import { type Timed, until } from "../shared/timers.ts";

/** The answer to one command: its result, or the error as Redis wrote it. */
export interface Answer {
  readonly result?: unknown;
  readonly error?: string | undefined;
}

/** The outcome of one attempt to run one command: its answer, or the failure on the way to Redis as its error. */
export interface Outcome extends Answer {
  /** The answers to the command and to those behind it. */
  readonly answers?: readonly Answer[] | undefined;
  /** Whether the command may have run, or may still run. */
  readonly unsure?: boolean;
  /** Whether no server could be reached. */
  readonly away?: boolean;
  /** The thrown error. */
  readonly cause?: Error | undefined;
  /** The HTTP status, if it decides. */
  readonly status?: number;
  readonly retryAfterMs?: number;
}

/** The members that are read of a thrown value. */
interface Failure {
  readonly name?: string;
  readonly message?: unknown;
  readonly code?: string | undefined;
  readonly syscall?: string;
  readonly cause?: unknown;
  readonly errors?: readonly unknown[];
}

export type Command = readonly (string | number)[];

/**
 * Sends one command to Redis in one attempt, which ends with `signal`. It never rejects. Other commands go right behind
 * the first on the same connection.
 */
export interface Port {
  (command: Command, signal: AbortSignal, behind?: readonly Command[]): Promise<Outcome>;
  /**
   * Whether commands that have nothing to do with each other are sent one by one: over TCP that costs nothing, and on a
   * cluster they go to different nodes.
   */
  readonly isSingle?: boolean;
}

/** A client over TCP as `leasehold/ioredis`, `leasehold/node-redis` or `leasehold/bun` makes it fit for `connect`. */
export interface RedisOverTcp {
  readonly port: Port;
  /** Host and port, empty where they are not known. */
  readonly server: string;
}

/** The outcome of commands that were answered: the first one's answer, and the error of any of them. */
export const answered = (answers: readonly Answer[]): Outcome => ({
  result: answers[0]?.result,
  error: answers.find((each) => each?.error)?.error,
  answers,
});

/** Words in errors of runtimes that mean that nothing was sent: refused, not found, not allowed. */
const UNSENT = /connect[ _]|refused|enotfound|eai_|notcapable|denied/i;

/** Whether an error proves that nothing was sent. If several addresses were tried, each of their errors has to. */
function provesUnsent(thrown: unknown): boolean {
  const { syscall, code, name, errors } = Object(thrown) as Failure;
  return errors?.length ? errors.every(provesUnsent) : UNSENT.test(`${syscall} ${code} ${name}`);
}

/** Turns a thrown error into an outcome. */
export function failed(thrown: unknown): Outcome {
  // `fetch` wraps the error that tells the cause.
  const { cause = thrown, name: wrapper } = Object(thrown) as Failure;
  const { name = "Error", message, code } = Object(cause) as Failure;
  const unsent = provesUnsent(thrown) || provesUnsent(cause);
  return {
    unsure: !unsent,
    // Deno reports the same for a request that it sent over a connection that was then closed.
    away: unsent || /\(Connect\)/.test(`${message}`),
    error: `${code ?? wrapper ?? name}`,
    cause: Object.assign(new Error(`${message}`), { name, code }),
  };
}

/**
 * Makes one attempt that ends after `limitMs` or when `signal` aborts, and leaves no timer and no listener. It takes
 * the place of `AbortSignal.any`, which Vercel's edge runtime lacks, and ends clients that do not listen to signals.
 */
export function attempt(
  port: Port,
  command: Command,
  limitMs: number,
  signal: AbortSignal | undefined,
  clock: Timed | undefined,
  behind?: readonly Command[],
): Promise<Outcome> {
  const controller = new AbortController();
  const start = (end: (outcome: Outcome) => void) => void port(command, controller.signal, behind).then(end);
  return until(start, limitMs, signal, clock, () => {
    controller.abort();
    return { unsure: true, error: "time-out" };
  }) as Promise<Outcome>;
}
