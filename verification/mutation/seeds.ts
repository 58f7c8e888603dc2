import { type Plan, planOf, waking } from "../sim/plan.ts";

/** A run of the simulation. */
export interface Seed {
  readonly kind: string;
  readonly seed: number;
  /** Whether messages wake waiters. */
  readonly wakes: boolean;
}

/** The plan of a run. */
export function planOfSeed({ kind, seed, wakes }: Seed): Plan {
  const plan = planOf(kind, seed, ROUNDS);
  return wakes ? waking(plan) : plan;
}

const ROUNDS = 20;

/** The kinds of the simulation whose workloads call a script, by falling number of calls. */
const KINDS: readonly (readonly [scripts: RegExp, kinds: readonly string[]])[] = [
  [/^(lock-acquire|lock-close|hold-extend)$/, ["lock", "quorum", "multi"]],
  [/^lock-commit$/, ["quorum"]],
  [/^group-/, ["multi", "cron"]],
  [/^fair-collect$/, ["collect"]],
  [/^fair-/, ["fair"]],
  [/^rw-/, ["rw"]],
  [/^crowd-extend$/, ["rw", "semaphore", "fair", "fair-semaphore"]],
  [/^crowd-force$/, ["fair", "fair-semaphore", "latch"]],
  [/^crowd-inspect$/, ["latch"]],
  [/^semaphore-acquire$/, ["semaphore", "counter"]],
  [/^semaphore-close$/, ["fair-semaphore", "semaphore", "counter"]],
  [/^semaphore-queue$/, ["fair-semaphore"]],
  [/^semaphore-set$/, ["counter", "stock"]],
  [/^semaphore-spend$/, ["stock"]],
  [/^latch-/, ["latch"]],
  [/^once-/, ["once", "http"]],
  [/^cron-/, ["cron"]],
  [/^held-/, ["queue", "turn", "cron"]],
  [/^fence-(read|write)$/, ["fence"]],
  [/^record-force$/, ["lock", "multi"]],
];
/** The kinds that call any of these scripts. */
export const kindsOf = (scripts: readonly string[]): readonly string[] => [
  ...new Set(KINDS.flatMap(([pattern, kinds]) => (scripts.some((script) => pattern.test(script)) ? kinds : []))),
];

/** The runs of a kind: first those without faults, where every error is a failure. Messages wake waiters in half of them. */
function* seedsOf(kind: string): Generator<Seed> {
  let calm = 1;
  while (!planOf(kind, calm, ROUNDS).isCalm) calm++;
  yield { kind, seed: calm, wakes: false };
  yield { kind, seed: calm, wakes: true };
  for (let seed = 1; ; seed++) if (seed !== calm) yield { kind, seed, wakes: seed % 2 === 0 };
}

/** Runs of the kinds in turn: about `max` in total and at least `min` of each kind. */
export function seedsFor(kinds: readonly string[], max: number, min: number): readonly Seed[] {
  const each = Math.max(min, Math.ceil(max / Math.max(kinds.length, 1)));
  const lists = kinds.map(seedsOf);
  return Array.from({ length: each }, () => lists.map((seeds) => seeds.next().value as Seed)).flat();
}
