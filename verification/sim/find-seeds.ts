/**
 * Finds new seeds for the rules that are broken on purpose and for the needed sentences, since a change to the protocol
 * changes every run. It prints those whose seed no longer shows them, and the first seed that does. The tests also try
 * other seeds; this keeps them short.
 *
 *   node verification/sim/find-seeds.ts [--write] [--max 2000]
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { BREAKS } from "./breaks.ts";
import { SENTENCES, type Sentence } from "./history/sentences.ts";
import { seedThatShows, showsBreak, showsNeed } from "./shown.ts";

const { values } = parseArgs({
  options: { write: { type: "boolean", default: false }, max: { type: "string", default: "2000" } },
});
const max = Number(values.max);

/** Prints a change, and with `--write` makes it in the file. */
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
  const found = await seedThatShows(seed, max, showsBreak(broken));
  const line = (of: number | undefined): string => `of("${kind}", "${rule}", ${of}, "${what}"`;
  change("breaks.ts", `${kind}: ${what}`, seed, found, line(seed), line(found));
}
for (const [sentence, { kind, seed }] of Object.entries(SENTENCES) as [Sentence, { kind: string; seed: number }][]) {
  const found = await seedThatShows(seed, max, showsNeed(sentence, kind));
  const key = /^[\w]+$/.test(sentence) ? sentence : sentence.includes('"') ? `'${sentence}'` : `"${sentence}"`;
  const line = (of: number | undefined): string => `${key}: by("${kind}", ${of})`;
  change("history/sentences.ts", sentence, seed, found, line(seed), line(found));
}
