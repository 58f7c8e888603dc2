/** `npm run sim`: runs seeds and prints the findings, with the command that replays a seed and a shortened trace. */
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { BREAKS, type Broken } from "./breaks.ts";
import { SENTENCES, type Sentence } from "./history/sentences.ts";
import { asObject, holding, OBJECT_KINDS, type Plan, partitioned, planOf, waking, without } from "./plan.ts";
import { type Result, run } from "./run.ts";
import { shrink } from "./shrink.ts";
import { type Campaign, commitOf, keep, writeTables } from "./table.ts";
import { pageOf } from "./view/page.ts";
import { pictureOf } from "./view/picture-of.ts";
import { WORKLOADS } from "./workloads/index.ts";

const HELP = `npm run sim -- [options]
  --kind KIND      ${Object.keys(WORKLOADS).join(", ")}, or all (default lock);
                   queue is takeOver, collect is turns that collect, stock is permits that are spent
  --seeds 1-1000   one seed, or the first and the last (default 1-100)
  --seed N         one seed
  --view           draws the run of one seed as a page: sim-KIND-N.html
  --planted WHAT   with a rule broken on purpose, by its words in breaks.ts, such as "${BREAKS[0]?.what}"
  --rounds 20      how often each worker works
  --without IDS    leaves out faults (f0), workers (w0) and faults of requests (w0.s0#1)
  --holds          lets servers hold the requests that wait
  --wakes          lets messages wake the waiters
  --partitions     cuts hosts off from servers for a while
  --object         lets Durable Objects take the place of Redis
  --log            prints everything that happens
  --no-shrink      looks for no shorter story
  --out FILE       appends what was run as a line of JSON for each kind
  --sentences      fails if a sentence under "Not guaranteed" was needed by nothing
  --table FILE     writes the tables of verification/sim/README.md from such a file, and runs nothing`;

