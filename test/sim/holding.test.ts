import { expect, it } from "vitest";
import type { HoldBreak } from "../../verification/sim/holding.ts";
import { holding, planOf } from "../../verification/sim/plan.ts";
import { type Result, run } from "../../verification/sim/run.ts";

/** Seeds of each kind. */
const SEEDS = Number(process.env["SIM_SEEDS"] ?? 1);
const ROUNDS = 20;
/** Everything that waits on one server. */
const KINDS = ["lock", "fair", "rw", "multi", "semaphore", "fair-semaphore", "counter", "once", "quorum", "web-locks"];

const found = ({ violations }: Result): string[] => violations.map(({ rule, text }) => `${rule}: ${text}`);

it.each(KINDS)(
  "no rule is broken by %s where servers hold requests, and nobody waits for a free name",
  async (kind) => {
    for (let seed = 1; seed <= SEEDS; seed++) {
      const result = await run(holding(planOf(kind, seed, ROUNDS)));
      expect(found(result), `npm run sim -- --kind ${kind} --seeds ${seed} --holds`).toEqual([]);
    }
  },
  900_000,
);

it.each([
  // A waiter with the holder's reentry key was not tried.
  ["lock", 100],
  ["fair", 101],
])("no rule is broken any more by %s, seed %i", async (kind, seed) => {
  expect(found(await run(holding(planOf(kind, seed, ROUNDS))))).toEqual([]);
});

it.each<[what: HoldBreak, kind: string, seed: number, rule: string]>([
  ["never wakes", "lock", 11, "liveness"],
  ["never wakes", "fair", 17, "liveness"],
  ["boasts", "lock", 20, "belief"],
  ["boasts", "fair", 5, "belief"],
])('a server that %s is told by %s, seed %i, as "%s"', async (brokenHold, kind, seed, rule) => {
  const plan = holding(planOf(kind, seed, ROUNDS));
  expect(found(await run(plan))).toEqual([]);
  const { violations } = await run(plan, { brokenHold });
  expect(violations.map((each) => each.rule)).toContain(rule);
});
