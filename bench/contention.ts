import { setTimeout as pause } from "node:timers/promises";
import type { Checks } from "./check.ts";
import { perOperation, type Stage } from "./stage.ts";
import { quantile, seeded } from "./stats.ts";
import type { Subject } from "./subjects.ts";

export interface Crowd {
  readonly contenders: number;
  /** How long each holds the name. */
  readonly workMs: number;
  /** The maximum random pause between two acquisitions of one contender. */
  readonly pauseMs: number;
  readonly acquisitions: number;
}

export interface CrowdFigures {
  /** From the end of one holder's work to the start of the next one's: the release, its discovery, the next acquire. */
  readonly gapMedianMs: number;
  readonly gapP95Ms: number;
  /** The longest wait. A wait interrupted by the end of the run counts with its time until then. */
  readonly longestWaitMs: number;
  readonly requestsPerAcquisition: number;
  readonly commandsPerAcquisition: number;
  readonly acquisitionsPerSecond: number;
}

const LEASE_MS = 10_000;

/** The shared state of the contenders of one run, in ms of `performance.now()`. */
interface Contest {
  readonly subject: Subject;
  readonly crowd: Crowd;
  readonly checks: Checks;
  readonly gaps: number[];
  readonly waits: number[];
  /** When each waiting contender began to wait. */
  readonly waiting: Map<Contender, number>;
  grants: number;
  /** The acquisitions of contenders still waiting at the end. */
  untimedGrants: number;
  inside: number;
  lastToken: number;
  lastEnd: number;
  /** When the last counted acquisition was granted; 0 before that. */
  endedAt: number;
}

type Contender = ReturnType<Subject["open"]>;
type Grant = NonNullable<Awaited<ReturnType<Contender["acquire"]>>>;

/** Holds the name for a while, and records how long it waited. Returns whether it was the last one to count. */
async function hold(contest: Contest, grant: Grant, askedAt: number): Promise<boolean> {
  const { subject, crowd, checks, gaps, waits, waiting } = contest;
  const now = performance.now();
  checks.expect(contest.inside === 0, `${subject.label}: one holder at a time among ${crowd.contenders}`);
  checks.expect((grant.token ?? Number.POSITIVE_INFINITY) > contest.lastToken, `${subject.label}: tokens rise`);
  contest.lastToken = grant.token ?? 0;
  contest.inside++;
  const counts = !contest.endedAt;
  if (counts) {
    waits.push(now - askedAt);
    if (contest.grants++ > 0) gaps.push(now - contest.lastEnd);
    if (contest.grants < crowd.acquisitions) await pause(crowd.workMs);
    else contest.endedAt = now;
  } else contest.untimedGrants++;
  contest.inside--;
  contest.lastEnd = performance.now();
  const isLast = counts && contest.endedAt === now;
  if (isLast) for (const since of waiting.values()) waits.push(now - since);
  return isLast;
}

/** Acquires the name repeatedly until the contest has ended; calls `ended` if it got the last counted grant. */
async function contend(contest: Contest, contender: Contender, random: () => number, ended: () => void): Promise<void> {
  const { subject, crowd, checks, waiting } = contest;
  for (;;) {
    await pause(random() * crowd.pauseMs);
    if (contest.endedAt) return;
    const askedAt = performance.now();
    waiting.set(contender, askedAt);
    const grant = await contender.acquire();
    waiting.delete(contender);
    if (!grant) throw new Error(`${subject.label}: a waiting acquire came back with nothing`);
    if (await hold(contest, grant, askedAt)) ended();
    checks.expect(await grant.release(), `${subject.label}: a live lease is released`);
  }
}

/** Contenders, each with its own client, acquire one name repeatedly until there were `acquisitions` grants. */
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
  const contest: Contest = {
    ...{ subject, crowd, checks, gaps: [], waits: [], waiting: new Map() },
    ...{ grants: 0, untimedGrants: 0, inside: 0, lastToken: 0, lastEnd: Number.NaN, endedAt: 0 },
  };
  let everyone: Promise<void>[] = [];

  // Loading scripts and opening connections are not measured.
  await (await subject.open(stage, `${name}-warm`, terms).acquire())?.release();
  const before = await stage.traffic();
  const startedAt = performance.now();

  await new Promise<void>((resolve, reject) => {
    const contenders = Array.from({ length: crowd.contenders }, () => subject.open(stage, name, terms));
    everyone = contenders.map((contender) => contend(contest, contender, random, resolve));
    Promise.all(everyone).catch(reject);
  });
  // The last waiters also acquire and release it, untimed. Their requests and acquisitions count.
  await Promise.all(everyone);
  const { gaps, waits, grants, untimedGrants, endedAt } = contest;
  const sent = perOperation(before, await stage.traffic(), grants + untimedGrants);
  return {
    gapMedianMs: quantile(gaps, 0.5),
    gapP95Ms: quantile(gaps, 0.95),
    longestWaitMs: Math.max(...waits),
    requestsPerAcquisition: sent.requests,
    commandsPerAcquisition: sent.commands,
    acquisitionsPerSecond: (1000 * grants) / (endedAt - startedAt),
  };
}
