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
import { ROOT, run } from "./command.ts";

/** What the manifest adds, the folders of patterns with them. */
const ADDED: readonly string[] = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"))
  .files.map((file: string) => file.replace(/\/\*.*$/, ""))
  .filter((file: string) => file !== "dist" && !/^!|\//.test(file));
/** What the tarball is made of, and by. */
const PARTS = [
  ...new Set(["src", "package.json", "tsconfig.json", "tsconfig.build.json", "README.md", "LICENSE", ...ADDED]),
];
const TOOLS = ["package-lock.json", "tools/build.ts"];
const CACHE = join(ROOT, "node_modules/.cache/leasehold");

function filesOf(path: string): string[] {
  const names = statSync(join(ROOT, path)).isDirectory()
    ? readdirSync(join(ROOT, path), { recursive: true, encoding: "utf8" }).sort()
    : [""];
  return names
    .map((name) => join(path, name))
    .filter((name) => /^[^.][^/]*(\/[^./][^/]*)*$/.test(name) && statSync(join(ROOT, name)).isFile());
}

function fingerprint(): string {
  const hash = createHash("sha256");
  for (const file of [...PARTS, ...TOOLS].flatMap(filesOf)) {
    hash
      .update(`${file}\0`)
      .update(readFileSync(join(ROOT, file)))
      .update("\0");
  }
  return hash.digest("hex").slice(0, 16);
}

/** Moves a folder to where it may be there already, made by another test file at the same time; those of long ago go. */
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
 * The tarball that `npm publish` would upload, built from the present sources in a folder of its own, so that `dist` is left alone. It
 * is kept for the test files that come after, as long as nothing that it is made of changes.
 */
export async function packed(): Promise<string> {
  const { name, version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as Record<string, string>;
  const place = join(CACHE, fingerprint());
  const tarball = join(place, `${name}-${version}.tgz`);
  if (existsSync(tarball)) return tarball;
  const dir = mkdtempSync(join(tmpdir(), "leasehold-pack-"));
  try {
    for (const part of PARTS) cpSync(join(ROOT, part), join(dir, part), { recursive: true });
    symlinkSync(join(ROOT, "node_modules"), join(dir, "node_modules"));
    await run(process.execPath, [join(ROOT, "tools/build.ts")], dir);
    mkdirSync(join(dir, "out"));
    await run("npm", ["pack", "--ignore-scripts", "--pack-destination", "out"], dir);
    keep(join(dir, "out"), place);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
  return tarball;
}
