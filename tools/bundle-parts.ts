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

const gzipped = async (text: string): Promise<number> =>
  gzipSync((await transform(text, { minify: true, format: "esm" })).code, { level: 9 }).length;

export interface Part {
  readonly name: string;
  /** In bytes. */
  readonly size: number;
}

export async function bundleParts(): Promise<Part[]> {
  const entry = `import { connect, lock } from "./dist/index.js"; console.log(connect, lock);`;
  const stdin = { contents: entry, resolveDir: ROOT };
  const { outputFiles } = await build({ stdin, bundle: true, format: "esm", write: false, logLevel: "error" });
  // Each module begins with its path as a comment.
  const modules = (outputFiles[0]?.text ?? "").split(/^(?=\/\/ dist\/\S+\.js$)/m);
  const pathOf = (module: string): string => /^\/\/ dist\/(\S+)$/m.exec(module)?.[1] ?? "";
  const known = modules.filter((module) => PARTS.some(([, paths]) => paths.test(pathOf(module))));
  const rest = modules.filter((module) => /^\/\/ dist/.test(module) && !known.includes(module)).map(pathOf);
  if (rest.length > 0) throw new Error(`tools/bundle-parts.ts: of no part: ${rest.join(", ")}`);
  const whole = await gzipped(modules.join(""));
  const sizes = PARTS.map(async ([name, paths]) => {
    const others = modules.filter((module) => !paths.test(pathOf(module)));
    return { name, size: whole - (await gzipped(others.join(""))) };
  });
  return (await Promise.all(sizes)).sort((a, b) => b.size - a.size);
}

if (import.meta.main) for (const { name, size } of await bundleParts()) console.log(`${size} ${name}`);
