import { readdirSync, readFileSync } from "node:fs";
import { basename, join, relative } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { CONFIG, QUIET } from "../../../demo/bundle.ts";
import { program, ROOT, run } from "../../support/command.ts";
import { packed } from "./packed.ts";
import { emptyProject, type Project } from "./project.ts";

const WORKERS = join(ROOT, "workers");
const filesOf = (extension: string): string[] =>
  readdirSync(WORKERS)
    .filter((name) => name.endsWith(extension))
    .map((name) => join(WORKERS, name));
const configs = [CONFIG, ...filesOf(".toml")].map((file) => ({
  file,
  name: /^name\s*=\s*"([^"]+)"/m.exec(readFileSync(file, "utf8"))?.[1] ?? "",
  main: basename(/^main\s*=\s*"([^"]+)"/m.exec(readFileSync(file, "utf8"))?.[1] ?? ""),
}));

let project: Project;
beforeAll(async () => {
  project = emptyProject();
  await project.npm(await packed(), await packed("leasehold-agents"));
  const [dist, agents] = ["leasehold", "leasehold-agents"].map((name) =>
    join(project.dir, "node_modules", name, "dist"),
  );
  // The examples' own configuration leads to the sources; here it is the package.
  const paths = {
    leasehold: [`${dist}/index.js`],
    "leasehold/*": [`${dist}/*/index.js`],
    "leasehold-agents": [`${agents}/index.js`],
  };
  project.write("tsconfig.json", { compilerOptions: { target: "es2022", paths } });
});
afterAll(() => project?.remove());

test("every Worker has its configuration", () => {
  expect(deployed.length).toBeGreaterThan(1);
  const workers = filesOf(".ts").filter((file) => /^export default/m.test(readFileSync(file, "utf8")));
  expect(workers.map((file) => basename(file)).sort()).toEqual(configs.map(({ main }) => main).sort());
});

/** In the short form those that have what others lack: the demo's, and one with a Durable Object. */
const deployed = configs.filter(
  ({ file, main }) => process.env["EVERY_RUNTIME"] || file === CONFIG || main === "durable-object-guard.ts",
);
const TITLE = "wrangler deploy --dry-run of $name, with the package";
test.concurrent.each(deployed)(TITLE, async ({ file, main }) => {
  const outdir = join(project.dir, "out", basename(main, ".ts"));
  const options = ["--outdir", outdir, "--metafile", "--tsconfig", join(project.dir, "tsconfig.json")];
  const args = [program("wrangler/bin/wrangler.js"), "deploy", "--dry-run", "--config", file, ...options];
  const output = await run(process.execPath, args, ROOT, QUIET);
  const size = /Total Upload: (.+)/.exec(output)?.[1] ?? "";
  console.log(`workers/${main}: ${size}`);
  expect(size).toMatch(/KiB \/ gzip: [\d.]+ KiB/);
  const { inputs } = JSON.parse(readFileSync(join(outdir, "bundle-meta.json"), "utf8")) as { inputs: object };
  const ours = Object.keys(inputs).filter((input) => /(^|\/)(src|leasehold(-agents)?\/dist)\//.test(input));
  const modules = relative(ROOT, join(project.dir, "node_modules"));
  expect(ours.length).toBeGreaterThan(0);
  expect(ours.filter((input) => !input.includes(modules))).toEqual([]);
});
