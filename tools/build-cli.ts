/** Builds `leasehold-cli`: one program that contains the parts of the SDK that it needs, and the page it serves. */
import { join } from "node:path";
import { build } from "esbuild";
import { writeUiPage } from "./ui-page.ts";

/** Packages that are installed with the program, not bundled into it. */
const EXTERNAL = ["ioredis"];

export async function buildCli(folder: string): Promise<void> {
  const dist = join(folder, "dist");
  await build({
    entryPoints: [join(folder, "src/main.ts")],
    outdir: dist,
    bundle: true,
    splitting: true,
    chunkNames: "[name]-[hash]",
    platform: "node",
    format: "esm",
    target: "node20",
    external: EXTERNAL,
    logLevel: "error",
  });
  await writeUiPage(join(dist, "page"));
}
