import { execFile } from "node:child_process";
import { appendFileSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Mutant } from "./mutant.ts";

const ROOT: string = join(import.meta.dirname, "../..");

/** Tests of any operation of a lock: requests, aborts, keepAlive and tickets. */
const OPERATIONS = [
  "test/lease/lease.test.ts",
  "test/lease/events.test.ts",
  "test/lease/keep-alive.test.ts",
  "test/lease/ticket.test.ts",
  "test/faults/abort.test.ts",
  "test/faults/attacks.test.ts",
  "test/faults/deadline.test.ts",
  "test/faults/late-copies.test.ts",
  "test/faults/missed.test.ts",
  "test/faults/silence.test.ts",
  "test/faults/wait-until.test.ts",
];

/** The kinds whose contract concerns a file, and test files with more checks of it. */
const CONCERNED: readonly (readonly [files: RegExp, kinds: string, tests: readonly string[]])[] = [
  [/src\/redis\/target/, "fair", ["test/redis/target.test.ts"]],
  // Runs alone: it counts requests, and a script that no other test has loaded costs one more.
  [/extend-all/, "lock", ["test/lease/extend-all.test.ts"]],
  [/\/fair|queue\.lua/, "fair,semaphore", ["test/kinds/fair-lock/faults.test.ts"]],
  [
    /multi-lock|part-sequence|several-names|group/,
    "multi",
    ["test/kinds/groups.test.ts", "test/kinds/multi-lock/faults.test.ts", "test/options/misuse.test.ts"],
  ],
  [
    /quorum|lock-commit/,
    "lock",
    [
      "test/kinds/quorum-lock/servers.test.ts",
      "test/kinds/quorum-lock/quorum-lock.test.ts",
      "test/kinds/quorum-lock/faults.test.ts",
      "test/options/misuse.test.ts",
    ],
  ],
  [/read-write|rw/, "rw", ["test/kinds/read-write-lock/faults.test.ts"]],
  [
    /semaphore|permits|counter|spend/,
    "semaphore",
    [
      "test/kinds/semaphore/never.test.ts",
      "test/kinds/semaphore/semaphore.test.ts",
      "test/kinds/semaphore/spend.test.ts",
    ],
  ],
  [/once|attempts/, "once", ["test/kinds/once/waiting.test.ts", "test/kinds/once/faults.test.ts", ...OPERATIONS]],
  [/latch/, "latch", ["test/kinds/latch/faults.test.ts"]],
  [/web-locks/, "request", ["test/kinds/web-locks/faults.test.ts", "test/options/misuse.test.ts"]],
  [/backoff|unavailable/, "lock", ["test/lease/backoff.test.ts", "test/lease/retry-after.test.ts"]],
  [/./, "lock,once,semaphore", OPERATIONS],
];
/** In CPU time, since the machine may be busy. */
const MAX_SECONDS = 30;
/** For all tests without a change. */
const ALL_SECONDS = 120;
/** The maximum number of runs of unchanged code to find the tests that fail there. */
const MAX_TRIES = 5;

type Told = { readonly stdout: string; readonly stderr: string; readonly isLate: boolean };

/** Runs the tests that concern a file in virtual time, in a process of its own. */
function runChild(file: string, more: Readonly<Record<string, string>>): Promise<Told> {
  const [, kinds = "", files = []] = CONCERNED.find(([pattern]) => pattern.test(file)) ?? [];
  const here = import.meta.dirname;
  const hook = pathToFileURL(join(here, "swap-source.ts")).href;
  const limited = [
    "-c",
    `ulimit -t ${more["MUTANT_ALL"] ? ALL_SECONDS : MAX_SECONDS}; exec "$0" "$@"`,
    process.execPath,
  ];
  const args = [
    ...limited,
    "--no-warnings",
    "--import",
    hook,
    join(here, "test-child.ts"),
    "verification/mutation/contract.ts",
    ...files,
  ];
  const env = { ...process.env, MUTANT_VIRTUAL: "1", MUTANT_KINDS: kinds, ...more };
  return new Promise((resolve) => {
    execFile("sh", args, { env }, (error, stdout, stderr) => {
      resolve({ stdout, stderr, isLate: /^SIG(XCPU|KILL)$/.test(error?.signal ?? "") });
    });
  });
}

const folder = (): string => mkdtempSync(join(tmpdir(), "mutant-"));
const failing = new Map<string, Promise<string>>();

/** A file with the names of the tests that fail in virtual time without a change, under any of three seeds. */
function ignoredFor(file: string): Promise<string> {
  const group = String(CONCERNED.find(([pattern]) => pattern.test(file))?.[0]);
  const find = async (): Promise<string> => {
    const list = join(folder(), "ignored.txt");
    const runs = ["1", "2", "3"].map((seed) => runChild(file, { MUTANT_ALL: "1", MUTANT_SEED: seed }));
    const told = await Promise.all(runs);
    writeFileSync(list, told.map(({ stdout }) => stdout.replace(/\t.*$/gm, "")).join(""));
    // Without those, tests that depend on them fail. Otherwise every change would count as caught.
    for (let tries = 1; ; tries++) {
      const { stdout, stderr } = await runChild(file, { MUTANT_ALL: "1", MUTANT_IGNORED: list });
      if (stdout.trim() === "none") break;
      if (tries === MAX_TRIES) throw new Error(`tests fail without any change of ${file}: ${stdout}${stderr}`);
      appendFileSync(list, stdout.replace(/\t.*$/gm, ""));
    }
    return list;
  };
  const known = failing.get(group) ?? find();
  failing.set(group, known);
  return known;
}

/** Runs the tests that concern a change; returns the test that failed, or null. */
export async function runTests(
  mutant: Mutant,
  texts: Readonly<Record<string, string>>,
): Promise<{ readonly by: string; readonly why: string } | null> {
  const more: Record<string, string> = { MUTANT_IGNORED: await ignoredFor(mutant.file) };
  if (mutant.file.endsWith(".ts")) {
    const swaps = join(folder(), "swaps.json");
    writeFileSync(swaps, JSON.stringify({ [pathToFileURL(join(ROOT, mutant.file)).href]: mutant.text }));
    more["MUTANT_SWAPS"] = swaps;
  } else more["MUTANT_LUA"] = JSON.stringify(texts);
  const { stdout, stderr, isLate } = await runChild(mutant.file, more);
  const [by = "", why] = (stdout.trim().split("\n")[0] ?? "").split("\t");
  if (by === "none") return null;
  if (why !== undefined) return { by, why };
  return {
    by: "the process",
    why: isLate ? "it takes too long" : (/^.*Error.*$/m.exec(stderr)?.[0] ?? "it ends early"),
  };
}
