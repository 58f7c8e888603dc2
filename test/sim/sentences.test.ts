import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { SENTENCES, type Sentence } from "../../verification/sim/history/sentences.ts";
import { planOf } from "../../verification/sim/plan.ts";
import { run } from "../../verification/sim/run.ts";

const guarantees = readFileSync(new URL("../../docs/guarantees.md", import.meta.url), "utf8");

it('excuses by the sentences under "Not guaranteed", and by no others', () => {
  const [, list = ""] = guarantees.split("## Not guaranteed");
  const bullets = list.split("\n- ").slice(1);
  for (const sentence of Object.keys(SENTENCES))
    expect(bullets.filter((bullet) => bullet.replaceAll("**", "").startsWith(sentence))).toHaveLength(1);
  expect(Object.keys(SENTENCES)).toHaveLength(bullets.length);
});

it.each(Object.entries(SENTENCES))("needs the sentence: %s", async (sentence, { kind, seed }) => {
  const { excused, violations } = await run(planOf(kind, seed, 20));
  expect(violations).toEqual([]);
  expect(excused.get(sentence as Sentence), `npm run sim -- --kind ${kind} --seeds ${seed}`).toBeGreaterThan(0);
});
