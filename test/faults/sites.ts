import { expect } from "vitest";
import type { Duration, Lease, Locks } from "../../src/index.ts";
import { pause } from "../support/names.ts";
import type { Scene, Site } from "./site.ts";
import { LEASE_MS, type World } from "./stage.ts";

/** The calls that leases of all kinds have, those over several names included. */
type Held = Pick<Lease, "remaining" | "signal" | "verify" | "extend" | "release">;
type End = Pick<Scene, "end" | "ended">;

/**
 * A kind that gives leases, as the calls below need it. Each world has a name of its own, so one subject serves all.
 */
export interface Subject<L extends Held = Lease, S = unknown> {
  readonly scripts: Readonly<Record<"acquire" | "extend" | "close" | "force", string>>;
  of(
    locks: Locks,
    world: World,
  ): {
    tryAcquire(): Promise<L | null>;
    acquire(options: { readonly wait: Duration }): Promise<L>;
    inspect(): Promise<S>;
    forceRelease(): Promise<boolean>;
  };
  /** Fails unless the state shows that this lease, and no other one, is held; gives how long it still lasts. */
  shows(state: S, lease: L, world: World): number;
  /** Fails unless somebody else is refused while it is held. */
  refuses(world: World): Promise<void>;
  /** Somebody else acquires it with one request, so it was free. */
  take(world: World): Promise<L>;
  /** Nobody holds or waits for it, and that stays so. */
  staysFree(world: World): Promise<void>;
}

/** At least so much is left of `ms` that were granted after `start`. Exact: to be called after the server was asked. */
export const left = (ms: number, start: number): number => ms - (performance.now() - start);

/** A server's clock may count whole milliseconds, and one in memory advances by a microsecond with each read. */
const CLOCK_MS = 1.5;

/** Held by `lease` and nobody else, for `leastMs()` more at least, and the lease says no more than the server does. */
export async function isHeld<L extends Held, S>(
  subject: Subject<L, S>,
  world: World,
  lease: L | null | undefined,
  leastMs: () => number,
): Promise<void> {
  if (!lease) throw new Error("there should be a lease");
  const state = await subject.of(world.theirs, world).inspect();
  const local = lease.remaining;
  const remaining = subject.shows(state, lease, world);
  expect(remaining).toBeGreaterThanOrEqual(leastMs() - CLOCK_MS);
  expect(local).toBeLessThanOrEqual(remaining);
  expect(local).toBeGreaterThan(0);
  expect(lease.signal.aborted).toBe(false);
  await subject.refuses(world);
  expect(await lease.verify()).toBe(true);
  world.keepsSecrets(lease);
}

/** A lease that nobody has ended yet, and which must go on to stand. */
export function standing<L extends Held, S>(
  subject: Subject<L, S>,
  world: World,
  lease: () => L | null | undefined,
  leastMs: () => number,
): Pick<Scene, "worked" | "end" | "ended"> {
  return {
    worked: () => isHeld(subject, world, lease(), leastMs),
    async end() {
      expect(await lease()?.release()).toBe(true);
      await subject.staysFree(world);
    },
    ended: () => subject.staysFree(world),
  };
}

/** It was freed, and somebody else has it since: what arrives late must not touch them. */
export function freed<L extends Held, S>(
  subject: Subject<L, S>,
  world: World,
  worked: () => Promise<void>,
): Pick<Scene, "worked" | "end" | "ended"> {
  let next: L | undefined;
  return {
    async worked() {
      await worked();
      next ??= await subject.take(world);
      await isHeld(subject, world, next, () => 0);
    },
    async end() {
      expect(await next?.release()).not.toBe(false);
      await subject.staysFree(world);
    },
    ended: () => subject.staysFree(world),
  };
}

/** A call that only reads, and must read what is `right`. */
export const reading = <T>(
  name: string,
  script: string,
  prepare: (world: World) => Promise<{ read(): Promise<T>; right(got: T): void; unchanged(): Promise<void> } & End>,
): Site => ({
  name,
  script,
  patient: false,
  async arrange(world) {
    const { read, right, ...rest } = await prepare(world);
    let got: T | undefined;
    return {
      ...rest,
      async act(arm) {
        arm();
        got = await read();
      },
      async worked() {
        right(got as T);
        await rest.unchanged();
      },
    };
  },
});

/** The extension of a lease to twice its length. `isHeld` is told how much must be left of it. */
export const extending = (
  name: string,
  script: string,
  prepare: (world: World) => Promise<{ readonly lease: Held; isHeld(leastMs: () => number): Promise<void> } & End>,
): Site => ({
  name,
  script,
  patient: true,
  async arrange(world) {
    const start = performance.now();
    const { lease, isHeld, ...rest } = await prepare(world);
    let asked = start;
    return {
      ...rest,
      async act(arm) {
        arm();
        asked = performance.now();
        await lease.extend(2 * LEASE_MS);
        expect(lease.remaining).toBeGreaterThan(LEASE_MS);
      },
      worked: () => isHeld(() => left(2 * LEASE_MS, asked)),
      unchanged: () => isHeld(() => left(LEASE_MS, start)),
    };
  },
});

/** A call that ends what others have, and must say that there was something. */
export const forcing = (
  name: string,
  script: string,
  prepare: (world: World) => Promise<{ force(): Promise<boolean> } & Pick<Scene, "worked" | "unchanged"> & End>,
): Site => ({
  name,
  script,
  patient: false,
  async arrange(world) {
    const { force, ...rest } = await prepare(world);
    let had: boolean | undefined;
    return {
      ...rest,
      async act(arm) {
        arm();
        had = await force();
      },
      async worked() {
        expect(had).toBe(true);
        await rest.worked();
      },
    };
  },
});

