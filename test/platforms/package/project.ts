import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { program, ROOT, run } from "../../support/command.ts";

const NPM = ["install", "--prefer-offline", "--no-audit", "--no-fund", "--ignore-scripts", "--no-package-lock"];

/** A registry across the world, asked from a busy machine, may take minutes. */
export const INSTALL_MS = 300_000;

export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly bin?: Readonly<Record<string, string>>;
  readonly exports: Readonly<Record<string, string | Readonly<Record<"types" | "default", string>>>>;
}

/** A project outside of this one, as a user's. */
export interface Project {
  readonly dir: string;
  write(file: string, content: string | object): string;
  read(file: string): string;
  /** Installs packages, files among them, as npm or Bun does. */
  npm(...packages: readonly string[]): Promise<void>;
  bun(...packages: readonly string[]): Promise<void>;
  remove(): void;
}

export function emptyProject(): Project {
  const dir = mkdtempSync(join(tmpdir(), "leasehold-project-"));
  const write = (file: string, content: string | object): string => {
    writeFileSync(join(dir, file), typeof content === "string" ? content : JSON.stringify(content));
    return join(dir, file);
  };
  write("package.json", { name: "project", private: true, type: "module" });
  return {
    dir,
    write,
    read: (file) => readFileSync(join(dir, file), "utf8"),
    npm: async (...packages) => void (await run("npm", [...NPM, ...packages], dir, {}, INSTALL_MS)),
    async bun(...packages) {
      // A cache of its own, since Bun's goes by name and version, and this version is another one each time.
      const env = { BUN_INSTALL_CACHE_DIR: join(dir, ".cache") };
      await run(program(".bin/bun"), ["add", "--ignore-scripts", ...packages], dir, env, INSTALL_MS);
    },
    remove: () => rmSync(dir, { recursive: true, force: true, maxRetries: 3 }),
  };
}

/** The `package.json` inside a tarball. */
export async function manifestOf(tarball: string): Promise<Manifest> {
  return JSON.parse(await run("tar", ["-xzOf", tarball, "package/package.json"], ROOT)) as Manifest;
}
