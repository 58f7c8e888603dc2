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

/**
 * A clock that stands still until it is moved. While fake timers are in place it goes with them, and what is due is a
 * timer of theirs.
 */
export function manualTime(startMs: number | undefined): ServerTime {
  /** The entries that fall due, in order. */
  const due: Due[] = [];
  let current = startMs ?? Date.now();
  /** The fake `Date` when it was last looked at, while it is in place. */
  let fake: number | undefined;
  let activity = 0;

  function now(): number {
    const before = fake;
    fake = isFaked() ? Date.now() : undefined;
    if (fake !== undefined && before !== undefined) current += fake - before;
    return current;
  }

  function add(entry: Due): () => void {
    const at = due.findIndex((other) => other.at > entry.at);
    due.splice(at === -1 ? due.length : at, 0, entry);
    activity++;
    return () => {
      const place = due.indexOf(entry);
      if (place !== -1) due.splice(place, 1);
      activity++;
    };
  }

  function fire(entry: Due): void {
    const place = due.indexOf(entry);
    if (place === -1) return;
    due.splice(place, 1);
    activity++;
    entry.callback();
  }

  async function settle(turns: number): Promise<void> {
    for (let quiet = 0; quiet < turns; quiet++) {
      const before = activity;
      await breathe();
      if (activity !== before) quiet = -1;
    }
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
      activity++;
      return now();
    },
    after(ms, callback) {
      const entry = { at: now() + Math.max(ms, 0), callback };
      const remove = add(entry);
      // No process waits for a clock that stands still.
      const unref = (): void => {};
      if (!isFaked()) return { stop: remove, unref };
      const timer = globalThis.setTimeout(() => fire(entry), ms);
      const stop = (): void => {
        globalThis.clearTimeout(timer);
        remove();
      };
      return { stop, unref };
    },
    async advance(ms) {
      const target = now() + ms;
      await settle(LONG_QUIET_TURNS);
      for (let next = due[0]; next && next.at <= target; next = due[0]) {
        await moveTo(Math.max(next.at, now()));
        fire(next);
        await settle(QUIET_TURNS);
      }
      await moveTo(target);
      await settle(LONG_QUIET_TURNS);
    },
  };
  return time;
}
