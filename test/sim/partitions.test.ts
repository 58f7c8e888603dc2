import { expect, it } from "vitest";
import { partitioned, planOf } from "../../verification/sim/plan.ts";
import { type Result, run } from "../../verification/sim/run.ts";
import { pictureOf } from "../../verification/sim/view/picture-of.ts";

/** Seeds of each kind. */
const SEEDS = Number(process.env["SIM_SEEDS"] ?? 1);
const ROUNDS = 20;
const KINDS = ["lock", "fair", "once", "quorum", "cron", "queue", "stock", "collect"];

/** One host, without other faults. */
const ALONE = { hosts: 1, isCalm: false, networkFaults: 0, hostFreezes: 0, faults: [] };

const found = ({ violations }: Result): string[] => violations.map(({ rule, text }) => `${rule}: ${text}`);

it.each(KINDS)(
  "no rule is broken by %s where hosts are cut off from servers",
  async (kind) => {
    for (let seed = 1; seed <= SEEDS; seed++) {
      const result = await run(partitioned(planOf(kind, seed, ROUNDS)));
      expect(found(result), `npm run sim -- --kind ${kind} --seeds ${seed} --partitions`).toEqual([]);
    }
  },
  900_000,
);

it("no request of a host that is cut off is answered, and its calls say that they do not know", async () => {
  const partitions = [{ id: "p0", at: 0, ms: Number.POSITIVE_INFINITY, host: 0, server: 0 }];
  const result = await run({ ...planOf("lock", 1, 2), ...ALONE, partitions }, { isNoted: true });
  expect(found(result)).toEqual([]);
  const { requests, calls, pauses, holds } = pictureOf(result, { command: "" });
  expect(new Set(requests.map(({ fate }) => fate))).toEqual(new Set(["lost"]));
  expect(calls.map(({ outcome }) => outcome).filter((outcome) => /^(lease|true)$/.test(outcome))).toEqual([]);
  expect(pauses.map(({ state }) => state)).toEqual(["cut off"]);
  expect(holds).toEqual([]);
});
