import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { parse } from "yaml";
import { ROOT } from "../support/command.ts";

interface Step {
  readonly uses?: string;
}
interface Workflow {
  readonly permissions?: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, { readonly "timeout-minutes"?: number; readonly steps: readonly Step[] }>>;
}

const FOLDER = join(ROOT, ".github/workflows");
const workflows = readdirSync(FOLDER).map((file) => {
  const text = readFileSync(join(FOLDER, file), "utf8");
  return { file, text, workflow: parse(text) as Workflow };
});

it.each(workflows)("$file uses actions by their commits, with the version beside it", ({ text, workflow }) => {
  const used = Object.values(workflow.jobs).flatMap(({ steps }) => steps.flatMap(({ uses }) => uses ?? []));
  expect(used.filter((each) => !/@[0-9a-f]{40}$/.test(each))).toEqual([]);
  const lines = text.split("\n").filter((line) => /\buses:/.test(line));
  expect(lines.filter((line) => !/@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(line))).toEqual([]);
});

it.each(workflows)("$file may only read unless a job asks for more, and every job ends", ({ workflow }) => {
  expect(workflow.permissions).toEqual({ contents: "read" });
  for (const job of Object.values(workflow.jobs)) expect(job["timeout-minutes"]).toBeGreaterThan(0);
});

it.each(workflows)("$file runs scripts that the project has", ({ text }) => {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as { scripts: object };
  const names = [...text.matchAll(/npm (?:run ([\w:]+)|(test)\b)/g)].map(([, name, test]) => name ?? test);
  expect(names.filter((name) => !Object.hasOwn(scripts, name ?? ""))).toEqual([]);
});
