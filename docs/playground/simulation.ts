import { type RedisFence, redisFence } from "../../src/fence/index.ts";
import { createLocks } from "../../src/index.ts";
import { type Action, type Deed, type Plan, TICKS_PER_SECOND } from "./address.ts";
import { allows, perform } from "./deeds.ts";
import { type History, NAMES, type Name } from "./history.ts";
import { LOCK_NAME } from "./instance.ts";
import type { InstanceView, ServerView } from "./view.ts";
import { createWorld, START_MS, start, viewOf, type World } from "./world.ts";

/** How long after A the second instance starts. */
const B_LATER_TICKS = 10;
const TICK_SECONDS = 1 / TICKS_PER_SECOND;

/** One run: two instances, the server between them, and everything that has happened. */
export interface Simulation {
  readonly seed: number;
  /** Whether the resource takes every write. */
  readonly isUnfenced: boolean;
  /** The deeds so far, and those of the plan that are still to come. */
  readonly deeds: readonly Deed[];
  readonly tick: number;
  readonly seconds: number;
  readonly history: History;
  readonly server: ServerView;
  instance(name: Name): InstanceView;
  /** Whether an action would change anything. */
  allows(action: Action): boolean;
  /** Does something now. What was planned for later is given up. */
  act(action: Action): void;
  /** Lets a tenth of a second go by. */
  advance(): Promise<void>;
}

/** Sends one request of each kind, so that the server knows all scripts, and their digests are computed. */
async function warmUp({ redis }: World): Promise<RedisFence> {
  const locks = createLocks(redis.options);
  const fence = redisFence(locks);
  const lease = await locks.lock("warm-up").acquire();
  await fence.write(lease, "");
  await fence.read(lease.name);
  await lease.release();
  return fence;
}

/** Moves and closes tenures as the record has them. */
function followRecord({ history: { tenures }, narrator }: World, held: ServerView["holder"], now: number): void {
  for (const tenure of tenures) {
    if (tenure.to !== undefined) continue;
    if (held?.token === tenure.token) tenure.until = now + held.remaining;
    else {
      // Between two looks; after a step of the clock the end is in the past, and is now.
      tenure.to = tenure.until > now - TICK_SECONDS && tenure.until <= now ? tenure.until : now;
      narrator.expired(tenure);
    }
  }
}

/** Looks at everything, once per tick: a look at the server takes time by its clock. */
async function look(world: World, observer: RedisFence, before: ServerView): Promise<ServerView> {
  const { redis, players, ahead, seconds } = world;
  const held = redis.held().find(({ name }) => name === LOCK_NAME);
  const now = seconds();
  const holder = held && {
    who: held.label ?? "",
    token: held.token,
    remaining: (held.until - START_MS) / 1000 - ahead - now,
  };
  let { fence } = before;
  if (world.isFenceNew) {
    world.isFenceNew = false;
    const found = (await observer.read(LOCK_NAME)) ?? undefined;
    fence = found && { ...found, token: world.unfenced?.get(found.token) ?? found.token };
  }
  followRecord(world, holder, now);
  for (const one of NAMES.map((name) => players[name])) if (!one.isFrozen) one.lease = one.running?.view();
  return { holder, fence, ahead };
}

/** Prepares a run. */
export async function createSimulation({ seed, deeds: planned, isUnfenced = false }: Plan): Promise<Simulation> {
  const world = createWorld(seed, isUnfenced);
  const observer = await warmUp(world);
  const deeds: Deed[] = [];
  let rest: readonly Deed[] = planned;
  let tick = 0;
  let server: ServerView = { holder: undefined, fence: undefined, ahead: 0 };

  function act(action: Action): void {
    if (!allows(world, action)) return;
    deeds.push({ action, tick });
    world.narrator.deed(action, server.holder);
    perform(world, action);
  }

  start(world, "A");
  return {
    seed,
    isUnfenced,
    get deeds() {
      return [...deeds, ...rest];
    },
    get tick() {
      return tick;
    },
    get seconds() {
      return tick / TICKS_PER_SECOND;
    },
    history: world.history,
    get server() {
      return server;
    },
    instance: (name) => viewOf(world.players[name]),
    allows: (action) => allows(world, action),
    act(action) {
      rest = [];
      act(action);
    },
    async advance() {
      const now = rest.filter((deed) => deed.tick <= tick);
      rest = rest.slice(now.length);
      for (const { action } of now) act(action);
      await world.redis.advance(TICK_SECONDS * 1000);
      tick++;
      server = await look(world, observer, server);
      if (tick === B_LATER_TICKS) start(world, "B");
    },
  };
}
