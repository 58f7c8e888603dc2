/** Programs that bundlers make of the packed package, each run against a server. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { program, run } from "../../support/command.ts";
import { freshName, useStack } from "../../support/use-stack.ts";
import { packed } from "./packed.ts";
import { emptyProject, type Project } from "./project.ts";

const stack = useStack();
let project: Project;
beforeAll(async () => {
  project = emptyProject();
  // Rollup needs a plugin to find packages; the others find them themselves.
  const bundlers = ["webpack@5.112.2", "rollup@4.67.4", "@rollup/plugin-node-resolve@16.0.3"];
  await project.npm(await packed(), ...bundlers);
  project.write(
    "main.js",
    `import { connect, lock } from "leasehold";
     import { slotOf } from "leasehold/cron";
     const [url, token, name] = process.argv.slice(2);
     const one = lock(connect({ url, token }), name);
     const lease = await one.acquire();
     const second = await one.tryAcquire();
     console.log(second === null, await lease.release(), typeof slotOf);`,
  );
});
afterAll(() => project?.remove());

const MAKERS: Readonly<Record<string, () => Promise<unknown>>> = {
  webpack() {
    project.write(
      "webpack.mjs",
      `import webpack from "webpack";
       const settings = {
         mode: "production", target: "node20", entry: "./main.js", devtool: false,
         experiments: { outputModule: true, topLevelAwait: true },
         output: { path: import.meta.dirname + "/webpack", filename: "main.mjs", module: true },
       };
       webpack(settings, (error, stats) => {
         const faults = stats?.compilation.errors.concat(stats.compilation.warnings) ?? [error];
         if (faults.length > 0) throw new Error(faults.join("\\n"));
       });`,
    );
    return run(process.execPath, ["webpack.mjs"], project.dir);
  },
  rollup() {
    project.write(
      "rollup.mjs",
      `import { rollup } from "rollup";
       import { nodeResolve } from "@rollup/plugin-node-resolve";
       const onwarn = (warning) => { throw new Error(warning.message); };
       const bundle = await rollup({ input: "main.js", plugins: [nodeResolve()], onwarn });
       await bundle.write({ file: "rollup/main.mjs", format: "es" });`,
    );
    return run(process.execPath, ["rollup.mjs"], project.dir);
  },
  vite() {
    project.write(
      "vite.mjs",
      `import { build } from ${JSON.stringify(program("vite/dist/node/index.js"))};
       await build({
         root: import.meta.dirname, configFile: false, logLevel: "warn",
         ssr: { noExternal: true },
         build: { ssr: "main.js", outDir: "vite", target: "node20", rollupOptions: { output: { entryFileNames: "main.mjs" } } },
       });`,
    );
    return run(process.execPath, ["vite.mjs"], project.dir);
  },
  esbuild: () =>
    run(
      program(".bin/esbuild"),
      ["main.js", "--bundle", "--platform=node", "--format=esm", "--outfile=esbuild/main.mjs", "--log-level=warning"],
      project.dir,
    ),
};

it.each(Object.keys(MAKERS))("%s makes a program of it that needs no package", async (name) => {
  await MAKERS[name]?.();
  expect(readdirSync(join(project.dir, name))).toEqual(["main.mjs"]);
  const alone = emptyProject();
  try {
    alone.write("main.mjs", project.read(`${name}/main.mjs`));
    const out = await run(process.execPath, ["main.mjs", stack.url, stack.token, freshName()], alone.dir);
    expect(out).toBe("true true function\n");
  } finally {
    alone.remove();
  }
});
