import { redisFence } from "../src/fence/index.ts";
import { createLocks } from "../src/index.ts";
import { createTestRedis, type TestRedis } from "../testing/src/index.ts";
import { type Action, type Deed, type Plan, TICKS_PER_SECOND } from "./address.ts";
import { emptyHistory, type History, NAMES, type Name, type Tenure } from "./history.ts";
import { type Listener, LOCK_NAME, type Running, startInstance, type View } from "./instance.ts";
import { createNarrator, type Narrator } from "./narrator.ts";
import type { Arrival } from "./network.ts";

export const FREEZE_SECONDS = 10;
export const CLOCK_STEP_SECONDS = 10;
/** How far the server's clock may be stepped away from the others'. */
const FARTHEST_SECONDS = 60;
/** The clocks begin here, so that tokens are short; far enough from 0 to be stepped back. */
const START_MS = 1_000_000;
/** How long after A the second instance starts. */
const B_LATER_TICKS = 10;
const TICK_MS = 1000 / TICKS_PER_SECOND;
const FOR_EVER = "3650d";

/** What the server has about the lock and the resource. */
export interface ServerView {
  readonly holder: { readonly who: string; readonly token: number; readonly remaining: number } | undefined;
  /** The highest token that the fence has seen, and the value. */
  readonly fence: { readonly token: number; readonly value: string } | undefined;
  /** Seconds by which the server's clock is ahead. */
  readonly ahead: number;
}

export interface InstanceView {
  readonly state: "absent" | "runs" | "frozen" | "dead";
  /** Its lease; for one that is frozen, as it was when it froze. */
  readonly lease: View | undefined;
  readonly isLosing: boolean;
}

