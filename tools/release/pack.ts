/**
 * Builds and packs every package for publication.
 *
 *   node tools/release/pack.ts FOLDER
 *
 * Publishing uses these files and builds nothing: the tested files are published, and the publishing step runs no code
 * of dependencies.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { releasedPackages } from "./packages.ts";

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error("usage: node tools/release/pack.ts FOLDER");
const root = process.cwd();
const out = resolve(folder);
mkdirSync(out, { recursive: true });
const packages = releasedPackages(root);
const build = ["tools/build.ts", ...packages.map((each) => each.folder)];
execFileSync(process.execPath, build, { cwd: root, stdio: "inherit" });
// Built above; separate builds would build the engine three times.
for (const { folder: own } of packages)
  execFileSync("npm", ["pack", "--ignore-scripts", "--pack-destination", out], {
    cwd: join(root, own),
    stdio: ["ignore", "inherit", "ignore"],
  });
