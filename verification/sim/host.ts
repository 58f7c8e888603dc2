import type { Random } from "./random.ts";
import { type Context, currentContext, type Scope, type Timer, type World, within } from "./world.ts";

/** How a host's clocks differ from the world's. */
interface HostTraits {
  readonly offsetMs: number;
  /** Seconds per second. */
  readonly drift: number;
  /** The chance that it freezes before any one event reaches it. */
  readonly freezes: number;
  /** Whether its clocks stand still from one event to the next, as on Workers. */
  readonly standsStill?: boolean;
}

/** A machine that runs clients. Everything reaches its code by `deliver`. */
export interface Host extends Scope {
  readonly name: string;
  readonly isDead: boolean;
  /** How long it was frozen so far, in ms. */
  readonly frozenMs: number;
  /** By how much its wall clock is off, but for its drift. */
  readonly steppedMs: number;
  /** Runs a callback now, or after a freeze; never when it is dead. */
  deliver(callback: () => void): void;
  /** Everything on it stands still. With `sleeps` its monotonic clock does, too. */
  freeze(ms: number, sleeps: boolean): void;
  /** Sets its wall clock. */
  step(ms: number): void;
  die(): void;
  /** Runs code under clocks that do not stand still. */
  really<T>(code: () => T): T;
}

interface HostTimer {
  stop(): void;
  unref(): void;
}

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

/** An operation, as far as its timers are concerned. */
interface Ending {
  /** When it ended with all its leases, in the world's time. */
  readonly overAt?: number | undefined;
}

export interface HostOptions {
  readonly world: World;
  readonly name: string;
  readonly traits: HostTraits;
  readonly random: Random;
  /** Told of a timer that fires although its operation was over long ago. */
  readonly onLeak: (op: Ending) => void;
  readonly patienceMs: number;
}

export function createHost({ world, name, traits, random, onLeak, patienceMs }: HostOptions): Host {
  const { drift } = traits;
  const origin = world.now();
  let steppedMs = traits.offsetMs;
  let sleptMs = 0;
  let frozenUntil = 0;
  let frozenMs = 0;
  let waiting: (() => void)[] = [];
  /** When its clocks were set going last, if they stand still. */
  let seenAt = traits.standsStill ? origin : undefined;
  const elapsed = (): number => ((seenAt ?? world.now()) - origin) * (1 + drift);

  function thaw(): void {
    if (world.now() < frozenUntil || host.isDead) return;
    const all = waiting;
    waiting = [];
    world.log(`${name} goes on`);
    for (const callback of all) world.after(0, () => host.deliver(callback));
  }

  function fire(context: Context<Ending>, madeAt: number, dueAt: number, callback: () => void): void {
    const { op } = context;
    const { overAt = Number.POSITIVE_INFINITY } = op ?? {};
    if (op && madeAt <= overAt && dueAt > overAt + patienceMs) onLeak(op);
    within(context, callback);
  }

  const host: Mutable<Host> = {
    name,
    isDead: false,
    get frozenMs() {
      return frozenMs;
    },
    get steppedMs() {
      return steppedMs;
    },
    wall: () => Math.floor(origin + elapsed() + steppedMs),
    monotonic: () => elapsed() - sleptMs,
    deliver(callback: () => void) {
      if (host.isDead) return;
      if (world.now() >= frozenUntil && random.chance(traits.freezes))
        host.freeze(random.pick([50, 500, 3000, 12_000]) * random.between(0.5, 1.5), random.chance(0.2));
      if (world.now() < frozenUntil) {
        waiting.push(callback);
        return;
      }
      if (seenAt !== undefined) seenAt = world.now();
      callback();
    },
    really(code) {
      const before = seenAt;
      seenAt = undefined;
      try {
        return code();
      } finally {
        seenAt = before;
      }
    },
    freeze(ms: number, sleeps: boolean) {
      if (world.now() < frozenUntil) return;
      world.log(`${name} freezes for ${ms.toFixed(0)} ms${sleeps ? ", asleep" : ""}`);
      frozenUntil = world.now() + ms;
      frozenMs += ms;
      // A clock that was set back must not be combined with one that stopped: no clock would tell the time any more.
      if (sleeps && steppedMs === traits.offsetMs) sleptMs += ms * (1 + drift);
      world.after(ms, thaw);
    },
    step(ms: number) {
      if (sleptMs > 0) return;
      world.log(`${name} has its clock set by ${ms.toFixed(0)} ms`);
      steppedMs += ms;
    },
    die() {
      world.log(`${name} dies`);
      host.isDead = true;
      waiting = [];
    },
    setTimeout(callback: () => void, ms: number): HostTimer {
      const context = currentContext<Ending>() ?? { host, op: undefined };
      const madeAt = world.now();
      const lateMs = random.chance(0.02) ? random.between(0, 100) : random.between(0, 2);
      const dueMs = ms / (1 + drift) + lateMs;
      let isOver = false;
      // Node fires a timer that is too far away at once, and the SDK has to see to that.
      const timer: Timer = world.after(dueMs, () =>
        host.deliver(() => {
          if (!isOver) fire(context, madeAt, madeAt + dueMs, callback);
        }),
      );
      return {
        stop() {
          isOver = true;
          timer.stop();
        },
        unref() {},
      };
    },
    clearTimeout(timer: HostTimer | undefined): void {
      timer?.stop();
    },
  };
  return host;
}