/** One run: two instances, the server between them, and everything that has happened. */
export interface Simulation {
  readonly seed: number;
  /** What was done so far, and what is still to be done as the plan has it. */
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

interface Player {
  running: Running | undefined;
  isDead: boolean;
  isFrozen: boolean;
  lease: View | undefined;
}

/** Sends one request of each kind, so that the server knows all scripts, and their digests are computed. */
async function warmUp(redis: TestRedis): Promise<ReturnType<typeof redisFence>> {
  const locks = createLocks(redis.options);
  const fence = redisFence(locks);
  const lease = await locks.lock("warm-up").acquire();
  await fence.write(lease, "");
  await fence.read(lease.name);
  await lease.release();
  return fence;
}

/** Opens, moves and closes tenures as the record has them. */
function followRecord({ tenures }: History, held: ServerView["holder"], now: number, narrator: Narrator): void {
  for (const tenure of tenures) {
    if (tenure.to !== undefined) continue;
    if (held?.token === tenure.token) tenure.until = now + held.remaining;
    else {
      // Between two looks; after a step of the clock the end is in the past, and is now.
      tenure.to = tenure.until > now - 0.1 && tenure.until <= now ? tenure.until : now;
      narrator.expired(tenure);
    }
  }
}

/** Prepares a run. Nothing happens before the first `advance`. */
export async function createSimulation({ seed, deeds: planned }: Plan): Promise<Simulation> {
  const redis = createTestRedis({ seed, start: START_MS });
  const observer = await warmUp(redis);
  const { clock } = redis.options;
  const history = emptyHistory();
  const deeds: Deed[] = [];
  let rest: readonly Deed[] = planned;
  let tick = 0;
  let ahead = 0;
  let fenceChanged = false;
  let server: ServerView = { holder: undefined, fence: undefined, ahead };
  const seconds = (): number => (clock.now() - START_MS) / 1000;
  const player = (): Player => ({ running: undefined, isDead: false, isFrozen: false, lease: undefined });
  const players: Readonly<Record<Name, Player>> = { A: player(), B: player() };

  function instance(name: Name): InstanceView {
    const { running, isDead, isFrozen, lease } = players[name];
    const state = isDead ? "dead" : !running ? "absent" : isFrozen ? "frozen" : "runs";
    return { state, lease, isLosing: running?.isLosing ?? false };
  }

  const narrator = createNarrator(history, seconds, instance);

  function granted({ exchange: { who, arrivedAt = 0 }, reply }: Arrival): void {
    const [token = 0, remainingUs = 0] = reply.slice(2).map(Number);
    if (history.tenures.some((tenure) => tenure.token === token)) return;
    if (token <= (history.tokens.at(-1) ?? 0)) throw new Error(`token ${token} is not higher than the last`);
    history.tokens.push(token);
    const tenure: Tenure = { who, token, from: arrivedAt, until: arrivedAt + remainingUs / 1e6 };
    history.tenures.push(tenure);
  }

  function released({ exchange: { who, arrivedAt = 0 } }: Arrival): void {
    const tenure = history.tenures.findLast((one) => one.who === who);
    if (tenure && tenure.to === undefined) tenure.to = arrivedAt;
  }

  function written({ exchange: { who, arrivedAt: at = 0, verdict }, token, value, reply }: Arrival): void {
    if (token === undefined || (verdict !== "written" && verdict !== "stale")) return;
    const refusedFor = verdict === "stale" ? Number(reply[2]) : undefined;
    history.writes.push({ at, who, token, value, refusedFor });
    fenceChanged = true;
  }

  function start(who: Name): void {
    const listener: Listener = {
      sent: (exchange) => history.exchanges.push(exchange),
      arrived(arrival) {
        const { operation, exchange } = arrival;
        if (operation === "acquire" && exchange.verdict === "granted") granted(arrival);
        if (operation === "release" && exchange.verdict === "closed") released(arrival);
        if (operation === "claim" || operation === "write") written(arrival);
        narrator.arrived(arrival);
      },
      lost: (arrival) => narrator.lost(arrival),
      told: (event) => narrator.told(who, event),
      failed: (error) => narrator.failed(who, error),
    };
    Object.assign(players[who], player());
    players[who].running = startInstance(who, redis, seconds, history.instances[who], listener);
  }

  function freeze(who: Name): void {
    const one = players[who];
    const { running } = one;
    if (!running) return;
    one.isFrozen = true;
    // Set before the freeze, whose end falls due at the same time: first it wakes up, and then it does something.
    clock.timers.setTimeout(() => {
      if (one.running !== running) return;
      one.isFrozen = false;
      narrator.woke(who);
    }, FREEZE_SECONDS * 1000);
    redis.freeze(running.locks, FREEZE_SECONDS * 1000);
    history.instances[who].freezes.push({ from: seconds(), to: seconds() + FREEZE_SECONDS });
  }

  function kill(who: Name): void {
    const { running } = players[who];
    if (!running) return;
    redis.freeze(running.locks, FOR_EVER);
    const { phases, freezes, beliefs } = history.instances[who];
    const [phase, ice, belief] = [phases.at(-1), freezes.at(-1), beliefs.at(-1)];
    if (phase) phase.to = seconds();
    if (ice?.to !== undefined) ice.to = Math.min(ice.to, seconds());
    if (belief) belief.to ??= Math.min(belief.until, seconds());
    phases.push({ what: "dead", from: seconds() });
    Object.assign(players[who], { ...player(), isDead: true });
  }

  function revive(who: Name): void {
    const phase = history.instances[who].phases.at(-1);
    if (phase) phase.to = seconds();
    start(who);
  }

  function stepClock(by: number): void {
    ahead += by;
    redis.stepClock(by * 1000);
    history.clockSteps.push({ at: seconds(), by });
  }

  function allows(action: Action): boolean {
    if (action === "clock-forward") return ahead < FARTHEST_SECONDS;
    if (action === "clock-back") return ahead > -FARTHEST_SECONDS;
    const [what, who] = action.split("-") as [string, Name];
    const { running, isDead, isFrozen } = players[who];
    if (what === "start") return isDead;
    if (what === "lose") return running !== undefined && !running.isLosing;
    return running !== undefined && (what === "kill" || !isFrozen);
  }

  function perform(action: Action): void {
    if (!allows(action)) return;
    deeds.push({ action, tick });
    narrator.deed(action, server.holder);
    const [what, who] = action.split("-") as [string, Name];
    if (action === "clock-forward") stepClock(CLOCK_STEP_SECONDS);
    else if (action === "clock-back") stepClock(-CLOCK_STEP_SECONDS);
    else if (what === "freeze") freeze(who);
    else if (what === "lose") players[who].running?.loseNextAnswer();
    else if (what === "kill") kill(who);
    else revive(who);
  }

  /** Looks at everything, once per tick: a look at the server takes time by its clock. */
  async function look(): Promise<void> {
    const held = redis.held().find(({ name }) => name === LOCK_NAME);
    const now = seconds();
    const holder = held && {
      who: held.label ?? "",
      token: held.token,
      remaining: (held.until - START_MS) / 1000 - ahead - now,
    };
    if (fenceChanged) {
      fenceChanged = false;
      server = { ...server, fence: (await observer.read(LOCK_NAME)) ?? undefined };
    }
    server = { ...server, holder, ahead };
    followRecord(history, holder, now, narrator);
    for (const name of NAMES) {
      const one = players[name];
      if (!one.isFrozen) one.lease = one.running?.view();
    }
  }

  start("A");
  return {
    seed,
    get deeds() {
      return [...deeds, ...rest];
    },
    get tick() {
      return tick;
    },
    get seconds() {
      return tick / TICKS_PER_SECOND;
    },
    history,
    get server() {
      return server;
    },
    instance,
    allows,
    act(action) {
      rest = [];
      perform(action);
    },
    async advance() {
      while (rest[0] && rest[0].tick <= tick) {
        const [next, ...others] = rest as readonly [Deed, ...Deed[]];
        rest = others;
        perform(next.action);
      }
      await redis.advance(TICK_MS);
      tick++;
      await look();
      if (tick === B_LATER_TICKS) start("B");
    },
  };
}
