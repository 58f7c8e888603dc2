/**
 * Resolves the packages of this project to their sources, for programs that Node runs unbuilt: `node --import
 * ./tools/sources.ts`, then the program. Nothing must be built first.
 */
import { readFileSync } from "node:fs";
import { registerHooks } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

interface Manifest {
  readonly name: string;
  readonly exports: Readonly<Record<string, string | { readonly default: string }>>;
}

const ROOT = join(import.meta.dirname, "..");
/** The folders of the packages with entries that programs import. */
const FOLDERS = [".", "agents", "durable-object", "engine", "gateway", "nest", "testing"];

/** The entries of a package, and the sources that they are built from. */
function entriesOf(folder: string): [entry: string, file: string][] {
  const { name, exports } = JSON.parse(readFileSync(join(ROOT, folder, "package.json"), "utf8")) as Manifest;
  return Object.entries(exports).flatMap(([entry, target]): [string, string][] => {
    if (typeof target === "string") return [];
    const source = target.default.replace(/^\.\/dist\//, "src/").replace(/\.js$/, ".ts");
    return [[entry.replace(/^\./, name), join(ROOT, folder, source)]];
  });
}

/** The files by their import names. The longer names are first, since aliases match by prefix. */
export const SOURCES: Readonly<Record<string, string>> = Object.fromEntries(
  FOLDERS.flatMap(entriesOf).sort(([one], [two]) => two.length - one.length),
);

registerHooks({
  resolve(specifier, context, nextResolve) {
    const file = SOURCES[specifier];
    if (file === undefined) return nextResolve(specifier, context);
    // Finished, since `require` takes no URL.
    return { url: pathToFileURL(file).href, shortCircuit: true };
  },
});
