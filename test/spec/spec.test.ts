import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openChanged } from "../../verification/spec/models.ts";
import { BROKEN, MODELS, OWN_RULES } from "../../verification/spec/rules.ts";
import { breaks, holds, replays, simulations } from "../../verification/spec/run.ts";
import { delaysByScript, delaysBySpecification, TURNS } from "../../verification/spec/turns.ts";

const root = join(import.meta.dirname, "../..");
/** Runs of each model, and of each comparison with the scripts. The long form gives the former. */
const SAMPLES = Number(process.env["SPEC_SAMPLES"] ?? 12);
const [REPLAYS, SEEDS] = process.env["SPEC_SAMPLES"] ? [100, 10] : [4, 1];

/** The constants of a fair lock's delays, in fair.qnt. */
const DELAYING = [
  "FARTHEST",
  "FIRST_GUESS",
  "DOUBT",
  "STEP_GAIN",
  "MIN_STEP",
  "LATE_PART",
  "FIRST_DELAY",
  "AGE_PART",
  "SLOW_DELAY",
  "SLOW_PART",
  "LONGEST_STEP",
  "REGULAR_PART",
  "BEHIND_PART",
  "HANDOVER",
  "AFTER_LEASE",
];

const quintOf = (name: string): string => readFileSync(join(root, `verification/spec/${name}.qnt`), "utf8");

/** A sentence as the name of an invariant: `A retried release …` is `aRetriedRelease…`. */
const nameOf = (sentence: string): string =>
  sentence
    .replace(/[^\w ]/g, "")
    .split(" ")
    .map((word, index) => (index === 0 ? word.toLowerCase() : `${word[0]?.toUpperCase()}${word.slice(1)}`))
    .join("");

describe("the specification", () => {
  it("has an invariant for each sentence that is guaranteed, under its name", () => {
    const [, guaranteed = ""] = readFileSync(join(root, "docs/guarantees.md"), "utf8").split(/^## .*$/m);
    const sentences = [...guaranteed.matchAll(/^- \*\*([^*]+)\*\*/gm)].map(([, sentence = ""]) => nameOf(sentence));
    expect(sentences.length).toBeGreaterThan(0);
    const [lock] = MODELS;
    expect(lock?.invariants).toEqual(sentences);
  });

  it.each(MODELS)("defines what is asked of $name, and every rule of it is left out once", ({ name, ...model }) => {
    const text = quintOf(name);
    for (const each of [...model.invariants, ...model.witnesses]) expect(text).toContain(`val ${each}: bool =`);
    const broken = new Set(BROKEN.filter((each) => each.model === name).map(({ invariant }) => invariant));
    expect([...broken].filter((each) => !model.invariants.includes(each))).toEqual([]);
  });

  it.each(["record", ...OWN_RULES])("leaves out every rule of %s", (name) => {
    const [, fields = ""] = /type \w*Rules = \{(.*?)\n {2}\}/s.exec(quintOf(name)) ?? [];
    const rules = [...fields.matchAll(/\b(\w+): (?:bool|int)/g)].map(([, rule]) => rule);
    const broken = BROKEN.filter(({ model }) =>
      OWN_RULES.includes(name) ? model === name : !OWN_RULES.includes(model),
    );
    const left = new Set(broken.flatMap((each) => each.rules.split(", ").map((rule) => rule.split(":")[0])));
    expect(rules.length).toBeGreaterThan(0);
    expect(rules.filter((rule) => !left.has(rule))).toEqual([]);
  });

  it.each(MODELS)("holds where nothing is left out of $name", { timeout: 3_600_000 }, (model) => {
    const { status, errors, seed } = holds(model, SAMPLES);
    expect({ seed, status, errors }).toMatchObject({ status: "ok", errors: [] });
  });

  it.each(BROKEN)("$model without $rules breaks $invariant", { timeout: 60_000 }, (broken) => {
    expect(breaks(broken).status).toBe("violation");
  });
});

describe("the scripts", () => {
  it.each(["lock", "once", "quorum"])(
    "do what the specification of %s says (R2, R3)",
    async (name) => {
      const { requests, differences } = await replays(name, REPLAYS);
      expect(requests).toBeGreaterThan(20);
      expect(differences).toEqual([]);
    },
    600_000,
  );

  it("of a fair lock do what its specification says, also where many waiters have expired", {
    timeout: 600_000,
  }, async () => {
    const { requests, answers, differences } = await replays("fair", REPLAYS);
    expect(requests).toBeGreaterThan(100);
    const seen = ["granted", "held", "held, too many expired", "closed", "late"].map(
      (status) => `fair-acquire ${status}`,
    );
    expect([...answers.keys()]).toEqual(expect.arrayContaining([...seen, "fair-close closed"]));
    expect(differences).toEqual([]);
  });

  it("delay a waiter of a fair lock as its specification says, by each of its constants", { timeout: 600_000 }, () => {
    const delays = delaysByScript(TURNS);
    expect(delaysBySpecification(TURNS)).toEqual(delays);
    for (const constant of DELAYING) {
      const changed = openChanged("fair", (text) => text.replace(new RegExp(`val ${constant} = .*$`, "m"), "$& + 1"));
      expect(delaysBySpecification(TURNS, changed), constant).not.toEqual(delays);
    }
  });

  it.each(["lock", "once"])(
    "are told by the specification when %s is simulated",
    async (kind) => {
      const { requests, differences } = await simulations(kind, SEEDS, 10);
      expect(requests).toBeGreaterThan(20);
      expect(differences).toEqual([]);
    },
    600_000,
  );
});

describe("the server of a Durable Object", () => {
  it("does what the specification of its storage says", { timeout: 600_000 }, async () => {
    const { requests, answers, differences } = await replays("storage", REPLAYS);
    expect(requests).toBeGreaterThan(20);
    expect([...answers.keys()].sort()).toEqual(["looks answered", "looks error", "takes answered", "takes error"]);
    expect(differences).toEqual([]);
  });
});

describe("the waiting room", () => {
  it("does what the specification of holding says", { timeout: 600_000 }, async () => {
    const { requests, differences } = await replays("holding", 3 * REPLAYS);
    expect(requests).toBeGreaterThan(100);
    expect(differences).toEqual([]);
  });
});
