/**
 * Compares the gateway with webdis and with RESP without HTTP, in front of one private Redis, under the same load (wrk,
 * for RESP redis-benchmark), one after the other in each round. The gateway and webdis have one core, Redis and the
 * load the other. It builds the gateway first, and measures its command with the flags of gateway/deploy.
 *
 * node gateway/bench/main.ts [--quick] [--rounds N] [--only TEXT] [--json FILE]
 *
 * `--only` takes the cases whose names begin with a text, such as `EVALSHA (`, and no memory after all kinds.
 * Progress goes to stderr, Markdown tables to stdout. It exits with 1 when an answer was wrong or memory grew, never for a
 * timing: timings depend on the machine, so compare within one run. Linux only, where processes can be pinned.
 */
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { createChecks } from "../../bench/check.ts";
import { requireRedis } from "../../tools/redis.ts";
import { missing } from "../../tools/webdis.ts";
import { type Case, casesOf, check, seed } from "./cases.ts";
import { type Ask, type Measured, raw, wrk } from "./load.ts";
import { benchMemory } from "./memory.ts";
import { cpuSeconds, residentMiB } from "./process.ts";
import { canPin, LOAD_CORE, startStage } from "./subjects.ts";
import { type CaseResult, type Figures, memoryTable, speedTable } from "./tables.ts";

const FULL = { rounds: 7, warmUp: 10, seconds: 3, connections: 64, rawCommands: 100_000, requests: 200_000 };
const QUICK: typeof FULL = { rounds: 1, warmUp: 0, seconds: 1, connections: 64, rawCommands: 5_000, requests: 20_000 };

const { values } = parseArgs({
  options: {
    quick: { type: "boolean" },
    rounds: { type: "string" },
    only: { type: "string" },
    json: { type: "string" },
  },
});
const chosen = values.quick ? QUICK : FULL;
const plan = { ...chosen, rounds: Number(values.rounds ?? chosen.rounds) };
if (!Number.isSafeInteger(plan.rounds) || plan.rounds < 1) throw new Error("--rounds takes a whole number from 1");

requireRedis();
const lacking = missing(["webdis", "wrk"]);
if (lacking.includes("wrk") || !canPin()) {
  console.error("This benchmark needs wrk (`apt-get install wrk`) and two cores to pin processes to (`taskset`).");
  process.exit(1);
}
const start = performance.now();
const progress = (text: string): void => {
  console.error(`${((performance.now() - start) / 1000).toFixed(0).padStart(4)} s  ${text}`);
};

const checks = createChecks();
const stage = await startStage(!lacking.includes("webdis"));
if (stage.webdis === undefined) progress("no webdis (`apt-get install webdis`): the gateway and RESP only");

/** The errors that the gateway itself has counted since its start. */
async function toldByGateway(): Promise<string> {
  const text = await fetch(`${stage.gateway.url}/metrics`).then((response) => response.text(), String);
  return text.match(/^leasehold_gateway_errors_total.* [1-9].*$/gm)?.join(", ") ?? "the gateway counts none";
}

async function measured(one: Case, ask: Ask, pid: number, label: string, seconds = plan.seconds): Promise<Figures> {
  const problem = await check(one, ask);
  checks.expect(problem === undefined, `${label}, ${one.name}: ${problem}`);
  const before = cpuSeconds(pid);
  const it = await wrk(ask, plan.connections, seconds, LOAD_CORE);
  const cpu = cpuSeconds(pid) - before;
  const told = label === "gateway" && it.wrong > 0 ? `; ${await toldByGateway()}` : "";
  const broken = `${label}, ${one.name}: ${it.wrong} of ${it.requests} requests went wrong under load (${it.kinds}${told})`;
  if (label === "gateway") checks.expect(it.wrong === 0 && it.requests > 0, broken);
  else if (it.wrong > 0) progress(broken);
  // wrk counts each of the requests that webdis gets at once, but times none of them correctly.
  const commands = it.requests * (ask.atOnce === undefined ? one.commands : 1);
  const timed = ask.atOnce === undefined ? it : { ...it, p50Ms: Number.NaN, p99Ms: Number.NaN };
  return { ...rates(timed, commands), perCpuSecond: commands / cpu, residentMiB: residentMiB(pid) };
}

const rates = ({ seconds, p50Ms, p99Ms }: Measured, commands: number) => ({
  perSecond: commands / seconds,
  p50Ms,
  p99Ms,
});

async function rawFigures({ raw: command, commands }: Case): Promise<Figures> {
  const it = await raw(stage.redis.port, command, commands, plan.connections, plan.rawCommands * commands, LOAD_CORE);
  return { ...rates(it, it.requests * commands), perCpuSecond: Number.NaN, residentMiB: Number.NaN };
}

try {
  await seed(stage);
  const { only = "" } = values;
  const chosenCases = casesOf(stage).filter(({ name }) => name.startsWith(only));
  if (chosenCases.length === 0) throw new Error(`no case begins with ${only}`);
  const results: CaseResult[] = chosenCases.map((one) => ({ one, ours: [], webdis: [], raw: [] }));
  // With one core for all its threads, V8 takes many seconds until it has compiled what is used most.
  if (plan.warmUp > 0)
    for (const { one } of results) {
      await measured(one, one.ours, stage.gateway.pid, "gateway", plan.warmUp);
      if (one.webdis && stage.webdis) await measured(one, one.webdis, stage.webdis.pid, "webdis", 1);
    }
  for (let round = 1; round <= plan.rounds; round++) {
    for (const { one, ours, webdis, raw: resp } of results) {
      const [our, their, plain] = [
        await measured(one, one.ours, stage.gateway.pid, "gateway"),
        one.webdis && stage.webdis && (await measured(one, one.webdis, stage.webdis.pid, "webdis")),
        one.isPaced ? undefined : await rawFigures(one),
      ];
      ours.push(our);
      if (their) webdis.push(their);
      if (plain) resp.push(plain);
      const rate = (figures: Figures | undefined): string => figures?.perSecond.toFixed(0) ?? "–";
      progress(`round ${round}/${plan.rounds}, ${one.name}: ${rate(our)}, webdis ${rate(their)}, RESP ${rate(plain)}`);
    }
  }
  const memory = only === "" ? await benchMemory(stage, chosenCases, plan, checks) : [];
  progress("done");
  console.log(`\n${[speedTable(results), ...(memory.length > 0 ? [memoryTable(memory)] : [])].join("\n\n")}`);
  console.log(checks.failures.length === 0 ? "\nNothing was wrong." : `\nWRONG ${checks.failures.length} times.`);
  if (values.json)
    writeFileSync(values.json, `${JSON.stringify({ plan, results, memory, wrong: checks.failures }, null, 2)}\n`);
} finally {
  await stage.stop();
}
if (checks.failures.length > 0) process.exitCode = 1;
