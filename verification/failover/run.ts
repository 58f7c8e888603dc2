/** One run: a set-up under load, one fault after another. */
import { DEFAULT_PREFIX } from "../../src/redis/connect.ts";
import { createRandom, type Random } from "../histories/random.ts";
import { judge, type Tell, type Tenure, type Verdict } from "./ledger.ts";
import { HOT, type Load, nowUs, startLoad, type Waiter } from "./load.ts";
import type { SetUp } from "./set-ups.ts";
import { type Fault, type FaultName, pause, type Stage } from "./stage.ts";
import { keyOf } from "./tap.ts";

/** The share of each fault. */
const SHARES: Readonly<Record<FaultName, number>> = { kill: 0.9, freeze: 0.05, partition: 0.05 };
const CALM_MS = { min: 100, max: 400 };
const POLL_MS = 10;
/** The number of clients, which are like processes of their own. */
const CLIENTS = 2;
/** A waiter without a turn for so long after the servers are back starved. */
const STARVED_MS = 30_000;
/** A lease that ends so soon may end while its record is read. */
const READING_US = 200_000;
const MAX_FINDINGS = 10;
/** A hold in a record. */
const HOLD = /:\d+,/;

export interface Played {
  readonly server: string;
  readonly faults: Readonly<Record<FaultName, number>>;
  readonly tenures: number;
  readonly runs: number;
  readonly verdict: Verdict;
  /** Some of what the judge found, to be looked into. */
  readonly findings: readonly string[];
  /** Of each fault and each name in use, the time from the fault until its next tenure. */
  readonly nextMs: readonly number[];
  readonly rejected: Readonly<Record<string, number>>;
  /** Why it ended before the last fault: the servers did not start or recover. */
  readonly broken?: string | undefined;
}

export interface PlayOptions {
  readonly setUp: SetUp;
  readonly faults: number;
  readonly seed: number;
  readonly onFault?: (() => void) | undefined;
  /** No further fault begins after its abort. */
  readonly signal?: AbortSignal | undefined;
}

function choose(random: Random): FaultName {
  const at = random.between(0, 1);
  return at < SHARES.kill ? "kill" : at < SHARES.kill + SHARES.freeze ? "freeze" : "partition";
}

/** Waits until every name is granted to somebody again, or for too long. Returns how long that took, for each that was. */
async function untilGranted(load: Load, struckAt: number, signal: AbortSignal): Promise<number[]> {
  const missing = new Set<string>(HOT);
  const nextMs: number[] = [];
  const from = load.tenures.length;
  for (let seen = from; missing.size > 0 && !signal.aborted; await pause(POLL_MS)) {
    for (; seen < load.tenures.length; seen++) {
      const { name, at, beganAt } = load.tenures[seen] as Tenure;
      if (at > struckAt && missing.delete(name)) nextMs.push((beganAt - struckAt) / 1000);
    }
  }
  return nextMs;
}

/**
 * Reads the records of all tenures that should be live, from the server itself. A record of another tenure, or none, is
 * a lease lost early.
 */
async function survey({ serving, group }: Stage, { tenures }: Load): Promise<void> {
  const now = nowUs();
  const live = tenures.filter(({ stoppedAt, until }) => stoppedAt === undefined && until > now + READING_US);
  const server = await serving?.();
  if (!server) return;
  for (const tenure of live) {
    const reply = await server.command("GET", keyOf(DEFAULT_PREFIX, group, tenure.name));
    const readAt = nowUs();
    const [, last = "", holds = ""] = /\w+ 1 (\d+) \d+ \S* (\S*) /.exec(reply) ?? [];
    const isHeld = Number(last) === tenure.token && HOLD.test(holds);
    if (!isHeld && tenure.stoppedAt === undefined && readAt < tenure.until) tenure.goneAt ??= readAt;
  }
}

/** What a fault did to those who waited. */
interface Struck {
  /** The time until each name was granted again, in ms. */
  readonly nextMs: readonly number[];
  /** Those who waited at that moment and had no turn in time. */
  readonly starved: readonly Waiter[];
}

/** One fault. It ends when everybody who waited then has had a turn, or starved. */
async function strike(fault: Fault, load: Load, random: Random): Promise<Struck> {
  const over = new AbortController();
  let granted: Promise<number[]> | undefined;
  let limit: NodeJS.Timeout | undefined;
  let waiters: readonly Waiter[] = [];
  try {
    await fault(random, () => {
      waiters = [...load.waiting];
      granted = untilGranted(load, nowUs(), over.signal);
    });
    const hungry = (): readonly Waiter[] => waiters.filter((waiter) => load.waiting.has(waiter));
    for (const end = performance.now() + STARVED_MS; hungry().length > 0 && performance.now() < end; load.check())
      await pause(POLL_MS);
    const starved = hungry();
    // Somebody may have had a turn before the server was gone, so a name may still wait for its next one.
    limit = setTimeout(() => over.abort(), starved.length > 0 ? 0 : STARVED_MS);
    return { nextMs: (await granted) ?? [], starved };
  } finally {
    clearTimeout(limit);
    over.abort();
  }
}

export async function play({ setUp, faults, seed, onFault, signal }: PlayOptions): Promise<Played> {
  const stage = await setUp.start();
  const clients = Array.from({ length: CLIENTS }, () => stage.open());
  const random = createRandom(seed);
  const load = startLoad({ clients, random, leaseMs: setUp.leaseMs, replicas: setUp.replicas, group: stage.group });
  const done: Record<FaultName, number> = { kill: 0, freeze: 0, partition: 0 };
  const nextMs: number[] = [];
  const starved: string[] = [];
  let broken: string | undefined;
  try {
    for (let count = 0; count < faults && !signal?.aborted; count++) {
      await pause(random.between(CALM_MS.min, CALM_MS.max));
      const name = choose(random);
      const struck = await strike(stage.faults[name], load, random);
      nextMs.push(...struck.nextMs);
      starved.push(...struck.starved.map((waiter) => waiter.name));
      await survey(stage, load);
      load.check();
      done[name]++;
      onFault?.();
    }
  } catch (error) {
    // What happened before that counts all the same.
    broken = String(error);
  } finally {
    await load.stop();
    for (const client of clients) client.close();
    await stage.stop();
  }
  const { tenures, runs, rejected } = load;
  const findings: string[] = [];
  const tell: Tell = (finding, ...about) => {
    if (findings.length < MAX_FINDINGS)
      findings.push(`${finding}: ${about.map((each) => JSON.stringify(each)).join(" ")}`);
  };
  return {
    server: stage.server,
    faults: done,
    tenures: tenures.length,
    runs: runs.length,
    verdict: judge({ tenures, runs, starved: starved.length }, tell),
    findings: [...findings, ...starved.map((waiter) => `starved: a waiter of ${waiter}`)],
    nextMs,
    rejected: Object.fromEntries(rejected),
    broken,
  };
}
