import type { GatewayTroubles } from "./holding.ts";
import type { MessageTroubles } from "./messages.ts";
import { createRandom } from "./random.ts";
import type { ObjectTroubles } from "./sim-object.ts";

/** A fault of a server or a host, with its time since the start. */
export interface Fault {
  readonly id: string;
  readonly at: number;
  readonly kind: FaultKind;
  /** The host or server, as a number modulo their count. */
  readonly where: number;
  readonly ms: number;
}

/** A time in which a host and a server do not reach each other. */
export interface Partition {
  readonly id: string;
  /** Since the start, in ms. */
  readonly at: number;
  readonly ms: number;
  /** The host and the server, as numbers modulo their counts. */
  readonly host: number;
  readonly server: number;
}

const KINDS = [
  "freeze",
  "sleep",
  "die",
  "host clock",
  "script flush",
  "flush",
  "evict",
  "restart",
  "failover",
  "memory full",
  "server clock",
] as const;
type FaultKind = (typeof KINDS)[number];

/** Faults by which a server loses data. */
export const LOSSES: ReadonlySet<FaultKind> = new Set(["flush", "evict", "restart", "failover"]);

/** Everything that a seed decides before the run. */
export interface Plan {
  readonly kind: string;
  readonly seed: number;
  readonly isCalm: boolean;
  readonly hosts: number;
  readonly workers: readonly string[];
  readonly names: number;
  readonly rounds: number;
  /** The longest rest of a worker between two rounds. */
  readonly restMs: number;
  readonly requestTimeoutMs: number;
  readonly retentionMs: number;
  readonly networkFaults: number;
  readonly hostFreezes: number;
  readonly skewMs: number;
  readonly faults: readonly Fault[];
  readonly partitions: readonly Partition[];
  /** Requests without a fault. */
  readonly spared: ReadonlySet<string>;
  /** The faults of servers that hold requests; undefined if they hold none. */
  readonly holds: GatewayTroubles | undefined;
  /** The faults of messages that wake waiters; undefined if waiters poll. */
  readonly wakes: MessageTroubles | undefined;
  /** The faults of Durable Objects, if servers are objects. */
  readonly object: ObjectTroubles | undefined;
}

/**
 * The time in which faults happen. It does not depend on the rounds, so that a run with fewer rounds has the same
 * faults.
 */
const HORIZON_MS = 50_000;

function faultsOf(seed: number, kind: string): Fault[] {
  const random = createRandom(`${kind} ${seed} faults`);
  // Half of the seeds lose no data, so that no loss excuses a violation there.
  const forgets = random.chance(0.5);
  const steps = random.chance(0.5);
  return Array.from({ length: random.below(12) }, (_, index) => {
    const drawn = random.pick(KINDS);
    const isLeftOut = (LOSSES.has(drawn) && !forgets) || (drawn === "server clock" && !steps);
    const ms = random.pick([20, 400, 3000, 15_000]) * random.between(0.5, 1.5) * (random.chance(0.5) ? 1 : -1);
    return {
      id: `f${index}`,
      at: random.between(0, HORIZON_MS),
      kind: isLeftOut ? "freeze" : drawn,
      where: random.below(100),
      ms,
    };
  });
}

/** The kind whose waiters are always woken by messages. */
const WAKE_UPS = "wake-ups";

/**
 * A third of the seeds have all faults, a third only those of messages, and a third none: there it shows if a message is
 * missing, or a poll in its place.
 */
function wakingAlways(plan: Plan): Plan {
  const all = waking(plan);
  if (plan.seed % 3 === 0) return all;
  const steady: Plan = { ...all, networkFaults: 0, hostFreezes: 0, faults: [] };
  if (plan.seed % 3 === 1) return steady;
  return { ...steady, wakes: { losses: 0, doubles: 0, delays: 0, forgeries: 0, breaks: 0 } };
}

