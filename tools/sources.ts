/**
 * Resolves `leasehold-engine` to its sources, for programs that Node runs unbuilt: `node --import ./tools/sources.ts`,
 * then the program. Nothing must be built first.
 */
import { registerHooks } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

/** The files by their import names. */
export const SOURCES: Readonly<Record<string, string>> = {
  // The longer name first, since aliases match by prefix.
  "leasehold-engine/holding": join(import.meta.dirname, "../engine/src/holding/index.ts"),
  "leasehold-engine/rest": join(import.meta.dirname, "../engine/src/rest/index.ts"),
  "leasehold-engine": join(import.meta.dirname, "../engine/src/index.ts"),
  "leasehold-durable-object": join(import.meta.dirname, "../durable-object/src/index.ts"),
  "leasehold-gateway": join(import.meta.dirname, "../gateway/src/index.ts"),
};

registerHooks({
  resolve(specifier, context, nextResolve) {
    const file = SOURCES[specifier];
    return nextResolve(file === undefined ? specifier : pathToFileURL(file).href, context);
  },
});
