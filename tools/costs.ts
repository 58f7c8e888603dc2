/**
 * The costs of a change: the sizes of the bundles, and the compile time of the sources.
 *
 *   node tools/costs.ts > base.json          measures this checkout, which has been built
 *   node tools/costs.ts --against base.json  measures it and prints a Markdown table of the differences
 */
import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";

const ROOT = join(import.meta.dirname, "..");
const TSC = join(ROOT, "node_modules/typescript-newest/bin/tsc");
/** The compiler runs several times, and the fastest run counts. */
const COMPILER_RUNS = 3;

interface Costs {
  /** Bytes by bundle. */
  readonly sizes: Readonly<Record<string, number>>;
  readonly typeCheckSeconds: number;
}

function measureSizes(): Costs["sizes"] {
  // It exits with 1 if a size is above its limit; `npm run check` reports that.
  const { stdout } = spawnSync("size-limit --json", { cwd: ROOT, encoding: "utf8", shell: true });
  const rows = JSON.parse(stdout) as readonly { readonly name: string; readonly size: number }[];
  return Object.fromEntries(rows.map(({ name, size }) => [name, size]));
}

function measureTypeCheck(): number {
  const seconds = Array.from({ length: COMPILER_RUNS }, () => {
    const began = performance.now();
    execFileSync(process.execPath, [TSC, "-p", ROOT], { stdio: "inherit" });
    return (performance.now() - began) / 1000;
  });
  return Math.min(...seconds);
}

const signed = (value: number, digits: number): string => `${value > 0 ? "+" : ""}${value.toFixed(digits)}`;

/** One row of the table; undefined without a change. */
function sizeRow(name: string, before: number | undefined, after: number | undefined): string | undefined {
  if (before === after) return undefined;
  if (before === undefined) return `| ${name} | – | ${after} B | new |`;
  if (after === undefined) return `| ${name} | ${before} B | – | removed |`;
  return `| ${name} | ${before} B | ${after} B | ${signed(after - before, 0)} B (${signed((after / before - 1) * 100, 1)} %) |`;
}

function tableOf(before: Costs, after: Costs): string {
  const names = [...new Set([...Object.keys(before.sizes), ...Object.keys(after.sizes)])];
  const rows = names.flatMap((name) => sizeRow(name, before.sizes[name], after.sizes[name]) ?? []);
  const [old, now] = [before.typeCheckSeconds, after.typeCheckSeconds];
  const time = `| type check | ${old.toFixed(1)} s | ${now.toFixed(1)} s | ${signed((now / old - 1) * 100, 0)} % |`;
  const head = ["| minified and gzipped | before | after | difference |", "|---|--:|--:|--:|"];
  return [...head, ...(rows.length > 0 ? rows : ["| every bundle | | | none |"]), time].join("\n");
}

const { values } = parseArgs({ options: { against: { type: "string" } } });
const costs: Costs = { sizes: measureSizes(), typeCheckSeconds: measureTypeCheck() };
console.log(
  values.against === undefined
    ? JSON.stringify(costs)
    : tableOf(JSON.parse(readFileSync(values.against, "utf8")) as Costs, costs),
);
