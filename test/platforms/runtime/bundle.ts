import { join } from "node:path";
import { build, type Plugin } from "esbuild";
import { ROOT } from "../../support/command.ts";

/** How a host gets the SDK: from its project's `node_modules`, or in the one script that its platform takes. */
export interface Host {
  readonly entry: "bun" | "deno" | "edge" | "node" | "workerd";
  readonly single?: boolean;
  /** Whether the suite is that of all kinds, or the lock's. */
  readonly everyKind: boolean;
}

/**
 * The suite imports Vitest and the sources: here it gets the runner that runs everywhere, and the installed package.
 */
function installed(dir: string, single: boolean): Plugin {
  return {
    name: "installed",
    setup({ onResolve, resolve }) {
      onResolve({ filter: /^vitest$/ }, () => ({ path: join(ROOT, "test/platforms/runtime/vitest.ts") }));
      onResolve({ filter: /\/src\// }, ({ path, kind }) => {
        if (!path.endsWith("/src/index.ts")) return { errors: [{ text: `${path} is not a public entry` }] };
        return single ? resolve("leasehold", { resolveDir: dir, kind }) : { path: "leasehold", external: true };
      });
    },
  };
}

/** Bundles the suite for a host into a project that has the package; gives the file. */
export async function bundleSuite({ entry, single = false, everyKind }: Host, dir: string): Promise<string> {
  const outfile = join(dir, `${entry}.js`);
  await build({
    entryPoints: [join(ROOT, `test/platforms/runtime/hosts/${entry}.ts`)],
    outfile,
    bundle: true,
    // The syntax of the oldest runtime; and nothing of Node's may be needed.
    target: "es2022",
    platform: "browser",
    format: entry === "edge" ? "iife" : "esm",
    // The variables that Vitest's colours read would need a permission from Deno.
    define: { EVERY_KIND: String(everyKind), ...(entry === "deno" && { process: "undefined" }) },
    plugins: [installed(dir, single)],
    logLevel: "silent",
  });
  return outfile;
}
