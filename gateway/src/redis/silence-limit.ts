import type { Redis } from "ioredis";

/** What a connection fails with that is ended here; `code` is what the log says. */
export class Dropped extends Error {
  override readonly name = "Dropped";
  readonly code: string;

  constructor(reason: string) {
    super(reason);
    this.code = reason;
  }
}

/** What drops a connection on which nothing arrives though answers are due. */
export interface Silence {
  asked(count: number): void;
  answered(): void;
}

/**
 * ioredis has such a time-out, too; but after a standstill of this process its timer comes before what has arrived meanwhile.
 *
 * @param longestMs how long is borne
 */
export function endAfterSilence(redis: Redis, longestMs: number): Silence {
  let due = 0;
  let heard = 0;
  const end = (): void => {
    const before = heard;
    // By then that is read.
    setImmediate(() => {
      if (due > 0 && heard === before) redis.stream.destroy(new Dropped("no answer in time"));
    });
  };
  const timer = setTimeout(end, longestMs).unref();
  redis.on("connect", () =>
    redis.stream.on("data", () => {
      heard++;
      timer.refresh();
    }),
  );
  return {
    asked(count) {
      if (due === 0) timer.refresh();
      due += count;
    },
    answered() {
      due--;
    },
  };
}