export function planOf(kind: string, seed: number, rounds: number): Plan {
  const random = createRandom(`${kind} ${seed} plan`);
  const isCalm = random.chance(0.1);
  const requestTimeoutMs = random.pick([1000, 2000, 5000]);
  const plan: Plan = {
    kind,
    seed,
    isCalm,
    hosts: 1 + random.below(4),
    workers: Array.from({ length: 2 + random.below(6) }, (_, index) => `w${index}`),
    names: random.chance(0.7) ? 1 : 2,
    rounds,
    restMs: 0,
    requestTimeoutMs,
    retentionMs: Math.max(2 * requestTimeoutMs, random.pick([2000, 10_000, 60_000])),
    networkFaults: isCalm ? 0 : random.pick([0.01, 0.05, 0.15, 0.4]),
    hostFreezes: isCalm ? 0 : random.pick([0, 0.001, 0.01]),
    skewMs: isCalm ? 0 : random.pick([0, 100, 5000, 120_000]),
    faults: isCalm ? [] : faultsOf(seed, kind),
    partitions: [],
    spared: new Set(),
    holds: undefined,
    wakes: undefined,
    object: undefined,
  };
  return kind === WAKE_UPS ? wakingAlways(plan) : plan;
}

/** A plan in which servers hold requests. If servers are to be objects, that must be set before. */
export function holding(plan: Plan): Plan {
  const random = createRandom(`${plan.kind} ${plan.seed} holding`);
  const misses = plan.isCalm ? 0 : random.pick([0, 0.1, 0.5]);
  // An object holds its requests itself.
  const gateways = plan.object ? 1 : random.pick([1, 2]);
  const restarts = plan.isCalm || plan.object ? 0 : random.pick([0, 0.02]);
  return { ...plan, holds: { gateways, misses, restarts } };
}

/** A plan in which messages wake waiters. */
export function waking(plan: Plan): Plan {
  if (plan.wakes) return plan;
  const random = createRandom(`${plan.kind} ${plan.seed} waking`);
  const chance = (): number => (plan.isCalm ? 0 : random.pick([0, 0.1, 0.5]));
  const [losses, doubles, delays, forgeries] = [chance(), chance(), chance(), chance()];
  return { ...plan, wakes: { losses, doubles, delays, forgeries, breaks: plan.isCalm ? 0 : random.pick([0, 0.05]) } };
}

const MAX_PARTITIONS = 6;

/** A plan in which hosts and servers are cut off from each other for a while. */
export function partitioned(plan: Plan): Plan {
  const random = createRandom(`${plan.kind} ${plan.seed} partitions`);
  if (plan.isCalm) return plan;
  const partitions = Array.from({ length: 1 + random.below(MAX_PARTITIONS) }, (_, index) => ({
    id: `p${index}`,
    at: random.between(0, HORIZON_MS),
    ms: random.pick([300, 2000, 15_000]) * random.between(0.5, 1.5),
    host: random.below(100),
    server: random.below(100),
  }));
  return { ...plan, partitions };
}

/** The kinds that objects can serve: all but those that need all names in one place, a cluster or replicas. */
export const OBJECT_KINDS: readonly string[] = [
  ...["lock", "fair", "rw", "multi", "semaphore", "fair-semaphore", "stock", "counter", "latch", "once", "quorum"],
  ...["fence", "sql-fence", "http", "cron", "run", "web-locks", "turn", "collect", "elect", "queue"],
];

/**
 * A plan in which servers are Durable Objects. They lose nothing: instead of losing data they are evicted from memory.
 */
export function asObject(plan: Plan): Plan {
  const random = createRandom(`${plan.kind} ${plan.seed} object`);
  const restarts = random.pick([0, 0.05, 1]);
  const [failures, kills] = [random.pick([0, 0.02, 0.1]), random.pick([0, 0.02, 0.1])];
  return { ...plan, object: plan.isCalm ? { restarts, failures: 0, kills: 0 } : { restarts, failures, kills } };
}

/** A plan without some of its faults, workers and requests, by id. */
export const without = (plan: Plan, ids: readonly string[]): Plan => ({
  ...plan,
  workers: plan.workers.filter((id) => !ids.includes(id)),
  faults: plan.faults.filter(({ id }) => !ids.includes(id)),
  partitions: plan.partitions.filter(({ id }) => !ids.includes(id)),
  spared: new Set(ids),
});
