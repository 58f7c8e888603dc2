/**
 * Saves the current scripts and client as those of the last release. `test/releases/` runs them together with later
 * ones. The version step of a release calls it.
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
  // Lines of about a hundred characters, so that differences are readable.
  minify: true,
  lineLimit: 120,
  format: "esm",
  platform: "neutral",
  target: "es2022",
  banner: { js: "// The client of the last release, recorded by tools/release/record.ts; do not edit." },
});
