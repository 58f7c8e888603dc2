import { type Backend, overridden } from "../redis/backend.ts";
import { NoAnswer, NotSent, ReplyTooLarge } from "../shared/errors.ts";
import { within } from "../shared/time-limit.ts";

const PROBE_MS = 1_000;
/** For so long the last answer holds, so that those who ask often do not burden Redis. */
const FRESH_MS = 500;

/** Whether a Redis answers. */
export interface Probe {
  /** A backend whose failures are a reason to look, and whose successes say that all is well again. */
  readonly backend: Backend;
  /** It never throws, and takes a second at most. */
  isUp(): Promise<boolean>;
}

async function ask(backend: Backend): Promise<boolean> {
  const asked = backend.send([["PING"]]).then(
    // A user who may not say PING is answered all the same.
    ([reply]) => !(reply instanceof Error && /^(LOADING|MASTERDOWN) /.test(reply.message)),
    () => false,
  );
  return (await within(PROBE_MS, asked)) ?? false;
}

/** @param changed is told when a Redis that answered does so no more, and when it does again */
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
    // One request may fail for reasons of its own. An answer from before says nothing of that.
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
