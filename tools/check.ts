/**
 * All checks that do not run the code.
 *
 *   npm run check              the sources, and the sizes of bundles; half a minute
 *   npm run check:packages     what the packages contain: exports, types under Workers
 *
 * It continues after a failure, to show all of them. The first two steps write files that the others read; the others
 * run in parallel, a few at a time.
 */
import { exec } from "node:child_process";
import { availableParallelism } from "node:os";

type Step = readonly [what: string, command: string];

/** The newest compiler checks the sources, because it is the fastest. Older ones check the packages. */
const tsc = "node node_modules/typescript-newest/bin/tsc";

const first: readonly Step[] = [
  ["generated scripts", "node tools/build-lua.ts --check"],
  ["build", "node tools/build.ts . cli engine testing gateway durable-object agents nest"],
];
const ofSources: readonly Step[] = [
  ["types", `${tsc} -p tsconfig.json`],
  ["lint and format", "biome check --error-on-warnings"],
  ["unused code", "knip --config tools/knip.json"],
  ["architecture", "node tools/architecture.ts"],
  ["commits", "node tools/commits.ts"],
  ["sizes", "node tools/sizes.ts --check"],
];
const ofPackages: readonly Step[] = [
  [
    "exports",
    [".", "agents", "cli", "durable-object", "engine", "gateway", "nest", "testing"]
      .map((dir) => `publint --strict ${dir} && attw --pack ${dir} --profile esm-only`)
      .join(" && "),
  ],
  [
    "types under Workers",
    ["test/platforms/workerd", "workers", "workers/test"].map((part) => `${tsc} -p ${part}`).join(" && "),
  ],
];

const failed: string[] = [];

function run([what, command]: Step): Promise<void> {
  const start = performance.now();
  return new Promise((resolve) => {
    exec(command, { maxBuffer: 2 ** 26 }, (error, stdout, stderr) => {
      const seconds = ((performance.now() - start) / 1000).toFixed(1);
      console.log(`${error ? "FAIL" : "ok  "} ${what} (${seconds} s)`);
      if (error) {
        failed.push(what);
        console.log(stdout + stderr);
      }
      resolve();
    });
  });
}

for (const step of first) await run(step);
const steps = (process.argv.includes("--packages") ? ofPackages : ofSources).values();
const lane = async (): Promise<void> => {
  for (const step of steps) await run(step);
};
await Promise.all(Array.from({ length: Math.min(availableParallelism(), 4) }, lane));

if (failed.length > 0) {
  console.error(`failed: ${failed.join(", ")}`);
  process.exit(1);
}
