/**
 * Runs test files as `npm test` does, with real servers and clocks: the parent's requests, sequentially in one Vitest,
 * which caches transformed sources.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import {
  BaseSequencer,
  createVitest,
  type TestCase,
  type TestModule,
  type TestSpecification,
  type Vitest,
} from "vitest/node";
import { SOURCES } from "../../tools/sources.ts";
import { ALIVE } from "./child.ts";

/** Test files in the order to run them, and replaced source texts by address. */
export interface Run {
  readonly tests: readonly string[];
  readonly swaps: Readonly<Record<string, string>>;
  /** Tests that also fail without the change, each `file > name`. Their failures are ignored. */
  readonly ignored?: readonly string[];
  /** Whether the run continues after a failure. */
  readonly isWhole?: boolean;
}
/** A test that failed twice in a row, or a file that could not be run. */
export interface Failure {
  readonly file: string;
  /** Empty if the file failed outside of its tests. */
  readonly test: string;
  readonly why: string;
}

/** The failures, and the guards reached, if the sources are instrumented. */
export interface Told {
  readonly failures: readonly Failure[];
  readonly guards: readonly string[];
  readonly ms: number;
}

const ROOT: string = join(import.meta.dirname, "../..");
const { MUTANT_SWAPS: swapFile = "", MUTANT_LOG: log = "" } = process.env;
let asked: Run = { tests: [], swaps: {} };

/** Runs the files in the given order. */
class InOrder extends BaseSequencer {
  override async sort(specifications: TestSpecification[]): Promise<TestSpecification[]> {
    const at = ({ moduleId }: TestSpecification): number => asked.tests.findIndex((file) => moduleId.endsWith(file));
    return specifications.sort((a, b) => at(a) - at(b));
  }
}

const firstLine = (message = ""): string => message.split("\n")[0] ?? "";

const failureOf = (test: TestCase): Failure => ({
  file: test.module.relativeModuleId,
  test: test.fullName,
  why: firstLine(test.result().errors?.[0]?.message),
});

const isIgnored = ({ module, fullName }: TestCase): boolean =>
  asked.ignored?.includes(`${module.relativeModuleId} > ${fullName}`) === true;

function* failuresOf(module: TestModule): Generator<Failure> {
  const file = module.relativeModuleId;
  for (const test of module.children.allTests("failed")) if (!isIgnored(test)) yield failureOf(test);
  // An error of a file, or of a hook around its tests.
  const around = [module, ...module.children.allSuites()].flatMap((each) => [...each.errors()]);
  for (const { message } of around) yield { file, test: "", why: firstLine(message) };
}

// Programs that a test starts also read the changed text.
process.env["NODE_OPTIONS"] = `--no-warnings --import ${new URL("swap-source.ts", import.meta.url).href}`;

let vitest: Promise<Vitest> | undefined;
let stopping: Promise<void> | undefined;
/** Like `bail`, which could stop the next run. */
function stopAtFailure(test: TestCase): void {
  if (asked.isWhole || test.result().state !== "failed" || isIgnored(test)) return;
  stopping ??= vitest?.then((each) => each.cancelCurrentRun("test-failure"));
}

const create = (): Promise<Vitest> =>
  createVitest(
    "test",
    {
      config: false,
      watch: false,
      // A cached text is not the changed one.
      fsModuleCache: false,
      isolate: false,
      maxWorkers: 1,
      retry: 1,
      testTimeout: 30_000,
      hookTimeout: 60_000,
      setupFiles: ["test/support/shared-process.ts"],
      sequence: { sequencer: InOrder },
      reporters: [{ onTestCaseResult: stopAtFailure, onTestModuleEnd: () => void process.send?.(ALIVE) }],
    },
    {
      resolve: { alias: { ...SOURCES, esbuild: fileURLToPath(new URL("bundler.ts", import.meta.url)) } },
      plugins: [{ name: "mutant", enforce: "pre", load: (id) => asked.swaps[pathToFileURL(id).href] ?? null }],
    },
  );

async function answer(vitest: Vitest, run: Run): Promise<Told> {
  for (const url of new Set([...Object.keys(asked.swaps), ...Object.keys(run.swaps)]))
    vitest.invalidateFile(fileURLToPath(url));
  asked = run;
  writeFileSync(swapFile, JSON.stringify(run.swaps));
  writeFileSync(log, "");
  // Failures of an earlier run do not count.
  for (const known of [vitest.state.filesMap, vitest.state.idMap, vitest.state.pathsSet]) known.clear();
  const project = vitest.getRootProject();
  const files = run.tests.map((file) => project.createSpecification(join(ROOT, file)));
  const start = performance.now();
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(files);
  const failures = testModules.flatMap((module) => [...failuresOf(module)]);
  const others = unhandledErrors.map((error) => ({
    file: "",
    test: "",
    why: firstLine((error as Error | undefined)?.message),
  }));
  await stopping;
  stopping = undefined;
  const ms = Math.round(performance.now() - start);
  return { failures: [...failures, ...others], guards: readFileSync(log, "utf8").split("\n"), ms };
}

process.on("message", (run: Run) => {
  vitest ??= create();
  void vitest.then((each) => answer(each, run)).then((told) => process.send?.(told));
});
