/** `npm run prove`: every tool in its short form, one after the other, and a report of their results. */
import { execFileSync, spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { commitOf } from "../../bench/document.ts";
import { findRedis } from "../../tools/redis.ts";
import { reportOf } from "./report.ts";
import { isFine, type Outcome, type Reading, type Step } from "./step.ts";
import { stepsOf } from "./steps.ts";

/** Large enough to avoid the seeds that the tests use. */
const SEEDS = { first: 1_000_000, count: 1_000_000 };
const TAIL_CHARACTERS = 4_000;

const HELP = `npm run prove -- [options]
  --seed N         repeats a run; default: from the time
  --only TEXT      only the steps whose name contains it
  --out FILE       where the report goes (default prove-report.md)
  --list           prints the steps, and runs nothing`;

const { values } = parseArgs({
  options: {
    seed: { type: "string", default: String(SEEDS.first + (Date.now() % SEEDS.count)) },
    only: { type: "string", default: "" },
    out: { type: "string", default: "prove-report.md" },
    list: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});

const ROOT = join(import.meta.dirname, "../..");

/** Runs a command, and resolves with its output and its exit code. */
function outputOf(step: Step): Promise<{ readonly output: string; readonly errors: string; readonly code: number }> {
  const child = spawn(process.execPath, step.command, { cwd: ROOT, stdio: ["ignore", "pipe", "pipe"] });
  let [output, errors] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    output += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    errors += text;
  });
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => resolve({ output, errors, code: code ?? 1 }));
  });
}

function readingOf(step: Step, output: string, code: number): Reading {
  try {
    const reading = step.read(output);
    const isSilent = code !== 0 && reading.findings.length === 0;
    return isSilent ? { ...reading, findings: [`exit code ${code}`] } : reading;
  } catch (error) {
    return { figures: "none", findings: [error instanceof Error ? error.message : String(error)] };
  }
}

async function perform(step: Step): Promise<Outcome> {
  const start = performance.now();
  const { output, errors, code } = await outputOf(step);
  const seconds = (performance.now() - start) / 1000;
  return { step, seconds, ...readingOf(step, output, code), tail: `${output}${errors}`.slice(-TAIL_CHARACTERS) };
}

async function main(): Promise<void> {
  if (values.help) return console.log(HELP);
  const seed = Number(values.seed);
  if (!Number.isSafeInteger(seed) || seed < 1)
    throw new RangeError(`--seed ${values.seed}: give a whole number from 1`);
  const steps = stepsOf(seed).filter(({ name }) => name.includes(values.only));
  if (steps.length === 0) throw new RangeError(`--only ${values.only}: no step has that in its name; see --list`);
  if (values.list) return console.log(steps.map(({ name, shows }) => `${name}: ${shows}`).join("\n"));
  const redis = execFileSync(findRedis(), ["--version"], { encoding: "utf8" });
  const version = /v=([\d.]+)/.exec(redis)?.[1] ?? "unknown";
  console.log(`seed ${seed}, ${steps.length} steps`);
  const outcomes: Outcome[] = [];
  for (const [index, step] of steps.entries()) {
    process.stdout.write(`${index + 1}/${steps.length} ${step.name} ... `);
    const outcome = await perform(step);
    const verdict = isFine(outcome) ? "holds" : `FAILS: ${outcome.findings.join("; ")}`;
    console.log(`${verdict}, ${outcome.seconds.toFixed(0)} s: ${outcome.figures}`);
    outcomes.push(outcome);
  }
  const date = new Date().toISOString().slice(0, 10);
  const machine = `${availableParallelism()} cores, Node ${process.versions.node}, Redis ${version}`;
  writeFileSync(values.out, reportOf(outcomes, { commit: commitOf(), seed, date, machine }));
  console.log(`The report is in ${values.out}.`);
  if (!outcomes.every(isFine)) process.exitCode = 1;
}

await main();
