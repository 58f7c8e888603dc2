import { describe, expect, it } from "vitest";
import { use } from "./client.ts";
import {
  type Options,
  type Outcome,
  PROTOCOL,
  type Rules,
  simulate,
  simulateAsync,
  tail,
  type Weather,
} from "./model.ts";
import { startAsync } from "./simulation.ts";

/** More in the long form. */
const GRANTS = Number(process.env["QUORUM_GRANTS"] ?? 50_000);
/** How long a test may take, per grant and at least. */
const timeout = (grants: number): number => 60_000 + grants;

/** Run after run, each with a seed of its own, until there are so many grants. */
function* runs(grants: number, rules: Rules, options: Options = {}): Generator<Outcome> {
  for (let seed = 0, sum = 0; sum < grants; seed++) {
    const outcome = simulate(seed, rules, options);
    yield outcome;
    // A run in which nothing is granted must not go on for ever.
    sum += Math.max(outcome.grants, 1);
  }
}

/** Fails with what happened, when something is wrong. */
function expectSound(outcome: Outcome, rules: Rules, options: Options): void {
  const [violation] = outcome.violations;
  if (!violation) return;
  const { seed } = outcome;
  throw new Error(`seed ${seed}: ${violation.kind}: ${violation.text}\n${tail(seed, rules, options)}`);
}

/** Word for word: the release names the token, and a server that does not answer is waited for whenever it may help. */
const TO_THE_LETTER: Rules = { ...PROTOCOL, releaseBy: "token", passOverSilent: false };

/** Where it is safety that counts. */
const ANY_TIME = [Number.POSITIVE_INFINITY, 0] as const;
/** Where nothing stands in the way but a lease that has to end. */
const SOON = [1, 1500] as const;

const NEVER = 1e12;
/** Nothing goes wrong but for processes that die or freeze, and servers that go down; seldom two at once. */
const CALM: Partial<Weather> = {
  lossRate: 0,
  duplicateRate: 0,
  slowRate: 0,
  freezeRate: 0.0001,
  crashEveryMs: 5000,
  blackoutEveryMs: NEVER,
  partitionEveryMs: NEVER,
};
/** Long leases, no delays, and holders that freeze: the next one takes over within ms of the lease's end. */
const TIGHT: Partial<Weather> = {
  ...CALM,
  clients: 8,
  fastMs: 0.5,
  longestLeaseMs: 4000,
  shortWork: 0.97,
  freezeRate: 0.01,
  crashEveryMs: NEVER,
};
/** Every fifth message is lost, and whoever does not answer at once is left out: commits come apart. */
const LOSSY: Partial<Weather> = {
  clients: 3,
  fastMs: 2,
  tries: 1,
  longestLeaseMs: 200,
  shortWork: 1,
  thinkMs: 0,
  lossRate: 0.2,
  slowRate: 0,
  freezeRate: 0,
  crashEveryMs: NEVER,
  blackoutEveryMs: NEVER,
  partitionEveryMs: NEVER,
};
/** Servers lose their data all the time, and leases are much shorter than clocks are apart. */
const FORGETFUL: Partial<Weather> = {
  ...LOSSY,
  longestLeaseMs: 100,
  thinkMs: 200,
  lossRate: 0.1,
  crashEveryMs: 100,
  wipeRate: 1,
};

