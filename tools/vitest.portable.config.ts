/** The tests that need no server, even if there is one. */
import { defineConfig } from "vitest/config";
import { SOURCES } from "./sources.ts";
import { findTestFiles } from "./test-files.ts";

export default defineConfig({
  resolve: { alias: SOURCES },
  test: {
    include: [...findTestFiles().serverless],
    // As in the full configuration.
    isolate: false,
    setupFiles: ["./test/support/shared-process.ts"],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    reporters: ["default", `${import.meta.dirname}/reporter.ts`],
  },
});
