import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { program, ROOT } from "./command.ts";

/** The compiler's complaints about a file, each as `line: message`. */
export type Problems = ReadonlyMap<string, readonly string[]>;

export interface Compilation {
  readonly problems: Problems;
  /** All files that the compiler read. */
  readonly read: readonly string[];
}

const SAID = /^(.+?)\((\d+),\d+\): error (TS\d+: .*)$/;

/**
 * Type-checks files under the settings of a part of this project, with the newest compiler, which is the fastest. The
 * complaints about other files stand under their own names.
 *
 * @param config the path of a `tsconfig.json` from the root
 */
export function typeCheck(
  files: readonly string[],
  config: string,
  options: Readonly<Record<string, unknown>> = {},
): Promise<Compilation> {
  // Beside the configuration, so that types resolve as they do for it.
  const folder = mkdtempSync(join(dirname(join(ROOT, config)), ".type-check-"));
  const compilerOptions = { noPropertyAccessFromIndexSignature: false, noUnusedLocals: false, ...options };
  const own = { extends: relative(folder, join(ROOT, config)), compilerOptions, files, include: [], exclude: [] };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(own));
  const tsc = program("typescript-newest/bin/tsc");
  return new Promise((resolve, reject) => {
    const args = [tsc, "-p", folder, "--pretty", "false", "--listFiles"];
    execFile(process.execPath, args, { cwd: ROOT, maxBuffer: 2 ** 26 }, (error, stdout, stderr) => {
      rmSync(folder, { recursive: true, force: true });
      const lines = stdout.split("\n").filter((line) => line !== "");
      const problems = new Map(files.map((file): [string, string[]] => [file, []]));
      const read: string[] = [];
      for (const line of lines) {
        const [, file, at, said] = SAID.exec(line) ?? [];
        if (file === undefined) {
          if (/^\S*[/\\]\S*$/.test(line)) read.push(line);
          else if (!line.startsWith(" ")) return reject(new Error(`${line}\n${stderr}`));
          continue;
        }
        const path = join(ROOT, file);
        problems.set(path, [...(problems.get(path) ?? []), `${at}: ${said}`]);
      }
      if (error && [...problems.values()].flat().length === 0) return reject(new Error(stdout + stderr));
      resolve({ problems, read });
    });
  });
}