describe("a quorum of servers in simulated bad weather", () => {
  describe.each([
    ["the protocol", PROTOCOL, GRANTS / 4, [6, 10_000], 5],
    // The cost: a released hold may stay until its lease ends, and contenders may wait for each other for long.
    ["the protocol to the letter", TO_THE_LETTER, GRANTS / 12, ANY_TIME, 1],
  ] as const)("%s", (_, rules, grants, patience, leastPerMinute) => {
    it.each([3, 4, 5])(
      "grants to one at a time, with rising tokens, and continues (%i servers)",
      (servers) => {
        const options: Options = { servers, patience };
        const happened: Record<string, number> = {};
        for (const outcome of runs(grants, rules, options)) {
          expectSound(outcome, rules, options);
          expect(outcome.grantsPerMinute, `seed ${outcome.seed}`).toBeGreaterThan(leastPerMinute);
          expect(outcome.lowerings, `seed ${outcome.seed}`).toBe(0);
          for (const [what, count] of Object.entries(outcome.counts)) happened[what] = (happened[what] ?? 0) + count;
        }
        for (const [what, count] of Object.entries(happened)) expect(count, what).toBeGreaterThan(0);
      },
      timeout(grants),
    );
  });

  it.each([
    ["tight", TIGHT],
    ["forgetful", FORGETFUL],
    ["lossy", LOSSY],
  ] as const)(
    "holds in %s weather",
    (_, weather) => {
      const options: Options = { weather, patience: ANY_TIME };
      for (const outcome of runs(GRANTS / 20, PROTOCOL, options)) expectSound(outcome, PROTOCOL, options);
    },
    timeout(GRANTS),
  );

  it(
    "is granted again within a lease and a little more of a crash",
    () => {
      const options: Options = { weather: CALM, patience: SOON };
      for (const outcome of runs(GRANTS / 10, PROTOCOL, options)) expectSound(outcome, PROTOCOL, options);
    },
    timeout(GRANTS),
  );

  it("happens again in the same way for the same seed", () => {
    const outcome = simulate(7);
    expect(outcome.grants).toBeGreaterThan(100);
    expect(simulate(7)).toEqual(outcome);
  });

  it("takes clients that are async functions, to which the same happens", async () => {
    const options: Options = { simulatedMs: 30_000 };
    const outcome = await simulateAsync(7, (port, terms) => startAsync(use(port, terms, PROTOCOL)), options);
    expect(outcome.grants).toBeGreaterThan(20);
    expect(outcome).toEqual(simulate(7, PROTOCOL, options));
  });
});

/** Breaks of the protocol, each of which the checks must find. */
describe("a mistake in the protocol", () => {
  it.each<[mistake: string, found: string, wrong: Partial<Rules>, options?: Options]>([
    ["half of the servers decide", "overlap", { quorum: "half" }],
    ["half of the servers decide, though no more are up", "minority", { quorum: "half" }],

    [
      "a token is written over a larger one, whoever holds",
      "token",
      { commitOnlyRaises: false, commitNeedsHold: false },
    ],
    ["a token is used without any commit", "token", { commits: "none" }],
    ["a token is used without a majority of commits", "token", { commits: "fewer" }],
    ["a commit does not need the hold", "token", { commitNeedsHold: false }],
    ["commits of different tokens make up a majority", "token", { sameToken: false }, { weather: LOSSY }],
    ["a server that lost its data answers at once", "overlap", { stayOut: "not at all" }],
    ["a server that lost its data stays out for a lease only", "token", { stayOut: "lease" }, { weather: FORGETFUL }],
    ["the time since the attempt began is not taken off", "overlap", { subtractElapsed: false }],
    ["nothing is taken off for drift", "overlap", { allowDrift: false }, { weather: TIGHT }],
    ["one server extends", "overlap", { extendMajority: false }],
    ["closed ids are not remembered", "resurrected", { closedIds: false }],
    ["requests are valid for ever", "resurrected", { notAfter: false }],
    [
      "contenders hold what they have while they wait for a server that is down",
      "blocked",
      { passOverSilent: false },
      { weather: CALM, patience: SOON },
    ],
  ])(
    "is found: %s (%s)",
    (_mistake, found, wrong, given) => {
      const options: Options = { servers: 3, patience: ANY_TIME, enough: 20, ...given };
      const kinds = new Set<string>();
      for (const { violations } of runs(GRANTS, { ...PROTOCOL, ...wrong }, options)) {
        for (const { kind } of violations) kinds.add(kind);
        if (kinds.has(found)) break;
      }
      expect([...kinds]).toContain(found);
    },
    timeout(GRANTS),
  );
});
