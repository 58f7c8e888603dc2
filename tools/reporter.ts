import type { Reporter, TestModule } from "vitest/node";

interface ClosingOptions {
  /** How many test files were left out, since there is no server. */
  readonly leftOut?: number;
}

/**
 * Ends a run with one line that says how it went, for whoever reads only that. Before it stands what was left out, and
 * which tests passed only when they were run again.
 */
export default class ClosingLine implements Reporter {
  readonly #leftOut: number;

  constructor({ leftOut = 0 }: ClosingOptions = {}) {
    this.#leftOut = leftOut;
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const failed = tests.filter((test) => test.result().state === "failed").length;
    // A file that could not be loaded has no tests to count.
    const broken = modules.filter(
      (module) => !module.ok() && [...module.children.allTests("failed")].length === 0,
    ).length;
    const passed = tests.filter((test) => test.result().state === "passed").length;
    for (const test of tests)
      if (test.diagnostic()?.flaky)
        console.log(`\nfailed, and passed when run again: ${test.module.moduleId} > ${test.fullName}`);
    if (this.#leftOut > 0)
      console.log(
        `\n${this.#leftOut} test files skipped, which need a server: install redis-server or valkey-server, and run this again`,
      );
    console.log(`\n${passed} passed, ${failed + broken} failed`);
  }
}
