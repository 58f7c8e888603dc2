import { countCrypto, isCryptoPending } from "./pending-crypto.ts";
import { breathe, fakeClock, isFaked } from "./runtime.ts";

/** The clock that a server and its clients share. */
export interface ServerTime {
  /** In ms since 1970. */
  now(): number;
  /** Calls back after this many ms. */
  after(ms: number, callback: () => void): Timer;
  /**
   * Advances the clock and calls due callbacks in order. When it resolves, everything that follows from them has
   * happened.
   */
  advance(ms: number): Promise<void>;
}

interface Timer {
  stop(): void;
  /** No longer keeps the process alive. */
  unref(): void;
}

interface Due {
  readonly at: number;
  readonly callback: () => void;
}

/** How many idle turns in a row mean that nothing more follows a timer. */
const QUIET_TURNS = 3;
/**
 * The same before and after an advance: a handler may verify a signature and hash a key before its first request to
 * Redis.
 */
const LONG_QUIET_TURNS = 10;

export function realTime(): ServerTime {
  return {
    now: () => Date.now(),
    after(ms, callback) {
      const timer = setTimeout(callback, ms);
      return { stop: () => clearTimeout(timer), unref: () => (timer as { unref?(): void }).unref?.() };
    },
    advance: () => Promise.reject(new Error('the time is real: advance works with time: "manual"')),
  };
}

/** The due entries, and the activity around them. */
function createTimers() {
  /** In the order in which they become due. */
  const due: Due[] = [];
  let activity = 0;
  const timers = {
    next: (): Due | undefined => due[0],
    /** Counts an action that shows that the program under test is still active. */
    note(): void {
      activity++;
    },
    /** Adds an entry; returns a function that removes it. */
    add(entry: Due): () => void {
      const at = due.findIndex((other) => other.at > entry.at);
      due.splice(at === -1 ? due.length : at, 0, entry);
      activity++;
      return () => {
        timers.remove(entry);
        activity++;
      };
    },
    /** True if it existed. */
    remove(entry: Due): boolean {
      const place = due.indexOf(entry);
      if (place !== -1) due.splice(place, 1);
      return place !== -1;
    },
    fire(entry: Due): void {
      if (!timers.remove(entry)) return;
      activity++;
      entry.callback();
    },
    /** Waits until this many turns in a row were idle, and no digest is awaited. */
    async settle(turns: number): Promise<void> {
      let quiet = 0;
      while (quiet < turns) {
        const before = activity;
        await breathe();
        quiet = activity === before && !isCryptoPending() ? quiet + 1 : 0;
      }
    },
  };
  return timers;
}

/**
 * A clock that advances only on request. While fake timers are installed, it follows them, and its due entries are
 * their timers.
 */
export function manualTime(startMs: number | undefined): ServerTime {
  let current = startMs ?? Date.now();
  /** The last value of the fake `Date`, while it is installed. */
  let fake: number | undefined;
  const timers = createTimers();
  countCrypto();

  function now(): number {
    const before = fake;
    fake = isFaked() ? Date.now() : undefined;
    if (fake !== undefined && before !== undefined) current += fake - before;
    return current;
  }

  /** Advances the clock itself. Fake timers then call due callbacks. */
  async function moveTo(at: number): Promise<void> {
    if (!isFaked()) {
      current = at;
      return;
    }
    if (at === now()) return;
    const clock = fakeClock();
    if (!clock) {
      const means = "these fake timers are moved by their own means, which moves this clock, too";
      throw new Error(`${means}: call mock.timers.tick(ms), then await redis.advance(0)`);
    }
    await clock.tickAsync(at - now());
  }

  const time: ServerTime = {
    now() {
      timers.note();
      return now();
    },
    after(ms, callback) {
      const entry = { at: now() + Math.max(ms, 0), callback };
      const remove = timers.add(entry);
      // A manual clock does not keep the process alive.
      const unref = (): void => {};
      if (!isFaked()) return { stop: remove, unref };
      const timer = globalThis.setTimeout(() => timers.fire(entry), ms);
      const stop = (): void => {
        globalThis.clearTimeout(timer);
        remove();
      };
      return { stop, unref };
    },
    async advance(ms) {
      const target = now() + ms;
      await timers.settle(LONG_QUIET_TURNS);
      for (let next = timers.next(); next && next.at <= target; next = timers.next()) {
        await moveTo(Math.max(next.at, now()));
        timers.fire(next);
        await timers.settle(QUIET_TURNS);
      }
      await moveTo(target);
      await timers.settle(LONG_QUIET_TURNS);
    },
  };
  return time;
}
