/**
 * Measures what is bundled and writes the table in docs/costs.md.
 *
 *   node tools/sizes.ts [--check]
 *
 * With `--check` nothing is written: a size above its limit, and a figure in the table that is more than 0.1 kB off, is
 * an error.
 */
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { bundleParts, type Part } from "./bundle-parts.ts";

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

const kb = (bytes: number): string => (bytes / 1000).toFixed(1);

function measure(): Size[] {
  // It ends with 1 when a size is above its limit, and says which all the same.
  const { stdout } = spawnSync("size-limit --json", { cwd: ROOT, encoding: "utf8", shell: true });
  return JSON.parse(stdout) as Size[];
}

const tableOf = (sizes: readonly Size[]): string =>
  ["| bundle | size | limit |", "|---|--:|--:|"]
    .concat(sizes.map(({ name, size, sizeLimit }) => `| ${name} | ${kb(size)} kB | ${sizeLimit / 1000} kB |`))
    .concat("")
    .join("\n");

const partsTableOf = (parts: readonly Part[]): string =>
  ["| part of connect + lock | adds |", "|---|--:|"]
    .concat(parts.map(({ name, size }) => `| ${name} | ${kb(size)} kB |`))
    .concat("")
    .join("\n");

/** The sizes in a table, by name. */
const readTable = (document: string, between: RegExp): Map<string, number> =>
  new Map(
    [...(between.exec(document)?.[0] ?? "").matchAll(/^\| (.+?) \| ([\d.]+) kB \|/gm)].map(([, name = "", size]) => [
      name,
      Number(size),
    ]),
  );

const sizes = measure();
const parts = await bundleParts();
const document = readFileSync(FILE, "utf8");
if (process.argv.includes("--check")) {
  const written = new Map([...readTable(document, BETWEEN), ...readTable(document, PARTS_BETWEEN)]);
  const wrong = [...sizes, ...parts].filter(
    ({ name, size }) => !(Math.abs((written.get(name) ?? 0) - size / 1000) <= LEAST_DIFFERENCE_KB),
  );
  for (const { name, size, passed, sizeLimit } of sizes)
    console.log(`${name}: ${kb(size)} kB${passed ? "" : `, above its limit of ${kb(sizeLimit)} kB`}`);
  for (const { name } of wrong)
    console.error(`docs/costs.md does not say the size of "${name}": run node tools/sizes.ts`);
  if (wrong.length > 0 || written.size !== sizes.length + parts.length || sizes.some(({ passed }) => !passed))
    process.exitCode = 1;
} else if (BETWEEN.test(document) && PARTS_BETWEEN.test(document))
  writeFileSync(
    FILE,
    document.replace(BETWEEN, () => tableOf(sizes)).replace(PARTS_BETWEEN, () => partsTableOf(parts)),
  );
else throw new Error("docs/costs.md: the marks of the sizes are missing");
