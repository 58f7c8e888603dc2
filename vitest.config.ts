import { cloudflareTest } from "@cloudflare/vitest-plugin";
import { defineConfig, type TestProjectConfiguration } from "vitest/config";
import { findRedis } from "./tools/redis.ts";
import { LongestFirst } from "./tools/sequencer.ts";
import { SOURCES } from "./tools/sources.ts";
import { type Extent, extentOf } from "./tools/test-extent.ts";
import { findTestFiles } from "./tools/test-files.ts";

/** Whether there is a server, or one could be installed. Where CI is true there must be one. */
function hasServer(): boolean {
  try {
    findRedis();
    return true;
  } catch (error) {
    if (!/^(true|1)$/i.test(process.env["CI"] ?? "")) return false;
    throw new Error(`${error instanceof Error ? error.message : ""} With CI=true no test is left out.`);
  }
}

// Other programs that read this file, as knip does, see all of it, and nothing is installed for them.
const isWhole = process.env["VITEST"] === undefined || hasServer();
const { all, serverless, inWorkerd } = findTestFiles();
// A test that fails is run once more, since a machine that stands still for a second breaks any time limit; the run's
// last lines name it. A test that is named there on a quiet machine has a fault.
const limits = { testTimeout: 60_000, hookTimeout: 120_000, retry: 1, expect: { poll: { timeout: 10_000 } } };
/**
 * The files share their processes: a process of its own costs each file as much as most of them need for their tests.
 * So what a test changes outside of itself it changes back, and each file is asked whether it did.
 */
const shared = { isolate: false, setupFiles: ["./test/support/shared-process.ts"] };

/** Of tests that install packages from a registry, each by npm in a project of its own. */
const installing = { ...limits, testTimeout: 300_000, hookTimeout: 900_000 };

/** The tests in Node of one extent. */
const inNode = (extent: Extent): TestProjectConfiguration => ({
  resolve: { alias: SOURCES },
  test: {
    name: extent,
    ...shared,
    include: (isWhole ? all : serverless).filter((file) => extentOf(file) === extent),
    ...(extent === "packages" ? installing : limits),
  },
});

const path = (file: string): string => `${import.meta.dirname}/${file}`;
/** The examples' own tests, which know the packages by their names, and need no server. */
const workers: TestProjectConfiguration = {
  resolve: { alias: SOURCES },
  test: { name: "workers", ...shared, include: ["workers/test/**/*.test.ts"] },
};

/** Another date for the Workers than that of their configuration. */
const date = process.env["COMPATIBILITY_DATE"];
/**
 * Before 2026-03-03 workerd reports a rejection that is handled one microtask later, as it is inside of Vitest's own
 * `fetch`. `test/lease/rejected-work.test.ts` holds in workerd itself that the SDK has none.
 */
const LATE_REPORTS = "unhandled_rejection_after_microtask_checkpoint";
const compatibility =
  date === undefined ? {} : { compatibilityDate: date, compatibilityFlags: date < "2026-03-03" ? [LATE_REPORTS] : [] };

const workerd: TestProjectConfiguration = {
  resolve: { alias: SOURCES },
  plugins: [
    cloudflareTest(({ inject }) => ({
      wrangler: { configPath: "./test/platforms/workerd/wrangler.toml" },
      miniflare: { cf: false, ...compatibility, bindings: { URL: inject("url"), TOKEN: inject("token") } },
    })),
  ],
  test: { name: "workerd", include: [...inWorkerd], ...limits },
};

// The programs that tests start, our command line among them, are read and compiled once and not each time.
process.env["NODE_COMPILE_CACHE"] ??= path("node_modules/.cache/node");

export default defineConfig({
  // For the global set-up, which starts a gateway.
  resolve: { alias: SOURCES },
  test: {
    // At the root, where it is loaded as Node code: what workerd's own project loads is resolved for Workers.
    ...(isWhole && { globalSetup: "./test/platforms/workerd/setup.ts" }),
    // Most of a quick test's time is waiting, so six files share even two cores well. The thorough ones wait less:
    // `test:full` runs four at a time, beside which fewer of their time limits are missed.
    maxWorkers: 6,
    sequence: { sequencer: LongestFirst },
    reporters: [
      "default",
      [path("tools/reporter.ts"), { leftOut: isWhole ? 0 : all.length + inWorkerd.length - serverless.length }],
    ],
    projects: [
      inNode("quick"),
      workers,
      inNode("thorough"),
      inNode("packages"),
      inNode("instruments"),
      ...(isWhole ? [workerd] : []),
    ],
  },
});
