import { execFile } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Mutant } from "./mutant.ts";

const ROOT: string = join(import.meta.dirname, "../..");

/** Files of tests about wrong options and forged tickets, which disturb others in virtual time. */
const OPTIONS = ["test/options/input.test.ts", "test/options/misuse.test.ts"];
/** Files of tests by the sources that they concern; those that are quick and tell most come first. */
const CONCERNED: readonly (readonly [files: RegExp, tests: readonly string[]])[] = [
  [/(acquire-options|poll|resume|attempts|multi-lock|quorum-lock\/index|web-locks)\.ts$/, OPTIONS],
  [/resume/, ["test/protocol/secrets.test.ts", "test/engine/ticket.test.ts", "test/queue/take-over.test.ts"]],
  [/engine\/(lease|expiry)/, ["test/engine/lease.test.ts", "test/engine/ticket.test.ts"]],
  [/redis\/(retry-policy|doubt)/, ["test/redis/retry-policy.test.ts", "test/redis/doubt.test.ts"]],
  [/engine\/keep-alive/, ["test/engine/keep-alive.test.ts"]],
  [
    /src\/redis/,
    [
      "test/redis/answers.test.ts",
      "test/redis/transport.test.ts",
      "test/redis/from-env.test.ts",
      "test/engine/retry-after.test.ts",
      "test/protocol/clock.test.ts",
      "test/kinds/wrong-kind.test.ts",
      "test/faults/refusals.test.ts",
      "test/faults/missed.test.ts",
      "test/faults/clock.test.ts",
      "test/kinds/multi-lock/multi-lock.test.ts",
    ],
  ],
  [
    /multi-lock|part-sequence|several-names/,
    ["test/kinds/groups.test.ts", "test/kinds/multi-lock/multi-lock.test.ts", "test/kinds/replicas.test.ts"],
  ],
  [
    /quorum-lock/,
    [
      "test/kinds/quorum-lock/quorum-lock.test.ts",
      "test/kinds/quorum-lock/failures.test.ts",
      "test/redis/from-env.test.ts",
    ],
  ],
  [/once|attempts/, ["test/kinds/once/waiting.test.ts"]],
  [
    /once|contend|unavailable|quorum-lock\/servers|redis\/run/,
    ["test/redis/answers.test.ts", "test/dedupe/unavailable.test.ts"],
  ],
  [/engine\/(acquire|contend|lease|several-names|hold)\.ts/, ["test/kinds/replicas.test.ts"]],
  [
    /src\/redis|engine\/(contend|lease|hold|unavailable)\.ts/,
    ["test/faults/in-time.test.ts", "test/faults/closed-ids.test.ts", "test/faults/outage.test.ts"],
  ],
  [/redis\/run/, ["test/kinds/quorum-lock/failures.test.ts"]],
];
const testsOf = (file: string): readonly string[] => [
  ...new Set(CONCERNED.flatMap(([pattern, tests]) => (pattern.test(file) ? tests : []))),
];

/** With two tries of a test that ends at its time limit, and servers that start. */
const MOST_MS = 180_000;

/** Runs files of tests as `npm test` does, in a process of its own. */
function runChild(
  tests: readonly string[],
  swaps: string,
): Promise<{ readonly stdout: string; readonly isLate: boolean }> {
  const args = ["--no-warnings", join(import.meta.dirname, "real-child.ts"), ...tests.map((file) => join(ROOT, file))];
  const env = { ...process.env, MUTANT_SWAPS: swaps };
  return new Promise((resolve) => {
    execFile(process.execPath, args, { cwd: ROOT, env, timeout: MOST_MS }, (error, stdout) => {
      resolve({ stdout: stdout.trim(), isLate: error?.killed === true });
    });
  });
}

const unchanged = new Map<string, Promise<boolean>>();
/** Whether the tests of a file pass as long as nothing is changed. */
function passes(file: string): Promise<boolean> {
  const run = async (): Promise<boolean> => (await runChild([file], "")).stdout === "none";
  const known = unchanged.get(file) ?? run();
  unchanged.set(file, known);
  return known;
}

/**
 * Runs the tests that concern a changed source in real time; gives the test that failed, or null. On a busy machine a
 * test may fail for another reason than the change, so its file is run once more, alone, and without the change.
 */
export async function runRealTests(
  mutant: Mutant,
  only: RegExp,
): Promise<{ readonly by: string; readonly why: string } | null> {
  const tests = testsOf(mutant.file).filter((file) => only.test(file));
  if (tests.length === 0) return null;
  const swaps = join(mkdtempSync(join(tmpdir(), "mutant-")), "swaps.json");
  writeFileSync(swaps, JSON.stringify({ [pathToFileURL(join(ROOT, mutant.file)).href]: mutant.text }));
  let rest = tests;
  for (;;) {
    const { stdout, isLate } = await runChild(rest, swaps);
    if (stdout === "none") return null;
    if (isLate) return { by: "the process", why: "it takes too long" };
    const [file = "", by = "the process", why = "it ends early"] = stdout.split("\t");
    // What fails outside of a file has no file to be run alone.
    if (!file) return { by, why };
    if ((await runChild([file], swaps)).stdout !== "none" && (await passes(file))) return { by, why };
    rest = rest.filter((each) => each !== file);
    if (rest.length === 0) return null;
  }
}
