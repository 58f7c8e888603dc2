import { setTimeout as pause } from "node:timers/promises";
import type { Checks } from "./check.ts";
import { perOperation, type Stage } from "./stage.ts";
import type { Contender, Subject } from "./subjects.ts";

/** One long tenure, and waiters that hold the name for a short time each after it. */
export interface Tenures {
  readonly name: string;
  readonly firstMs: number;
  readonly waiters: number;
  readonly workMs: number;
  /** How long a waiter waits before it gives up. */
  readonly waitMs: number;
}

export const TENURES: readonly Tenures[] = [
  { name: '3 s, then 9 × 40 ms, `wait: "5s"`', firstMs: 3000, waiters: 9, workMs: 40, waitMs: 5000 },
  { name: "12 s, one waiter", firstMs: 12_000, waiters: 1, workMs: 0, waitMs: 60_000 },
];

/** For a run that only shows that everything works. */
export const QUICK_TENURES: readonly Tenures[] = [
  { name: "300 ms, then 3 × 10 ms", firstMs: 300, waiters: 3, workMs: 10, waitMs: 5000 },
];

export interface TenureFigures {
  /** Waiters that gave up. */
  readonly timedOut: number;
  readonly waiters: number;
  /** How long the name was free while somebody waited, in ms. */
  readonly idleMs: number;
  /** From the end of the long tenure to the next grant, in ms. */
  readonly firstGapMs: number;
  /** Of all callers together. */
  readonly requests: number;
  readonly commands: number;
}

const LEASE_MS = 30_000;
/** The waiters arrive within this time, in ms. */
const ARRIVAL_MS = 100;

/** One round: a caller holds the name, and waiters arrive soon after it. */
export async function benchTenures(
  stage: Stage,
  subject: Subject,
  { firstMs, waiters, workMs, waitMs }: Tenures,
  run: number,
  checks: Checks,
): Promise<TenureFigures> {
  const name = `tenures-${waiters}-${run}-${subject.label}`;
  const terms = { leaseMs: LEASE_MS, waits: true, waitMs };
  await (await subject.open(stage, `${name}-warm`, terms).acquire())?.release();
  const contenders = Array.from({ length: waiters }, () => subject.open(stage, name, terms));
  const holder = await subject.open(stage, name, terms).acquire();
  const before = await stage.traffic();
  let freeSince = Number.NaN;
  let idleMs = 0;
  let firstGapMs = Number.NaN;
  let timedOut = 0;

  async function wait(contender: Contender, place: number): Promise<void> {
    await pause((ARRIVAL_MS * (place + 1)) / (waiters + 1));
    const grant = await contender.acquire().catch(() => null);
    if (!grant) {
      timedOut++;
      return;
    }
    const gapMs = performance.now() - freeSince;
    checks.expect(gapMs >= 0, `${subject.label}: one holder at a time`);
    idleMs += gapMs;
    if (Number.isNaN(firstGapMs)) firstGapMs = gapMs;
    freeSince = Number.NaN;
    await pause(workMs);
    freeSince = performance.now();
    await grant.release();
  }

  const everyone = contenders.map(wait);
  await pause(firstMs);
  freeSince = performance.now();
  await holder?.release();
  await Promise.all(everyone);
  const { requests, commands } = perOperation(before, await stage.traffic(), 1);
  return { timedOut, waiters, idleMs, firstGapMs, requests, commands };
}
