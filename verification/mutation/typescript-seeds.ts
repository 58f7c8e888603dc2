import { execFile } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Mutant } from "./mutant.ts";
import type { Seed } from "./seeds.ts";

const ROOT: string = join(import.meta.dirname, "../..");

/** The kinds of the simulation whose workloads use a file, by falling use. */
const KINDS: readonly (readonly [files: RegExp, kinds: readonly string[]])[] = [
  [/^src\/kinds\/fair-lock|^src\/redis\/target/, ["fair", "fair-semaphore"]],
  [/^src\/kinds\/(multi-lock|part-sequence)|several-names/, ["multi"]],
  [/^src\/kinds\/quorum-lock/, ["quorum"]],
  [/^src\/kinds\/read-write/, ["rw"]],
  [/^src\/kinds\/(semaphore|permits|counter)/, ["semaphore", "fair-semaphore", "counter"]],
  [/^src\/kinds\/spend/, ["stock"]],
  [/^src\/kinds\/once/, ["once", "cron"]],
  [/^src\/kinds\/latch/, ["latch"]],
  [/^src\/kinds\/web-locks/, ["web-locks"]],
  [/^src\/redis/, ["lock", "once", "cluster", "semaphore", "latch"]],
  [/./, ["lock", "once", "replicas", "queue", "multi", "semaphore", "run", "latch"]],
];
export const kindsOfSource = (file: string): readonly string[] =>
  KINDS.find(([pattern]) => pattern.test(file))?.[1] ?? [];

/** In CPU time, since the machine may be busy. */
const MAX_SECONDS = 60;

/** Runs the SDK with a changed file in a separate process; returns the seed and the check that failed, or null. */
export function runSeeds(mutant: Mutant, seeds: readonly Seed[]): Promise<{ by: string; why: string } | null> {
  const swaps = join(mkdtempSync(join(tmpdir(), "mutant-")), "swaps.json");
  const here = import.meta.dirname;
  writeFileSync(swaps, JSON.stringify({ [pathToFileURL(join(ROOT, mutant.file)).href]: mutant.text }));
  const args = [
    "-c",
    `ulimit -t ${MAX_SECONDS}; exec "$0" "$@"`,
    process.execPath,
    "--max-semi-space-size=64",
    "--import",
    pathToFileURL(join(here, "../../tools/sources.ts")).href,
    "--import",
    pathToFileURL(join(here, "swap-source.ts")).href,
    join(here, "typescript-child.ts"),
    ...seeds.map(({ kind, seed, wakes }) => `${kind}:${seed}${wakes ? ":wakes" : ""}`),
  ];
  const env = { ...process.env, MUTANT_SWAPS: swaps };
  return new Promise((resolve) => {
    execFile("sh", args, { env }, (error, stdout, stderr) => {
      const told = stdout.trim().split("\n").at(-1) ?? "";
      if (told === "none") return resolve(null);
      const [by = "", why] = told.split("\t");
      if (why !== undefined) return resolve({ by, why });
      const failure = /^SIG(XCPU|KILL)$/.test(error?.signal ?? "")
        ? "it takes too long"
        : stderr.split("\n").find((line) => /Error/.test(line));
      resolve({ by: `${seeds[0]?.kind} ${seeds[0]?.seed}`, why: failure ?? "the process ends" });
    });
  });
}
