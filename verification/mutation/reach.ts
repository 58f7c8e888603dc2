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
const MOST_MS = 150_000;
const FILE: string = process.env["MUTATION_REACH"] ?? join(tmpdir(), "leasehold-mutation-reach.json");

/** The run of a test file without any change. */
export interface Reach {
  readonly passes: boolean;
  readonly ms: number;
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
    let told = await ask({ tests: [test], swaps }, MOST_MS);
    // Repeated once, since a busy machine exceeds time limits.
    if (told.failures.length > 0) told = await ask({ tests: [test], swaps }, MOST_MS);
    const { failures, guards, ms } = told;
    const [first] = failures;
    const passes = !first && ms < SLOWEST_MS;
    if (!passes) console.log(`not asked: ${test}, ${ms} ms ${first?.test ?? ""} ${first?.why ?? ""}`);
    known[hash] = { passes, ms, guards };
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
