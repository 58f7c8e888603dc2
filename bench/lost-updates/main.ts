/**
 * Counts lost updates: several processes read, change and write back one list under the lock of each library, while
 * some of them freeze for longer than their lease and some responses are lost.
 *
 *   node bench/lost-updates/main.ts [--appends 50] [--seed 1] [--only LIBRARY]
 *
 * A run without options writes the table in docs/proof.md and the chart in docs/lost-updates.svg. It ends with 1 when
 * an update was lost under a fence, or none without a lock: then the load is too weak to show anything.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { requireRedis } from "../../tools/redis.ts";
import { measuredIn } from "../charts.ts";
import { commitOf, writeSection } from "../document.ts";
import { chartOf, tableOf } from "./chart.ts";
import { LIBRARIES, NAIVE, SAFE } from "./libraries.ts";
import { type Outcome, openTheatre, type Plan } from "./run.ts";

const { values } = parseArgs({
  options: { appends: { type: "string" }, seed: { type: "string" }, only: { type: "string" } },
});
const plan: Plan = {
  workers: 6,
  appends: Number(values.appends ?? 50),
  leaseMs: 400,
  freezeMs: 1000,
  frozenOneIn: 12,
  lostOneIn: 20,
};

requireRedis();
const theatre = await openTheatre(plan, Number(values.seed ?? 1));
const outcomes: Outcome[] = [];
try {
  for (const library of values.only ? [values.only] : Object.keys(LIBRARIES)) {
    const outcome = await theatre.run(library);
    const { appended, lost, refused, seconds } = outcome;
    console.error(`${library}: ${lost} of ${appended} lost, ${refused} refused, ${seconds.toFixed(0)} s`);
    outcomes.push(outcome);
  }
} finally {
  await theatre.stop();
}

const table = tableOf(outcomes);
console.log(`\n${table}\n`);
if (Object.keys(values).length === 0) {
  const updates = plan.workers * plan.appends;
  const date = new Date().toISOString().slice(0, 10);
  const note = `Measured on ${date} on commit \`${commitOf()}\`: ${updates} updates by ${plan.workers} processes`;
  writeSection(`${table}\n\n${note}.\n`, "lost updates", "docs/proof.md");
  const chart = join(import.meta.dirname, "../../docs/lost-updates.svg");
  writeFileSync(chart, chartOf(outcomes, updates, measuredIn(note)));
}
const isWrong = ({ library, lost }: Outcome): boolean =>
  SAFE.has(library) ? lost > 0 : library === NAIVE && lost === 0;
if (outcomes.some(isWrong)) process.exitCode = 1;
