import type { Random } from "./random.ts";
import { type Context, currentContext, type Scope, type Timer, type World, within } from "./world.ts";

/** The differences of a host's clocks from the world's. */
interface HostTraits {
  readonly offsetMs: number;
  /** Seconds per second. */
  readonly drift: number;
  /** The chance of a freeze before each event. */
  readonly freezes: number;
  /** Whether its clocks advance only between events, as on Workers. */
  readonly standsStill?: boolean;
}

/** A machine that runs clients. All events reach its code through `deliver`. */
export interface Host extends Scope {
  readonly name: string;
  readonly isDead: boolean;
  /** The total time frozen so far, in ms. */
  readonly frozenMs: number;
  /** The offset of its wall clock, without drift. */
  readonly steppedMs: number;
  /** Runs a callback now, or after a freeze; never if the host is dead. */
  deliver(callback: () => void): void;
  /** Freezes the host. With `sleeps` its monotonic clock stops as well. */
  freeze(ms: number, sleeps: boolean): void;
  /** Sets its wall clock. */
  step(ms: number): void;
  die(): void;
  /** Runs code with running clocks. */
  really<T>(code: () => T): T;
}

interface HostTimer {
  stop(): void;
  unref(): void;
}

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

/** The part of an operation that its timers need. */
interface Ending {
  /** When it and all its leases had ended, in the world's time. */
  readonly overAt?: number | undefined;
}

export interface HostOptions {
  readonly world: World;
  readonly name: string;
  readonly traits: HostTraits;
  readonly random: Random;
  /** Called with a timer that fires long after its operation ended. */
  readonly onLeak: (op: Ending) => void;
  readonly patienceMs: number;
}

/** The clocks of a host: a wall clock, which may be set, and a monotonic one, which may stop during sleep. */
function createClocks(world: World, { offsetMs, drift, standsStill }: HostTraits) {
  const origin = world.now();
  let steppedMs = offsetMs;
  let sleptMs = 0;
  /** When they last advanced, if they are stopped. */
  let seenAt = standsStill ? origin : undefined;
  const elapsed = (): number => ((seenAt ?? world.now()) - origin) * (1 + drift);
  return {
    wall: () => Math.floor(origin + elapsed() + steppedMs),
    monotonic: () => elapsed() - sleptMs,
    steppedMs: () => steppedMs,
    /** An event arrives: stopped clocks advance to now. */
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
    /** The monotonic clock stops for a while. Must not be combined with a set wall clock: no clock would be right. */
    sleep(ms: number): void {
      if (steppedMs === offsetMs) sleptMs += ms * (1 + drift);
    },
    /** Sets the wall clock, unless the monotonic one has stopped. Returns whether it did. */
    step(ms: number): boolean {
      if (sleptMs > 0) return false;
      steppedMs += ms;
      return true;
    },
  };
}

/** The timers of a host. They fire late, by the host's clock. */
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
      // Node fires a timer with a too long delay immediately, which the SDK must handle.
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
      world.note({ type: "froze", host: name, ms, sleeps });
      frozenUntil = world.now() + ms;
      frozenMs += ms;
      if (sleeps) clocks.sleep(ms);
      world.after(ms, thaw);
    },
    step(ms: number) {
      if (!clocks.step(ms)) return;
      world.log(`${name} has its clock set by ${ms.toFixed(0)} ms`);
      world.note({ type: "fault", where: name, what: "clock set", ms });
    },
    die() {
      world.log(`${name} dies`);
      world.note({ type: "fault", where: name, what: "crash" });
      host.isDead = true;
      waiting = [];
    },
  };
  // Assigned, not spread, to keep the getters.
  const host: Mutable<Host> = Object.assign(machine, createTimers(options, machine));
  return host;
}
