/** The published packages, in order of publication: each after its dependencies. */
import { readFileSync } from "node:fs";
import { join } from "node:path";

export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

export interface ReleasedPackage {
  readonly name: string;
  /** Relative to the root of the repository: `.` for the package at the root. */
  readonly folder: string;
  readonly manifest: Manifest;
}

export const readJson = (file: string): unknown => JSON.parse(readFileSync(file, "utf8"));

export function releasedPackages(root: string): readonly ReleasedPackage[] {
  const { workspaces } = readJson(join(root, "package.json")) as { readonly workspaces: readonly string[] };
  const all = [".", ...workspaces].map((folder) => {
    const manifest = readJson(join(root, folder, "package.json")) as Manifest;
    return { name: manifest.name, folder, manifest };
  });
  const names = new Set(all.map(({ name }) => name));
  const ordered: ReleasedPackage[] = [];
  const isReady = ({ manifest }: ReleasedPackage): boolean =>
    Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies }).every(
      (needed) => !names.has(needed) || ordered.some(({ name }) => name === needed),
    );
  while (ordered.length < all.length) {
    const next = all.find((each) => !ordered.includes(each) && isReady(each));
    if (next === undefined) throw new Error("the packages depend on each other in a circle");
    ordered.push(next);
  }
  return ordered;
}
