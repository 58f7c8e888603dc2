/** What a reader of a page has: an empty folder, the packages of its `npm install` lines, and its programs. */
import { blocksOf, textOf } from "../../documents/markdown.ts";
import { packed } from "./packed.ts";
import { emptyProject, type Project } from "./project.ts";
import { type Registry, serveRegistry } from "./registry.ts";

/** A registry that has all packages of this project, as they would be published. */
export async function serveOwnPackages(): Promise<Registry> {
  const names = [
    "leasehold",
    "leasehold-agents",
    "leasehold-durable-object",
    "leasehold-engine",
    "leasehold-nest",
  ] as const;
  return serveRegistry(...(await Promise.all([...names, "leasehold-testing" as const].map((name) => packed(name)))));
}

/** The packages of a page's `npm install` lines, with their options. */
export const installsOf = (page: string): string[][] =>
  blocksOf(textOf(page))
    .filter(({ language }) => language === "sh")
    .flatMap(({ text }) => [...text.matchAll(/^npm install (.+)$/gm)].map(([, named = ""]) => named.split(" ")));

/** The programs of a page as files: under the names that they state, or else `program-0.ts` and so on. */
export function programsOf(page: string): ReadonlyMap<string, string> {
  const blocks = blocksOf(textOf(page)).filter(({ language, from }) => language === "ts" && from === undefined);
  return new Map(blocks.map(({ text }, at) => [/^\/\/ ([\w.-]+)\n/.exec(text)?.[1] ?? `program-${at}.ts`, text]));
}

/** Installs what a page says into an empty folder, and writes the page's programs to it. */
export async function followPage(page: string, registry: Registry): Promise<Project> {
  const project = emptyProject();
  project.write(".npmrc", `registry=${registry.url}\n`);
  for (const named of installsOf(page)) await project.npm(...named);
  for (const [name, text] of programsOf(page)) project.write(name, text);
  return project;
}
