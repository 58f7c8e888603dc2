import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The stages that can catch a mutant: seeds of the simulation, cases of scripts, tests in virtual and in real time. */
export type Stage = "seed" | "case" | "test" | "real";

/** The findings about a mutant so far. */
export interface Finding {
  /** The stage that caught it, the run, and the check that failed. */
  readonly killed?: { readonly stage: Stage; readonly by: string; readonly why: string; readonly killers: string };
  /** The stages that it survived, each with the hash of the code that ran. */
  readonly survived?: Readonly<Partial<Record<Stage, string>>>;
}

export const sha1 = (text: string): string => createHash("sha1").update(text).digest("hex");

const ROOT: string = join(import.meta.dirname, "../..");

/** A hash of these files and folders. */
export function hashOf(...paths: readonly string[]): string {
  const texts = paths.flatMap((path) => {
    const whole = join(ROOT, path);
    if (/\.\w+$/.test(path)) return [readFileSync(whole, "utf8")];
    const files = readdirSync(whole, { recursive: true, encoding: "utf8" }).filter((file) => /\.(ts|lua)$/.test(file));
    return files.sort().map((file) => readFileSync(join(whole, file), "utf8"));
  });
  return sha1(texts.join("\0"));
}

/** Findings by the hash of a mutant, in a file outside the repository. */
export function openResults(
  file: string = process.env["MUTATION_RESULTS"] ?? join(tmpdir(), "leasehold-mutation.json"),
) {
  const read = (): Record<string, Finding> => (existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {});
  const all = read();
  let found: Record<string, Finding> = {};
  return {
    file,
    of: (hash: string): Finding => all[hash] ?? {},
    put(hash: string, finding: Finding): void {
      all[hash] = finding;
      found[hash] = finding;
    },
    /** Adds the new findings to the file. Another process may have written to it in between. */
    save(): void {
      writeFileSync(`${file}.new`, JSON.stringify({ ...read(), ...found }));
      renameSync(`${file}.new`, file);
      found = {};
    },
  };
}
