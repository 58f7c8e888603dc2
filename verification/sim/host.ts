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

/** The clocks of a host: a wall clock that may be set, and a monotonic one that may sleep. */
function createClocks(world: World, { offsetMs, drift, standsStill }: HostTraits) {
  const origin = world.now();
  let steppedMs = offsetMs;
  let sleptMs = 0;
  /** When they were set going last, if they stand still. */
  let seenAt = standsStill ? origin : undefined;
  const elapsed = (): number => ((seenAt ?? world.now()) - origin) * (1 + drift);
  return {
    wall: () => Math.floor(origin + elapsed() + steppedMs),
    monotonic: () => elapsed() - sleptMs,
    steppedMs: () => steppedMs,
    /** An event arrives: clocks that stand still go on to now. */
    goOn(): void {
      if (seenAt !== undefined) seenAt = world.now();
    },
    really<T>(code: () => T): T {
      const before = seenAt;
      seenAt = undefined;
      try {
        return code();
      } finally {
        seenAt = before;
      }
    },
    /** The monotonic clock stops for a while. A clock that was set must not be combined with it: none would be right. */
    sleep(ms: number): void {
      if (steppedMs === offsetMs) sleptMs += ms * (1 + drift);
    },
    /** Sets the wall clock, unless the other one has slept. Returns whether it did. */
    step(ms: number): boolean {
      if (sleptMs > 0) return false;
      steppedMs += ms;
      return true;
    },
  };
}

/** The timers of a host. They fire late, and by its own clock. */
function createTimers({ world, traits, random, onLeak, patienceMs }: HostOptions, host: Pick<Host, "deliver">) {
  function fire(context: Context<Ending>, madeAt: number, dueAt: number, callback: () => void): void {
    const { op } = context;
    const { overAt = Number.POSITIVE_INFINITY } = op ?? {};
    if (op && madeAt <= overAt && dueAt > overAt + patienceMs) onLeak(op);
    within(context, callback);
  }

  return {
    setTimeout(callback: () => void, ms: number): HostTimer {
      const context = currentContext<Ending>() ?? { host: host as Host, op: undefined };
      const madeAt = world.now();
      const lateMs = random.chance(0.02) ? random.between(0, 100) : random.between(0, 2);
      const dueMs = ms / (1 + traits.drift) + lateMs;
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
}

export function createHost(options: HostOptions): Host {
  const { world, name, traits, random } = options;
  const clocks = createClocks(world, traits);
  let frozenUntil = 0;
  let frozenMs = 0;
  let waiting: (() => void)[] = [];

  function thaw(): void {
    if (world.now() < frozenUntil || host.isDead) return;
    const all = waiting;
    waiting = [];
    world.log(`${name} goes on`);
    for (const callback of all) world.after(0, () => host.deliver(callback));
  }

  const machine = {
    name,
    isDead: false,
    get frozenMs() {
      return frozenMs;
    },
    get steppedMs() {
      return clocks.steppedMs();
    },
    wall: clocks.wall,
    monotonic: clocks.monotonic,
    really: clocks.really,
    deliver(callback: () => void) {
      if (host.isDead) return;
      if (world.now() >= frozenUntil && random.chance(traits.freezes))
        host.freeze(random.pick([50, 500, 3000, 12_000]) * random.between(0.5, 1.5), random.chance(0.2));
      if (world.now() < frozenUntil) {
        waiting.push(callback);
        return;
      }
      clocks.goOn();
      callback();
    },
    freeze(ms: number, sleeps: boolean) {
      if (world.now() < frozenUntil) return;
      world.log(`${name} freezes for ${ms.toFixed(0)} ms${sleeps ? ", asleep" : ""}`);
      frozenUntil = world.now() + ms;
      frozenMs += ms;
      if (sleeps) clocks.sleep(ms);
      world.after(ms, thaw);
    },
    step(ms: number) {
      if (clocks.step(ms)) world.log(`${name} has its clock set by ${ms.toFixed(0)} ms`);
    },
    die() {
      world.log(`${name} dies`);
      host.isDead = true;
      waiting = [];
    },
  };
  // Assigned, not spread: the getters stay.
  const host: Mutable<Host> = Object.assign(machine, createTimers(options, machine));
  return host;
}