const { values } = parseArgs({
  allowNegative: true,
  options: {
    kind: { type: "string", default: "lock" },
    seeds: { type: "string", default: "1-100" },
    seed: { type: "string" },
    view: { type: "boolean", default: false },
    planted: { type: "string" },
    rounds: { type: "string", default: "20" },
    without: { type: "string", default: "" },
    holds: { type: "boolean", default: false },
    wakes: { type: "boolean", default: false },
    partitions: { type: "boolean", default: false },
    object: { type: "boolean", default: false },
    log: { type: "boolean", default: false },
    shrink: { type: "boolean", default: true },
    table: { type: "string" },
    out: { type: "string" },
    sentences: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});

/** The printed length of a shortened trace; the command above it prints everything. */
const MAX_LINES = 60;

interface Sum {
  calls: number;
  requests: number;
  failed: number;
  readonly hashes: string[];
  readonly excused: Map<Sentence, number>;
  /** The first seed that needed each sentence. */
  readonly needed: Map<Sentence, number>;
}

/** The command that runs a seed again, without what it does with it. */
function command(kind: string, seed: number, rounds: number, left: readonly string[]): string {
  const modes = (["holds", "object", "wakes", "partitions"] as const)
    .filter((mode) => values[mode])
    .map((mode) => ` --${mode}`);
  const without = left.length > 0 ? ` --without ${left}` : "";
  const planted = values.planted === undefined ? "" : ` --planted ${JSON.stringify(values.planted)}`;
  return `npm run sim -- --kind ${kind} --seed ${seed} --rounds ${rounds}${modes.join("")}${planted}${without}`;
}

/** The rule that is broken on purpose. */
function plantedBreaks(): readonly Broken[] {
  const { planted } = values;
  if (planted === undefined) return [];
  const broken = BREAKS.filter(({ what }) => what === planted);
  if (broken.length === 0) throw new Error(`no rule is broken by "${planted}": see verification/sim/breaks.ts`);
  return broken;
}
const breaks = plantedBreaks();

/** A plan with the requested servers. */
function changed(plan: Plan): Plan {
  const served = values.object ? asObject(plan) : plan;
  const held = values.holds ? holding(served) : served;
  const woken = values.wakes ? waking(held) : held;
  return values.partitions ? partitioned(woken) : woken;
}

async function tell(result: Result): Promise<void> {
  const { kind, seed, rounds } = result.plan;
  console.log(`${kind}, seed ${seed}, trace ${result.hash}`);
  for (const { rule, text } of result.violations.slice(0, 5)) console.log(`  ${rule}: ${text}`);
  const left = values.without.split(",").filter((id) => id !== "");
  console.log(`  replay: ${command(kind, seed, rounds, left)} --log`);
  console.log(`  picture: ${command(kind, seed, rounds, left)} --view`);
  if (!values.shrink) return;
  const story = await shrink(result, breaks, changed);
  console.log(`  shorter: ${command(kind, seed, story.rounds, story.left)} --log`);
  console.log(`  picture: ${command(kind, seed, story.rounds, story.left)} --view`);
  console.log(
    story.result.lines
      .slice(-MAX_LINES)
      .map((line) => `    ${line}`)
      .join("\n"),
  );
}

async function runKind(kind: string, first: number, last: number): Promise<Sum> {
  const sum: Sum = { calls: 0, requests: 0, failed: 0, hashes: [], excused: new Map(), needed: new Map() };
  const left = values.without.split(",");
  // A value that the SDK computes once per process needs no later event, and a seed's trace must not depend on it.
  await run(planOf(kind, 0, 2));
  for (let seed = first; seed <= last; seed++) {
    const plan = changed(planOf(kind, seed, Number(values.rounds)));
    const result = await run(without(plan, left), { isTraced: values.log, breaks });
    sum.calls += result.calls;
    sum.requests += result.requests;
    sum.hashes.push(result.hash);
    for (const [sentence, count] of result.excused) {
      sum.excused.set(sentence, (sum.excused.get(sentence) ?? 0) + count);
      if (!sum.needed.has(sentence)) sum.needed.set(sentence, seed);
    }
    if (values.log) console.log(result.lines.join("\n"));
    if (result.violations.length === 0) continue;
    sum.failed++;
    await tell(result);
  }
  return sum;
}

/** Draws the run of a seed as a page. */
async function view(kind: string, seed: number): Promise<void> {
  const left = values.without.split(",").filter((id) => id !== "");
  const rounds = Number(values.rounds);
  const result = await run(without(changed(planOf(kind, seed, rounds)), left), { isNoted: true, breaks });
  const picture = pictureOf(result, { command: command(kind, seed, rounds, left), planted: values.planted });
  const file = `sim-${kind}-${seed}.html`;
  writeFileSync(file, await pageOf(picture));
  for (const { rule, text } of result.violations) console.log(`  ${rule}: ${text}`);
  console.log(`${file}: ${picture.calls.length} calls, ${picture.requests.length} requests, trace ${result.hash}`);
}

/** The kind and seed that needed each sentence, and the sentences that no run needed. */
function tellSentences(needs: ReadonlyMap<Sentence, string>): void {
  for (const [sentence, where] of needs) console.log(`needed by ${where}: ${sentence}`);
  for (const sentence of Object.keys(SENTENCES) as Sentence[]) {
    if (needs.has(sentence)) continue;
    console.log(`needed by nothing: ${sentence}`);
    process.exitCode = 1;
  }
}

async function main(): Promise<void> {
  if (values.help) return console.log(HELP);
  if (values.table) return writeTables(values.table);
  const [first = 1, last = first] = (values.seed ?? values.seeds).split("-").map(Number);
  if (values.view) return view(values.kind, first);
  const needs = new Map<Sentence, string>();
  const all = values.object ? OBJECT_KINDS : Object.keys(WORKLOADS);
  if (values.object && values.kind !== "all" && !OBJECT_KINDS.includes(values.kind))
    throw new Error(
      `Durable Objects cannot serve the kind "${values.kind}"; --object takes ${OBJECT_KINDS.join(", ")}`,
    );
  for (const kind of values.kind === "all" ? all : [values.kind]) {
    const before = process.cpuUsage().user;
    const { hashes, excused, needed, ...sum } = await runKind(kind, first, last);
    const seconds = (process.cpuUsage().user - before) / 1e6;
    if (sum.failed > 0) process.exitCode = 1;
    const { calls, requests } = sum;
    const pace = `${Math.round((calls + requests) / seconds)} operations a second of CPU`;
    console.log(`${kind}: ${calls} calls, ${requests} requests, ${pace}, ${sum.failed} seeds failed`);
    if (hashes.length === 1) console.log(`trace ${hashes[0]}`);
    for (const [sentence, count] of excused) console.log(`  excused ${count} times: ${sentence}`);
    for (const [sentence, seed] of needed) if (!needs.has(sentence)) needs.set(sentence, `${kind} ${seed}`);
    const done: Campaign = {
      commit: commitOf(),
      kind,
      first,
      last,
      seconds,
      ...sum,
      excused: Object.fromEntries(excused),
    };
    if (values.out) keep(values.out, done);
  }
  if (values.sentences) tellSentences(needs);
}

await main();
