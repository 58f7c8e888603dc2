/**
 * Measures what is bundled and writes the tables in docs/costs.md.
 *
 *   node tools/sizes.ts [--check]
 *
 * With `--check` nothing is written: a size above its limit, and a figure in the tables that is more than 0.1 kB off,
 * is an error.
 */
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { BUNDLE_NAMES, bundleParts, type Row } from "./bundle-parts.ts";

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
const PARTS_BETWEEN = /(?<=<!-- parts -->\n)[\s\S]*(?=<!-- end parts -->)/;
const LEAST_DIFFERENCE_KB = 0.1;

/** A dash for what a bundle does not have. */
const kb = (bytes: number): string => (bytes === 0 ? "–" : `${(bytes / 1000).toFixed(1)} kB`);

function measure(): Size[] {
  // It ends with 1 when a size is above its limit, and says which all the same.
  const { stdout } = spawnSync("size-limit --json", { cwd: ROOT, encoding: "utf8", shell: true });
  return JSON.parse(stdout) as Size[];
}

const tableOf = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, ["---", ...head.slice(1).fill("--:")], ...rows].map((cells) => `| ${cells.join(" | ")} |\n`).join("");

/** The sizes in a table, by name. */
const readTable = (document: string, between: RegExp): Map<string, readonly number[]> =>
  new Map(
    [...(between.exec(document)?.[0] ?? "").matchAll(/^\| (.+?) \| ((?:[\d.]+ kB|–).*) \|$/gm)].map(
      ([, name = "", cells = ""]) => [name, cells.split(" | ").map((cell) => Number.parseFloat(cell) || 0)],
    ),
  );

const sizes = measure();
const parts = await bundleParts(new Map(sizes.map(({ name, size }) => [name, size])));
const document = readFileSync(FILE, "utf8");
if (process.argv.includes("--check")) {
  const written = new Map([...readTable(document, BETWEEN), ...readTable(document, PARTS_BETWEEN)]);
  const rows: readonly Row[] = [
    ...sizes.map(({ name, size, sizeLimit }) => ({ name, sizes: [size, sizeLimit] })),
    ...parts,
  ];
  const wrong = rows.filter(({ name, sizes }) =>
    sizes.some((size, at) => !(Math.abs((written.get(name)?.[at] ?? Number.NaN) - size / 1000) <= LEAST_DIFFERENCE_KB)),
  );
  for (const { name, size, passed, sizeLimit } of sizes)
    console.log(`${name}: ${kb(size)}${passed ? "" : `, above its limit of ${kb(sizeLimit)}`}`);
  for (const { name } of wrong)
    console.error(`docs/costs.md does not say the size of "${name}": run node tools/sizes.ts`);
  if (wrong.length > 0 || written.size !== rows.length || sizes.some(({ passed }) => !passed)) process.exitCode = 1;
} else if (BETWEEN.test(document) && PARTS_BETWEEN.test(document)) {
  const limits = sizes.map(({ name, size, sizeLimit }) => [name, kb(size), `${sizeLimit / 1000} kB`]);
  const adds = parts.map(({ name, sizes }) => [name, ...sizes.map(kb)]);
  writeFileSync(
    FILE,
    document
      .replace(BETWEEN, () => tableOf(["bundle", "size", "limit"], limits))
      .replace(PARTS_BETWEEN, () => tableOf(["part", ...BUNDLE_NAMES], adds)),
  );
} else throw new Error("docs/costs.md: the marks of the sizes are missing");
