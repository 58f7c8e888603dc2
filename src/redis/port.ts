import { alarm } from "../shared/timers.ts";

/** What came of one HTTP attempt to run one command: its reply, or an error. */
export interface Outcome {
  readonly value?: unknown;
  /** The reply to the command behind it: `WAIT`. */
  readonly replicas?: unknown;
  /** As Redis wrote it, or what went wrong before Redis. */
  readonly error?: string;
  /** No answer says that it did not run: it may have, or may yet. */
  readonly unsure?: boolean;
  /** Nobody was there to send it to, now at least. */
  readonly away?: boolean;
  /** What was thrown, without what must not be shown. */
  readonly cause?: Error;
  /** HTTP status, where that is what matters. */
  readonly status?: number;
  readonly retryAfterMs?: number;
}

/** What is looked at of anything that was thrown. */
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
 * The narrow way to Redis: one command, one attempt, which ends with `signal`. It never rejects. A second command, if any, goes right
 * behind the first on the same connection.
 */
export type Port = (command: Command, signal: AbortSignal, behind: Command | undefined) => Promise<Outcome>;

/** Redis and `fetch` quote commands and URLs in some errors; what proves ownership must not get out that way. */
export const redact = (message: string, command: Command): string =>
  command.reduce<string>(
    (text, part) => (`${part}`.length < 16 ? text : text.replaceAll(`${part}`, "…")),
    message.replace(/, with args beginning with.*|\w+:\/\/\S+/gs, "…"),
  );

/** What runtimes say only when nothing was sent: refused, not found, not allowed. */
const UNSENT = /connect[ _]|refused|enotfound|eai_|notcapable|denied/i;

/** Of several addresses all have to say so. */
function provesUnsent(thrown: unknown): boolean {
  const { syscall, code, name, errors } = Object(thrown) as Failure;
  return errors?.length ? errors.every(provesUnsent) : UNSENT.test(`${syscall} ${code} ${name}`);
}

/** What a thrown error means, and what of it may be shown. */
export function failed(thrown: unknown, token: string | undefined, command: Command): Outcome {
  // `fetch` wraps it.
  const { cause = thrown, name: wrapper } = Object(thrown) as Failure;
  const { name = "Error", message, code } = Object(cause) as Failure;
  const unsent = provesUnsent(thrown) || provesUnsent(cause);
  return {
    unsure: !unsent,
    // Deno says the same of a request that it has sent before, over a connection that was closed then.
    away: unsent || /\(Connect\)/.test(`${message}`),
    error: `${code ?? wrapper ?? name}`,
    cause: Object.assign(new Error(redact(`${message}`.replaceAll(token || "\0", "…"), command)), { name, code }),
  };
}

/**
 * One attempt that ends after `limitMs` at the latest, or when `signal` aborts, and leaves no timer and no listener behind. Stands in
 * for `AbortSignal.any`, which Vercel's edge runtime lacks, and ends clients that do not listen to signals.
 */
export function attempt(
  port: Port,
  command: Command,
  limitMs: number,
  signal: AbortSignal | undefined,
  behind?: Command,
): Promise<Outcome> {
  return new Promise((resolve) => {
    const controller = new AbortController();
    const end = (outcome: Outcome): void => {
      stop();
      resolve(outcome);
    };
    const stop = alarm(limitMs, signal, () => {
      end({ unsure: true, error: "time-out" });
      controller.abort();
    });
    port(command, controller.signal, behind).then(end);
  });
}
