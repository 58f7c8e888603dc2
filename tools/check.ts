/** `npm run check`: everything that can be said of the code without running it. Goes on after a failure, to show all of them. */
import { spawnSync } from "node:child_process";

const steps: readonly (readonly [what: string, command: string])[] = [
  ["generated scripts", "node tools/build-lua.ts --check"],
  ["build", "node tools/build.ts . gateway testing"],
  ["types", "tsc -p tsconfig.json"],
  ["types under Workers", "tsc -p test/platforms/workerd && tsc -p workers"],
  ["lint and format", "biome check --error-on-warnings"],
  ["architecture", "node tools/architecture.ts"],
  ["unused code", "knip"],
  [
    "exports",
    [".", "gateway", "testing"]
      .map((dir) => `publint --strict ${dir} && attw --pack ${dir} --profile esm-only`)
      .join(" && "),
  ],
  ["sizes", "node tools/sizes.ts --check"],
];

const failed: string[] = [];
for (const [what, command] of steps) {
  const start = performance.now();
  const { status, stdout, stderr } = spawnSync(command, { shell: true, encoding: "utf8" });
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  console.log(`${status === 0 ? "ok  " : "FAIL"} ${what} (${seconds} s)`);
  if (status === 0 && what === "sizes") console.log(stdout.trim());
  if (status === 0) continue;
  failed.push(what);
  console.log(stdout + stderr);
}
if (failed.length > 0) {
  console.error(`failed: ${failed.join(", ")}`);
  process.exit(1);
}
