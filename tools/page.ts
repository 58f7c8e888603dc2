import { join } from "node:path";
import { type BuildOptions, build } from "esbuild";

/** A page's script and its style. */
export interface Bundled {
  readonly script: string;
  readonly style: string;
}

/** Bundles `main.ts` and `style.css` of a folder, with all their imports. */
export async function bundlePage(folder: string): Promise<Bundled> {
  const bundle = async (entry: string, options: BuildOptions = {}): Promise<string> => {
    const { outputFiles } = await build({
      ...options,
      entryPoints: [join(folder, entry)],
      bundle: true,
      minify: true,
      write: false,
      target: "es2022",
      logLevel: "error",
    });
    return outputFiles?.[0]?.text ?? "";
  };
  // Not a module, since browsers do not load modules from the file system.
  const script = bundle("main.ts", { format: "iife", platform: "browser" });
  return { script: await script, style: await bundle("style.css") };
}
