/**
 * `npm run mutate`: breaks the scripts and the protocol of the SDK one change at a time, and lists the changes that no
 * seed, case or test tells.
 */
import { join } from "node:path";
import { parseArgs } from "node:util";
import { createChild } from "./child.ts";
import type { Answer, Question } from "./lua-child.ts";
import { luaFiles, luaMutants, scriptsWith, scriptText } from "./lua-mutants.ts";
import type { Mutant } from "./mutant.ts";
import { hashOf, openResults, sha1 } from "./results.ts";
import { kindsOf, seedsFor } from "./seeds.ts";

const { values } = parseArgs({
  options: {
    files: { type: "string", default: "" },
    changes: { type: "string", default: "" },
    stages: { type: "string", default: "seed,case" },
    seeds: { type: "string", default: "12" },
    part: { type: "string", default: "1/1" },
    keep: { type: "boolean", default: false },
    list: { type: "boolean", default: false },
  },
});
const MOST_MS = 60_000;
const LATE: Answer = "it takes too long";

async function main(): Promise<void> {
  const results = openResults();
  const child = createChild<Question, Answer>(join(import.meta.dirname, "lua-child.ts"), MOST_MS, LATE);
  const hashes = { seed: hashOf("sim", "src") + values.seeds, case: hashOf("test/lua/cases"), test: "" };
  const [part = 1, parts = 1] = values.part.split("/").map(Number);
  const pattern = new RegExp(values.files);
  const files = luaFiles().filter((file) => pattern.test(file));
  const sum = { killed: 0, survived: 0 };
  let at = 0;
  for (const file of files) {
    const scripts = scriptsWith(file);
    const seeds = seedsFor(kindsOf(scripts), Number(values.seeds), 1);
    for (const mutant of luaMutants(file)) {
      if (values.changes && !values.changes.split(",").includes(mutant.change)) continue;
      if (at++ % parts !== part - 1) continue;
      const texts = Object.fromEntries(scripts.map((script) => [script, scriptText(script, mutant)]));
      const hash = sha1(JSON.stringify(texts));
      let finding = results.of(hash);
      const { killed } = finding;
      if (!killed) {
        for (const stage of values.stages.split(",") as ("seed" | "case")[]) {
          if (finding.killed || (finding.survived?.[stage] && (values.keep || finding.survived[stage] === hashes[stage])))
            continue;
          const questions: Question[] = stage === "case" ? [{ texts }] : seeds.map((seed) => ({ texts, seed }));
          let why: Answer = null;
          for (const question of questions) {
            why = await child.ask(question);
            if (why === null) continue;
            const by = question.seed ? `${question.seed.kind} ${question.seed.seed}` : why.split(":")[0] ?? "";
            finding = { killed: { stage, by, why: why.slice(0, 200), killers: hashes[stage] } };
            break;
          }
          if (why === null) finding = { survived: { ...finding.survived, [stage]: hashes[stage] } };
          results.put(hash, finding);
        }
      }
      if (at % 20 === 0) results.save();
      tell(mutant, finding.killed?.why);
      sum[finding.killed ? "killed" : "survived"]++;
    }
    results.save();
    console.log(`${file}: so far ${JSON.stringify(sum)}`);
  }
  child.stop();
}

function tell({ file, line, change, from, to }: Mutant, why: string | undefined): void {
  if (why === undefined || values.list)
    console.log(`${why ? `killed (${why})` : "SURVIVED"} ${change} ${file}:${line}  ${from}  =>  ${to}`);
}

await main();
