/**
 * `npm run mutate`: changes the scripts and the protocol code of the SDK, one change at a time, and lists the changes
 * that no seed, case or test catches.
 */
import { join } from "node:path";
import { parseArgs } from "node:util";
import { buildAll } from "../../tools/lua-scripts.ts";
import { createChild } from "./child.ts";
import { EQUIVALENTS } from "./equivalents/index.ts";
import type { Answer, Question } from "./lua-child.ts";
import { luaFiles, luaMutants, scriptsWith, scriptText } from "./lua-mutants.ts";
import type { Mutant } from "./mutant.ts";
import { runRealTests, stopRealTests, useChildren } from "./real-tests.ts";
import { type Finding, hashOf, openResults, type Stage, sha1 } from "./results.ts";
import { kindsOf, seedsFor } from "./seeds.ts";
import { createTable, fateOf } from "./table.ts";
import { runTests } from "./test-files.ts";
import { typescriptFiles, typescriptMutants } from "./typescript-mutants.ts";
import { kindsOfSource, runSeeds } from "./typescript-seeds.ts";

const HELP = `npm run mutate -- [options]
  --files PATTERN   only files whose name matches, such as lua/once or src/lease
  --changes LIST    statement, condition, operand, bound, edge (default all)
  --stages LIST     case, seed, test, real, in this order (default all), or none, which runs nothing
  --tests PATTERN   of the tests near to a source, only files whose name matches; survivors of these are not noted
  --seeds 12        runs of the simulation for each change, at least one of each kind concerned
  --jobs 1          changes checked at the same time; more than one is useful for tests, which mostly wait
  --part 1/2        every second change, for two processes side by side
  --sample 200      that many changes only, drawn by --seed
  --seed 1          chooses the sample
  --caught 97       fails if less than so many percent of the changes are caught
  --equivalents     only the changes that are listed as equivalent, which otherwise do not run; a check that catches
                    one refutes its reason
  --keep            keeps results of earlier versions of the checks
  --list            prints the caught changes as well
  --table           writes the table of docs/mutation.md, with earlier results for changes that were not run`;

