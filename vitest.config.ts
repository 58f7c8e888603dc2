import { cloudflareTest } from "@cloudflare/vitest-plugin";
import { defineConfig } from "vitest/config";
import { LongestFirst } from "./tools/sequencer.ts";

const path = (file: string): string => `${import.meta.dirname}/${file}`;

export default defineConfig({
  test: {
    // At the root, where it is loaded as Node code: what workerd's own project loads is resolved for Workers.
    globalSetup: "./test/platforms/workerd/setup.ts",
    // Most of a test's time is waiting, so three files share even two cores well.
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
    reporters: ["default", "./tools/reporter.ts"],
    projects: [
      {
        test: {
          name: "node",
          include: ["test/**/*.test.ts", "{gateway,testing}/test/**/*.test.ts"],
          exclude: ["test/platforms/workerd/**"],
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
      {
        // The examples' own tests, which know the packages by their names.
        resolve: {
          alias: [
            { find: /^leasehold-testing$/, replacement: path("testing/src/index.ts") },
            { find: /^leasehold$/, replacement: path("src/index.ts") },
            { find: /^leasehold\/(\w+)$/, replacement: path("src/$1/index.ts") },
          ],
        },
        test: { name: "workers", include: ["workers/test/**/*.test.ts"] },
      },
      {
        plugins: [
          cloudflareTest(({ inject }) => ({
            wrangler: { configPath: "./test/platforms/workerd/wrangler.toml" },
            miniflare: { cf: false, bindings: { URL: inject("url"), TOKEN: inject("token") } },
          })),
        ],
        test: {
          name: "workerd",
          include: ["test/platforms/workerd/**/*.test.ts"],
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
