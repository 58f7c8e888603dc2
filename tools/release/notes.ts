/**
 * Prints the section of a version in the changelog of a package, for the release on GitHub.
 *
 *   node tools/release/notes.ts NAME
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { releasedPackages } from "./packages.ts";

/** @throws if the changelog does not contain the version. */
export function notesOf(changelog: string, version: string): string {
  const sections = changelog.split(/^## /m).slice(1);
  const found = sections.find((section) => section.split(/[\s(]/, 1)[0] === version);
  if (found === undefined) throw new Error(`the changelog has no section "${version}"`);
  return found.slice(found.indexOf("\n")).trim();
}

if (import.meta.main) {
  const [wanted] = process.argv.slice(2);
  const found = releasedPackages(process.cwd()).find(({ name }) => name === wanted);
  if (found === undefined) throw new Error(`there is no package "${wanted}"`);
  console.log(notesOf(readFileSync(join(found.folder, "CHANGELOG.md"), "utf8"), found.manifest.version));
}
