/**
 * Finds seeds anew for the rules that are broken on purpose and for the sentences that are needed, since a change of
 * the protocol changes every run. It prints those whose seed no longer shows them, and the first seed that does.
 *
 *   node verification/sim/find-seeds.ts [--write] [--most 2000]
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { BREAKS, type Broken } from "./breaks.ts";
import { SENTENCES, type Sentence } from "./history/sentences.ts";
import { planOf } from "./plan.ts";
import { run } from "./run.ts";

const ROUNDS = 20;

const { values } = parseArgs({
  options: { write: { type: "boolean", default: false }, most: { type: "string", default: "2000" } },
});
const most = Number(values.most);

/** The seed itself if it still works, or else the first one that does. */
async function firstSeed(seed: number, shows: (seed: number) => Promise<boolean>): Promise<number | undefined> {
  if (await shows(seed)) return seed;
  for (let other = 1; other <= most; other++) if (await shows(other)) return other;
  return undefined;
}

/** Whether the whole protocol passes under a seed, and the broken one does not. */
const showsBreak =
  (broken: Broken) =>
  async (seed: number): Promise<boolean> => {
    const plan = planOf(broken.kind, seed, ROUNDS);
    const { violations } = await run(plan, { breaks: [broken] });
    if (!violations.some(({ rule }) => rule === broken.rule)) return false;
    return (await run(plan)).violations.length === 0;
  };

const showsNeed =
  (sentence: Sentence, kind: string) =>
  async (seed: number): Promise<boolean> => {
    const { excused, violations } = await run(planOf(kind, seed, ROUNDS));
    return violations.length === 0 && (excused.get(sentence) ?? 0) > 0;
  };

/** Reports a change, and makes it in a file where that was asked for. */
function change(file: string, what: string, seed: number, found: number | undefined, from: string, to: string): void {
  if (found === seed) return;
  console.log(
    `${what}: seed ${seed} shows it no longer; ${found === undefined ? "no seed found" : `seed ${found} does`}`,
  );
  if (!values.write || found === undefined) return;
  const path = join(import.meta.dirname, file);
  writeFileSync(
    path,
    readFileSync(path, "utf8").replace(from, () => to),
  );
}

for (const broken of BREAKS) {
  const { kind, rule, seed, what } = broken;
  const found = await firstSeed(seed, showsBreak(broken));
  const line = (of: number | undefined): string => `of("${kind}", "${rule}", ${of}, "${what}"`;
  change("breaks.ts", `${kind}: ${what}`, seed, found, line(seed), line(found));
}
for (const [sentence, { kind, seed }] of Object.entries(SENTENCES) as [Sentence, { kind: string; seed: number }][]) {
  const found = await firstSeed(seed, showsNeed(sentence, kind));
  const key = /^[\w]+$/.test(sentence) ? sentence : sentence.includes('"') ? `'${sentence}'` : `"${sentence}"`;
  const line = (of: number | undefined): string => `${key}: by("${kind}", ${of})`;
  change("history/sentences.ts", sentence, seed, found, line(seed), line(found));
}
