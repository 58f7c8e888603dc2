import type { ServerTime } from "./server-time.ts";

/** The clock of one client, with timers, for leasehold's option `clock`. */
export interface ClientClock {
  now(): number;
  monotonic(): number;
  readonly timers: {
    setTimeout(callback: () => void, ms: number): unknown;
    clearTimeout(timer: never): void;
  };
}

/** One client: its clock, and whether it is frozen. */
export interface Client {
  readonly clock: ClientClock;
  /** How long its timers and answers wait. */
  freeze(ms: number): void;
  /** Resolves immediately, or when the client continues. */
  thawed(): Promise<void>;
}

export function createClient(time: ServerTime): Client {
  let frozenUntil = Number.NEGATIVE_INFINITY;
  /** The callbacks that wait for the end of a freeze, in order. */
  let waiting: (() => void)[] = [];
  const isFrozen = (): boolean => time.now() < frozenUntil;
  const later = (callback: () => void): void => {
    waiting.push(callback);
  };
  function thaw(): void {
    if (isFrozen()) return;
    const all = waiting;
    waiting = [];
    for (const callback of all) callback();
  }
  return {
    clock: {
      now: () => time.now(),
      monotonic: () => time.now(),
      timers: {
        setTimeout(callback, ms) {
          const timer = { isOver: false, stop: () => {}, unref: () => {} };
          const fire = (): void => {
            if (timer.isOver) return;
            if (isFrozen()) later(fire);
            else {
              timer.isOver = true;
              callback();
            }
          };
          return Object.assign(timer, time.after(ms, fire));
        },
        clearTimeout(timer: { isOver: boolean; stop(): void }) {
          timer.isOver = true;
          timer.stop();
        },
      },
    },
    freeze(ms) {
      frozenUntil = Math.max(frozenUntil, time.now() + ms);
      time.after(ms, thaw);
    },
    thawed: () => (isFrozen() ? new Promise(later) : Promise.resolve()),
  };
}
