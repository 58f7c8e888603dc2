import { setImmediate as breath } from "node:timers/promises";
import type { Checks } from "./check.ts";
import { perOperation, type Stage, type Traffic } from "./stage.ts";
import { quantile, seeded, shuffled } from "./stats.ts";
import type { Contender, Subject } from "./subjects.ts";

export interface CycleFigures {
  readonly label: string;
  readonly medianMs: number;
  readonly p95Ms: number;
  /** The median of each block of rounds, to compare interleaved runs. */
  readonly blockMediansMs: readonly number[];
  readonly traffic: Traffic;
}

export interface CyclePlan {
  readonly rounds: number;
  readonly blocks: number;
  readonly warmUp: number;
  /** Counted cycles, separate from the timed ones. */
  readonly counted: number;
}

const TERMS = { leaseMs: 30_000 };

async function cycle(contender: Contender, label: string, checks: Checks): Promise<number> {
  const start = performance.now();
  const grant = await contender.acquire();
  const released = await grant?.release();
  const ms = performance.now() - start;
  checks.expect(released === true, `${label}: a free name was acquired and released`);
  return ms;
}

/**
 * An acquire and a release of a free name, by one subject after another in one process. A cycle leaves work (garbage,
 * unfinished streams) that the next one would pay for, about 40 µs: so the order differs in every round, and the event
 * loop turns in between.
 */
export async function benchCycle(
  stage: Stage,
  subjects: readonly Subject[],
  plan: CyclePlan,
  checks: Checks,
): Promise<CycleFigures[]> {
  const lanes = subjects.map((subject, index) => ({
    label: subject.label,
    contender: subject.open(stage, `cycle-${index}`, TERMS),
    blocks: Array.from({ length: plan.blocks }, (): number[] => []),
  }));
  const random = seeded(1);
  for (let round = -plan.warmUp; round < plan.rounds; round++) {
    const block = Math.floor((round * plan.blocks) / plan.rounds);
    for (const { contender, label, blocks } of shuffled(lanes, random)) {
      await breath();
      const ms = await cycle(contender, label, checks);
      if (round >= 0) blocks[block]?.push(ms);
    }
  }
  const figures: CycleFigures[] = [];
  for (const { contender, label, blocks } of lanes) {
    const before = await stage.traffic();
    for (let done = 0; done < plan.counted; done++) await cycle(contender, label, checks);
    figures.push({
      label,
      medianMs: quantile(blocks.flat(), 0.5),
      p95Ms: quantile(blocks.flat(), 0.95),
      blockMediansMs: blocks.map((block) => quantile(block, 0.5)),
      traffic: perOperation(before, await stage.traffic(), plan.counted),
    });
  }
  return figures;
}
