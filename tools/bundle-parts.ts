/**
 * Measures what each part of the SDK adds to a bundle of `connect` and `lock`: by how much the bundle shrinks, minified
 * and gzipped, without it. Parts share text that compresses once, so together they are less than the whole.
 */
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { build, transform } from "esbuild";

const ROOT = join(import.meta.dirname, "..");

/** Modules of `dist/` by what they do. */
const PARTS: readonly (readonly [part: string, modules: RegExp])[] = [
  ["scripts", /^redis\/(parts|scripts\/)/],
  [
    "requests: sent again, void when late, in doubt; the server's clock; answers checked",
    /^redis\/(run|clock|script)\./,
  ],
  ["`connect`, `fetch`, what their failures mean", /^redis\/(connect|fetch|port)\./],
  [
    "acquiring: tries, cancels, polls, back-off, owner and label",
    /^engine\/(contend|poll|acquire|acquire-options|backoff|hold|place|unavailable)\.|^kinds\/lock\.|^engine\/added|^shared\/note/,
  ],
  [
    "the lease: its end, signal, extend, verify, release, `keepAlive`",
    /^engine\/(lease|expiry|keep-alive)\.|^shared\/(timers|wait-until)\./,
  ],
  ["tickets and their signature", /^engine\/ticket\.|^shared\/crypto\./],
  ["checks of options, durations and names, with their messages", /^shared\/(checks|bytes)\./],
  ["errors and events", /^shared\/(errors|events)\./],
  ["`inspect`, `forceRelease`", /^engine\/record\./],
];

/** The smallest parts, which are measured together, too: no promise of the lock rests on them. */
const LEAST = 4;

const gzipped = async (text: string): Promise<number> =>
  gzipSync((await transform(text, { minify: true, format: "esm" })).code, { level: 9 }).length;

export interface Part {
  readonly name: string;
  /** In bytes. */
  readonly size: number;
}

/** Modules that are bundled together, each with its path as a comment in its first line. */
async function bundled(file: string, names: string): Promise<readonly string[]> {
  const stdin = { contents: `import { ${names} } from "./dist/${file}"; console.log(${names});`, resolveDir: ROOT };
  const { outputFiles } = await build({ stdin, bundle: true, format: "esm", write: false, logLevel: "error" });
  return (outputFiles[0]?.text ?? "").split(/^(?=\/\/ (?:dist|node_modules)\/\S+\.js$)/m);
}

const pathOf = (module: string): string => /^\/\/ (?:dist\/)?(\S+)$/m.exec(module)?.[1] ?? "";

/** How much a bundle shrinks without some of its modules, in bytes. */
async function shrinks(modules: readonly string[], isLeftOut: (path: string) => boolean): Promise<number> {
  const others = modules.filter((module) => !isLeftOut(pathOf(module)));
  return (await gzipped(modules.join(""))) - (await gzipped(others.join("")));
}

export async function bundleParts(): Promise<Part[]> {
  const modules = await bundled("index.js", "connect, lock");
  const rest = modules.filter((module) => module.startsWith("// ") && !PARTS.some(([, it]) => it.test(pathOf(module))));
  if (rest.length > 0) throw new Error(`tools/bundle-parts.ts: of no part: ${rest.map(pathOf).join(", ")}`);
  const sizeOf = async (name: string, parts: typeof PARTS): Promise<Part> => ({
    name,
    size: await shrinks(modules, (path) => parts.some(([, paths]) => paths.test(path))),
  });
  const sizes = (await Promise.all(PARTS.map((part) => sizeOf(part[0], [part])))).sort((a, b) => b.size - a.size);
  const least = PARTS.filter(([name]) => sizes.slice(-LEAST).some((size) => size.name === name));
  const cron = await bundled("cron/index.js", "cronGuard");
  return [
    ...sizes,
    await sizeOf(`the last ${LEAST} together`, least),
    { name: "of `cronGuard`: croner", size: await shrinks(cron, (path) => path.startsWith("node_modules/croner/")) },
  ];
}

if (import.meta.main) for (const { name, size } of await bundleParts()) console.log(`${size} ${name}`);
