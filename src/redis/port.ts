/** What came of one HTTP attempt to run one command. A port never rejects. */
export type Outcome =
  /** The command ran, and this is its reply. */
  | { readonly type: "reply"; readonly value: unknown }
  /** Redis answered with an error. */
  | { readonly type: "error"; readonly message: string }
  /** Something before Redis refused the request: it did not run. */
  | { readonly type: "refused"; readonly status: 401 | 429; readonly retryAfterMs?: number | undefined }
  /** It may or may not have run, now or later. */
  | { readonly type: "unanswered"; readonly why: string; readonly retryAfterMs?: number | undefined };

/** The narrow way to Redis: one command, one attempt. */
export interface Port {
  /** Ends after `limitMs` at the latest, or when `signal` aborts, whichever is first. */
  send(command: readonly (string | number)[], limitMs: number, signal?: AbortSignal): Promise<Outcome>;
}

/**
 * Runs `work` until it settles, the time is over or the signal aborts, and leaves no timer and no listener behind. Stands in for
 * `AbortSignal.any`, which Vercel's edge runtime lacks.
 */
export function limited<T>(
  work: (signal: AbortSignal) => Promise<T>,
  limitMs: number,
  onEnd: (why: string) => T,
  signal?: AbortSignal,
): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const controller = new AbortController();
    const end = (why: string): void => {
      finish();
      resolve(onEnd(why));
      controller.abort();
    };
    const onAbort = (): void => end("aborted");
    const timer = setTimeout(() => end(`no answer within ${Math.round(limitMs)} ms`), limitMs);
    const finish = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
    };
    if (signal?.aborted) return onAbort();
    signal?.addEventListener("abort", onAbort);
    work(controller.signal).then(resolve, reject).finally(finish);
  });
}
