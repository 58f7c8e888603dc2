/**
 * `npm run spec`: runs the complete specification and prints tables; `-- --write` puts them into
 * verification/spec/README.md.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { BROKEN, MODELS } from "./rules.ts";
import { breaks, holds, replays, simulations } from "./run.ts";

const HELP = `npm run spec -- [options]
  --samples 300    how often each model runs with every rule
  --search 0       looks for a seed for each rule that is left out, in so many runs, and uses none that is known
  --model NAME     one model only
  --write          puts the tables into verification/spec/README.md`;

const { values } = parseArgs({
  options: {
    samples: { type: "string", default: "300" },
    search: { type: "string", default: "0" },
    model: { type: "string" },
    write: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});
const models = MODELS.filter(({ name }) => !values.model || name === values.model);
let failed = 0;

const tell = (isFine: boolean, fine: string, wrong: string): string => {
  if (!isFine) failed++;
  return isFine ? fine : `**${wrong}**`;
};

function tableOfModels(): string[] {
  const lines = [
    "| model | runs | steps each | invariants | found | witnesses, and the runs that reached them |",
    "|---|--:|--:|--:|---|---|",
  ];
  for (const model of models) {
    const { status, samples, witnessed, errors, seed } = holds(model, Number(values.samples));
    const isFine = status === "ok" && !witnessed.includes(0);
    const found = tell(isFine, "nothing", `${status}, seed ${seed} ${errors}`);
    const seen = model.witnesses.map((name, index) => `\`${name}\` ${witnessed[index]}`).join(", ");
    lines.push(`| ${model.name} | ${samples} | ${model.steps} | ${model.invariants.length} | ${found} | ${seen} |`);
    console.log(lines.at(-1));
  }
  return lines;
}

function tableOfRules(): string[] {
  const lines = ["| model | without the rule | broken invariant | seed | step |", "|---|---|---|--:|--:|"];
  const search = Number(values.search);
  for (const broken of BROKEN.filter(({ model }) => models.some(({ name }) => name === model))) {
    const { status, seed, states } = search > 0 ? breaks({ ...broken, seed: 1n }, search) : breaks(broken);
    const step = tell(status === "violation", `${states.length - 1}`, status);
    lines.push(`| ${broken.model} | \`${broken.rules}\` | \`${broken.invariant}\` | ${seed} | ${step} |`);
    console.log(lines.at(-1));
  }
  return lines;
}

async function tableOfComparisons(): Promise<string[]> {
  const lines = ["| compared | requests | different answers seen | differences |", "|---|--:|--:|---|"];
  const all = [
    ["40 runs of the lock, on the scripts", await replays("lock", 40)],
    ["40 runs of the once, on the scripts", await replays("once", 40)],
    ["22 runs of the fair lock, on the scripts", await replays("fair", 20)],
    ["40 runs of the quorum lock, on the scripts", await replays("quorum", 40)],
    ["40 runs of the object's storage, on the object's server", await replays("storage", 40)],
    ["100 runs of held requests, on the waiting room", await replays("holding", 100)],
    ["5 seeds of the simulation's lock", await simulations("lock", 5, 20)],
    ["5 seeds of the simulation's once", await simulations("once", 5, 20)],
    ["2 seeds of the simulation's quorum lock", await simulations("quorum", 2, 10)],
  ] as const;
  for (const [what, { requests, answers, differences }] of all) {
    const found = tell(differences.length === 0 && requests > 0, "none", `${differences.length}: ${differences[0]}`);
    lines.push(`| ${what} | ${requests} | ${answers.size} | ${found} |`);
    console.log(lines.at(-1));
  }
  return lines;
}

async function main(): Promise<void> {
  if (values.help) return console.log(HELP);
  const tables = [tableOfModels(), tableOfRules(), values.model ? [] : await tableOfComparisons()];
  if (values.write && failed === 0) {
    const file = join(import.meta.dirname, "README.md");
    const text = readFileSync(file, "utf8");
    const results = tables.map((lines) => lines.join("\n")).join("\n\n");
    writeFileSync(file, text.replace(/(<!-- results -->\n).*(?=<!-- end -->)/s, `$1${results}\n`));
  }
  process.exitCode = failed > 0 ? 1 : 0;
}

await main();
