/**
 * The bytes that every request may hold whatever others hold, so that small requests get through while large ones are
 * refused. All requests in flight together hold little that way.
 */
export const SMALL_BYTES: number = 16 * 1024;

/** The bytes held for one request. */
export interface Hold {
  /**
   * Counts so many more bytes; false, and counts nothing, when there is no room for them. After `release` there is no
   * room.
   */
  take(bytes: number): boolean;
  /** Counts so many bytes in place of all that were taken: something else is held from now on. */
  settle(bytes: number): void;
  /** Counts nothing from now on. */
  release(): void;
}

/** The bytes held for all requests with one token. */
export interface Portion {
  /** Whether there is room for small requests only. */
  readonly isFull: boolean;
  hold(): Hold;
}

/** The bytes held for all requests in flight. */
export interface Budget {
  readonly held: number;
  portion(): Portion;
}

/**
 * Shares a number of bytes as they are needed: no portion gets larger than the rest that is left for the others. A
 * single portion gets at most half, two get a third each, and some is always left for the next. These are the dynamic
 * thresholds of Choudhury and Hahne, by which switches divide their buffers.
 *
 * @param most the bytes for all portions together
 * @param onFull called for each request that finds no room
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
