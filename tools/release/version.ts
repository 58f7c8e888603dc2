/**
 * Turns the changesets of `.changeset/` into versions and changelogs.
 *
 *   npm run release:version
 *
 * It writes the version of each package in a changeset, the ranges of dependent packages, its changelog, and every
 * other file with a version. It removes the changesets. Manual text under "Unreleased" becomes part of the new
 * version's section. The scripts and the client of the last release, which the tests run together with the current
 * ones, become those of this release.
 */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { applyReleasePlan } from "@changesets/apply-release-plan";
import { assembleReleasePlan } from "@changesets/assemble-release-plan";
import { readConfig } from "@changesets/config";
import { readChangesets } from "@changesets/read";
import type { PackageJSON, Packages, ReleasePlan } from "@changesets/types";
import { readJson, releasedPackages } from "./packages.ts";

/**
 * The packages in the form of changesets. Its own search skips the package at the root of a workspace, and assumes that
 * the root is never published; so the root gets an unused name.
 */
export function workspaceOf(root: string): Packages {
  const packages = releasedPackages(root).map(({ folder, manifest }) => ({
    dir: join(root, folder),
    packageJson: manifest as PackageJSON,
  }));
  const rootPackage = { dir: root, packageJson: { name: "(root)", version: "0.0.0", private: true } };
  return { rootDir: root, tool: { type: "npm" }, rootPackage, packages };
}

/** Moves the text under "Unreleased" to the end of the first version's section. */
export function handOver(changelog: string): string {
  const [unreleased, text = ""] = /^## Unreleased\n([\s\S]*?)(?=^## |$(?![\s\S]))/m.exec(changelog) ?? [];
  if (unreleased === undefined) return changelog;
  const rest = changelog.replace(unreleased, () => "");
  const section = /^## \d[^\n]*\n[\s\S]*?(?=^## |$(?![\s\S]))/m.exec(rest)?.[0];
  if (section === undefined) return changelog;
  const whole = `${section.trimEnd()}\n\n${text.trim()}\n\n`;
  return `${rest
    .replace(section, () => whole)
    .replace(/ ?Nothing has been published to npm yet\./, "")
    .replace(/\n{3,}/g, "\n\n")
    .trimEnd()}\n`;
}

/** Rewrites a file by a function of its text; skips a missing file. */
function rewrite(file: string, change: (text: string) => string): void {
  if (!existsSync(file)) return;
  const before = readFileSync(file, "utf8");
  const after = change(before);
  if (after !== before) writeFileSync(file, after);
}

/**
 * The files with versions, in addition to the manifests of the workspace: their own versions, or those of dependencies.
 */
const STATED: readonly { readonly file: string; readonly of?: string }[] = [
  { file: "src/otel/version.ts", of: "leasehold" },
  { file: "src/jsr.json", of: "leasehold" },
  { file: "agents/jsr.json", of: "leasehold-agents" },
  { file: "testing/jsr.json", of: "leasehold-testing" },
  { file: "durable-object/worker/package.json" },
];
/** A version of its own, in TypeScript or JSON. */
const OWN_VERSION = /(?<=VERSION = "|"version": ")[^"]*/;
/** A range of another package, as npm or JSR write it. */
const RANGE = /(leasehold(?:-[a-z]+)*)("\s*:\s*"|@)\^\d[\d.]*/g;

function stampVersions(root: string): void {
  const versions = new Map(releasedPackages(root).map(({ name, manifest }) => [name, manifest.version]));
  for (const { file, of = "" } of STATED)
    rewrite(join(root, file), (text) => {
      const own = versions.get(of);
      const stamped = own === undefined ? text : text.replace(OWN_VERSION, own);
      return stamped.replace(RANGE, (whole, name: string, between: string) => {
        const version = versions.get(name);
        return version === undefined ? whole : `${name}${between}^${version}`;
      });
    });
}

interface LockedPackage {
  version?: string;
  dependencies?: Readonly<Record<string, string>>;
  peerDependencies?: Readonly<Record<string, string>>;
}

/** Writes the versions into the lock file, which lists the packages of the workspace by folder. */
function stampLock(root: string): void {
  const file = join(root, "package-lock.json");
  const lock = readJson(file) as { version?: string; packages: Record<string, LockedPackage> };
  for (const { folder, manifest } of releasedPackages(root)) {
    const locked = lock.packages[folder === "." ? "" : folder];
    if (locked === undefined) throw new Error(`package-lock.json does not know ${folder}: run npm install`);
    locked.version = manifest.version;
    if (manifest.dependencies !== undefined) locked.dependencies = manifest.dependencies;
    if (manifest.peerDependencies !== undefined) locked.peerDependencies = manifest.peerDependencies;
    if (folder === ".") lock.version = manifest.version;
  }
  writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`);
}

/**
 * Leaves alone what has no release: a package would be in the plan for its development with the present sources of
 * another. Makes the release of a package a minor one if its peer has more than a patch. With the peer of before, npm would refuse
 * the new version, and a range such as `^0.2.0` takes patches without being asked.
 */
function followPeers(plan: ReleasePlan, { packages }: Packages): ReleasePlan {
  const moved = new Set(
    plan.releases.flatMap(({ name, type }) => (type === "minor" || type === "major" ? [name] : [])),
  );
  const follows = (name: string): boolean => {
    const { peerDependencies = {} } = packages.find(({ packageJson }) => packageJson.name === name)?.packageJson ?? {};
    return Object.keys(peerDependencies).some((peer) => moved.has(peer));
  };
  const due = plan.releases.filter(({ type }) => type !== "none");
  const releases = due.map((release) => {
    if (release.type !== "patch" || !follows(release.name)) return release;
    const [major, minor] = release.oldVersion.split(".");
    return { ...release, type: "minor" as const, newVersion: `${major}.${Number(minor) + 1}.0` };
  });
  return { ...plan, releases };
}

/** @returns The new versions by name; empty without a changeset. */
export async function versionPackages(root: string): Promise<ReadonlyMap<string, string>> {
  const workspace = workspaceOf(root);
  const { config, errors } = await readConfig(root, workspace);
  if (config === undefined) throw new Error(errors.join("\n"));
  const changesets = await readChangesets(root);
  const plan = followPeers(assembleReleasePlan(changesets, workspace, config, undefined), workspace);
  await applyReleasePlan(plan, workspace, config, undefined, root);
  for (const { folder } of releasedPackages(root)) rewrite(join(root, folder, "CHANGELOG.md"), handOver);
  stampVersions(root);
  stampLock(root);
  return new Map(plan.releases.flatMap(({ name, newVersion }) => (newVersion ? [[name, newVersion] as const] : [])));
}

if (import.meta.main) {
  const root = process.cwd();
  const released = await versionPackages(root);
  for (const [name, version] of released) console.log(`${name} ${version}`);
  if (released.size === 0) console.log("no changeset asks for a release");
  else execFileSync(process.execPath, [join(import.meta.dirname, "record.ts")], { cwd: root, stdio: "inherit" });
}
