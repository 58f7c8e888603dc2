/** Loaded first: replaces the text of a source file, and the runner and the servers of tests. */
import { registerHooks } from "node:module";
import { swapped } from "./swaps.ts";

const { MUTANT_VIRTUAL: isVirtual } = process.env;
// The tests import packages that need not be built.
if (isVirtual) await import("../../tools/sources.ts");
const here = (name: string): string => new URL(name, import.meta.url).href;

registerHooks({
  resolve(specifier, context, next) {
    if (isVirtual && specifier === "vitest") return { url: here("vitest.ts"), shortCircuit: true };
    if (isVirtual && /\/(use-)?stack\.ts$/.test(specifier)) return { url: here("use-stack.ts"), shortCircuit: true };
    const isProxy = specifier.endsWith("/proxy.ts") && context.parentURL !== here("proxy.ts");
    if (isVirtual && isProxy) return { url: here("proxy.ts"), shortCircuit: true };
    return next(specifier, context);
  },
  load(url, context, next) {
    const source = swapped[url];
    return source === undefined ? next(url, context) : { format: "module-typescript", source, shortCircuit: true };
  },
});
