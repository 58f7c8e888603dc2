import { expect, it } from "vitest";
import { tell } from "../../verification/histories/history.ts";
import { judge, WORKLOADS, type Workload } from "../../verification/histories/workloads.ts";
import { FAULTS } from "./faults.ts";
import { generate } from "./generated.ts";

const SITE = { isStrict: true, keepsData: true };
const LENGTH = 20;
const SEEDS = 60;
/** In how many histories each fault is planted. */
const ENOUGH = 10;

for (const { name, workload: kind, plant } of FAULTS)
  it(`the checker finds ${name}`, () => {
    const workload = WORKLOADS[kind] as Workload;
    let planted = 0;
    for (let seed = 1; seed <= SEEDS && planted < ENOUGH; seed++) {
      const good = generate(workload, seed, LENGTH, 0.02);
      const bad = plant(good);
      if (!bad) continue;
      planted++;
      expect(judge(workload, good, SITE).verdict).toBe("linearizable");
      const inOrder = [...bad].sort((a, b) => a.call - b.call);
      const { verdict } = judge(workload, bad, SITE);
      expect(verdict, [`seed ${seed}`, ...inOrder.map(tell)].join("\n")).toBe("violated");
    }
    expect(planted).toBeGreaterThanOrEqual(ENOUGH);
  });
