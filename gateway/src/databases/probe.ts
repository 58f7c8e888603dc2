import { type Backend, type Outcomes, repliesOf } from "../redis/backend.ts";
import { NoAnswer, NotSent, ReplyTooLarge } from "../shared/error-answers.ts";
import { within } from "../shared/time-limit.ts";

const PROBE_MS = 1_000;
/** How long an answer holds, so that frequent callers do not burden Redis. */
const FRESH_MS = 500;

/** Watches whether a Redis answers. */
export interface Probe {
  /** Must be notified how requests end: their failures start a check, and their successes end an outage. */
  readonly outcomes: Outcomes;
  /** Asks whether Redis answers. It never throws, and takes a second at most. */
  isUp(): Promise<boolean>;
}

async function ask(backend: Backend): Promise<boolean> {
  const asked = repliesOf(backend, [["PING"]]).then(
    // An error is an answer, too: the user may not be allowed to run PING.
    ([reply]) => !(reply instanceof Error && /^(LOADING|MASTERDOWN) /.test(reply.message)),
    () => false,
  );
  return (await within(PROBE_MS, asked)) ?? false;
}

/** @param changed called when Redis stops answering, and when it answers again */
export function createProbe(backend: Backend, changed: (isUp: boolean) => void): Probe {
  const outcomes = {
    isMissing: false,
    answered: () => void found(true),
    failed(error: unknown) {
      // A single request may fail for other reasons, so Redis is asked; an older answer proves nothing.
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
