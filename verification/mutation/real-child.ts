/** Runs files of tests as `npm test` does, with servers and clocks that are real, and prints the first that fails. */
import { pathToFileURL } from "node:url";
import { BaseSequencer, startVitest, type TestModule, type TestSpecification } from "vitest/node";
import { SOURCES } from "../../tools/sources.ts";
import { swapped } from "./swaps.ts";

function* failuresOf(module: TestModule): Generator<string> {
  for (const test of module.children.allTests("failed"))
    yield `${module.relativeModuleId}\t${test.fullName}\t${test.result().errors?.[0]?.message.split("\n")[0]}`;
  // An error of a file, or of a hook around its tests.
  const around = [module, ...module.children.allSuites()].flatMap((each) => [...each.errors()]);
  for (const { message } of around) yield `${module.relativeModuleId}\tthe file\t${message.split("\n")[0]}`;
}

const files: readonly string[] = process.argv.slice(2);
/** Runs the files in the order in which they are given. */
class InOrder extends BaseSequencer {
  override async sort(specifications: TestSpecification[]): Promise<TestSpecification[]> {
    return specifications.sort((a, b) => files.indexOf(a.moduleId) - files.indexOf(b.moduleId));
  }
}

// Programs that a test starts read the changed text, too.
process.env["NODE_OPTIONS"] = `--no-warnings --import ${new URL("swap-source.ts", import.meta.url).href}`;
const vitest = await startVitest(
  [...files],
  {
    config: false,
    watch: false,
    // A text that was read before is not the changed one.
    fsModuleCache: false,
    bail: 1,
    isolate: false,
    maxWorkers: 2,
    retry: 1,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    setupFiles: ["test/support/shared-process.ts"],
    sequence: { sequencer: InOrder },
    reporters: [{}],
  },
  {
    resolve: { alias: SOURCES },
    plugins: [{ name: "mutant", enforce: "pre", load: (id) => swapped[pathToFileURL(id).href] ?? null }],
  },
);
const failures = vitest.state.getTestModules().flatMap((module) => [...failuresOf(module)]);
for (const error of vitest.state.getUnhandledErrors())
  failures.push(`\tthe process\t${(error as Error)?.message?.split("\n")[0]}`);
console.log(failures[0]?.replace(/\n/g, " ") ?? "none");
await vitest.close();
process.exit(0);
