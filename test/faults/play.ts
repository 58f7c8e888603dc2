import type { Fault } from "../support/book.ts";
import type { Stack } from "../support/stack.ts";
import { failsIn, overcomesIn, type Played } from "./acts.ts";
import type { Site } from "./site.ts";
import { startWorld, type Way, type World } from "./world.ts";

/** As {@link overcomesIn}, in a world of its own behind a proxy that listens. */
export const overcomes = async (stack: Stack, way: Way, site: Site, faults: readonly Fault[]): Promise<World> =>
  overcomesIn(await startWorld(stack, way), site, faults);

/** As {@link failsIn}, in a world of its own behind a proxy that listens. */
export const fails = async (
  stack: Stack,
  way: Way,
  site: Site,
  faults: readonly Fault[],
  code: string,
): Promise<Played> => failsIn(await startWorld(stack, way), site, faults, code);
