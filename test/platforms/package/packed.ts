import { createHash } from "node:crypto";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ROOT, run } from "../../support/command.ts";

/** The folders of the packages that this project publishes. */
const FOLDERS = {
  leasehold: ".",
  "leasehold-agents": "agents",
  "leasehold-cli": "cli",
  "leasehold-durable-object": "durable-object",
  "leasehold-engine": "engine",
  "leasehold-gateway": "gateway",
  "leasehold-nest": "nest",
  "leasehold-testing": "testing",
} as const;
export type PackageName = keyof typeof FOLDERS;
/** The packages of this project that one is compiled against. */
const NEEDED: Readonly<Record<PackageName, readonly PackageName[]>> = {
  leasehold: [],
  "leasehold-agents": ["leasehold"],
  "leasehold-cli": ["leasehold"],
  "leasehold-durable-object": ["leasehold-engine"],
  "leasehold-engine": [],
  "leasehold-gateway": ["leasehold-engine"],
  "leasehold-nest": ["leasehold"],
  "leasehold-testing": ["leasehold-engine"],
};

/** The sources of other packages that one bundles. */
const BUNDLED: Partial<Readonly<Record<PackageName, readonly string[]>>> = {
  "leasehold-cli": [
    ...["gateway/src/redis/redis-url.ts", "gateway/src/shared/nearest-name.ts"],
    ...["compiled-scripts", "known-options", "memory-redis"].map((name) => `testing/src/${name}.ts`),
    "engine/src",
  ],
};

/** The files that all packages are built by. */
const TOOLS = [
  ...["package-lock.json", "tsconfig.json", "src/tsconfig.build.json"],
  ...["tools/build.ts", "tools/build-cli.ts", "tools/ui-page.ts", "tools/page.ts"],
];
const CACHE = join(ROOT, "node_modules/.cache/leasehold");

interface Manifest {
  readonly version: string;
  readonly files: readonly string[];
}
const manifestIn = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(ROOT, folder, "package.json"), "utf8")) as Manifest;

/** The parts of a tarball, the folders of the manifest's patterns as a whole. */
function partsOf(folder: string): string[] {
  const added = manifestIn(folder).files.map((file) => file.replace(/\/\*.*$/, ""));
  const own = ["src", "package.json", "tsconfig.build.json", "README.md", "LICENSE", ...added];
  const names = own.filter((name) => !/^(!|dist(\/|$))/.test(name));
  // A program has no tsconfig of its own.
  return [...new Set(names)].map((name) => join(folder, name)).filter((part) => existsSync(join(ROOT, part)));
}

/** The files of a part, those whose names begin with a dot excepted. */
function filesOf(path: string): string[] {
  const isFolder = statSync(join(ROOT, path)).isDirectory();
  const names = isFolder ? readdirSync(join(ROOT, path), { recursive: true, encoding: "utf8" }).sort() : [""];
  return names
    .map((name) => join(path, name))
    .filter((name) => !/(^|\/)\./.test(name) && statSync(join(ROOT, name)).isFile());
}

function fingerprint(parts: readonly string[]): string {
  const hash = createHash("sha256");
  for (const file of [...TOOLS, ...parts].flatMap(filesOf)) {
    hash
      .update(`${file}\0`)
      .update(readFileSync(join(ROOT, file)))
      .update("\0");
  }
  return hash.digest("hex").slice(0, 16);
}

/**
 * Moves a folder to where it may be there already, made by another test file at the same time; those of long ago go.
 */
function keep(made: string, place: string): void {
  mkdirSync(CACHE, { recursive: true });
  for (const name of readdirSync(CACHE)) {
    const old = join(CACHE, name);
    if (Date.now() - statSync(old).mtimeMs > 86_400_000) rmSync(old, { recursive: true, force: true });
  }
  const near = mkdtempSync(join(CACHE, "new-"));
  cpSync(made, near, { recursive: true });
  try {
    renameSync(near, place);
  } catch (error) {
    rmSync(near, { recursive: true });
    if (!existsSync(place)) throw error;
  }
}

/**
 * The tarball that `npm publish` would upload, built from the present sources in a folder of its own, so that `dist` is
 * left alone. It is kept for the test files that come after, as long as nothing that it is made of changes.
 */
export async function packed(name: PackageName = "leasehold"): Promise<string> {
  const folder = FOLDERS[name];
  const folders = [...NEEDED[name].map((needed) => FOLDERS[needed]), folder];
  const parts = [...folders.flatMap(partsOf), ...(BUNDLED[name] ?? [])];
  const place = join(CACHE, `${name}-${fingerprint(parts)}`);
  const tarball = join(place, `${name}-${manifestIn(folder).version}.tgz`);
  if (existsSync(tarball)) return tarball;
  const dir = mkdtempSync(join(tmpdir(), "leasehold-pack-"));
  try {
    for (const part of [...TOOLS, ...parts]) cpSync(join(ROOT, part), join(dir, part), { recursive: true });
    symlinkSync(join(ROOT, "node_modules"), join(dir, "node_modules"));
    await run(process.execPath, [join(ROOT, "tools/build.ts"), ...folders], dir);
    mkdirSync(join(dir, "out"));
    await run("npm", ["pack", "--ignore-scripts", "--pack-destination", join(dir, "out")], join(dir, folder));
    keep(join(dir, "out"), place);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
  return tarball;
}
