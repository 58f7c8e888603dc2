import type { Run } from "../../src/cron/index.ts";

/** A job that tells when it has begun, and ends when it is told to. */
interface Held<Given> {
  readonly begun: Promise<Given>;
  end(): void;
  work(run: Given): Promise<void>;
}

export function held<Given = Run>(): Held<Given> {
  let begin: (run: Given) => void = () => {};
  let end: () => void = () => {};
  const begun = new Promise<Given>((resolve) => {
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
