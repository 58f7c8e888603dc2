import { countCrypto, isCryptoPending } from "./pending-crypto.ts";
import { breathe, fakeClock, isFaked } from "./runtime.ts";

/** The clock that a server and its clients share. */
export interface ServerTime {
  /** In ms since 1970. */
  now(): number;
  /** Calls back after so many ms. */
  after(ms: number, callback: () => void): Timer;
  /**
   * Moves the clock and calls back what falls due, in order; everything that follows from it has happened afterwards.
   */
  advance(ms: number): Promise<void>;
}

interface Timer {
  stop(): void;
  /** Keeps no process alive from now on. */
  unref(): void;
}

interface Due {
  readonly at: number;
  readonly callback: () => void;
}

/** How many turns in a row nothing must have happened until nothing more is expected after a timer. */
const QUIET_TURNS = 3;
/** The same before and after a move: a handler may verify a signature and hash a key before it asks Redis anything. */
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

/** The entries that fall due, and how much has happened around them. */
function createTimers() {
  /** In the order in which they fall due. */
  const due: Due[] = [];
  let activity = 0;
  const timers = {
    next: (): Due | undefined => due[0],
    /** Counts something that shows that the program under test is still at work. */
    note(): void {
      activity++;
    },
    /** Adds an entry; the function that it returns removes it. */
    add(entry: Due): () => void {
      const at = due.findIndex((other) => other.at > entry.at);
      due.splice(at === -1 ? due.length : at, 0, entry);
      activity++;
      return () => {
        timers.remove(entry);
        activity++;
      };
    },
    /** True if it was there. */
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
    /** Waits until nothing has happened for so many turns in a row, and no digest is awaited. */
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
 * A clock that stands still until it is moved. While fake timers are in place it goes with them, and what is due is a
 * timer of theirs.
 */
export function manualTime(startMs: number | undefined): ServerTime {
  let current = startMs ?? Date.now();
  /** The fake `Date` when it was last looked at, while it is in place. */
  let fake: number | undefined;
  const timers = createTimers();
  countCrypto();

  function now(): number {
    const before = fake;
    fake = isFaked() ? Date.now() : undefined;
    if (fake !== undefined && before !== undefined) current += fake - before;
    return current;
  }

  /** Moves the clock itself. Fake timers then call back what is due. */
  async function moveTo(at: number): Promise<void> {
    if (!isFaked()) {
      current = at;
      return;
    }
    if (at === now()) return;
    const clock = fakeClock();
    if (!clock) throw new Error("these fake timers are moved by their own means, which moves this clock, too");
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
      // No process waits for a clock that stands still.
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
