import { planOf } from "../sim/plan.ts";

/** A run of the simulation. */
export interface Seed {
  readonly kind: string;
  readonly seed: number;
}

/** The kinds of the simulation whose workloads call a script, by falling number of calls. */
const KINDS: readonly (readonly [scripts: RegExp, kinds: readonly string[]])[] = [
  [/^(lock-acquire|lock-close|hold-extend)$/, ["lock", "quorum", "multi"]],
  [/^lock-commit$/, ["quorum"]],
  [/^group-/, ["multi", "cron"]],
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
const ROUNDS = 20;

export const roundsOf = (): number => ROUNDS;

/** The kinds that call any of these scripts. */
export const kindsOf = (scripts: readonly string[]): readonly string[] => [
  ...new Set(KINDS.flatMap(([pattern, kinds]) => (scripts.some((script) => pattern.test(script)) ? kinds : []))),
];

/** The seeds of a kind: first a run without faults, where every error is a failure. */
function* seedsOf(kind: string): Generator<number> {
  let calm = 1;
  while (!planOf(kind, calm, ROUNDS).isCalm) calm++;
  yield calm;
  for (let seed = 1; ; seed++) if (seed !== calm) yield seed;
}

/** Runs of the kinds in turn: about `max` in total and at least `min` of each kind. */
export function seedsFor(kinds: readonly string[], max: number, min: number): readonly Seed[] {
  const each = Math.max(min, Math.ceil(max / Math.max(kinds.length, 1)));
  const lists = kinds.map((kind) => ({ kind, seeds: seedsOf(kind) }));
  return Array.from({ length: each }, () =>
    lists.map(({ kind, seeds }) => ({ kind, seed: seeds.next().value as number })),
  ).flat();
}
