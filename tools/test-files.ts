/** Finds the test files that need a server by their imports, so that there is no list to maintain. */
import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

export interface TestFiles {
  /** Every file that Node runs. */
  readonly all: readonly string[];
  /** The files that start no server. */
  readonly serverless: readonly string[];
  /** The files that run in workerd, with a server outside. */
  readonly inWorkerd: readonly string[];
}

const ROOT = dirname(import.meta.dirname);
const SERVER = /tools\/(redis|postgres|mariadb|webdis)[\w-]*\.ts$/;
/** A helper that starts programs by their Unix names, or ends them by signals. */
const UNIX = /test\/support\/(command|process)\.ts$/;
/** The start of a process that starts a server. */
const APART = /(demo|bench|soak)\/main\.ts/;
/** A run-time import. A type-only import starts nothing. */
const IMPORT = /^(?:import|export)\s(?!type\s)[^;]*?from\s+"(\.[^"]+\.ts)"|\bimport\(\s*"(\.[^"]+\.ts)"/gm;

const seen = new Map<string, boolean>();

/** Whether a file imports one that starts a server, directly or indirectly. */
function needsServer(file: string): boolean {
  const known = seen.get(file);
  if (known !== undefined) return known;
  // Assumed false until known, since an import cycle adds nothing.
  seen.set(file, false);
  const text = readFileSync(file, "utf8");
  const path = file.replaceAll("\\", "/");
  const needs =
    SERVER.test(path) ||
    APART.test(text) ||
    (process.platform === "win32" && UNIX.test(path)) ||
    [...text.matchAll(IMPORT)].some(([, from, dynamic]) => {
      const target = join(dirname(file), from ?? dynamic ?? "");
      return existsSync(target) && needsServer(target);
    });
  seen.set(file, needs);
  return needs;
}

/** Files written by tests are in folders whose names begin with a dot. */
const find = (...patterns: string[]): string[] =>
  globSync(patterns, { cwd: ROOT })
    .map((file) => file.replaceAll("\\", "/"))
    .filter((file) => !file.includes("/."));

export function findTestFiles(): TestFiles {
  const inWorkerd = find("test/platforms/workerd/**/*.test.ts");
  const all = find(
    "test/**/*.test.ts",
    "{agents,cli,durable-object,engine,gateway,nest,testing}/test/**/*.test.ts",
  ).filter((file) => !inWorkerd.includes(file));
  return { all, inWorkerd, serverless: all.filter((file) => !needsServer(join(ROOT, file))) };
}
