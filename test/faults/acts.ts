import { expect } from "vitest";
import type { Fault, Seen } from "../support/book.ts";
import type { Scene, Site } from "./site.ts";
import type { World } from "./stage.ts";

/** A world in which the site was called while its requests met the faults. */
export interface Played {
  readonly world: World;
  readonly scene: Scene;
  /** The error of the call; undefined when it worked. */
  readonly error: unknown;
}

async function enact(world: World, site: Site, faults: readonly Fault[]): Promise<Played> {
  const scene = await site.arrange(world);
  let error: unknown;
  await scene
    .act(() => world.proxy.next(site.script, ...faults))
    .catch((thrown) => {
      error = thrown;
    });
  return { world, scene, error };
}

/** The state that must hold however the call ended. */
function nothingFalse({ world, error }: Played): void {
  expect(world.proxy.unmet()).toBe(0);
  const said = world.proxy.seen.flatMap(({ answers }) => answers);
  const refusals = world.events.filter(({ type }) => type === "refused").length;
  // "Held by someone else" is said only when the server said so.
  expect(refusals).toBeLessThanOrEqual(said.filter((status) => status === "held" || status === "running").length);
  world.keepsSecrets(world.events);
  if (error !== undefined) world.keepsSecrets(error);
}

/** Every request of the whole story arrives again, in order and the last one first; nothing may come of it. */
async function again({ world, scene }: Played, match: (seen: Seen) => boolean = () => true): Promise<void> {
  await world.proxy.replay(match);
  await scene.ended();
  await world.proxy.replay(match, "backward");
  await scene.ended();
}

/** The call overcomes the faults, and what they left on the way changes nothing later. */
export async function overcomesIn(world: World, site: Site, faults: readonly Fault[]): Promise<World> {
  const played = await enact(world, site, faults);
  const { scene, error } = played;
  try {
    expect(error).toBeUndefined();
    nothingFalse(played);
    await scene.worked();
    await world.proxy.deliver();
    await scene.worked();
    await scene.end();
    await again(played);
    return world;
  } finally {
    await world.proxy.close();
  }
}

/** The call fails with this code, and nothing was changed. */
export async function failsIn(world: World, site: Site, faults: readonly Fault[], code: string): Promise<Played> {
  const played = await enact(world, site, faults);
  const { scene, error } = played;
  try {
    expect(error).toMatchObject({ code });
    nothingFalse(played);
    await scene.unchanged();
    await world.proxy.deliver();
    await scene.end();
    // Not those that were refused: a server that says so has thrown them away. And nobody remembers a "held" (R3a):
    // until its time-out a copy of such a poll may still be granted.
    await again(played, ({ answers }) => answers.some((status) => !/^HTTP |^held$/.test(status)));
    return played;
  } finally {
    await world.proxy.close();
  }
}
