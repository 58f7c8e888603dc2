/**
 * Keeps the present scripts and the present client as those of the last release. `test/releases/` runs them beside what
 * comes after. The release's version step calls it.
 */
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { build } from "esbuild";

const ROOT = join(import.meta.dirname, "../..");

execFileSync(process.execPath, [join(ROOT, "tools/build-lua.ts"), "--release"], { cwd: ROOT, stdio: "inherit" });
await build({
  absWorkingDir: ROOT,
  entryPoints: ["src/index.ts"],
  outfile: "test/releases/client.gen.js",
  bundle: true,
  // One line for each hundred characters or so: a difference can be read, and nobody edits it.
  minify: true,
  lineLimit: 120,
  format: "esm",
  platform: "neutral",
  target: "es2022",
  banner: { js: "// The client of the last release, recorded by tools/release/record.ts; do not edit." },
});
