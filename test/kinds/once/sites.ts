import { expect } from "vitest";
import type { Turn } from "../../../src/index.ts";
import { type Scene, type Site, started } from "../../faults/site.ts";
import { extending, reading } from "../../faults/sites.ts";
import type { World } from "../../faults/stage.ts";

const RESULT = { order: 42, paid: true };

/** An attempt runs, and it is this one. */
async function isRunning(world: World, turn: Turn | undefined, attempt: number): Promise<void> {
  const { lease } = started(turn);
  expect(started(turn).attempt).toBe(attempt);
  const state = await world.theirs.once(world.name).inspect();
  expect(state).toMatchObject({ state: "running", token: lease.token, attempts: attempt });
  const other = await world.theirs.once(world.name).begin();
  expect(other.status).toBe("running");
  if (other.status === "running") expect(lease.remaining).toBeLessThanOrEqual(other.retryAfterMs);
  expect(await lease.verify()).toBe(true);
  world.saw(lease.token, "same");
  world.keepsSecrets(turn);
}

async function isDone(world: World, result: unknown, token: number): Promise<void> {
  expect(await world.theirs.once(world.name).begin()).toEqual({ status: "done", stored: true, result, token });
  world.saw(token, "same");
}

/** The attempt that stands at the end is completed, and stays so. */
function completing(world: World, turn: () => Turn | undefined): Pick<Scene, "end" | "ended"> {
  const ended = (): Promise<void> => isDone(world, "by the last", started(turn()).lease.token);
  return {
    ended,
    async end() {
      await started(turn()).complete("by the last");
      await ended();
    },
  };
}

const begin: Site = {
  name: "begin",
  script: "once-begin",
  patient: false,
  async arrange(world): Promise<Scene> {
    let turn: Turn | undefined;
    return {
      ...completing(world, () => turn),
      async act(arm) {
        arm();
        turn = await world.ours.once(world.name).begin();
      },
      worked: () => isRunning(world, turn, 1),
      async unchanged() {
        // The first attempt of all: one that was not answered has burnt none.
        turn = await world.theirs.once(world.name).begin();
        await isRunning(world, turn, 1);
      },
    };
  },
};

const complete: Site = {
  name: "complete",
  script: "once-complete",
  patient: true,
  async arrange(world) {
    const turn = started(await world.ours.once(world.name).begin());
    const worked = (): Promise<void> => isDone(world, RESULT, turn.lease.token);
    return {
      act: (arm) => {
        arm();
        return turn.complete(RESULT);
      },
      worked,
      unchanged: () => isRunning(world, turn, 1),
      async end() {
        await turn.complete(RESULT);
        await worked();
      },
      ended: worked,
    };
  },
};

const fail: Site = {
  name: "fail",
  script: "once-close",
  patient: true,
  async arrange(world) {
    const turn = started(await world.ours.once(world.name).begin());
    let failed: boolean | undefined;
    let next: Turn | undefined;
    return {
      ...completing(world, () => next),
      async act(arm) {
        arm();
        failed = await turn.fail();
      },
      async worked() {
        expect(failed).toBe(true);
        next ??= await world.theirs.once(world.name).begin();
        await isRunning(world, next, 2);
        expect(started(next).lease.token).toBeGreaterThan(turn.lease.token);
      },
      async unchanged() {
        const state = await world.theirs.once(world.name).inspect();
        expect(state).toMatchObject({ state: "running", token: turn.lease.token, attempts: 1 });
        expect(await turn.fail()).toBe(true);
        next = await world.theirs.once(world.name).begin();
      },
    };
  },
};

const inspect: Site = reading("inspect of a once", "record-inspect", async (world) => {
  const turn = started(await world.theirs.once(world.name).begin());
  return {
    ...completing(world, () => turn),
    read: () => world.ours.once(world.name).inspect(),
    right: (state) => expect(state).toMatchObject({ state: "running", attempts: 1, token: turn.lease.token }),
    unchanged: () => isRunning(world, turn, 1),
  };
});

const extend: Site = extending("extend of an attempt", "hold-extend", async (world) => {
  const turn = started(await world.ours.once(world.name).begin());
  return { ...completing(world, () => turn), lease: turn.lease, isHeld: () => isRunning(world, turn, 1) };
});

export const onceSites: readonly Site[] = [begin, complete, fail, inspect, extend];
