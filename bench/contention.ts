import { setTimeout as pause } from "node:timers/promises";
import type { Checks } from "./check.ts";
import { perOperation, type Stage } from "./stage.ts";
import { quantile, seeded } from "./stats.ts";
import type { Subject } from "./subjects.ts";

export interface Crowd {
  readonly contenders: number;
  /** How long each holds the name. */
  readonly workMs: number;
  /** Each rests for a random time up to this between two acquisitions. */
  readonly pauseMs: number;
  readonly acquisitions: number;
}

export interface CrowdFigures {
  /**
   * From the end of one holder's work to the start of the next one's: its release, the discovery, the other's acquire.
   */
  readonly gapMedianMs: number;
  readonly gapP95Ms: number;
  /** The longest of all waits. A wait that the end of the run cut short counts with its time until then. */
  readonly longestWaitMs: number;
  readonly requestsPerAcquisition: number;
  readonly commandsPerAcquisition: number;
  readonly acquisitionsPerSecond: number;
}

const LEASE_MS = 10_000;

/** Contenders with a client each acquire one name again and again until there were `acquisitions` of them. */
export async function benchCrowd(
  stage: Stage,
  subject: Subject,
  crowd: Crowd,
  run: number,
  checks: Checks,
): Promise<CrowdFigures> {
  const name = `crowd-${crowd.contenders}-${run}-${subject.label}`;
  const terms = { leaseMs: LEASE_MS, waits: true };
  const random = seeded(run + 1);
  const gaps: number[] = [];
  const waits: number[] = [];
  const waiting = new Map<number, number>();
  let everyone: Promise<void>[] = [];
  let [grants, inside, lastToken, lastEnd, endedAt] = [0, 0, 0, Number.NaN, 0];

  // Known scripts and an open connection are not what is measured here.
  await (await subject.open(stage, `${name}-warm`, terms).acquire())?.release();
  const before = await stage.traffic();
  const startedAt = performance.now();

  await new Promise<void>((resolve, reject) => {
    async function contend(index: number): Promise<void> {
      const contender = subject.open(stage, name, terms);
      for (;;) {
        await pause(random() * crowd.pauseMs);
        if (endedAt) return;
        const askedAt = performance.now();
        waiting.set(index, askedAt);
        const grant = await contender.acquire();
        const now = performance.now();
        waiting.delete(index);
        if (!grant) throw new Error(`${subject.label}: a waiting acquire came back with nothing`);
        checks.expect(inside === 0, `${subject.label}: one holder at a time among ${crowd.contenders}`);
        checks.expect((grant.token ?? Number.POSITIVE_INFINITY) > lastToken, `${subject.label}: tokens rise`);
        lastToken = grant.token ?? 0;
        inside++;
        if (!endedAt) {
          waits.push(now - askedAt);
          if (grants++ > 0) gaps.push(now - lastEnd);
          if (grants < crowd.acquisitions) await pause(crowd.workMs);
          else endedAt = now;
        }
        inside--;
        lastEnd = performance.now();
        if (endedAt === now) {
          for (const since of waiting.values()) waits.push(now - since);
          resolve();
        }
        checks.expect(await grant.release(), `${subject.label}: a live lease is released`);
      }
    }
    everyone = Array.from({ length: crowd.contenders }, (_, index) => contend(index));
    Promise.all(everyone).catch(reject);
  });
  const sent = perOperation(before, await stage.traffic(), grants);
  // The last waiters get it and let it go, unmeasured: the next run starts with nobody left.
  await Promise.all(everyone);
  return {
    gapMedianMs: quantile(gaps, 0.5),
    gapP95Ms: quantile(gaps, 0.95),
    longestWaitMs: Math.max(...waits),
    requestsPerAcquisition: sent.requests,
    commandsPerAcquisition: sent.commands,
    acquisitionsPerSecond: (1000 * grants) / (endedAt - startedAt),
  };
}
