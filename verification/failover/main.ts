/** `npm run failover`: what a failover costs a lock, per set-up of servers. It fills the table of docs/guarantees.md. */
import { appendFileSync, readFileSync } from "node:fs";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { parseArgs } from "node:util";
import { writeSection } from "../../bench/document.ts";
import { productCommit } from "../../tools/product-commit.ts";
import { play } from "./run.ts";
import { fetchServer, PLANTED, SET_UPS, type SetUp } from "./set-ups.ts";
import { faultsOf, isBroken, type Row, sumOf, tableOf } from "./table.ts";

const HELP = `npm run failover -- [options]
  --only LIST     of ${Object.keys(SET_UPS).join(", ")} (default all);
                  or of ${Object.keys(PLANTED).join(", ")}, whose faults it must find
  --kills 1000    faults of each set-up
  --jobs 12       how many instances of set-ups run at once; fewer on a busy machine, where the delay at the end is long
  --each 50       faults of one instance, after which it starts anew
  --minutes N     begin no further fault after so many minutes, and report what was done
  --seed N        for what is chosen; what it meets on the way is never quite the same
  --log FILE      adds a line of JSON for each instance
  --write         writes the table from the log, without a run of its own if --kills is 0

It ends with 1 if a set-up that must be at 0 is not, or was not tested.`;

const { values } = parseArgs({
  options: {
    only: { type: "string", default: Object.keys(SET_UPS).join() },
    kills: { type: "string", default: "1000" },
    jobs: { type: "string", default: "12" },
    each: { type: "string", default: "50" },
    minutes: { type: "string" },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
    log: { type: "string" },
    write: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});

const MARK = "failover";
const DOCUMENT = "docs/guarantees.md";
const PROGRESS_MS = 20_000;
const MINUTE_MS = 60_000;
/** Added to the seed of an instance that continues another one. */
const RESUMED = 1_000_000;
const MAX_TRIES = 5;
const ALL: Readonly<Record<string, SetUp>> = { ...SET_UPS, ...PLANTED };

const inMs = (ns: number): number => Math.round(ns / 1e6);

/** One instance of a set-up. */
interface Job {
  readonly name: string;
  readonly setUp: SetUp;
  readonly faults: number;
  readonly seed: number;
  /** How often servers of this job did not start or recover. */
  readonly tries: number;
}

function chosen(): readonly (readonly [string, SetUp])[] {
  return values.only.split(",").map((name) => {
    const setUp = ALL[name];
    if (!setUp) throw new Error(`no set-up is called ${name}: ${Object.keys(ALL).join(", ")}`);
    return [name, setUp];
  });
}

/** The instances of all set-ups, in turns. */
function jobsOf(setUps: readonly (readonly [string, SetUp])[], kills: number, each: number, seed: number): Job[] {
  const count = Math.ceil(kills / each);
  return Array.from({ length: count }, (_, at) =>
    setUps.map(([name, setUp], nth) => ({
      ...{ name, setUp, faults: Math.min(each, kills - at * each) },
      ...{ seed: seed + at * setUps.length + nth, tries: 0 },
    })),
  ).flat();
}

async function main(): Promise<void> {
  if (values.help) return console.log(HELP);
  const setUps = chosen();
  const kills = Number(values.kills);
  const seed = Number(values.seed);
  const jobs = jobsOf(setUps, kills, Number(values.each), seed);
  const commit = productCommit();
  const date = new Date().toISOString().slice(0, "2026-11-29".length);
  console.error(`seed ${seed}, commit ${commit}, ${jobs.length} instances`);

  // Before anything runs, since it blocks.
  for (const [, { program }] of setUps) if (program) fetchServer(program);

  const over = new AbortController();
  const limit = values.minutes && setTimeout(() => over.abort(), MINUTE_MS * Number(values.minutes));
  const struck = new Map<string, number>(setUps.map(([name]) => [name, 0]));
  const progress = setInterval(
    () => console.error([...struck].map(([name, count]) => `${name} ${count}`).join(", ")),
    PROGRESS_MS,
  );
  const delay = monitorEventLoopDelay();
  delay.enable();
  const rows: Row[] = [];
  const waiting = [...jobs];
  const lane = async (): Promise<void> => {
    for (let job = waiting.shift(); job && !over.signal.aborted; job = waiting.shift()) {
      const { name, faults, seed, tries } = job;
      const onFault = (): unknown => struck.set(name, (struck.get(name) ?? 0) + 1);
      const played = await play({ ...job, onFault, signal: over.signal }).catch((error: unknown) => ({
        ...sumOf([], name),
        broken: String(error),
      }));
      const row: Row = { setUp: name, commit, date, played };
      rows.push(row);
      if (values.log) appendFileSync(values.log, `${JSON.stringify(row)}\n`);
      if (played.broken === undefined) continue;
      console.error(`${name}, seed ${seed}, after ${faultsOf(played)} faults: ${played.broken}`);
      // The rest, on new servers.
      const rest = faults - faultsOf(played);
      if (rest > 0 && tries < MAX_TRIES) waiting.push({ ...job, faults: rest, seed: seed + RESUMED, tries: tries + 1 });
    }
  };
  await Promise.all(Array.from({ length: Number(values.jobs) }, lane));
  clearInterval(progress);
  clearTimeout(limit || undefined);
  // With seconds of delay, the clients were too slow, and not the servers: run fewer jobs.
  console.error(`delay of this process: p99 ${inMs(delay.percentile(99))} ms, max ${inMs(delay.max)} ms`);

  if (kills > 0) report(setUps, rows);
  if (values.write && values.log) write(values.log);
}

/** Prints what was found. */
function report(setUps: readonly (readonly [string, SetUp])[], rows: readonly Row[]): void {
  for (const [name, setUp] of setUps) {
    const sum = sumOf(rows, name);
    console.error(`${name}: ${JSON.stringify({ ...sum, nextMs: sum.nextMs.length, findings: sum.findings.length })}`);
    if (!isBroken(setUp, sum)) continue;
    for (const finding of sum.findings) console.error(`  ${finding}`);
    console.error(`FAULT of ${name}: it must be at 0, or nothing was tested`);
    process.exitCode = 1;
  }
  console.log(tableOf(ALL, rows));
}

/** Writes the table from the lines of a log. */
function write(log: string): void {
  const lines = readFileSync(log, "utf8").trim().split("\n");
  const rows = lines.map((line) => JSON.parse(line) as Row);
  const commits = new Set(rows.map(({ commit }) => commit));
  if (commits.size > 1) throw new Error(`the log is of several commits: ${[...commits].join(", ")}`);
  const [{ commit, date } = { commit: "", date: "" }] = rows;
  const section = `Run on ${date} on commit \`${commit}\`, by \`npm run failover\`.

${tableOf(SET_UPS, rows)}

`;
  writeSection(section, MARK, DOCUMENT);
}

await main();
