import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { SENTENCES, type Sentence } from "../../verification/sim/history/sentences.ts";
import { planOf } from "../../verification/sim/plan.ts";
import { run } from "../../verification/sim/run.ts";
import { ROUNDS, seedThatShows, showsNeed } from "../../verification/sim/shown.ts";

const guarantees = readFileSync(new URL("../../docs/guarantees.md", import.meta.url), "utf8");

it('excuses by the sentences under "Not guaranteed", and by no others', () => {
  const section = guarantees.split("\n## ").find((text) => text.startsWith("Not guaranteed")) ?? "";
  const bullets = section.split("\n- ").slice(1);
  for (const sentence of Object.keys(SENTENCES))
    expect(bullets.filter((bullet) => bullet.replaceAll("**", "").startsWith(sentence))).toHaveLength(1);
  expect(Object.keys(SENTENCES)).toHaveLength(bullets.length);
});

/** Each sentence is needed within so many seeds. */
const MAX_SEEDS = 100;

it.each(Object.entries(SENTENCES))("needs the sentence: %s", { timeout: 300_000 }, async (sentence, { kind, seed }) => {
  const shown = await seedThatShows(seed, MAX_SEEDS, showsNeed(sentence as Sentence, kind));
  if (shown === undefined) expect.fail(`no seed of ${kind} up to ${MAX_SEEDS} needs it`);
  expect((await run(planOf(kind, shown, ROUNDS))).violations).toEqual([]);
});
