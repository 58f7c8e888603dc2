import { afterAll, describe, expect, it } from "vitest";
import { BREAKS } from "../../verification/sim/breaks.ts";
import { planOf, without } from "../../verification/sim/plan.ts";
import { run } from "../../verification/sim/run.ts";
import { ROUNDS, seedThatShows, showsBreak } from "../../verification/sim/shown.ts";
import { shrink } from "../../verification/sim/shrink.ts";
import { WORKLOADS } from "../../verification/sim/workloads/index.ts";

/** Seeds of each kind. */
const SEEDS = Number(process.env["SIM_SEEDS"] ?? 1);
/** A rule that is broken shows within so many seeds. */
const MAX_SEEDS = 100;

/** Seeds that once showed a fault of the scripts, of the SDK, or of the checks. */
const FOUND = [
  // An abandoned acquire was sent again after its cancel, and granted to nobody.
  ["quorum", 36],
  // A request that came too late closed the doubt about the one before it, which had been granted.
  ["lock", 1068],
  // A duplicate of a first request set a latch again after the server had forgotten it, and the check missed that.
  ["latch", 97279],
  // The record of a latch remembers who set it when its crowd is lost, and the check forgot that.
  ["latch", 101371],
  // A retried first request ran 11 commands while it removed expired waiters.
  ["fair", 400011],
  // A duplicate of a first request ran long after its host had died, and the check excused only calls that ended.
  ["semaphore", 400525],
  // A result was refused after a lost reply, and the mark without it got the whole time of a call again.
  ["once", 5000455],
  // The check was too strict: a first request depended on the client's clock, which had drifted for 97 s.
  ["multi", 7000285],
  // The check was too strict: an expired lease was removed before the server's clock was set back to before its end.
  ["look", 7000278],
  // A turn froze after a grant that came too late, and its next ID ended nobody: the server had forgotten a newer turn.
  ["turn", 99],
  // The server's clock was set back to before a counter's number was set, and a cancelled request returned no permits.
  ["counter", 1103222],
  // The check was too strict: permits that had expired counted again after the clock was set back, under their token.
  ["stock", 9103879],
  // After an outage that outlasted its ID, a turn took the name back from a later one.
  ["turn", 20001228],
] as const;

const found = ({ violations }: Awaited<ReturnType<typeof run>>): string[] =>
  violations.map(({ rule, text }) => `${rule}: ${text}`);

describe("the simulated world", () => {
  let calls = 0;
  afterAll(() => {
    expect(calls).toBeGreaterThan(SEEDS * 100);
  });

  it.each(Object.keys(WORKLOADS))(
    "finds no rule broken by %s",
    async (kind) => {
      for (let seed = 1; seed <= SEEDS; seed++) {
        const result = await run(planOf(kind, seed, ROUNDS));
        expect(found(result), `npm run sim -- --kind ${kind} --seeds ${seed}`).toEqual([]);
        calls += result.calls;
      }
    },
    900_000,
  );

  it.each(FOUND)("finds no rule broken any more by %s, seed %i", async (kind, seed) => {
    expect(found(await run(planOf(kind, seed, ROUNDS)))).toEqual([]);
  });

  it("goes the same way for the same seed, and another for another", async () => {
    const plan = planOf("fair", 5, ROUNDS);
    await run(plan);
    const [first, second] = [await run(plan), await run(plan)];
    expect(second.lines).toEqual(first.lines);
    expect(second.hash).toBe(first.hash);
    expect((await run(planOf("fair", 6, ROUNDS))).hash).not.toBe(first.hash);
  });
});

describe("a rule broken on purpose", () => {
  it.each(BREAKS)('$kind: $what, and the check of "$rule" tells', { timeout: 300_000 }, async (broken) => {
    const seed = await seedThatShows(broken.seed, MAX_SEEDS, showsBreak(broken));
    if (seed === undefined) expect.fail(`no seed up to ${MAX_SEEDS} shows it`);
    expect(found(await run(planOf(broken.kind, seed, ROUNDS)))).toEqual([]);
  });

  it("is shown by a shorter story", async () => {
    const [broken] = BREAKS.filter(({ rule }) => rule === "fair order");
    if (!broken) throw new Error("there is no such rule");
    const seed = (await seedThatShows(broken.seed, MAX_SEEDS, showsBreak(broken))) ?? broken.seed;
    const result = await run(planOf("fair", seed, ROUNDS), { breaks: [broken] });
    const story = await shrink(result, [broken]);
    expect(story.result.lines.length).toBeLessThan(result.lines.length / 2);
    const again = await run(without(planOf("fair", seed, story.rounds), story.left), { breaks: [broken] });
    expect(again.violations.map(({ rule }) => rule)).toContain("fair order");
  });
});
