/** Runs test files in virtual time and prints the first failure, except tests that fail without a change. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { takeGlobals } from "../sim/globals.ts";
import { within } from "../sim/world.ts";
import { stage } from "./use-stack.ts";
import { before, tests } from "./vitest.ts";

const MAX_MS = 600_000;
const root: string = join(import.meta.dirname, "../..");
const { MUTANT_IGNORED: list, MUTANT_ALL: all } = process.env;
const ignored: ReadonlySet<string> = new Set(list ? readFileSync(list, "utf8").split("\n") : []);
let isOver = false;

function failed(test: string, error: unknown): void {
  if (ignored.has(test)) return;
  const why = error instanceof Error ? error.message : String(error);
  console.log(`${test}\t${why.split("\n")[0]}`);
  isOver = !all;
}
process.on("uncaughtException", (error) => failed("the process", error));
process.on("unhandledRejection", (error) => failed("the process", error));

const { world, host } = stage;
const restore: () => void = takeGlobals(world.random("ids"));
Error.stackTraceLimit = 0;
for (const file of process.argv.slice(2)) await import(join(root, file));
// A test that fails without a change is not run: it takes time and may never end.
const asked = tests.filter(({ name }) => !ignored.has(name));
const waiting = new Set(asked);
const context = { host, op: undefined };
void within(context, async () => {
  for (const hook of before) await hook();
  for (const test of asked)
    void Promise.resolve()
      .then(test.run)
      .catch((error: unknown) => failed(test.name, error))
      .finally(() => waiting.delete(test));
}).catch((error: unknown) => failed("the process", error));
await world.run(world.now() + MAX_MS, () => isOver || waiting.size === 0);
restore();
if (!isOver) for (const { name } of waiting) failed(name, new Error("it has not come to its end"));
if (all) console.error(`${tests.length} tests in ${process.cpuUsage().user / 1e6} s`);
console.log("none");
process.exit(0);
