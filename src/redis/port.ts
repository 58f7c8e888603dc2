import { LONGEST_TIMER_MS } from "../wait.ts";

/** What came of one HTTP attempt to run one command: its reply, or an error. */
export interface Outcome {
  readonly value?: unknown;
  /** The reply to the command behind it. */
  readonly followed?: unknown;
  /** As Redis wrote it, or what went wrong before Redis. */
  readonly error?: string;
  /** No answer says that it did not run: it may have, or may yet. */
  readonly unsure?: boolean;
  /** HTTP status, where that is what matters. */
  readonly status?: number;
  readonly retryAfterMs?: number;
}

export type Command = readonly (string | number)[];

/**
 * The narrow way to Redis: one command, one attempt, which ends with `signal`. It never rejects. A second command, if any, goes right
 * behind the first on the same connection.
 */
export type Port = (command: Command, signal: AbortSignal, behind: Command | undefined) => Promise<Outcome>;

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
      clearTimeout(timer);
      signal?.removeEventListener("abort", giveUp);
      resolve(outcome);
    };
    const giveUp = (): void => {
      end({ unsure: true, error: "time-out" });
      controller.abort();
    };
    const timer = setTimeout(giveUp, Math.min(limitMs, LONGEST_TIMER_MS));
    signal?.addEventListener("abort", giveUp);
    port(command, controller.signal, behind).then(end);
  });
}