async function ourLease<L extends Held, S>(subject: Subject<L, S>, world: World): Promise<L> {
  const lease = await subject.of(world.ours, world).tryAcquire();
  if (!lease) throw new Error("nobody should be in the way");
  return lease;
}

/** `untouched`: so many requests of the script pass before the faults begin. */
export const tryAcquire = <L extends Held, S>(subject: Subject<L, S>, name = "tryAcquire", untouched = 0): Site => ({
  name,
  script: subject.scripts.acquire,
  patient: false,
  async arrange(world) {
    await subject.staysFree(world);
    const start = performance.now();
    let lease: L | null = null;
    return {
      ...standing(
        subject,
        world,
        () => lease,
        () => left(LEASE_MS, start),
      ),
      async act(arm) {
        for (let n = 0; n < untouched; n++)
          world.proxy.next(subject.scripts.acquire, async ({ forward, answer }) => answer(await forward()));
        arm();
        lease = await subject.of(world.ours, world).tryAcquire();
      },
      async unchanged() {
        lease = await subject.take(world);
      },
    };
  },
});

/**
 * Waits for a name that is taken until its first request was refused. The faults meet the polls that follow, or the
 * first request, where the server holds it.
 */
export async function waits<T>(
  { proxy, stack }: World,
  refusal: string,
  arm: () => void,
  begin: () => Promise<T>,
): Promise<{ readonly waiting: Promise<T> }> {
  if (stack.holds) arm();
  const waiting = begin();
  waiting.catch(() => {});
  if (stack.holds) {
    await proxy.arrived(({ headers }) => "prefer" in headers);
    // Then it is held, unless it met its fault before.
    await pause(50);
  } else {
    await proxy.arrived(({ answers }) => answers.includes(refusal));
    arm();
  }
  return { waiting };
}

/** `before` is in the way when the wait begins. The faults meet the polls that follow its release. */
export const acquire = <L extends Held, S>(
  subject: Subject<L, S>,
  name = "acquire, waiting",
  before: (world: World) => Promise<Pick<Held, "release">> = subject.take,
): Site => ({
  name,
  script: subject.scripts.acquire,
  patient: true,
  async arrange(world) {
    const holder = await before(world);
    const start = performance.now();
    let lease: L | null = null;
    return {
      ...standing(
        subject,
        world,
        () => lease,
        () => left(LEASE_MS, start),
      ),
      async act(arm) {
        const { waiting } = await waits(world, "held", arm, () =>
          subject.of(world.ours, world).acquire({ wait: "8s" }),
        );
        expect(await holder.release()).toBe(true);
        lease = await waiting;
      },
      async unchanged() {
        lease = await subject.take(world);
      },
    };
  },
});

export const extend = <L extends Held, S>(subject: Subject<L, S>, name = "extend"): Site =>
  extending(name, subject.scripts.extend, async (world) => {
    const lease = await ourLease(subject, world);
    const { end, ended } = standing(
      subject,
      world,
      () => lease,
      () => 0,
    );
    return { lease, isHeld: (leastMs) => isHeld(subject, world, lease, leastMs), end, ended };
  });

/** `next`: whoever has it afterwards. */
export const release = <L extends Held, S, N extends Held, T>(
  subject: Subject<L, S>,
  name = "release",
  next: Subject<N, T> | Subject<L, S> = subject,
): Site => ({
  name,
  script: subject.scripts.close,
  patient: true,
  async arrange(world) {
    const lease = await ourLease(subject, world);
    let released: boolean | undefined;
    return {
      ...freed(next as Subject<Held, unknown>, world, async () => {
        expect(released).toBe(true);
        expect([lease.remaining, lease.signal.aborted, await lease.verify()]).toEqual([0, true, false]);
        await expect(lease.extend()).rejects.toMatchObject({ code: "lease_lost", reason: "released" });
      }),
      async act(arm) {
        arm();
        released = await lease.release();
      },
      async unchanged() {
        subject.shows(await subject.of(world.theirs, world).inspect(), lease, world);
        expect(await lease.release()).toBe(true);
      },
    };
  },
});

export const inspect = <L extends Held, S>(subject: Subject<L, S>, name = "inspect"): Site =>
  reading<S>(name, subject.scripts.force === "crowd-force" ? "crowd-inspect" : "record-inspect", async (world) => {
    const start = performance.now();
    const lease = await subject.take(world);
    const { worked, ...rest } = standing(
      subject,
      world,
      () => lease,
      () => left(LEASE_MS, start),
    );
    return {
      ...rest,
      unchanged: worked,
      read: () => subject.of(world.ours, world).inspect(),
      right: (state) => expect(subject.shows(state, lease, world)).toBeGreaterThan(0),
    };
  });

export const verify = <L extends Held, S>(subject: Subject<L, S>, name = "verify"): Site =>
  reading(name, subject.scripts.extend, async (world) => {
    const start = performance.now();
    const lease = await ourLease(subject, world);
    const { worked, ...rest } = standing(
      subject,
      world,
      () => lease,
      () => left(LEASE_MS, start),
    );
    return {
      ...rest,
      unchanged: worked,
      read: () => lease.verify(),
      right: (ours) => expect(ours).toBe(true),
    };
  });

export const forceRelease = <L extends Held, S>(subject: Subject<L, S>, name = "forceRelease"): Site =>
  forcing(name, subject.scripts.force, async (world) => {
    const start = performance.now();
    const before = await subject.take(world);
    return {
      ...freed(subject, world, async () => {
        expect(await before.verify()).toBe(false);
      }),
      force: () => subject.of(world.ours, world).forceRelease(),
      async unchanged() {
        await isHeld(subject, world, before, () => left(LEASE_MS, start));
        await before.release();
      },
    };
  });
