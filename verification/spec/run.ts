/** The questions to the specification: whether it holds, whether each rule is needed, and whether the scripts agree. */
import { openBroken, openModel } from "./models.ts";
import { type Simulation, type State, seedOf } from "./quint.ts";
import { type Compared, compareSimulation, replayRun } from "./replay.ts";
import { replayFairRun } from "./replay-fair.ts";
import { replayHoldingRun } from "./replay-holding.ts";
import { replayStorageRun } from "./replay-storage.ts";
import { BROKEN, type Broken, MODELS, type Model } from "./rules.ts";

/** Runs a model with all rules, or with changed ones, and checks all its invariants. */
export function holds({ name, invariants, witnesses, steps }: Model, samples: number, rules = ""): Simulation {
  const module = openModel(name, rules, true);
  return module.simulate({ seed: seedOf(name), samples, steps, invariant: invariants.join(" and "), witnesses });
}

/** Runs a model without a rule from the seed known to break its invariant. */
export function breaks({ model, rules, invariant, seed }: Broken, samples = 1): Simulation {
  const { steps } = MODELS.find(({ name }) => name === model) as Model;
  const sets = BROKEN.filter((each) => each.model === model).map((each) => each.rules);
  const module = `broken${sets.indexOf(rules)}`;
  return openBroken(model, sets).simulate({ module, seed, samples, steps, invariant });
}

/** The combined result of several comparisons. */
function together(all: readonly Compared[]): Compared {
  const answers = new Map<string, number>();
  for (const compared of all)
    for (const [label, count] of compared.answers) answers.set(label, (answers.get(label) ?? 0) + count);
  return {
    requests: all.reduce((sum, { requests }) => sum + requests, 0),
    answers,
    differences: all.flatMap(({ differences }) => differences),
  };
}

type ReplayRun = (states: readonly State[]) => Compared | Promise<Compared>;

/** The models with their own replay: their scripts have two keys, or they describe other code than scripts. */
const REPLAYS: Readonly<Record<string, ReplayRun>> = {
  fair: replayFairRun,
  holding: replayHoldingRun,
  storage: replayStorageRun,
};

/**
 * Replays the given number of runs of a model on the real code: the scripts, the waiting room or the server of an
 * object.
 */
export async function replays(name: string, runs: number): Promise<Compared> {
  const module = openModel(name);
  const { steps, rare = [] } = MODELS.find((model) => model.name === name) as Model;
  const replay = REPLAYS[name] ?? replayRun;
  const found: Compared[] = [];
  for (const seed of [...rare, ...Array.from({ length: runs }, (_, run) => seedOf(`${name} ${run}`))]) {
    const { states } = module.simulate({ seed, samples: 1, steps, invariant: "true" });
    found.push(await replay(states));
  }
  return together(found);
}

/** Checks the first seeds of a kind's simulation against the specification. */
export async function simulations(kind: string, seeds: number, rounds: number): Promise<Compared> {
  const found: Compared[] = [];
  for (let seed = 1; seed <= seeds; seed++) found.push(await compareSimulation(kind, seed, rounds));
  return together(found);
}
