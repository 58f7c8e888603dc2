/**
 * Stands in for `vitest` where Vitest itself cannot run: its own runner and its own `expect`, bundled with the suite.
 */
import { chai, JestAsymmetricMatchers, JestChaiExpect, JestExtend } from "@vitest/expect";
import { startTests, type Task, type VitestRunner } from "@vitest/runner";

for (const plugin of [JestExtend, JestChaiExpect, JestAsymmetricMatchers]) chai.use(plugin);

export const expect: typeof chai.expect = chai.expect;
export { describe, it } from "@vitest/runner";

/** The outcome of one test. */
export interface Result {
  /** As Vitest lists it: the suites and the test. */
  readonly name: string;
  readonly state: string;
  readonly error?: string | undefined;
}

function* resultsOf(task: Task, path: readonly string[] = []): Generator<Result> {
  if (task.type === "suite") for (const inner of task.tasks) yield* resultsOf(inner, [...path, inner.name]);
  const { state = "not run", errors } = task.result ?? {};
  const error = errors?.map(({ stack, message }) => stack ?? message).join("\n");
  // A suite that failed by itself, in a hook or while it was read, is a failure too.
  if (task.type === "test" || error) yield { name: path.join(" > "), state, error };
}

/** Runs the tests that `register` describes, several at once. */
export async function runTests(register: () => void): Promise<Result[]> {
  const runner: VitestRunner = {
    config: {
      root: "/",
      setupFiles: [],
      name: undefined,
      passWithNoTests: false,
      testNamePattern: undefined,
      allowOnly: false,
      sequence: { seed: 1, hooks: "stack", setupFiles: "list" },
      chaiConfig: undefined,
      maxConcurrency: 10,
      testTimeout: 30_000,
      hookTimeout: 30_000,
      retry: 0,
      includeTaskLocation: false,
      tags: [],
      tagsFilter: undefined,
      strictTags: false,
    },
    importFile: register,
  };
  // The timer of `lease.signal` keeps no process alive, nor do the runner's own.
  const alive = setInterval(() => {}, 1_000);
  const files = await startTests(["suite"], runner).finally(() => clearInterval(alive));
  return files.flatMap((file) => [...resultsOf(file)]);
}
