import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT: string = fileURLToPath(new URL("../..", import.meta.url));
const BIN = join(ROOT, "node_modules/.bin");

/**
 * A program of a development dependency.
 *
 * @throws when it is not there: a runtime that is missing is a failure, not a reason to skip.
 */
export function program(path: string): string {
  const full = join(ROOT, "node_modules", path);
  if (!existsSync(full)) throw new Error(`node_modules/${path} is missing: run npm ci, with install scripts`);
  return full;
}

/**
 * Our environment without what npm and Vitest tell the processes that they start, the registry and its cache excepted.
 */
function cleanEnv(): NodeJS.ProcessEnv {
  const told = /^(npm_(?!config_(registry|userconfig|cache)$)|vitest|node_(env|options|path)$|init_cwd$|test$|dev$)/i;
  const kept = Object.entries(process.env).filter(([name]) => !told.test(name));
  return { ...Object.fromEntries(kept), PATH: [BIN, process.env["PATH"]].join(delimiter) };
}

/** Gives what a program prints. @throws with all of its output when it fails. */
export function run(
  file: string,
  args: readonly string[],
  cwd: string,
  env: NodeJS.ProcessEnv = {},
  timeout = 200_000,
): Promise<string> {
  const options = { cwd, env: { ...cleanEnv(), ...env }, maxBuffer: 2 ** 26, timeout };
  return new Promise((resolve, reject) => {
    execFile(file, args, options, (error, stdout, stderr) => {
      const why = error?.killed ? `did not end within ${timeout} ms` : `failed: ${error?.code}`;
      if (error) reject(new Error(`${[file, ...args].join(" ")} ${why}\n${stdout}\n${stderr}`));
      else resolve(stdout);
    });
  });
}
