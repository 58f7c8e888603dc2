/**
 * Measures what each part of the SDK adds to a bundle: by how much the bundle shrinks, minified and gzipped, when all
 * functions of the part do nothing. Their calls go, too, and what only they use. What parts share counts for none or
 * for each of them, so the figures do not add up.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { build, type Plugin } from "esbuild";

const ROOT = join(import.meta.dirname, "..");

interface Part {
  readonly name: string;
  readonly modules: RegExp;
}
export interface Row {
  readonly name: string;
  /** In bytes, for each bundle. It is 0 for one that does not have the part. */
  readonly sizes: readonly number[];
}

const part = (name: string, modules: RegExp): Part => ({ name, modules });
const together = (name: string, parts: readonly Part[]): Part =>
  part(name, new RegExp(parts.map(({ modules }) => modules.source).join("|")));

const SHARED = [
  part("scripts", /dist\/redis\/(parts|scripts)/),
  part(
    "acquiring: tries, cancels, polls, back-off, reentry key and label",
    /engine\/(contend|poll|acquire-options|backoff|hold|place|unavailable)\.|shared\/note\./,
  ),
  part(
    "the lease: its end, signal, extend, verify, release, `keepAlive`",
    /engine\/(lease|expiry|keep-alive)\.|shared\/(timers|wait-until)\./,
  ),
  part(
    "requests: sent again, void when late, in doubt; the server's clock; answers checked",
    /redis\/(run|clock|script)\./,
  ),
  part("`connect`, `fetch`, what their failures mean", /redis\/(connect|fetch|port)\./),
];
const KINDS = [
  part("`semaphore`", /kinds\/(semaphore|permits|counter)\./),
  part("`quorumLock`", /kinds\/quorum-lock\//),
  part("`multiLock`", /kinds\/multi-lock\./),
  part("`readWriteLock`, `request`, `query`", /kinds\/(read-write-lock|web-locks)\./),
  part("`once`", /kinds\/(once|attempts)\./),
  part("`latch`", /kinds\/latch\./),
  part("`fairLock`", /kinds\/fair-lock\./),
];
const ALL_KINDS = together("all kinds but `lock`, together", KINDS);
const CRONER = part("croner, which parses cron expressions", /node_modules\/croner\//);
/** No promise rests on them. */
const DISPENSABLE = [
  part("checks of options, durations and names, with their messages", /shared\/(checks|bytes)\./),
  part("tickets and their signature", /engine\/ticket\.|shared\/crypto\./),
  part("errors and events", /shared\/(errors|events)\./),
  part("`inspect`, `forceRelease`", /engine\/record\./),
];
const ALL_DISPENSABLE = together("the four above, together", DISPENSABLE);

const COMMON = [...SHARED, ...DISPENSABLE, ALL_DISPENSABLE];
/** The bundles by their names in package.json. */
const BUNDLES: ReadonlyMap<string, readonly Part[]> = new Map([
  ["connect + lock", COMMON],
  ["connect + once", COMMON],
  ["main entry", [...COMMON, ...KINDS, ALL_KINDS]],
  ["cron on Vercel", [...COMMON, CRONER]],
]);
export const BUNDLE_NAMES: readonly string[] = [...BUNDLES.keys()];

interface Check {
  readonly name: string;
  readonly path: string;
  readonly import: string;
}
const manifest: unknown = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
const checks = (manifest as { readonly "size-limit": readonly Check[] })["size-limit"];

/** Makes all exports of a part functions that do nothing. */
const without = ({ modules }: Part): Plugin => ({
  name: "without",
  setup: ({ onLoad }) =>
    onLoad({ filter: modules }, async ({ path }) => ({
      contents: Object.keys(await import(path))
        .map((name) => `export function ${name}() {}`)
        .join("\n"),
    })),
});

async function gzipped({ path, import: given }: Check, plugins: Plugin[]): Promise<number> {
  const names = given.replace("*", "* as all");
  const contents = `import ${names} from "./${path}"; console.log(${names.replace("* as ", "")});`;
  const stdin = { contents, resolveDir: ROOT };
  const options = { bundle: true, minify: true, format: "esm", write: false, logLevel: "error" } as const;
  const { outputFiles } = await build({ stdin, plugins, ...options });
  return gzipSync(outputFiles[0]?.contents ?? "", { level: 9 }).length;
}

/** By how much a bundle shrinks without a part, in bytes. */
async function shrinks(bundle: string, part: Part): Promise<number> {
  const check = checks.find(({ name }) => name === bundle) as Check;
  return (await gzipped(check, [])) - (await gzipped(check, [without(part)]));
}

/** Measures the parts of the bundles, whose `sizes` are known. */
export function bundleParts(sizes: ReadonlyMap<string, number>): Promise<Row[]> {
  type Measure = (bundle: string, parts: readonly Part[]) => Promise<number>;
  const row = async (name: string, measure: Measure): Promise<Row> => ({
    name,
    sizes: await Promise.all([...BUNDLES].map(([bundle, parts]) => measure(bundle, parts))),
  });
  const added = (part: Part): Promise<Row> =>
    row(part.name, async (bundle, parts) => (parts.includes(part) ? shrinks(bundle, part) : 0));
  const left = async (bundle: string, part: Part): Promise<number> =>
    (sizes.get(bundle) as number) - (await shrinks(bundle, part));
  return Promise.all([
    ...[...SHARED, ...KINDS, ALL_KINDS, CRONER, ...DISPENSABLE, ALL_DISPENSABLE].map(added),
    row("**left without these four**", (bundle) => left(bundle, ALL_DISPENSABLE)),
    row("left without any of these parts", (bundle, parts) => left(bundle, together("", parts))),
  ]);
}
