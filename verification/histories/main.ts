/**
 * `npm run histories`: real clients on real servers under faults, and whether the recorded histories are linearizable.
 */
import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { productCommit } from "../../tools/product-commit.ts";
import type { Runtime } from "./clients.ts";
import { tell } from "./history.ts";
import { type Entry, roundLine, summary, tooFewAnswered } from "./report.ts";
import { type Judged, playRound } from "./run.ts";
import { NAMES_AT_ONCE, SITES, type SiteName } from "./sites.ts";
import { openTheatre } from "./theatre.ts";
import { OTHERS, WORKLOADS } from "./workloads.ts";

const HELP = `npm run histories -- [options]
  --sites LIST         of ${Object.keys(SITES).join(", ")} (default all, in turns)
  --clients LIST       of node, node-26, upstash, ioredis, node-redis, deno, bun, workerd (default all but
                       node-redis); where messages wake waiters, ioredis and node-redis
  --workloads LIST     of ${Object.keys(WORKLOADS).join(", ")} (default all)
  --others             instead, in each of which it must find faults: ${Object.keys(OTHERS).join("; ")}
  --operations 10000   how many at least
  --seconds 20         of each round; there are three before the servers are stopped
  --at-once N          how many names are in use at a time, at most (default ${NAMES_AT_ONCE}); fewer while the servers
                       cannot serve so many
  --calm 1500          ms between two faults of processes and servers, on average
  --faulty 0.03        the share of requests through the proxy that meet a fault
  --seed N             for what is tried; what it meets on the way is never quite the same
  --log FILE           adds a line for each round, and to FILE.bad what could not be explained
  --write              writes docs/histories.md from the log, without a run of its own if --operations is 0`;

const { values } = parseArgs({
  options: {
    sites: { type: "string", default: Object.keys(SITES).join() },
    clients: { type: "string", default: "ioredis,node,node-26,upstash,deno,bun,workerd" },
    workloads: { type: "string", default: Object.keys(WORKLOADS).join() },
    others: { type: "boolean", default: false },
    operations: { type: "string", default: "10000" },
    seconds: { type: "string", default: "20" },
    "at-once": { type: "string" },
    calm: { type: "string", default: "1500" },
    faulty: { type: "string", default: "0.03" },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
    log: { type: "string" },
    write: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});

const ROUNDS = 3;
const REPORT = new URL("../../docs/histories.md", import.meta.url);

const operationsOf = (entries: readonly Entry[]): number =>
  entries.reduce((total, { operations }) => total + operations, 0);

function show({ name, verdict, history }: Judged): void {
  console.log(`${name}: ${verdict.verdict}, after ${verdict.configurations} configurations`);
  for (const operation of [...history].sort((a, b) => a.call - b.call)) {
    const mark = verdict.stuck.includes(operation) ? "?" : verdict.longest.includes(operation) ? " " : "-";
    console.log(`  ${mark} ${tell(operation)}`);
  }
}

/** Runs rounds at one site until there are enough operations. */
async function visit(site: SiteName, seed: number, enough: number, commit: string): Promise<readonly Entry[]> {
  const { seconds, "at-once": atOnce, calm, faulty, others, log } = values;
  const runtimes = (others ? "node,node,node" : values.clients).split(",") as Runtime[];
  const chosen = Object.entries(WORKLOADS).filter(([name]) => values.workloads.split(",").includes(name));
  const workloads = others ? OTHERS : Object.fromEntries(chosen);
  const theatre = await openTheatre({ site, runtimes, faulty: Number(faulty), calmMs: Number(calm) });
  const names = Number(atOnce ?? NAMES_AT_ONCE);
  const entries: Entry[] = [];
  try {
    for (let round = 0; round < ROUNDS && operationsOf(entries) < enough; round++) {
      theatre.befallen.clear();
      const options = { workloads, seconds: Number(seconds), atOnce: names, seed: seed + round };
      const { bad, errors, ...played } = await playRound(theatre, options);
      const violated = bad.filter(({ verdict }) => verdict.verdict === "violated");
      const entry: Entry = {
        ...{
          site: theatre.site.name,
          server: theatre.site.server,
          isStrict: theatre.site.isStrict,
          others,
          commit,
          at: new Date().toISOString(),
        },
        ...played,
        ...{ violated: violated.length, undecided: bad.length - violated.length },
        nemeses: Object.fromEntries(theatre.befallen),
      };
      entries.push(entry);
      if (log) appendFileSync(log, `${JSON.stringify(entry)}\n`);
      if (log && bad.length > 0 && !others) appendFileSync(`${log}.bad`, `${JSON.stringify(bad)}\n`);
      console.log(roundLine(entry));
      if (played.heard > 0) console.log(`${entry.site}: waiters heard ${played.heard} messages`);
      for (const story of others ? violated.slice(0, 1) : bad) show(story);
      if (!others) for (const error of new Set(errors)) console.log(`  ${error}`);
      if (!others && bad.length > 0) process.exitCode = 1;
      if (others && violated.length === 0) process.exitCode = 1;
    }
  } finally {
    await theatre.stop();
  }
  return entries;
}

async function main(): Promise<void> {
  if (values.help) return console.log(HELP);
  const commit = productCommit();
  const sites = values.sites.split(",") as SiteName[];
  const enough = Number(values.operations);
  let seed = Number(values.seed);
  console.log(`seed ${seed}, commit ${commit}`);
  const entries: Entry[] = [];
  for (let turn = 0; operationsOf(entries) < enough; turn++, seed += 10) {
    const site = sites[turn % sites.length] as SiteName;
    entries.push(...(await visit(site, seed, enough - operationsOf(entries), commit)));
  }
  // Other locks are there to be rejected.
  const tooFew = values.others ? [] : tooFewAnswered(entries);
  for (const line of tooFew) console.log(line);
  if (tooFew.length > 0) process.exitCode = 1;
  if (values.write && values.log) {
    const lines = readFileSync(values.log, "utf8").trim().split("\n");
    writeFileSync(REPORT, summary(lines.map((line) => JSON.parse(line) as Entry)));
  }
}

await main();
