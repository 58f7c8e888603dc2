/** A watch over outstanding answers; it drops a connection that stays silent while some are due. */
export interface Silence {
  asked(count: number): void;
  answered(): void;
  /** Records that bytes have arrived. */
  heard(): void;
  /** Records that the connection is gone, and with it the outstanding answers. */
  lost(): void;
}

/**
 * Calls `drop` when a connection is silent for too long while answers are due. A time-out of the socket would not do:
 * after a standstill of this process it would fire before the bytes that have arrived meanwhile are read.
 *
 * @param longestMs the longest silence
 */
export function createSilence(drop: () => void, longestMs: number): Silence {
  let due = 0;
  let heard = 0;
  const end = (): void => {
    const before = heard;
    // By then, all that has arrived is read.
    setImmediate(() => {
      if (due > 0 && heard === before) drop();
    });
  };
  const timer = setTimeout(end, longestMs).unref();
  return {
    asked(count) {
      if (due === 0) timer.refresh();
      due += count;
    },
    answered() {
      due--;
    },
    heard() {
      heard++;
      timer.refresh();
    },
    lost() {
      due = 0;
    },
  };
}
