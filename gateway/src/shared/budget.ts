/**
 * What a request may hold whatever others hold, so that small ones get through where large ones are refused. All requests in flight
 * together hold little by it.
 */
export const SMALL_BYTES: number = 16 * 1024;

/** The bytes that lie here for one request. */
export interface Hold {
  /** Counts so many more; false when there is no room for them: then they are not counted. After `release` there is none. */
  take(bytes: number): boolean;
  /** Counts so many from now on, in place of what it took: it is something else that lies here now. */
  settle(bytes: number): void;
  /** Counts nothing any more. */
  release(): void;
}

/** What the requests with one token hold. */
export interface Portion {
  /** Whether there is no room for more than is small. */
  readonly isFull: boolean;
  hold(): Hold;
}

/** Bytes that lie here for all requests in flight. */
export interface Budget {
  readonly held: number;
  portion(): Portion;
}

/**
 * A number of bytes that is shared as it is needed: no portion gets larger than what is left for the others. One that wants all of it
 * gets a half, two get a third each, and there is always some left for whoever comes next. (The dynamic thresholds of Choudhury and
 * Hahne, which switches divide their buffers with.)
 */
export function createBudget(most: number, onFull: () => void): Budget {
  let held = 0;
  return {
    get held() {
      return held;
    },
    portion() {
      let ours = 0;
      const fits = (bytes: number): boolean => ours + bytes <= most - held - bytes;
      return {
        get isFull() {
          return !fits(1);
        },
        hold() {
          let mine = 0;
          let isOver = false;
          const change = (by: number): void => {
            mine += by;
            ours += by;
            held += by;
          };
          return {
            take(bytes) {
              if (isOver) return false;
              if (mine + bytes > SMALL_BYTES && !fits(bytes)) {
                onFull();
                return false;
              }
              change(bytes);
              return true;
            },
            settle(bytes) {
              if (!isOver) change(bytes - mine);
            },
            release() {
              change(-mine);
              isOver = true;
            },
          };
        },
      };
    },
  };
}