const { values } = parseArgs({
  options: {
    files: { type: "string", default: "" },
    changes: { type: "string", default: "" },
    stages: { type: "string", default: "case,seed,test,real" },
    tests: { type: "string", default: "" },
    seeds: { type: "string", default: "12" },
    jobs: { type: "string", default: "1" },
    part: { type: "string", default: "1/1" },
    sample: { type: "string" },
    seed: { type: "string", default: "1" },
    caught: { type: "string", default: "0" },
    equivalents: { type: "boolean", default: false },
    keep: { type: "boolean", default: false },
    list: { type: "boolean", default: false },
    table: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});
/** For a change of a script. On a busy machine the cases take a minute; a script that does not end exceeds its budget. */
const MAX_MS = 300_000;
const LATE: Answer = "it takes too long";
/** The stage and the check that failed; null if none failed. */
type Kill = { readonly by: string; readonly why: string } | null;

/** A mutant, with the function that runs a stage on it. */
interface Subject {
  readonly mutant: Mutant;
  readonly hash: string;
  /** The stages that can run it. */
  readonly stages: readonly Stage[];
  /** Those that run it even if it is listed as equivalent, since a change with the same text may break a rule. */
  readonly always: readonly Stage[];
  ask(stage: Stage): Promise<Kill>;
}

const lua = createChild<Question, Answer>(join(import.meta.dirname, "lua-child.ts"), LATE);
const SEEDS = Number(values.seeds);
const STAGES = values.stages.split(",").filter((stage) => stage !== "none") as Stage[];
const isEquivalent = ({ file, from, to }: Mutant): boolean =>
  EQUIVALENTS.some((each) => each.file === file && each.from === from && each.to === to);

function luaSubject(mutant: Mutant, file: string, scripts: readonly string[]): Subject {
  const texts = Object.fromEntries(scripts.map((script) => [script, scriptText(script, { ...mutant, file })]));
  return {
    mutant,
    hash: sha1(JSON.stringify(texts)),
    stages: ["case", "seed", "test"],
    // They are cheap.
    always: ["case"],
    async ask(stage) {
      if (stage === "test") return runTests(mutant, texts);
      if (stage === "case") {
        const why = await lua.ask({ texts }, MAX_MS);
        return why === null ? null : { by: why.split(":")[0] ?? "", why };
      }
      for (const seed of seedsFor(kindsOf(scripts), SEEDS, 1)) {
        const why = await lua.ask({ texts, seed }, MAX_MS);
        if (why !== null) return { by: `${seed.kind} ${seed.seed}`, why };
      }
      return null;
    },
  };
}

/** The sources run by seeds and by tests in virtual time. */
const PROTOCOL = /^src\/(redis|lease|kinds)\//;
function typescriptSubject(mutant: Mutant, isOnly: boolean): Subject {
  const stages: readonly Stage[] = PROTOCOL.test(mutant.file) ? ["seed", "test", "real"] : ["real"];
  return {
    mutant,
    hash: sha1(mutant.file + mutant.text),
    stages,
    always: isOnly ? [] : stages,
    async ask(stage) {
      if (stage === "test") return runTests(mutant, {});
      if (stage === "real") return runRealTests(mutant, new RegExp(values.tests));
      const seeds = seedsFor(kindsOfSource(mutant.file), SEEDS, 1);
      return seeds.length > 0 ? runSeeds(mutant, seeds) : null;
    },
  };
}

function* typescriptSubjects(file: string): Generator<Subject> {
  const mutants = typescriptMutants(file);
  for (const mutant of mutants) {
    const { from, to } = mutant;
    const isOnly = mutants.filter((other) => other.from === from && other.to === to).length === 1;
    yield typescriptSubject(mutant, isOnly);
  }
}

/** A case that fails without a change would appear to catch every change. */
async function checkCases(): Promise<void> {
  const texts = Object.fromEntries(buildAll().map(({ name, lua: text }) => [name, text]));
  const why = await lua.ask({ texts }, MAX_MS);
  if (why !== null) throw new Error(`a case fails without any change: ${why}`);
}

function* subjects(): Generator<Subject> {
  const isAsked = ({ mutant, always }: Subject): boolean =>
    (values.changes === "" || values.changes.split(",").includes(mutant.change)) &&
    (!values.equivalents || (isEquivalent(mutant) && always.length === 0));
  const pattern = new RegExp(values.files);
  for (const file of luaFiles()) {
    if (!pattern.test(`lua/${file}`)) continue;
    const scripts = scriptsWith(file);
    for (const mutant of luaMutants(file)) {
      const subject = luaSubject({ ...mutant, file: `lua/${file}` }, file, scripts);
      if (isAsked(subject)) yield subject;
    }
  }
  for (const file of typescriptFiles().filter((name) => pattern.test(name)))
    for (const subject of typescriptSubjects(file)) if (isAsked(subject)) yield subject;
}

/** The changes to check: all, or a sample drawn by the seed. */
function* chosen(): Generator<Subject> {
  if (!values.sample) return yield* subjects();
  const drawn = [...subjects()].map((subject) => ({ subject, rank: sha1(`${values.seed} ${subject.hash}`) }));
  drawn.sort((a, b) => (a.rank < b.rank ? -1 : 1));
  for (const { subject } of drawn.slice(0, Number(values.sample))) yield subject;
}

async function ask(subject: Subject, known: Finding, hashes: Readonly<Record<Stage, string>>): Promise<Finding> {
  let finding = known;
  const able = isEquivalent(subject.mutant) && !values.equivalents ? subject.always : subject.stages;
  for (const stage of STAGES.filter((each) => able.includes(each))) {
    if (finding.killed) break;
    const before = finding.survived?.[stage];
    if (before !== undefined && (values.keep || before === hashes[stage])) continue;
    const kill = await subject.ask(stage);
    if (!kill && stage === "real" && values.tests) continue;
    finding = kill
      ? { killed: { stage, by: kill.by, why: kill.why.slice(0, 200), killers: hashes[stage] } }
      : { survived: { ...finding.survived, [stage]: hashes[stage] } };
  }
  return finding;
}

async function main(): Promise<void> {
  if (values.help) return console.log(HELP);
  const results = openResults();
  const files = hashOf("test/contract", "test/lease", "test/faults", "test/kinds", "test/options", "test/redis");
  const all = hashOf("test", "engine/test", "gateway/test", "durable-object/test");
  const hashes = {
    seed: `${hashOf("verification/sim", "src", "agents/src")} ${values.seeds}`,
    case: hashOf("test/lua/cases"),
    test: `${files} ${hashOf("verification/mutation/test-files.ts")}`,
    real: `${all} ${hashOf("verification/mutation/near-tests.ts")}`,
  };
  const [part = 1, parts = 1] = values.part.split("/").map(Number);
  const table = createTable();
  useChildren(Number(values.jobs));
  if (STAGES.includes("case")) await checkCases();
  let at = 0;
  let [caught, survived] = [0, 0];
  const rest = chosen();
  async function lane(): Promise<void> {
    for (const subject of rest) {
      if (at++ % parts !== part - 1) continue;
      const known = results.of(subject.hash);
      const finding = await ask(subject, known, hashes);
      if (finding !== known) results.put(subject.hash, finding);
      if (at % 10 === 0 || STAGES.includes("real")) results.save();
      const fate = fateOf(finding, isEquivalent(subject.mutant));
      table.add(subject.mutant, fate);
      if (fate === "survived") survived++;
      else if (finding.killed) caught++;
      const isRefuted = values.equivalents && finding.killed !== undefined;
      if (isRefuted) process.exitCode = 1;
      if (fate === "survived" || isRefuted || values.list) tell(subject.mutant, fate, finding.killed?.why);
    }
  }
  await Promise.all(Array.from({ length: Number(values.jobs) }, lane));
  results.save();
  lua.stop();
  stopRealTests();
  console.log(table.text());
  const percent = (100 * caught) / (caught + survived);
  if (values.caught !== "0" && !(percent >= Number(values.caught))) {
    console.log(`only ${percent.toFixed(1)} % are caught, less than ${values.caught} %`);
    process.exitCode = 1;
  }
  if (values.table) table.write();
}

function tell({ file, line, change, from, to }: Mutant, fate: string, why = ""): void {
  console.log(`${fate}${why && ` (${why})`}: ${change} ${file}:${line}  ${from}  =>  ${to}`);
}

await main();
