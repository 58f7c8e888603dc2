/** The steps of `npm run prove`: each tool, in a form that takes a minute or two. */
import { matches, type Reading, type Step, sumOf, whole } from "./step.ts";

const SOURCES = ["--import", "./tools/sources.ts"];

/** The size of each step. */
const SEEDS_PER_KIND = 30;
const HELD_SEEDS_PER_KIND = 15;
const SPEC_SAMPLES = 100;
const SITES = ["single", "cluster", "sentinel"] as const;
const OPERATIONS_PER_SITE = 5_000;
const SECONDS_PER_SITE = 15;
const MUTANTS = 200;
const APPENDS = 20;
const DAY_KINDS = ["lock", "fair", "once"] as const;
const DAY_HOURS = 8;
const DAY_NAMES = 50;
const SOAK_MINUTES = 0.4;
/** Higher than that of an hour's soak, so that a leak for each request shows in seconds. */
const SOAK_RATE = 24;
/** V8 fills its young generation before it collects, which takes minutes. */
const SOAK_ALLOWED_MIB = 100;
/** A file that stays open for each visit would make hundreds. */
const SOAK_ALLOWED_FILES = 50;
/** The share of a sample's changes that must be caught. Some changes are equivalents that are not listed yet. */
const CAUGHT_PERCENT = 97;

const found = (isWrong: boolean, what: string): readonly string[] => (isWrong ? [what] : []);

function readTests(output: string): Reading {
  const [total] = matches(output, /^(\d+) passed, (\d+) failed/gm);
  const [passed, failed] = [Number(total?.[1]), Number(total?.[2])];
  return { figures: `${whole(passed)} tests passed, ${failed} failed`, findings: found(failed > 0, `${failed} tests`) };
}

function readSimulation(output: string): Reading {
  const kinds = matches(output, /^([\w-]+): (\d+) calls, (\d+) requests, .*, (\d+) seeds failed$/gm);
  const operations = sumOf(kinds, 2) + sumOf(kinds, 3);
  const failed = kinds.filter((kind) => Number(kind[4]) > 0);
  return {
    figures: `${kinds.length} kinds, ${whole(operations)} calls and requests, ${sumOf(kinds, 4)} seeds failed`,
    findings: failed.map(([, kind, , , seeds]) => `${kind}: ${seeds} seeds`),
  };
}

function readSpec(output: string): Reading {
  const models = matches(output, /^\| \w+ \| \d+ \| \d+ \| (\d+) \| (.*?) \|/gm);
  const broken = matches(output, /^\| \w+ \| `(.*?)` \| `\w+` \| \d+ \| (.*?) \|$/gm);
  const compared = matches(output, /^\| (\d+ .*?) \| (\d+) \| \d+ \| (.*?) \|$/gm);
  return {
    figures: `${sumOf(models, 1)} invariants hold in ${models.length} models, ${broken.length} rules are needed, ${whole(sumOf(compared, 2))} requests replayed on the scripts`,
    findings: [
      ...models.flatMap(([line, , result]) => found(result !== "nothing", line)),
      ...broken.flatMap(([line, , result = ""]) => found(!/^\d+$/.test(result), line)),
      ...compared.flatMap(([line, , , result]) => found(result !== "none", line)),
    ],
  };
}

const ROUND =
  /^(.+): (\d+) operations \(([\d.]+) % answered\), (\d+) names, \d+ s; (\d+) not linearizable, (\d+) undecided$/gm;

const SECOND = /^(.+), second judge: (\d+) not explained, (\d+) undecided; (\d+) disagreements$/gm;

function readHistories(output: string): Reading {
  const rounds = matches(output, ROUND);
  const [violated, undecided] = [sumOf(rounds, 5), sumOf(rounds, 6)];
  const second = matches(output, SECOND);
  const [unexplained, disagreements] = [sumOf(second, 2), sumOf(second, 4)];
  return {
    figures: `${whole(sumOf(rounds, 2))} operations on ${whole(sumOf(rounds, 4))} names, ${violated} histories without an explanation, ${undecided} undecided; a second judge left ${unexplained} without one`,
    findings: [
      ...found(violated + undecided > 0, `${violated} violated, ${undecided} undecided`),
      ...found(
        unexplained + disagreements > 0,
        `second judge: ${unexplained} not explained, ${disagreements} disagreements`,
      ),
    ],
  };
}

function readOthers(output: string): Reading {
  const rounds = matches(output, ROUND);
  const violated = sumOf(rounds, 5);
  return {
    figures: `${violated} faults of them found in ${whole(sumOf(rounds, 2))} operations`,
    findings: found(violated === 0, "the checker found no fault in locks that have some"),
  };
}

function readMutants(output: string): Reading {
  const [row] = matches(output, /^\| all of `lua\/` \|(.*)\|$/gm);
  const [, run = 0, cases = 0, seeds = 0, , equivalents = 0, survived = 0] = (row?.[1] ?? "").split("|").map(Number);
  const caught = cases + seeds;
  return {
    figures: `${caught} of ${run - equivalents} caught, ${survived} survived, ${equivalents} change nothing`,
    findings: found(caught * 100 < (run - equivalents) * CAUGHT_PERCENT, `less than ${CAUGHT_PERCENT} % caught`),
  };
}

const readLost =
  (mayLose: boolean) =>
  (output: string): Reading => {
    const [row] = matches(output, /^\| .*? \| (\d+) \| (\d+) \|$/gm);
    const [lost, refused] = [Number(row?.[1]), Number(row?.[2])];
    const isWrong = mayLose ? lost === 0 : lost > 0;
    const finding = mayLose ? "nothing was lost without a lock: the load is too weak" : `${lost} updates lost`;
    return { figures: `${lost} updates lost, ${refused} late writes refused`, findings: found(isWrong, finding) };
  };

