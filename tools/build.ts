/**
 * Builds `dist/` of a package. Libraries become plain ES modules with their types, one per source file, so that bundlers
 * drop what is not used. The command becomes one program and its page.
 *
 *   node tools/build.ts [FOLDER …]     the package in the working directory, or those in the folders
 */
import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";

/** The newest compiler, because it is the fastest. */
const TSC = join(import.meta.dirname, "../node_modules/typescript-newest/bin/tsc");

interface Manifest {
  readonly name: string;
  readonly bin?: Readonly<Record<string, string>>;
}

/** Compiles the modules of a package, one file each. The package at the root has its settings next to its sources. */
async function compile(folder: string): Promise<void> {
  const own = join(folder, "tsconfig.build.json");
  const settings = existsSync(own) ? own : join(folder, "src/tsconfig.build.json");
  execFileSync(process.execPath, [TSC, "-p", settings], { stdio: "inherit" });
}

const given = process.argv.slice(2);
for (const folder of given.length === 0 ? ["."] : given) {
  rmSync(join(folder, "dist"), { recursive: true, force: true });
  const { name, bin = {} } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Manifest;
  // Loaded only if needed, since the image of the gateway does not contain the tool.
  if (name === "leasehold-cli") await (await import("./build-cli.ts")).buildCli(folder);
  else await compile(folder);
  for (const file of Object.values(bin)) chmodSync(join(folder, file), 0o755);
}
