import { parseArgs } from "node:util";
import { planOf, without } from "./plan.ts";
import { type Result, run } from "./run.ts";

const { values } = parseArgs({
  options: {
    kind: { type: "string", default: "lock" },
    seeds: { type: "string", default: "1-100" },
    rounds: { type: "string", default: "20" },
    without: { type: "string", default: "" },
    log: { type: "boolean", default: false },
  },
});
const rounds = Number(values.rounds);
const [first = 1, last = first] = values.seeds.split("-").map(Number);
const excused = new Map<string, number>();
let calls = 0;
let requests = 0;
let hash = "";
let failed = 0;
await run(planOf(values.kind, 0, 2));
for (let seed = first; seed <= last; seed++) {
  const result: Result = await run(without(planOf(values.kind, seed, rounds), values.without.split(",")), [], values.log);
  calls += result.calls;
  requests += result.requests;
  hash = result.hash;
  for (const [sentence, count] of result.excused) excused.set(sentence, (excused.get(sentence) ?? 0) + count);
  if (values.log) console.log(result.lines.join("\n"));
  if (result.violations.length > 0) {
    failed++;
    console.log(`seed ${seed}: ${result.violations.map(({ rule, text }) => `${rule}: ${text}`).slice(0, 3).join("\n  ")}`);
  }
}
console.log({ calls, requests, hash, failed, excused, cpu: process.cpuUsage().user / 1e6 });
