import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { ROOT, run } from "../support/command.ts";

interface Step {
  readonly id?: string;
  readonly uses?: string;
  readonly run?: string;
}
interface Job {
  readonly "timeout-minutes"?: number;
  readonly environment?: unknown;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly steps: readonly Step[];
}
interface Workflow {
  readonly permissions?: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, Job>>;
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

const lint = (...files: string[]) => run(process.execPath, ["tools/lint-workflows.ts", ...files], ROOT);

it("all have keys, expressions and dependencies that GitHub knows", async () => {
  expect(await lint()).toBe("[]\n");
});

it("are not accepted with a wrong key or expression", async () => {
  const file = join(mkdtempSync(join(tmpdir(), "leasehold-workflow-")), "wrong.yml");
  const step = ["- run: echo $", "{{ matrix.name }}"].join("");
  writeFileSync(
    file,
    `on: push\njobs:\n  one:\n    runs-on: ubuntu-latest\n    steps:\n      ${step}\n        shel: sh\n`,
  );
  const problems = lint(file);
  await expect(problems).rejects.toThrow(/"kind": "expression"/);
  await expect(problems).rejects.toThrow(/"kind": "syntax-check"/);
  rmSync(dirname(file), { recursive: true });
});

it.each(workflows)("$file runs commands that bash can parse", async ({ workflow }) => {
  const commands = Object.values(workflow.jobs).flatMap(({ steps }) => steps.flatMap((step) => step.run ?? []));
  for (const command of commands) await run("bash", ["-n", "-c", command.replaceAll(/\$\{\{.*?\}\}/g, "value")], ROOT);
});

describe("the release's question whether one is due", () => {
  const release = workflows.find(({ file }) => file === "release.yml")?.workflow;
  const state = release?.jobs["versions"]?.steps.find(({ id }) => id === "state")?.run ?? "";
  const folders = [".", "agents", "cli", "durable-object", "engine", "gateway", "nest", "testing"];
  let repository: string;
  const git = (...args: string[]) =>
    run(
      "git",
      ["-c", "user.name=test", "-c", "user.email=test@example.com", "-c", "commit.gpgsign=false", ...args],
      repository,
    );

  beforeAll(async () => {
    repository = mkdtempSync(join(tmpdir(), "leasehold-release-"));
    for (const folder of [...folders, ".changeset"]) mkdirSync(join(repository, folder), { recursive: true });
    for (const folder of folders)
      writeFileSync(
        join(repository, folder, "package.json"),
        JSON.stringify({ name: `package-${folder}`, version: "1.0.0" }),
      );
    writeFileSync(join(repository, ".changeset/README.md"), "");
    await git("init", "-q");
    await git("add", "-A");
    await git("commit", "-q", "-m", "first");
  });
  afterAll(() => rmSync(repository, { recursive: true, force: true }));

  async function answer(): Promise<string> {
    const output = join(repository, ".git/output");
    writeFileSync(output, "");
    await run("bash", ["-e", "-o", "pipefail", "-c", state], repository, { GITHUB_OUTPUT: output });
    return readFileSync(output, "utf8").trim().replaceAll(/\s+/g, " ");
  }

  it("is answered by yes where a version has no tag, unless changesets are left", async () => {
    expect(await answer()).toBe("pending=0 release=true");
    writeFileSync(join(repository, ".changeset/one.md"), "");
    expect(await answer()).toBe("pending=1 release=false");
    rmSync(join(repository, ".changeset/one.md"));
    for (const folder of folders) await git("tag", `package-${folder}@1.0.0`);
    expect(await answer()).toBe("pending=0 release=false");
  });
});

describe("the release", () => {
  const release = workflows.find(({ file }) => file === "release.yml");
  const jobs = release?.workflow.jobs ?? {};

  it("has no long-lived token: every secret is the run's own", () => {
    expect(release?.text).not.toMatch(/secrets\.|NPM_TOKEN|NODE_AUTH_TOKEN/);
  });

  it("stages on npm from the tarballs of another job, behind a reviewer, and runs no code of dependencies there", () => {
    const { npm } = jobs;
    expect(npm?.environment).toBe("npm");
    expect(npm?.permissions).toEqual({ contents: "read", "id-token": "write" });
    const commands = npm?.steps.flatMap(({ run }) => run ?? []) ?? [];
    expect(commands.at(-1)).toBe("npm run release:publish -- packed --stage");
    expect(commands.filter((command) => /npm ci|npm install(?! --global npm@[\d.]+$)/.test(command))).toEqual([]);
  });

  it("gives no job the right to publish and to write to the repository", () => {
    const both = Object.entries(jobs).filter(
      ([, { permissions = {} }]) => permissions["id-token"] === "write" && permissions["contents"] === "write",
    );
    expect(both).toEqual([]);
  });
});

describe("the regular runs", () => {
  const textOf = (name: string): string => workflows.find(({ file }) => file === name)?.text ?? "";

  it("take the newest of everything that users bring along, once a week", () => {
    const weekly = textOf("weekly.yml");
    for (const each of [
      "node bun deno",
      "wrangler miniflare",
      "ioredis redis",
      "hono express fastify h3",
      "typescript-newest",
    ])
      expect(weekly).toContain(each);
    for (const image of ["redis:latest", "valkey/valkey:latest"]) expect(weekly).toContain(image);
  });

  it("rehearse a release once a week", () => {
    expect(textOf("weekly.yml")).toContain("npm run release:rehearse");
  });

  it("try Workers of several dates, the newest among them", () => {
    const dates = /date: \[(.*)\]/.exec(textOf("weekly.yml"))?.[1]?.split(", ") ?? [];
    expect(dates.length).toBeGreaterThan(3);
    expect(dates).toContain("newest");
  });

  it("keep the figures of the long proof, also of a run that fails", () => {
    const nightly = textOf("nightly.yml");
    for (const script of ["sim", "mutate", "histories", "spec", "test:long"])
      expect(nightly).toContain(`npm run ${script}`);
    expect(nightly).toMatch(/upload-artifact@.*\n\s+if: always\(\)/);
  });
});
