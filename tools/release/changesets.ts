/**
 * Fails if the sources of a package have changed without a changeset.
 *
 *   npm run release:check [-- REF]     compared with REF, `origin/main` by default
 *
 * A changeset without packages is for changes that users do not notice. A package whose version has changed is skipped,
 * since its changesets are now in its changelog.
 */
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { readChangesets } from "@changesets/read";
import { type Manifest, releasedPackages } from "./packages.ts";

export interface Comparison {
  /** The files that differ, relative to the root. */
  readonly files: readonly string[];
  /** The packages of each new changeset; none if users do not notice the change. */
  readonly changesets: readonly (readonly string[])[];
  /** The packages with the folders of their sources. */
  readonly packages: readonly { readonly name: string; readonly sources: string }[];
}

/** The packages whose sources have changed without a changeset. */
export function withoutChangeset({ files, changesets, packages }: Comparison): string[] {
  if (changesets.some((names) => names.length === 0)) return [];
  const named = new Set(changesets.flat());
  const isSource = (file: string, sources: string): boolean =>
    file.startsWith(sources) && /\.(ts|css|html)$/.test(file);
  return packages
    .filter(({ name, sources }) => !named.has(name) && files.some((file) => isSource(file, sources)))
    .map(({ name }) => name);
}

const git = (root: string, ...args: string[]): string => execFileSync("git", args, { cwd: root, encoding: "utf8" });

function versionAt(root: string, commit: string, folder: string): string | undefined {
  try {
    const text = git(root, "show", `${commit}:${join(folder, "package.json").replaceAll("\\", "/")}`);
    return (JSON.parse(text) as Manifest).version;
  } catch {
    return undefined;
  }
}

/** The differences since this branch left the other, including uncommitted changes. */
export async function compare(root: string, ref: string): Promise<Comparison> {
  const base = git(root, "merge-base", ref, "HEAD").trim();
  const listed = (...args: string[]): string[] =>
    git(root, ...args)
      .split("\n")
      .filter(Boolean);
  const untracked = listed("ls-files", "--others", "--exclude-standard");
  const added = new Set([...listed("diff", "--name-only", "--diff-filter=A", base), ...untracked]);
  const changesets = (await readChangesets(root)).filter(({ id }) => added.has(`.changeset/${id}.md`));
  return {
    files: [...listed("diff", "--name-only", base), ...untracked],
    changesets: changesets.map(({ releases }) => releases.map(({ name }) => name)),
    packages: releasedPackages(root)
      .filter(({ folder, manifest }) => versionAt(root, base, folder) === manifest.version)
      .map(({ name, folder }) => ({ name, sources: folder === "." ? "src/" : `${folder}/src/` })),
  };
}

if (import.meta.main) {
  const ref = process.argv[2] ?? "origin/main";
  const missing = withoutChangeset(await compare(process.cwd(), ref));
  for (const name of missing)
    console.error(`${name} has changed since ${ref}, and no changeset says so: see .changeset/README.md`);
  if (missing.length > 0) process.exitCode = 1;
}
