import { type Backend, type Outcomes, repliesOf } from "../redis/backend.ts";
import { NoAnswer, NotSent, ReplyTooLarge } from "../shared/error-answers.ts";
import { within } from "../shared/time-limit.ts";

const PROBE_MS = 1_000;
/** How long an answer is valid, so that frequent callers do not burden Redis. */
const FRESH_MS = 500;

/** Watches whether a Redis answers. */
export interface Probe {
  /** Must be notified of the outcomes of requests: failures start a check, and successes end an outage. */
  readonly outcomes: Outcomes;
  /** Checks whether Redis answers. It never throws, and takes at most a second. */
  isUp(): Promise<boolean>;
}

async function ask(backend: Backend): Promise<boolean> {
  const answered = repliesOf(backend, [["PING"]]).then(
    // An error is also an answer: the user may not be allowed to run PING.
    ([reply]) => !(reply instanceof Error && /^(LOADING|MASTERDOWN) /.test(reply.message)),
    () => false,
  );
  return (await within(PROBE_MS, answered)) ?? false;
}

/** @param changed called when Redis stops answering, and when it answers again */
export function createProbe(backend: Backend, changed: (isUp: boolean) => void): Probe {
  const outcomes = {
    isMissing: false,
    answered: () => void found(true),
    failed(error: unknown) {
      // A single request may fail for other reasons, so Redis is checked; an older answer proves nothing.
      const isDoubtful = error instanceof NotSent || (error instanceof NoAnswer && !(error instanceof ReplyTooLarge));
      if (!outcomes.isMissing && !pending && isDoubtful) void askNow();
    },
  };
  let asking: Promise<boolean> | undefined;
  let askedAt = Number.NEGATIVE_INFINITY;
  let pending = false;

  function found(isUp: boolean): boolean {
    if (isUp === outcomes.isMissing) {
      outcomes.isMissing = !isUp;
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

  return { outcomes, isUp };
}
