import type { Run } from "../../src/cron/index.ts";

/** A job that tells when it has begun, and ends when it is told to. */
interface Held {
  readonly begun: Promise<Run>;
  end(): void;
  work(run: Run): Promise<void>;
}

export function held(): Held {
  let begin: (run: Run) => void = () => {};
  let end: () => void = () => {};
  const begun = new Promise<Run>((resolve) => {
    begin = resolve;
  });
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  return {
    begun,
    end: () => end(),
    async work(run) {
      begin(run);
      await ended;
    },
  };
}
