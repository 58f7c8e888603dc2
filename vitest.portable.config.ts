/** The tests that need no Redis, for machines that have none: those whose imports lead to no server. */
import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { defineConfig } from "vitest/config";

const ROOT = import.meta.dirname;
const SERVER = /tools\/(redis|postgres|webdis)[\w-]*\.ts$/;
/** Starts npm and other programs as they are called on Unix. */
const UNIX = /test\/support\/command\.ts$/;
/** What starts a process that starts a server, or runs in a Worker that was given one. */
const APART = /(demo|bench)\/main\.ts|"cloudflare:|inject\(/;

const seen = new Map<string, boolean>();

/** Whether a file imports one that starts a server, itself or by others. */
function needsServer(file: string): boolean {
  const known = seen.get(file);
  if (known !== undefined) return known;
  // Until it is known: a circle of imports adds nothing.
  seen.set(file, false);
  const text = readFileSync(file, "utf8");
  const imports = text.matchAll(/(?:from|import\()\s*"(\.[^"]+\.ts)"/g);
  const path = file.replaceAll("\\", "/");
  const needs =
    SERVER.test(path) ||
    APART.test(text) ||
    (process.platform === "win32" && UNIX.test(path)) ||
    [...imports].some(([, path = ""]) => {
      const target = join(dirname(file), path);
      return existsSync(target) && needsServer(target);
    });
  seen.set(file, needs);
  return needs;
}

const include = globSync(["test/**/*.test.ts", "{gateway,testing}/test/**/*.test.ts"], { cwd: ROOT })
  .map((file) => file.replaceAll("\\", "/"))
  .filter((file) => !needsServer(join(ROOT, file)));

export default defineConfig({
  test: { include, testTimeout: 30_000, hookTimeout: 60_000, reporters: ["default", "./tools/reporter.ts"] },
});