/** Lines such as `FAULT of gateway: …`, which a tool prints besides its table. */
const faultsIn = (output: string): readonly string[] => [...output.matchAll(/^FAULT.*$/gm)].map(([line]) => line);

function readDay(output: string): Reading {
  const rows = matches(output, /^\| ([\w-]+) \| (\d+) \| [\d.]+ \| [\d.]+ \| (-?[\d.]+) \| (.*?) \|$/gm);
  const growing = rows.filter(([, , , , verdict]) => verdict !== "flat").map(([line]) => line);
  return {
    figures: `${rows.length} kinds, ${whole(sumOf(rows, 2))} calls, ${growing.length} heaps grow`,
    findings: [...growing, ...faultsIn(output)],
  };
}

function readSoak(output: string): Reading {
  const rows = matches(output, /^\| ([a-z]+)(?: \| [\d.]+){6} \| (\d+) \| \d+ \| (.*?) \|$/gm);
  const growing = rows.filter(([, , , verdict]) => verdict !== "flat").map(([line]) => line);
  return {
    figures: `${rows.length} processes, ${whole(sumOf(rows, 2))} visits, ${growing.length} grow`,
    findings: [...growing, ...faultsIn(output)],
  };
}

const RULES: Step = {
  name: "rules, one by one",
  shows: "Each rule holds on a real Redis when requests are lost, late, repeated, or answered falsely.",
  command: [
    "node_modules/vitest/vitest.mjs",
    "run",
    ...["--project", "quick"],
    ...["test/protocol", "test/contract", "test/faults", "test/kinds"],
  ],
  read: readTests,
};

function simulationSteps(seed: number): readonly Step[] {
  const command = ["--max-semi-space-size=64", "verification/sim/main.ts", "--kind", "all", "--seeds"];
  return [
    {
      name: "simulation",
      shows: "No seed finds two holders, a falling token, or a waiter that is forgotten.",
      command: [...command, `${seed}-${seed + SEEDS_PER_KIND - 1}`],
      read: readSimulation,
    },
    {
      name: "simulation, requests held",
      shows: "The same where servers hold the requests that wait.",
      command: [...command, `${seed}-${seed + HELD_SEEDS_PER_KIND - 1}`, "--holds"],
      read: readSimulation,
    },
  ];
}

const SPECIFICATION: Step = {
  name: "specification",
  shows: "The protocol keeps its invariants, needs each of its rules, and is what the scripts do.",
  command: [...SOURCES, "verification/spec/main.ts", "--samples", `${SPEC_SAMPLES}`],
  read: readSpec,
};

function historySteps(seed: number): readonly Step[] {
  const command = [...SOURCES, "verification/histories/main.ts", "--seed", `${seed}`];
  const visit = ["--operations", `${OPERATIONS_PER_SITE}`, "--seconds", `${SECONDS_PER_SITE}`];
  return [
    ...SITES.map((site) => ({
      name: `histories, ${site}`,
      shows: "What real clients saw on servers that froze and died has an explanation.",
      command: [...command, "--sites", site, ...visit],
      read: readHistories,
    })),
    {
      name: "histories of other locks",
      shows: "The same checker finds the known faults of `SET NX` and `@upstash/lock`.",
      command: [...command, "--sites", "single", ...visit, "--others"],
      read: readOthers,
    },
  ];
}

const mutationStep = (seed: number): Step => ({
  name: "rules broken on purpose",
  shows: "When a guard of a script is removed, a check fails.",
  command: [
    ...["--no-warnings", "verification/mutation/main.ts", "--files", "^lua/"],
    ...["--stages", "case,seed", "--sample", `${MUTANTS}`, "--seed", `${seed}`],
  ],
  read: readMutants,
});

function lostUpdateSteps(seed: number): readonly Step[] {
  const command = ["verification/lost-updates/main.ts", "--appends", `${APPENDS}`, "--seed", `${seed}`, "--only"];
  return [
    {
      name: "lost updates, no lock",
      shows: "The load loses updates where nothing excludes the writers.",
      command: [...command, "two raw fetches"],
      read: readLost(true),
    },
    {
      name: "lost updates, fenced",
      shows: "Under the fence the same load loses none.",
      command: [...command, "leasehold with a fence"],
      read: readLost(false),
    },
  ];
}

function flatSteps(seed: number): readonly Step[] {
  const day = [...SOURCES, "--max-semi-space-size=2", "verification/sim/day-main.ts"];
  const soak = [...SOURCES, "verification/soak/main.ts"];
  return [
    {
      name: "hours of virtual time",
      shows: "The heap of clients and server stays flat over hours.",
      command: [
        ...day,
        "--kinds",
        DAY_KINDS.join(),
        "--hours",
        `${DAY_HOURS}`,
        "--names",
        `${DAY_NAMES}`,
        "--seed",
        `${seed}`,
      ],
      read: readDay,
    },
    {
      name: "soak",
      shows: "The memory and open files of the gateway, the memory server and Durable Objects stay flat under load.",
      command: [
        ...soak,
        "--minutes",
        `${SOAK_MINUTES}`,
        "--rate",
        `${SOAK_RATE}`,
        "--allowed-mib",
        `${SOAK_ALLOWED_MIB}`,
        "--allowed-files",
        `${SOAK_ALLOWED_FILES}`,
      ],
      read: readSoak,
    },
  ];
}

/** All steps. The seed determines every random choice, but not the timing of real machines. */
export const stepsOf = (seed: number): readonly Step[] => [
  RULES,
  ...simulationSteps(seed),
  SPECIFICATION,
  ...flatSteps(seed),
  ...historySteps(seed),
  mutationStep(seed),
  ...lostUpdateSteps(seed),
];
