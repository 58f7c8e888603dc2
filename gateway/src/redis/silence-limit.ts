import type { Redis } from "ioredis";

/** The error of a connection that the gateway ends; the log shows its `code`. */
export class Dropped extends Error {
  override readonly name = "Dropped";
  readonly code: string;

  constructor(reason: string) {
    super(reason);
    this.code = reason;
  }
}

/** A watch over outstanding answers; it drops a connection that stays silent while some are due. */
export interface Silence {
  asked(count: number): void;
  answered(): void;
  /** Records that the connection is gone, and with it the outstanding answers. */
  lost(): void;
}

/**
 * Ends a connection that is silent for too long while answers are due. ioredis has such a time-out, too; but after a
 * standstill of this process its timer would fire before the bytes that have arrived meanwhile are read.
 *
 * @param longestMs the longest silence
 */
export function endAfterSilence(redis: Redis, longestMs: number): Silence {
  let due = 0;
  let heard = 0;
  const end = (): void => {
    const before = heard;
    // By then, all that has arrived is read.
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
    lost() {
      due = 0;
    },
  };
}
