/**
 * Compares leasehold with @upstash/lock and two raw fetches, all through one gateway to one private Redis; and with
 * redlock, redis-semaphore, redlock-universal and verrou, all over TCP to that Redis.
 *
 *   node bench/main.ts [--quick] [--only cycle,far,crowds,tenures,faults,tcp] [--json FILE]
 *   node bench/main.ts --charts
 *
 * Progress goes to stderr, Markdown tables to stdout, and after a full run to docs/benchmarks.md with its charts; `--charts`
 * measures nothing and draws these again from the tables as they stand. It ends with 1 when something was wrong (two
 * holders at once, a false answer), never for a timing: those depend on the machine, so compare within one run.
 */
import { writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { parseArgs } from "node:util";
import { requireRedis } from "../tools/redis.ts";
import { startBareServer } from "./bare-subject.ts";
import { writeCharts } from "./charts.ts";
import { type Checks, createChecks } from "./check.ts";
import { benchCrowd, type Crowd, type CrowdFigures } from "./contention.ts";
import { benchCycle } from "./cycle.ts";
import { commitOf, sectionOf, writeSection } from "./document.ts";
import { benchFaults } from "./faults.ts";
import { AWAY_MS, type Stage, startStage } from "./stage.ts";
import {
  leasehold,
  leaseholdFair,
  leaseholdFairPolling,
  leaseholdFairSubscribing,
  leaseholdOverUpstash,
  leaseholdPolling,
  leaseholdSubscribing,
  type Subject,
  sameRequests,
  twoFetches,
  upstashLock,
} from "./subjects.ts";
import { type CrowdResult, crowdTable, cycleTable, faultTable, type TenureResult, tenureTable } from "./tables.ts";
import {
  closeClients,
  leaseholdFairOverIoredis,
  leaseholdOverIoredis,
  leaseholdOverNodeRedis,
  leaseholdPollingOverIoredis,
  redisSemaphore,
  redlock,
  redlockUniversal,
  twoCommands,
  verrou,
} from "./tcp-subjects.ts";
import { tcpCycleTable } from "./tcp-tables.ts";
import { benchTenures, QUICK_TENURES, TENURES, type TenureFigures } from "./tenures.ts";

const FULL = {
  cycle: { rounds: 2000, blocks: 20, warmUp: 200, counted: 100 },
  far: { rounds: 600, blocks: 20, warmUp: 50, counted: 20 },
  crowdRuns: 2,
  tenureRuns: 3,
  acquisitions: 250,
  faultRuns: 3,
};
const QUICK: typeof FULL = {
  cycle: { rounds: 60, blocks: 2, warmUp: 10, counted: 10 },
  far: { rounds: 20, blocks: 2, warmUp: 5, counted: 5 },
  crowdRuns: 1,
  tenureRuns: 1,
  acquisitions: 30,
  faultRuns: 1,
};
const CROWDS = [
  { contenders: 10, workMs: 40, pauseMs: 200 },
  { contenders: 30, workMs: 20, pauseMs: 200 },
];
/** A waiting subject, and the head of its column. */
interface Column {
  readonly head: string;
  readonly subject: Subject;
  /** Whether it uses the gateway that holds no requests. */
  readonly polls?: boolean;
}
/** All waiting subjects, leasehold's own first. */
const WAITING: readonly Column[] = [
  { head: "leasehold, `lock`", subject: leasehold },
  { head: "leasehold, `fairLock`", subject: leaseholdFair },
  { head: "leasehold, `lock`, polling", subject: leaseholdPolling, polls: true },
  { head: "leasehold, `fairLock`, polling", subject: leaseholdFairPolling, polls: true },
  { head: "leasehold, `lock`, subscribe", subject: leaseholdSubscribing, polls: true },
  { head: "leasehold, `fairLock`, subscribe", subject: leaseholdFairSubscribing, polls: true },
  { head: "leasehold, `lock`, TCP", subject: leaseholdOverIoredis },
  { head: "leasehold, `fairLock`, TCP", subject: leaseholdFairOverIoredis },
  { head: "leasehold, `lock`, TCP, polling", subject: leaseholdPollingOverIoredis },
  { head: upstashLock.label, subject: upstashLock },
  { head: `${redlock.label}, TCP`, subject: redlock },
  { head: `${redisSemaphore.label}, TCP`, subject: redisSemaphore },
  { head: `${redlockUniversal.label}, TCP`, subject: redlockUniversal },
  { head: `${verrou.label}, TCP`, subject: verrou },
];
const OVER_HTTP = [leasehold, leaseholdOverUpstash, upstashLock, sameRequests, twoFetches];
const PARTS = ["cycle", "far", "crowds", "tenures", "faults", "tcp"];

const { values } = parseArgs({
  options: {
    quick: { type: "boolean" },
    json: { type: "string" },
    only: { type: "string" },
    charts: { type: "boolean" },
  },
});
if (values.charts) {
  writeCharts();
  process.exit();
}
const parts = values.only?.split(",") ?? PARTS;
const unknown = parts.find((part) => !PARTS.includes(part));
if (unknown !== undefined) throw new Error(`--only takes ${PARTS.join(", ")}, not ${unknown}`);
const plan = values.quick ? QUICK : FULL;

requireRedis();
const start = performance.now();
const progress = (text: string): void => {
  console.error(`${((performance.now() - start) / 1000).toFixed(0).padStart(4)} s  ${text}`);
};

async function crowdRuns(stage: Stage, checks: Checks): Promise<CrowdResult[]> {
  const crowds = values.quick ? CROWDS.slice(1) : CROWDS;
  const results = crowds.map((crowd) => ({
    crowd: { ...crowd, acquisitions: plan.acquisitions } satisfies Crowd,
    figures: [...WAITING, LEAST].map((column: Column) => ({ ...column, runs: [] as CrowdFigures[] })),
  }));
  for (let run = 0; run < plan.crowdRuns; run++) {
    for (const { crowd, figures } of results) {
      for (const { head, subject, polls, runs } of run % 2 ? figures.toReversed() : figures) {
        const endpoint = polls ? { ...stage, ...stage.polling } : stage;
        const one = await benchCrowd(endpoint, subject, crowd, run, checks);
        closeClients();
        runs.push(one);
        const gaps = `gaps ${one.gapMedianMs.toFixed(1)} and ${one.gapP95Ms.toFixed(1)} ms`;
        const rest = `longest wait ${one.longestWaitMs.toFixed(0)} ms, ${one.commandsPerAcquisition.toFixed(1)} commands`;
        const where = `run ${run + 1}/${plan.crowdRuns}, ${crowd.contenders} × ${crowd.workMs} ms`;
        progress(`${where}, ${head}: ${gaps}, ${rest}`);
      }
    }
  }
  return results;
}

/** Long tenures before short ones, for all waiting subjects in turn. */
async function tenureRuns(stage: Stage, checks: Checks): Promise<TenureResult[]> {
  const results = (values.quick ? QUICK_TENURES : TENURES).map((tenures) => ({
    tenures,
    figures: WAITING.map((column) => ({ ...column, runs: [] as TenureFigures[] })),
  }));
  for (let run = 0; run < plan.tenureRuns; run++) {
    for (const { tenures, figures } of results) {
      for (const { head, subject, polls, runs } of run % 2 ? figures.toReversed() : figures) {
        const endpoint = polls ? { ...stage, ...stage.polling } : stage;
        const one = await benchTenures(endpoint, subject, tenures, run, checks);
        closeClients();
        runs.push(one);
        const rest = `idle ${one.idleMs.toFixed(0)} ms, ${one.timedOut} timed out, ${one.commands} commands`;
        progress(`run ${run + 1}/${plan.tenureRuns}, ${tenures.name}, ${head}: ${rest}`);
      }
    }
  }
  return results;
}

const checks = createChecks();
const stage = await startStage();
const bareServer = await startBareServer();
/** No lock: the minimum time of two HTTP requests to another process. */
const LEAST = { head: bareServer.subject.label, subject: bareServer.subject };
try {
  const machine = `Node ${process.versions.node}, Redis ${stage.redisVersion}, ${cpus().length} cores`;
  progress(machine);
  const results = {
    machine,
    quick: values.quick ?? false,
    cycle: parts.includes("cycle") ? await benchCycle(stage, OVER_HTTP, plan.cycle, checks) : [],
    far: parts.includes("far") ? await benchCycle({ ...stage, ...stage.far }, OVER_HTTP, plan.far, checks) : [],
    crowds: parts.includes("crowds") ? await crowdRuns(stage, checks) : [],
    tenures: parts.includes("tenures") ? await tenureRuns(stage, checks) : [],
    faults: parts.includes("faults")
      ? await benchFaults(stage, [leasehold, leaseholdOverUpstash, upstashLock], plan.faultRuns, checks)
      : [],
    tcp: parts.includes("tcp")
      ? await benchCycle(
          stage,
          [
            leaseholdOverIoredis,
            leaseholdOverNodeRedis,
            redlock,
            redisSemaphore,
            redlockUniversal,
            verrou,
            twoCommands,
          ],
          plan.cycle,
          checks,
        )
      : [],
    wrong: checks.failures,
  };
  progress("done");
  const tables = {
    cycle: cycleTable(results.cycle),
    far: cycleTable(results.far),
    crowds: crowdTable(results.crowds),
    tenures: tenureTable(results.tenures),
    faults: faultTable(results.faults),
  };
  if (parts.includes("cycle")) console.log(`\n${tables.cycle}`);
  if (parts.includes("far")) console.log(`\nAt a round trip of ${AWAY_MS} ms:\n\n${tables.far}`);
  if (parts.includes("crowds")) console.log(`\n${tables.crowds}`);
  if (parts.includes("tenures")) console.log(`\n${tables.tenures}`);
  if (parts.includes("faults")) console.log(`\n${tables.faults}`);
  const overTcp = tcpCycleTable(results.tcp);
  if (parts.includes("tcp")) console.log(`\n${overTcp}`);
  if (!values.quick && checks.failures.length === 0) {
    const measured = { machine, commit: commitOf(), date: new Date().toISOString().slice(0, 10) };
    if (parts.includes("far")) writeSection(sectionOf(tables.far, measured), "bench far away");
    if (parts.includes("tcp")) writeSection(sectionOf(overTcp, measured), "bench over TCP");
    if (parts.includes("crowds")) writeSection(sectionOf(tables.crowds, measured), "bench of waiting");
    if (parts.includes("tenures")) writeSection(sectionOf(tables.tenures, measured), "bench of tenures");
    if (parts.includes("cycle")) writeSection(sectionOf(tables.cycle, measured));
    if (parts.includes("faults")) writeSection(sectionOf(tables.faults, measured), "bench of faults");
    writeCharts();
  }
  console.log(checks.failures.length === 0 ? "\nNothing was wrong." : `\nWRONG ${checks.failures.length} times.`);
  if (values.json) writeFileSync(values.json, `${JSON.stringify(results, null, 2)}\n`);
} finally {
  closeClients();
  await bareServer.stop();
  await stage.stop();
}
if (checks.failures.length > 0) process.exitCode = 1;
