import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { nearTests } from "./near-tests.ts";
import type { Run, Told } from "./real-child.ts";
import { sha1 } from "./results.ts";
import { typescriptFiles, watchedText } from "./typescript-mutants.ts";

const ROOT: string = join(import.meta.dirname, "../..");
/** A test file that takes longer is skipped. */
const SLOWEST_MS = 60_000;
/** On a busy machine. */
const MAX_MS = 150_000;
const FILE: string = process.env["MUTATION_REACH"] ?? join(tmpdir(), "leasehold-mutation-reach.json");

/** The run of a test file without any change. */
export interface Reach {
  /** Whether the file can be run, within a minute. */
  readonly passes: boolean;
  readonly ms: number;
  /** Its tests that fail, each `file > name`. */
  readonly failing: readonly string[];
  /** The guards that it reaches, each `file:place`. */
  readonly guards: readonly string[];
}

type Ask = (run: Run, mostMs: number) => Promise<Told>;

/** Finds the guards that a test file reaches, by running that file alone. Results are cached in a file. */
export function createReaches(ask: Ask) {
  const known: Record<string, Reach> = existsSync(FILE) ? JSON.parse(readFileSync(FILE, "utf8")) : {};
  const found = new Map<string, Promise<Reach>>();
  const watched = new Map(typescriptFiles().map((source) => [source, watchedText(source)]));

  async function run(test: string): Promise<Reach> {
    const sources = [...watched].filter(([source]) => nearTests(source).includes(test));
    const swaps = Object.fromEntries(sources.map(([file, text]) => [pathToFileURL(join(ROOT, file)).href, text]));
    const hash = sha1(test + readFileSync(join(ROOT, test), "utf8") + JSON.stringify(sources));
    const before = known[hash];
    if (before) return before;
    const { failures, guards, ms } = await ask({ tests: [test], swaps, isWhole: true }, MAX_MS);
    const failing = failures.flatMap(({ file, test: name }) => (name === "" ? [] : [`${file} > ${name}`]));
    const passes = failing.length === failures.length && ms < SLOWEST_MS;
    if (!passes || failing.length > 0)
      console.log(`${passes ? "ignored" : "not asked"}: ${test}, ${ms} ms, ${failing.join("; ") || failures[0]?.why}`);
    known[hash] = { passes, ms, failing, guards };
    writeFileSync(`${FILE}.new`, JSON.stringify(known));
    renameSync(`${FILE}.new`, FILE);
    return known[hash];
  }

  return {
    of(test: string): Promise<Reach> {
      const reach = found.get(test) ?? run(test);
      found.set(test, reach);
      return reach;
    },
  };
}
