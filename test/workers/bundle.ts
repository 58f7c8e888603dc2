import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { SOURCES } from "../../tools/sources.ts";

export const ROOT: string = fileURLToPath(new URL("../..", import.meta.url));

/** An example with everything that it imports, as one module. */
export async function bundle(name: string, platform: "neutral" | "node" = "neutral"): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(ROOT, "workers", name)],
    absWorkingDir: ROOT,
    alias: SOURCES,
    bundle: true,
    format: "esm",
    platform,
    mainFields: ["module", "main"],
    conditions: platform === "node" ? [] : ["workerd", "worker"],
    // As wrangler has it: workerd does not know `await using`.
    target: "es2024",
    external: ["cloudflare:*", "express", "next/server"],
    write: false,
  });
  return outputFiles[0]?.text ?? "";
}
