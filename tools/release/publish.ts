/**
 * Publishes the packed packages whose versions the registry does not have yet, dependencies first.
 *
 *   npm run release:publish -- FOLDER [--stage] [--registry URL] [--no-provenance]
 *
 * FOLDER contains the tarballs of `tools/release/pack.ts`. With `--stage`, a version is uploaded but not public until a
 * maintainer approves it. After a failure, run it again: it skips published versions. It needs no installed packages.
 */
import { spawnSync } from "node:child_process";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { releasedPackages } from "./packages.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  allowNegative: true,
  options: {
    stage: { type: "boolean", default: false },
    provenance: { type: "boolean", default: true },
    registry: { type: "string" },
  },
});
const [folder] = positionals;
if (folder === undefined) throw new Error("usage: npm run release:publish -- FOLDER [--stage] [--registry URL]");

const registry = values.registry === undefined ? [] : ["--registry", values.registry];

/** Whether the registry has a version. @throws if that is unknown. */
function isPublished(spec: string): boolean {
  const { status, stdout, stderr } = spawnSync("npm", ["view", spec, "version", "--json", ...registry], {
    encoding: "utf8",
  });
  if (status === 0) return stdout.trim() !== "";
  if (/\bE404\b/.test(stdout + stderr)) return false;
  throw new Error(`npm view ${spec} failed:\n${stdout}${stderr}`);
}

for (const { name, manifest } of releasedPackages(process.cwd())) {
  const spec = `${name}@${manifest.version}`;
  if (isPublished(spec)) {
    console.log(`${spec} is published already`);
    continue;
  }
  const tarball = join(resolve(folder), `${name}-${manifest.version}.tgz`);
  const command = values.stage ? ["stage", "publish"] : ["publish"];
  const provenance = values.provenance ? "--provenance" : "--no-provenance";
  const { status } = spawnSync("npm", [...command, tarball, "--access", "public", provenance, ...registry], {
    stdio: "inherit",
  });
  if (status !== 0) throw new Error(`${spec} was not published; run this again when the cause is mended`);
  console.log(`${spec} is ${values.stage ? "staged" : "published"}`);
}
