/** The esbuild of test files that run sources in workerd: it bundles the replaced texts, as Node loads them. */
import { appendFileSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import type { BuildOptions, BuildResult, Plugin } from "esbuild";
import { placesIn } from "./reached.ts";

// Required, since the bare import means this file.
const esbuild = createRequire(import.meta.url)("esbuild") as typeof import("esbuild");
const { MUTANT_SWAPS: swapFile = "", MUTANT_LOG: log = "" } = process.env;

const mutant: Plugin = {
  name: "mutant",
  setup(build) {
    const swaps = JSON.parse(readFileSync(swapFile, "utf8")) as Readonly<Record<string, string>>;
    build.onLoad({ filter: /\.ts$/ }, ({ path }) => {
      const contents = swaps[pathToFileURL(path).href];
      if (contents === undefined) return undefined;
      const places = placesIn(contents);
      if (places.length === 0) return { contents, loader: "ts" };
      // A Worker cannot write to the log, so every guard of a bundled source counts as reached.
      appendFileSync(log, places.map((place) => `${place}\n`).join(""));
      return undefined;
    });
  },
};

export const build = (options: BuildOptions): Promise<BuildResult> =>
  esbuild.build({ ...options, plugins: [mutant, ...(options.plugins ?? [])] });
