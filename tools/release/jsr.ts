/**
 * Publishes `leasehold` and `leasehold-testing` to JSR, from their sources.
 *
 *   node tools/release/jsr.ts [--dry-run] [FOLDER …]     `src` and `testing` by default
 *
 * It uses a copy without `package.json`: with one, Deno uses packages from the workspace's `node_modules`, in which
 * types of unbuilt packages are missing. It fails for type errors and slow types.
 */
import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";

const ROOT = join(import.meta.dirname, "../..");
const LEFT_OUT = /\/(node_modules|dist|test|package\.json)$/;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { "dry-run": { type: "boolean", default: false } },
});
for (const folder of positionals.length > 0 ? positionals : ["src", "testing"]) {
  const copy = mkdtempSync(join(tmpdir(), "leasehold-jsr-"));
  try {
    cpSync(join(ROOT, folder), copy, { recursive: true, filter: (path) => !LEFT_OUT.test(path) });
    const file = join(copy, "jsr.json");
    const settings = JSON.parse(readFileSync(file, "utf8")) as object;
    // leasehold-engine may have been published only minutes ago.
    writeFileSync(file, JSON.stringify({ ...settings, minimumDependencyAge: 0 }));
    const args = ["publish", "--allow-dirty", "--config", "jsr.json", ...(values["dry-run"] ? ["--dry-run"] : [])];
    execFileSync(join(ROOT, "node_modules/.bin/deno"), args, { cwd: copy, stdio: "inherit" });
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}
