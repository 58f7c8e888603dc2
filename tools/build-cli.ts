/** Builds `leasehold-cli`: one program that contains the parts of the SDK that it needs, and the page it serves. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { build } from "esbuild";
import { writeUiPage } from "./ui-page.ts";

/** Packages that are installed with the program, not bundled into it. */
const EXTERNAL = ["ioredis"];

/** The sources of the package of this project that is bundled, so that nothing must be built first. */
const aliasesOf = (folder: string): Record<string, string> => ({
  "leasehold-engine": resolve(folder, "../engine/src/index.ts"),
  "leasehold-engine/rest": resolve(folder, "../engine/src/rest/index.ts"),
});

/** The licenses of the packages whose code is bundled, which require that their text goes with it. */
function licensesOf(files: readonly string[]): string {
  const folders = new Map<string, string>();
  for (const file of files) {
    const [folder = "", name = ""] = /^.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file) ?? [];
    if (name !== "") folders.set(name, folder);
  }
  const texts = [...folders].sort().map(([name, folder]) => {
    const license = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each));
    if (license === undefined) throw new Error(`${name} has no file with its license, so it must not be bundled`);
    return `${name}\n\n${readFileSync(join(folder, license), "utf8").trim()}\n`;
  });
  return `This program contains code of these packages.\n\n${texts.join("\n\n")}`;
}

export async function buildCli(folder: string): Promise<void> {
  const dist = join(folder, "dist");
  const { metafile } = await build({
    entryPoints: [join(folder, "src/main.ts")],
    outdir: dist,
    bundle: true,
    splitting: true,
    chunkNames: "[name]-[hash]",
    platform: "node",
    format: "esm",
    target: "node20",
    external: EXTERNAL,
    metafile: true,
    alias: aliasesOf(folder),
    logLevel: "error",
  });
  writeFileSync(join(dist, "licenses.txt"), licensesOf(Object.keys(metafile.inputs)));
  await writeUiPage(join(dist, "page"));
}
