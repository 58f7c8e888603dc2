import fc from "fast-check";
import { expect, it } from "vitest";
import { steps } from "./support/calls.ts";
import { difference } from "./support/comparison.ts";
import { useRedis } from "./support/use-redis.ts";

/** How many commands and script calls are compared: some thousand, or as many as the variable says. */
const CALLS = Number(process.env["ENGINE_CALLS"] ?? 3000);
const MAX_STEPS = 60;

const real = useRedis();

it("answers and stores the same as a real Redis, whatever is sent to both", { timeout: 3_600_000 }, async () => {
  let calls = 0;
  const property = fc.asyncProperty(steps(MAX_STEPS), async (run) => {
    calls += run.length;
    expect(await difference(real.client, run, real.isExact)).toBeUndefined();
  });
  await fc.assert(property, { numRuns: Math.ceil(CALLS / (MAX_STEPS * 0.45)), ...seedOf(process.env["ENGINE_SEED"]) });
  console.log(`${calls} calls compared`);
  expect(calls).toBeGreaterThan(CALLS / 2);
});

const seedOf = (seed: string | undefined): { seed?: number } => (seed === undefined ? {} : { seed: Number(seed) });
