import { expect } from "vitest";
import type { Lease, Turn } from "../../src/index.ts";
import type { World } from "./world.ts";

/** A call of the SDK that meets a fault. */
export interface Site {
  readonly name: string;
  /** The script whose requests meet it. */
  readonly script: string;
  /** Whether it goes on trying for more than a second. */
  readonly patient: boolean;
  arrange(world: World): Promise<Scene>;
}

export interface Scene {
  /** Calls `arm` when the faults are to begin. */
  act(arm: () => void): Promise<unknown>;
  /** It worked: what it gave is right, and so is the state of the server. Asked again after every late copy. */
  worked(): Promise<void>;
  /** It failed: everything is as it was. */
  unchanged(): Promise<void>;
  /** Ends what stands; the name is free with the next request, or done for good. */
  end(): Promise<void>;
  /** Still as `end` left it. */
  ended(): Promise<void>;
}

/** The lock is held by `lease` and nobody else, for `leastMs()` more at least, and the lease says no more than the server does. */
export async function isHeld(world: World, lease: Lease | null, leastMs: () => number): Promise<Lease> {
  if (!lease) throw new Error("there should be a lease");
  const state = await world.theirs.lock(world.name).inspect();
  const local = lease.remaining;
  expect(state).toMatchObject({ state: "held", token: lease.token, holds: 1 });
  if (state.state === "held") {
    expect(state.remaining).toBeGreaterThanOrEqual(leastMs());
    expect(local).toBeLessThanOrEqual(state.remaining);
  }
  expect(local).toBeGreaterThan(0);
  expect(lease.signal.aborted).toBe(false);
  expect(await world.theirs.lock(world.name).tryAcquire()).toBeNull();
  expect(await lease.verify()).toBe(true);
  world.saw(lease.token, "same");
  world.keepsSecrets(lease);
  return lease;
}

/** Free with one request; gives the lease of whoever asked. */
export async function isFree(world: World): Promise<Lease> {
  const lease = await world.theirs.lock(world.name).tryAcquire();
  if (!lease) throw new Error("the name should be free");
  world.saw(lease.token);
  return lease;
}

/** Free, and still free afterwards. */
export async function staysFree(world: World): Promise<void> {
  expect(await (await isFree(world)).release()).toBe(true);
  expect(await world.theirs.lock(world.name).inspect()).toMatchObject({ state: "free" });
}

export function started(turn: Turn | undefined): Extract<Turn, { status: "started" }> {
  if (turn?.status !== "started") throw new Error(`the attempt should have started, and is ${turn?.status}`);
  return turn;
}
