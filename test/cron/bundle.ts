import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** One script of a program that imports `leasehold` and `leasehold/cron`, with everything that these need. */
export async function bundle(program: string, format: "esm" | "iife"): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: program, resolveDir: ROOT, loader: "ts" },
    alias: { "leasehold/cron": "./src/cron/index.ts", leasehold: "./src/index.ts" },
    absWorkingDir: ROOT,
    bundle: true,
    format,
    platform: "neutral",
    mainFields: ["module", "main"],
    target: "es2022",
    write: false,
  });
  return outputFiles[0]?.text ?? "";
}
