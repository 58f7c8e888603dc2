import { createTestRedis, type TestRedis } from "../../testing/src/index.ts";
import { emptyHistory, type History, type Name } from "./history.ts";
import { type Running, startInstance } from "./instance.ts";
import { createNarrator, type Narrator } from "./narrator.ts";
import type { Arrival } from "./network.ts";
import type { InstanceView, LeaseView } from "./view.ts";

/** The clocks begin here, so that tokens are short; far enough from 0 to be stepped back. */
export const START_MS = 1_000_000;

/** An instance, whether it runs or not. */
export interface Player {
  running: Running | undefined;
  isDead: boolean;
  isFrozen: boolean;
  /** Its lease when it last looked. */
  lease: LeaseView | undefined;
}

/** Everything that a run consists of. */
export interface World {
  readonly redis: TestRedis;
  /** A clock that is never frozen. */
  readonly clock: TestRedis["options"]["clock"];
  readonly history: History;
  readonly narrator: Narrator;
  readonly players: Readonly<Record<Name, Player>>;
  /** Since the beginning of the run. */
  seconds(): number;
  /** Seconds by which the server's clock is ahead. */
  ahead: number;
  /** Whether the resource may have changed since the last look at it. */
  isFenceNew: boolean;
  /** Where the resource takes every write: the tokens of leases, by what it compares instead. */
  readonly unfenced: Map<number, number> | undefined;
}

export const newPlayer = (): Player => ({ running: undefined, isDead: false, isFrozen: false, lease: undefined });

export function viewOf({ running, isDead, isFrozen, lease }: Player): InstanceView {
  const state = isDead ? "dead" : !running ? "absent" : isFrozen ? "frozen" : "runs";
  return { state, lease, isLosing: running?.isLosing ?? false };
}

export function createWorld(seed: number, isUnfenced: boolean): World {
  const redis = createTestRedis({ seed, start: START_MS });
  const { clock } = redis.options;
  const history = emptyHistory();
  const players = { A: newPlayer(), B: newPlayer() };
  const seconds = (): number => (clock.now() - START_MS) / 1000;
  const narrator = createNarrator(history, seconds, (name) => viewOf(players[name]));
  return {
    redis,
    clock,
    history,
    narrator,
    players,
    seconds,
    ahead: 0,
    isFenceNew: false,
    unfenced: isUnfenced ? new Map() : undefined,
  };
}

function granted({ tenures, tokens }: History, { exchange: { who, arrivedAt = 0 }, reply }: Arrival): void {
  const [token = 0, remainingUs = 0] = reply.slice(2).map(Number);
  if (tenures.some((tenure) => tenure.token === token)) return;
  if (token <= (tokens.at(-1) ?? 0)) throw new Error(`token ${token} is not higher than the last`);
  tokens.push(token);
  tenures.push({ who, token, from: arrivedAt, until: arrivedAt + remainingUs / 1e6 });
}

function released({ tenures }: History, { exchange: { who, arrivedAt = 0 } }: Arrival): void {
  const tenure = tenures.findLast((one) => one.who === who);
  if (tenure && tenure.to === undefined) tenure.to = arrivedAt;
}

function written({ writes }: History, { exchange, id, token, value, reply }: Arrival): void {
  const { who, arrivedAt: at = 0, verdict } = exchange;
  if (token === undefined || (verdict !== "written" && verdict !== "stale")) return;
  // A copy changes nothing, and is answered as the first one was.
  if (writes.some((write) => write.id === id)) return;
  const higher = writes.findLast((write) => write.value !== undefined && write.refusedFor === undefined);
  const overwrote = verdict === "written" && higher && higher.token > token ? higher.token : undefined;
  writes.push({ id, at, who, token, value, refusedFor: verdict === "stale" ? Number(reply[2]) : undefined, overwrote });
}

/** Starts an instance that does not run. */
export function start(world: World, who: Name): void {
  const { redis, history, narrator, players, seconds } = world;
  const phase = history.instances[who].phases.at(-1);
  if (phase) phase.to = seconds();
  Object.assign(players[who], newPlayer());
  players[who].running = startInstance({ who, redis, seconds, unfenced: world.unfenced }, history.instances[who], {
    sent: (exchange) => history.exchanges.push(exchange),
    arrived(told) {
      const { operation, exchange } = told;
      // What the resource compares is no token of a lease then.
      const token = told.token === undefined ? undefined : (world.unfenced?.get(told.token) ?? told.token);
      const arrival = { ...told, token };
      if (operation === "acquire" && exchange.verdict === "granted") granted(history, arrival);
      if (operation === "release" && exchange.verdict === "closed") released(history, arrival);
      if (operation === "claim" || operation === "write") written(history, arrival);
      world.isFenceNew ||= exchange.to === "resource";
      narrator.arrived(arrival);
    },
    lost: (arrival) => narrator.lost(arrival),
    told: (event) => narrator.told(who, event),
    failed: (error) => narrator.failed(who, error),
  });
}
