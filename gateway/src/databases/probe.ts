import { type Backend, overridden } from "../redis/backend.ts";
import { NoAnswer, NotSent, ReplyTooLarge } from "../shared/errors.ts";
import { within } from "../shared/time-limit.ts";

const PROBE_MS = 1_000;
/** How long an answer holds, so that frequent callers do not burden Redis. */
const FRESH_MS = 500;

/** Watches whether a Redis answers. */
export interface Probe {
  /** The backend, whose failures start a check, and whose successes end an outage. */
  readonly backend: Backend;
  /** Asks whether Redis answers. It never throws, and takes a second at most. */
  isUp(): Promise<boolean>;
}

async function ask(backend: Backend): Promise<boolean> {
  const asked = backend.send([["PING"]]).then(
    // An error is an answer, too: the user may not be allowed to run PING.
    ([reply]) => !(reply instanceof Error && /^(LOADING|MASTERDOWN) /.test(reply.message)),
    () => false,
  );
  return (await within(PROBE_MS, asked)) ?? false;
}

/** @param changed called when Redis stops answering, and when it answers again */
export function createProbe(backend: Backend, changed: (isUp: boolean) => void): Probe {
  let wasUp = true;
  let asking: Promise<boolean> | undefined;
  let askedAt = Number.NEGATIVE_INFINITY;
  let pending = false;

  function found(isUp: boolean): boolean {
    if (isUp !== wasUp) {
      wasUp = isUp;
      changed(isUp);
    }
    return isUp;
  }

  function askNow(): Promise<boolean> {
    askedAt = performance.now();
    pending = true;
    asking = ask(backend).then((isUp) => {
      pending = false;
      return found(isUp);
    });
    return asking;
  }

  const isUp = (): Promise<boolean> =>
    asking !== undefined && (pending || performance.now() - askedAt < FRESH_MS) ? asking : askNow();

  function onAnswer(): void {
    if (!wasUp) found(true);
  }

  function onFailure(error: unknown): void {
    // A single request may fail for other reasons, so Redis is asked; an older answer proves nothing.
    const isMissing = error instanceof NotSent || (error instanceof NoAnswer && !(error instanceof ReplyTooLarge));
    if (wasUp && !pending && isMissing) void askNow();
  }

  /** Observes the promise without wrapping it, so the caller does not wait an extra microtask. */
  function noticing<T>(answer: Promise<T>): Promise<T> {
    answer.then(onAnswer, onFailure);
    return answer;
  }

  return {
    backend: overridden(backend, {
      send: (commands, room) => noticing(backend.send(commands, room)),
      transact: (commands, room) => noticing(backend.transact(commands, room)),
    }),
    isUp,
  };
}
