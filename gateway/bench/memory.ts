import type { Checks } from "../../bench/check.ts";
import type { Case } from "./cases.ts";
import { wrk } from "./load.ts";
import { residentMiB } from "./process.ts";
import { LOAD_CORE, type Stage } from "./subjects.ts";

/** The gateway's memory in use after a number of requests of all kinds. */
export interface MemoryFigures {
  readonly requests: number;
  readonly heapMiB: number;
  readonly residentMiB: number;
}

const STEPS = 5;
/** The growth allowed to a heap without a leak: compiled code, and room that is kept. */
const SLACK_MIB = 8;

/** Sends requests of all kinds by turns, in equal steps; the first step warms up. */
export async function benchMemory(
  { gateway }: Stage,
  cases: readonly Case[],
  plan: { readonly requests: number; readonly connections: number },
  checks: Checks,
): Promise<readonly MemoryFigures[]> {
  const figures: MemoryFigures[] = [];
  let requests = 0;
  for (let step = 1; step <= STEPS; step++) {
    while (requests < (plan.requests * step) / STEPS)
      for (const { ours } of cases) requests += (await wrk(ours, plan.connections, 1, LOAD_CORE)).requests;
    figures.push({ requests, heapMiB: await gateway.heapMiB(), residentMiB: residentMiB(gateway.pid) });
  }
  const [first, last] = [figures[0], figures.at(-1)];
  const grown = (last?.heapMiB ?? Number.NaN) - (first?.heapMiB ?? Number.NaN);
  checks.expect(grown < SLACK_MIB, `the gateway's heap grew by ${grown.toFixed(1)} MiB in ${requests} requests`);
  return figures;
}
