import type { Reporter, TestCase, TestModule } from "vitest/node";

interface ClosingOptions {
  /** The number of test files skipped without a server. */
  readonly leftOut?: number;
}

/** Prints a test that failed and passed on a retry, with the output of its first failure. */
function showFlaky(test: TestCase): void {
  console.log(`\nfailed, and passed when run again: ${test.module.moduleId} > ${test.fullName}`);
  const [first] = test.result().errors ?? [];
  if (first) console.log([first.stack ?? first.message, first.diff].filter(Boolean).join("\n"));
}

/**
 * Ends a run with one line of results, in which an error outside any test counts as a failed one. Before it are the
 * tests that passed only on a retry, and the number of skipped files.
 */
export default class ClosingLine implements Reporter {
  readonly #leftOut: number;

  constructor({ leftOut = 0 }: ClosingOptions = {}) {
    this.#leftOut = leftOut;
  }

  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly unknown[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const failed = tests.filter((test) => test.result().state === "failed").length;
    // A file that could not be loaded has no tests to count.
    const broken = modules.filter(
      (module) => !module.ok() && [...module.children.allTests("failed")].length === 0,
    ).length;
    const passed = tests.filter((test) => test.result().state === "passed").length;
    for (const test of tests) if (test.diagnostic()?.flaky) showFlaky(test);
    if (this.#leftOut > 0)
      console.log(
        `\n${this.#leftOut} test files skipped, which need a server: install redis-server or valkey-server, and run this again`,
      );
    console.log(`\n${passed} passed, ${failed + broken + unhandled.length} failed`);
  }
}
