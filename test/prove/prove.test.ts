import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { roundLine } from "../../verification/histories/report.ts";
import { reportOf } from "../../verification/prove/report.ts";
import type { Step } from "../../verification/prove/step.ts";
import { stepsOf } from "../../verification/prove/steps.ts";
import { ROOT } from "../support/command.ts";

const SEED = 7;
const steps = stepsOf(SEED);

function stepNamed(name: string): Step {
  const step = steps.find((each) => each.name === name);
  if (!step) throw new Error(`no step ${name}`);
  return step;
}

const COUNTS = { site: "one server", server: "Redis 7.0.15", operations: 900, unanswered: 4, stories: 20, seconds: 9 };
const roundWith = (violated: number, undecided: number): string => roundLine({ ...COUNTS, violated, undecided });
const GOOD_ROUND = roundWith(0, 0);
const SECOND = "one server, second judge:";
const GOOD_SECOND = `${SECOND} 0 not explained, 0 undecided; 0 disagreements`;

/** For each step what its tool prints when all is well, and when it is not. */
const OUTPUTS: readonly (readonly [name: string, good: string, bad: string])[] = [
  ["rules, one by one", "1244 passed, 0 failed", "1243 passed, 1 failed"],
  [
    "simulation",
    "lock: 10 calls, 20 requests, 300 operations a second of CPU, 0 seeds failed",
    "lock: 10 calls, 20 requests, 300 operations a second of CPU, 1 seeds failed",
  ],
  [
    "specification",
    [
      "| lock | 100 | 40 | 8 | nothing | `aCopyCameLate` 2 |",
      "| lock | `closesIds: false` | `lateDuplicatesDoNothing` | 12 | 8 |",
      "| 40 runs of the lock, on the scripts | 564 | 17 | none |",
    ].join("\n"),
    [
      "| lock | 100 | 40 | 8 | nothing | `aCopyCameLate` 2 |",
      "| lock | `closesIds: false` | `lateDuplicatesDoNothing` | 12 | **ok** |",
      "| 40 runs of the lock, on the scripts | 564 | 17 | none |",
    ].join("\n"),
  ],
  [
    "hours of virtual time",
    "| lock | 7000 | 22.1 | 22.0 | -3.5 | flat |",
    "| lock | 7000 | 22.1 | 29.0 | 900.0 | **grows** |",
  ],
  [
    "soak",
    "| gateway | 99.0 | 100.1 | 100.2 | 30 | 31 | 31 | 400 | 0 | flat |",
    "| gateway | 99.0 | 100.1 | 150.2 | 30 | 31 | 31 | 400 | 0 | **grows** |",
  ],
  [
    "histories, single",
    `${GOOD_ROUND}\n${GOOD_SECOND}`,
    `${roundWith(1, 0)}\n${SECOND} 0 not explained, 0 undecided; 0 disagreements`,
  ],
  [
    "histories, cluster",
    `${GOOD_ROUND}\n${GOOD_SECOND}`,
    `${roundWith(0, 1)}\n${SECOND} 0 not explained, 1 undecided; 0 disagreements`,
  ],
  [
    "histories, sentinel",
    `${GOOD_ROUND}\n${GOOD_SECOND}`,
    `${GOOD_ROUND}\n${SECOND} 1 not explained, 0 undecided; 1 disagreements`,
  ],
  ["histories of other locks", `${roundWith(3, 0)}`, `${roundWith(0, 9)}`],
  [
    "rules broken on purpose",
    "| all of `lua/` | 9 | 9 | 7 | 1 | 0 | 1 | 0 | 100 % |",
    "| all of `lua/` | 9 | 9 | 7 | 0 | 0 | 1 | 1 | 87 % |",
  ],
  ["lost updates, no lock", "| two raw fetches | 33 | 0 |", "| two raw fetches | 0 | 0 |"],
  ["lost updates, fenced", "| leasehold with a fence | 0 | 9 |", "| leasehold with a fence | 1 | 8 |"],
];

it.each(OUTPUTS)("%s: tells a good output from a bad one, and from none", (name, good, bad) => {
  const { read } = stepNamed(name);
  expect(read(good).findings).toEqual([]);
  expect(read(bad).findings).toHaveLength(1);
  expect(() => read("")).toThrow("the output has no line like");
});

it("reports the verdict, each command, and the output of what failed", () => {
  const [first, second] = steps as [Step, Step];
  const outcomes = [
    { step: first, seconds: 61, figures: "9 tests passed", findings: [], tail: "quiet" },
    { step: second, seconds: 59, figures: "2 kinds", findings: ["lock: 1 seeds"], tail: "lock, seed 9, trace ab" },
  ];
  const report = reportOf(outcomes, { commit: "abcdef0", seed: SEED, date: "2026-11-23", machine: "2 cores" });
  expect(report).toContain("1 of 2 steps failed: simulation. Commit abcdef0, 2026-11-23, 2 cores, 2.0 minutes.");
  expect(report).toContain("npm run prove -- --seed 7");
  expect(report).toContain("node --max-semi-space-size=64 verification/sim/main.ts --kind all --seeds 7-36");
  expect(report).toContain("lock, seed 9, trace ab");
  expect(report).not.toContain("quiet");
});

function prove(...args: readonly string[]) {
  const folder = mkdtempSync(join(tmpdir(), "leasehold-prove-"));
  const out = join(folder, "report.md");
  try {
    const main = join(ROOT, "verification/prove/main.ts");
    const { status, stdout, stderr } = spawnSync(process.execPath, [main, "--out", out, ...args], { encoding: "utf8" });
    return { status, stdout, stderr, report: status === 0 ? readFileSync(out, "utf8") : "" };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

it("runs a step and writes its report", { timeout: 300_000 }, () => {
  const { status, stdout, report } = prove("--only", "rules broken", "--seed", `${SEED}`);
  expect(stdout).toContain("1/1 rules broken on purpose ... holds");
  expect(status).toBe(0);
  expect(report).toContain("All 1 steps hold.");
});

it("says which step or seed it does not know", () => {
  expect(prove("--only", "nothing").stderr).toContain("no step has that in its name");
  expect(prove("--seed", "x").stderr).toContain("give a whole number from 1");
});
