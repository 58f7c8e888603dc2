/**
 * Measures the bundles and writes the table in docs/costs.md.
 *
 *   node tools/sizes.ts [--check]
 *
 * With `--check`, nothing is written: a size above its limit is an error, and so is a figure in the table that is off
 * by more than 2 %.
 */
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

interface Size {
  readonly name: string;
  readonly passed: boolean;
  /** In bytes. */
  readonly size: number;
  readonly sizeLimit: number;
}

const ROOT = join(import.meta.dirname, "..");
const FILE = join(ROOT, "docs/costs.md");
const BETWEEN = /(?<=<!-- sizes -->\n)[\s\S]*(?=<!-- end sizes -->)/;
/** A change of a few bytes does not need a new table. A size shown as 1.2 kB may be rounded by half of 0.1 kB. */
const TOLERANCE = { share: 0.02, kb: 0.05 };

const kb = (bytes: number): string => `${(bytes / 1000).toFixed(1)} kB`;

function measure(): Size[] {
  // It exits with 1 if a size is above its limit, and still reports the sizes.
  const { stdout } = spawnSync("size-limit --json", { cwd: ROOT, encoding: "utf8", shell: true });
  return JSON.parse(stdout) as Size[];
}

const tableOf = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, ["---", ...head.slice(1).fill("--:")], ...rows].map((cells) => `| ${cells.join(" | ")} |\n`).join("");

/** The sizes in the table, by name. */
const readTable = (document: string): Map<string, readonly number[]> =>
  new Map(
    [...(BETWEEN.exec(document)?.[0] ?? "").matchAll(/^\| (.+?) \| ([\d.]+) kB \| ([\d.]+) kB \|$/gm)].map(
      ([, name = "", size, limit]) => [name, [Number(size), Number(limit)]],
    ),
  );

const isAbout = (written: number | undefined, measured: number): boolean =>
  written !== undefined && Math.abs(written - measured) <= Math.max(measured * TOLERANCE.share, TOLERANCE.kb);

const sizes = measure();
const document = readFileSync(FILE, "utf8");
if (process.argv.includes("--check")) {
  const written = readTable(document);
  const wrong = sizes.filter(({ name, size, sizeLimit }) =>
    [size, sizeLimit].some((bytes, at) => !isAbout(written.get(name)?.[at], bytes / 1000)),
  );
  for (const { name, size, passed, sizeLimit } of sizes)
    console.log(`${name}: ${kb(size)}${passed ? "" : `, above its limit of ${kb(sizeLimit)}`}`);
  for (const { name } of wrong)
    console.error(`docs/costs.md does not say the size of "${name}": run node tools/sizes.ts`);
  if (wrong.length > 0 || written.size !== sizes.length || sizes.some(({ passed }) => !passed)) process.exitCode = 1;
} else if (BETWEEN.test(document)) {
  const rows = sizes.map(({ name, size, sizeLimit }) => [name, kb(size), `${sizeLimit / 1000} kB`]);
  writeFileSync(
    FILE,
    document.replace(BETWEEN, () => tableOf(["bundle", "size", "limit"], rows)),
  );
} else throw new Error("docs/costs.md: the marks of the sizes are missing");
