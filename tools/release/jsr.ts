/**
 * Publishes `leasehold`, `leasehold-agents` and `leasehold-testing` to JSR, from their sources.
 *
 *   node tools/release/jsr.ts [--dry-run] [FOLDER …]     `src`, `agents` and `testing` by default
 *
 * It uses a copy without `package.json`: with one, Deno uses packages from the workspace's `node_modules`, in which
 * types of unbuilt packages are missing. It fails for type errors and slow types.
 */
import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";

const ROOT = join(import.meta.dirname, "../..");
const LEFT_OUT = /\/(node_modules|dist|test|package\.json)$/;
/** In order of publication. */
const FOLDERS = ["src", "agents", "testing"];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { "dry-run": { type: "boolean", default: false } },
});
const copy = mkdtempSync(join(tmpdir(), "leasehold-jsr-"));
try {
  for (const folder of FOLDERS) {
    cpSync(join(ROOT, folder), join(copy, folder), { recursive: true, filter: (path) => !LEFT_OUT.test(path) });
    // The name under which Deno finds the members of a workspace.
    renameSync(join(copy, folder, "jsr.json"), join(copy, folder, "deno.json"));
  }
  // As a workspace, since `agents` imports the version of `src` that is published with it. leasehold-engine may have been
  // published only minutes ago.
  const workspace = { workspace: FOLDERS.map((folder) => `./${folder}`), minimumDependencyAge: 0 };
  writeFileSync(join(copy, "deno.json"), JSON.stringify(workspace));
  for (const folder of positionals.length > 0 ? positionals : FOLDERS) {
    const args = ["publish", "--allow-dirty", ...(values["dry-run"] ? ["--dry-run"] : [])];
    execFileSync(join(ROOT, "node_modules/.bin/deno"), args, { cwd: join(copy, folder), stdio: "inherit" });
  }
} finally {
  rmSync(copy, { recursive: true, force: true });
}
