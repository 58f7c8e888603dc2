/**
 * Builds `dist/` of a package: plain ES modules with their types and source maps, one per source file, so that bundlers
 * drop what is not used.
 *
 *   node tools/build.ts [FOLDER …]     the package in the working directory, or those in the folders
 */
import { execFileSync } from "node:child_process";
import { chmodSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";

/** The newest compiler, because it is the fastest. */
const TSC = join(import.meta.dirname, "../node_modules/typescript-newest/bin/tsc");

const given = process.argv.slice(2);
for (const folder of given.length === 0 ? ["."] : given) {
  rmSync(join(folder, "dist"), { recursive: true, force: true });
  execFileSync(process.execPath, [TSC, "-p", join(folder, "tsconfig.build.json")], { stdio: "inherit" });
  const manifest: unknown = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const { name, bin = {} } = manifest as { readonly name: string; readonly bin?: Readonly<Record<string, string>> };
  // By name, since the gateway is built in its own folder, too. What users bundle is the SDK; the image of the gateway
  // lacks the tool.
  if (name === "leasehold") {
    (await import("./shorten-modules.ts")).shortenModules(join(folder, "dist"));
    await (await import("./ui-page.ts")).writeUiPage(join(folder, "dist/ui/page"));
  }
  for (const file of Object.values(bin)) chmodSync(join(folder, file), 0o755);
}
