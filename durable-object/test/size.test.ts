import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { expect, it } from "vitest";
import { SOURCES } from "../../tools/sources.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** What an export adds to a Worker, minified and gzipped, in kB. */
async function sizeOf(name: string): Promise<number> {
  const { outputFiles } = await build({
    stdin: { contents: `export { ${name} } from "./durable-object/src/index.ts";`, resolveDir: ROOT, loader: "ts" },
    alias: SOURCES,
    bundle: true,
    minify: true,
    format: "esm",
    external: ["cloudflare:*"],
    treeShaking: true,
    write: false,
  });
  return gzipSync(outputFiles[0]?.contents ?? "").length / 1000;
}

it("adds less than 60 kB to the Worker that has the class, gzipped", async () => {
  const size = await sizeOf("LeaseholdObject");
  console.log(`LeaseholdObject: ${size.toFixed(1)} kB`);
  expect(size).toBeLessThan(60);
  const rest = await sizeOf("LeaseholdObject, createRestHandler, durableObject");
  console.log(`with the REST endpoint and the port: ${rest.toFixed(1)} kB`);
  expect(rest).toBeLessThan(60);
});
