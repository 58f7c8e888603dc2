import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ROOT, run } from "../../support/command.ts";
import { packed } from "./packed.ts";
import { type Registry, serveRegistry } from "./registry.ts";

interface Settings {
  readonly name: string;
  readonly version: string;
  readonly exports: Readonly<Record<string, string>>;
}
interface Manifest {
  readonly version: string;
  readonly exports: Readonly<Record<string, string | { readonly default: string }>>;
}
const readIn = <T>(file: string): T => JSON.parse(readFileSync(join(ROOT, file), "utf8")) as T;

let registry: Registry;
let dir: string;
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), "leasehold-jsr-"));
  registry = await serveRegistry(await packed("leasehold-engine"));
});
afterAll(async () => {
  await registry?.close();
  rmSync(dir, { recursive: true, force: true });
});

describe.concurrent.each([
  ["src/jsr.json", "package.json", /^\.\/dist/, "."],
  ["agents/jsr.json", "agents/package.json", /^\.\/dist/, "./src"],
  ["testing/jsr.json", "testing/package.json", /^\.\/dist/, "./src"],
])("%s", (file, manifest, built, sources) => {
  it("has the version and the entries of the package on npm", () => {
    const { version, exports } = readIn<Settings>(file);
    const known = readIn<Manifest>(manifest);
    const entries = Object.entries(known.exports).flatMap(([entry, target]) =>
      typeof target === "string" ? [] : [[entry, target.default.replace(built, sources).replace(/\.js$/, ".ts")]],
    );
    expect([version, exports]).toEqual([known.version, Object.fromEntries(entries)]);
  });

  it("would be published, without slow types", async () => {
    const env = { NPM_CONFIG_REGISTRY: registry.url, DENO_DIR: join(dir, "cache"), DENO_NO_UPDATE_CHECK: "1" };
    const [folder = ""] = file.split("/");
    // It throws with what Deno says.
    await run(process.execPath, ["tools/release/jsr.ts", "--dry-run", folder], ROOT, env, 220_000);
  });
});
