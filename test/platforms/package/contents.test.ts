/** What `npm publish` would upload of each package, and how much of a disk an installation takes. */
import { globSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { textOf } from "../../documents/markdown.ts";
import { ROOT, run } from "../../support/command.ts";
import { type PackageName, packed } from "./packed.ts";
import { emptyProject, type Project } from "./project.ts";
import { type Registry, serveRegistry } from "./registry.ts";

const COMMON = ["CHANGELOG.md", "LICENSE", "README.md", "package.json"];
const WITH_ARCHITECTURE = ["ARCHITECTURE.md", ...COMMON];
const DEPLOY = [
  "Dockerfile",
  "Dockerfile.dockerignore",
  "compose.yml",
  "grafana-dashboard.json",
  "health.sh",
  "kubernetes.yml",
  "leasehold-gateway.service",
  "prometheus-alerts.yml",
].map((file) => `deploy/${file}`);

const MONITORING = ["grafana-dashboard.json", "prometheus-alerts.yml"].map((file) => `docs/deploy/${file}`);

interface Contents {
  /** The files beside what is built. */
  readonly files: readonly string[];
  /** The folder whose modules are built one by one, or the files that are built. */
  readonly built: string | readonly string[];
  /** The most that it takes when it is installed with its dependencies, in MB. */
  readonly limit: number;
  /** The arguments of npm besides the name. */
  readonly install?: readonly string[];
}

const CONTENTS: Readonly<Record<PackageName, Contents>> = {
  leasehold: { files: [...COMMON, ...MONITORING], built: "src", limit: 1.9 },
  "leasehold-agents": { files: COMMON, built: "agents/src", limit: 2 },
  "leasehold-cli": {
    files: [
      ...COMMON,
      ...["SKILL.md", "references/fence.md", "references/kinds.md"].map((file) => `skills/leasehold/${file}`),
    ],
    built: [
      ...["chunk", "main", "tcp-client", "memory-redis", "http", "stdio", "tools"].map((part) => `${part}.js`),
      "licenses.txt",
      "page/icon.svg",
      "page/index.html",
      "page/page.js",
      "page/style.css",
    ],
    limit: 4.5,
  },
  "leasehold-durable-object": { files: COMMON, built: "durable-object/src", limit: 0.8 },
  "leasehold-engine": { files: WITH_ARCHITECTURE, built: "engine/src", limit: 0.6 },
  "leasehold-gateway": { files: [...WITH_ARCHITECTURE, ...DEPLOY], built: "gateway/src", limit: 6.5 },
  // A project of Nest has Nest already, which npm would add to an empty one.
  "leasehold-nest": { files: COMMON, built: "nest/src", limit: 2, install: ["leasehold", "--legacy-peer-deps"] },
  "leasehold-testing": { files: WITH_ARCHITECTURE, built: "testing/src", limit: 0.8 },
};
const NAMES = Object.keys(CONTENTS) as PackageName[];

/** What the build makes of a folder of sources. */
const modulesOf = (folder: string): string[] =>
  globSync("**/*.ts", { cwd: join(ROOT, folder) })
    .filter((file) => !file.endsWith(".d.ts"))
    .flatMap((file) => [".js", ".d.ts"].map((ending) => file.replace(/\.ts$/, ending)));

/** What npm keeps for itself, in names with a dot in front, does not count. */
function megabytesIn(folder: string): number {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => !name.startsWith("."));
  const entries = [...new Set(names)].map((name) => statSync(join(folder, name)));
  return entries.filter((entry) => entry.isFile()).reduce((sum, { size }) => sum + size, 0) / 1e6;
}

let registry: Registry;
const projects: Project[] = [];
beforeAll(async () => {
  registry = await serveRegistry(...(await Promise.all(NAMES.map((name) => packed(name)))));
});
afterAll(async () => {
  await registry?.close();
  for (const project of projects) project.remove();
});

describe.each(NAMES)("%s", (name) => {
  const { files, built, limit, install = [] } = CONTENTS[name];

  it("contains what it should and no file more", async () => {
    const listed = await run("tar", ["-tzf", await packed(name)], ROOT);
    // Parts of a program have a hash in their names.
    const found = listed
      .trim()
      .split("\n")
      .map((file) => file.replace(/-[A-Z0-9]{8}(?=\.js$)/, ""));
    const modules = typeof built === "string" ? modulesOf(built) : built;
    const wanted = [...files, ...modules.map((file) => `dist/${file}`)].map((file) => `package/${file}`);
    expect([...new Set(found)].sort()).toEqual(wanted.sort());
  });

  it(`takes at most ${limit} MB when installed, as docs/limits.md says`, async () => {
    const project = emptyProject();
    projects.push(project);
    project.write(".npmrc", `registry=${registry.url}\n`);
    await project.npm(name, ...install);
    const size = megabytesIn(join(project.dir, "node_modules"));
    expect(size).toBeLessThan(limit);
    const row = new RegExp(`^\\| \`${name}\` \\| ([\\d.]+) MB \\| ${limit} MB \\|`, "m").exec(textOf("docs/limits.md"));
    expect(Math.abs(Number(row?.[1]) - size), `docs/limits.md: ${name} is ${size.toFixed(1)} MB`).toBeLessThan(0.3);
  });
});
