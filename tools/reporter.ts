import type { Reporter, TestModule } from "vitest/node";

/** Ends a run with one line that says how it went, for whoever reads only that. */
export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const failed = tests.filter((test) => test.result().state === "failed").length;
    // A file that could not be loaded has no tests to count.
    const broken = modules.filter(
      (module) => !module.ok() && [...module.children.allTests("failed")].length === 0,
    ).length;
    const passed = tests.filter((test) => test.result().state === "passed").length;
    console.log(`\n${passed} passed, ${failed + broken} failed`);
  }
}
