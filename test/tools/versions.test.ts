import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { compare, withoutChangeset } from "../../tools/release/changesets.ts";
import { releasedPackages } from "../../tools/release/packages.ts";
import { handOver, versionPackages } from "../../tools/release/version.ts";
import { ROOT } from "../support/command.ts";

const made: string[] = [];
afterAll(() => {
  for (const dir of made) rmSync(dir, { recursive: true, force: true });
});

interface Repository {
  readonly root: string;
  write(file: string, text: string | object): void;
  read(file: string): string;
  git(...args: string[]): void;
}

/** A repository with a package at its root, one that depends on another, one with a peer, and everything committed. */
function repository(): Repository {
  const root = mkdtempSync(join(tmpdir(), "leasehold-release-"));
  made.push(root);
  const write: Repository["write"] = (file, text) => {
    mkdirSync(join(root, dirname(file)), { recursive: true });
    writeFileSync(join(root, file), typeof text === "string" ? text : JSON.stringify(text, null, 2));
  };
  const settings = ["-c", "user.name=test", "-c", "user.email=test@example.com", "-c", "commit.gpgsign=false"];
  const git: Repository["git"] = (...args) =>
    void execFileSync("git", [...settings, ...args], { cwd: root, stdio: "pipe" });
  const [version, dependencies] = ["0.1.0", { "leasehold-engine": "^0.1.0" }];
  write("package.json", { name: "leasehold", version, type: "module", workspaces: ["agents", "engine", "gateway"] });
  const peer = { peerDependencies: { leasehold: "^0.1.0" }, devDependencies: { leasehold: "file:.." } };
  write("agents/package.json", { name: "leasehold-agents", version, ...peer });
  write("engine/package.json", { name: "leasehold-engine", version });
  write("gateway/package.json", { name: "leasehold-gateway", version, dependencies });
  write("durable-object/worker/package.json", { private: true, dependencies });
  const packages = {
    "": { version },
    agents: { version, ...peer },
    engine: { version },
    gateway: { version, dependencies },
  };
  write("package-lock.json", { version, packages });
  write(
    "CHANGELOG.md",
    "# Changelog\n\nNothing has been published to npm yet.\n\n## Unreleased\n\n### Added\n\n- By hand.\n",
  );
  write("gateway/CHANGELOG.md", "# Changelog\n\n## 0.1.0\n\n- The first.\n");
  write("src/otel/version.ts", 'export const VERSION = "0.1.0";\n');
  cpSync(join(ROOT, ".changeset/config.json"), join(root, ".changeset/config.json"));
  cpSync(join(ROOT, "tools/release/changelog.ts"), join(root, "tools/release/changelog.ts"));
  git("init", "-q", "-b", "main");
  git("add", "-A");
  git("commit", "-q", "-m", "All");
  return { root, write, git, read: (file) => readFileSync(join(root, file), "utf8") };
}

const changeset = (releases: Readonly<Record<string, string>>, text: string): string =>
  `---\n${Object.entries(releases)
    .map(([name, type]) => `"${name}": ${type}\n`)
    .join("")}---\n\n${text}\n`;

const missing = async (root: string): Promise<string[]> => withoutChangeset(await compare(root, "main"));

describe("a change of a package's sources", () => {
  it("needs a changeset that names the package", async () => {
    const { root, write, git } = repository();
    git("checkout", "-q", "-b", "change");
    expect(await missing(root)).toEqual([]);
    write("engine/README.md", "words");
    write("test/a.test.ts", "");
    expect(await missing(root)).toEqual([]);
    write("src/lock.ts", "export {};");
    expect(await missing(root)).toEqual(["leasehold"]);
    git("add", "-A");
    git("commit", "-q", "-m", "A change");
    write("engine/src/engine.ts", "export {};");
    expect((await missing(root)).sort()).toEqual(["leasehold", "leasehold-engine"]);
    write(".changeset/a.md", changeset({ leasehold: "minor" }, "A lock."));
    expect(await missing(root)).toEqual(["leasehold-engine"]);
    write(".changeset/b.md", changeset({ "leasehold-engine": "patch" }, "An engine."));
    expect(await missing(root)).toEqual([]);
  });

  it("does not count a changeset that was there before, and takes one without packages for all", async () => {
    const { root, write, git } = repository();
    write(".changeset/before.md", changeset({ leasehold: "minor" }, "Before."));
    git("add", "-A");
    git("commit", "-q", "-m", "Before");
    git("checkout", "-q", "-b", "change");
    write("src/lock.ts", "export {};");
    expect(await missing(root)).toEqual(["leasehold"]);
    write(".changeset/words.md", changeset({}, "Nobody sees it."));
    expect(await missing(root)).toEqual([]);
  });

  it("needs none where the package's version has changed: its changesets have become its changelog", async () => {
    const { root, write, git } = repository();
    write(".changeset/a.md", changeset({ leasehold: "minor" }, "A lock."));
    git("add", "-A");
    git("commit", "-q", "-m", "A change");
    git("checkout", "-q", "-b", "release");
    await versionPackages(root);
    expect(await missing(root)).toEqual([]);
  });
});

describe("the version step", () => {
  it("writes versions, ranges and changelogs, and hands over what was written by hand", async () => {
    const { root, write, read } = repository();
    write(".changeset/a.md", changeset({ leasehold: "minor" }, "A lock\nof two lines."));
    write(".changeset/b.md", changeset({ "leasehold-engine": "minor" }, "An engine."));
    expect(Object.fromEntries(await versionPackages(root))).toEqual({
      leasehold: "0.2.0",
      "leasehold-engine": "0.2.0",
      // Its range ends below 0.2.0, so it has to follow.
      "leasehold-gateway": "0.1.1",
      // Its peer is the user's own choice, so a patch must not need another one.
      "leasehold-agents": "0.2.0",
    });
    expect(read("CHANGELOG.md")).toBe(
      "# Changelog\n\n## 0.2.0\n\n### Minor Changes\n\n- A lock\n  of two lines.\n\n### Added\n\n- By hand.\n",
    );
    expect(read("gateway/CHANGELOG.md")).toBe(
      "# Changelog\n\n## 0.1.1\n\n### Patch Changes\n\n- Uses leasehold-engine 0.2.0.\n\n## 0.1.0\n\n- The first.\n",
    );
    const dependencies = { "leasehold-engine": "^0.2.0" };
    expect(JSON.parse(read("gateway/package.json"))).toMatchObject({ version: "0.1.1", dependencies });
    expect(JSON.parse(read("durable-object/worker/package.json"))).toMatchObject({ dependencies });
    expect(JSON.parse(read("package-lock.json"))).toEqual({
      version: "0.2.0",
      packages: {
        "": { version: "0.2.0" },
        agents: {
          version: "0.2.0",
          peerDependencies: { leasehold: "^0.2.0" },
          devDependencies: { leasehold: "file:.." },
        },
        engine: { version: "0.2.0" },
        gateway: { version: "0.1.1", dependencies },
      },
    });
    expect(read("src/otel/version.ts")).toContain('"0.2.0"');
    expect(() => read(".changeset/a.md")).toThrow("ENOENT");
  });

  it("leaves a package alone whose peer has a patch", async () => {
    const { root, write, read } = repository();
    write(".changeset/a.md", changeset({ leasehold: "patch" }, "A fix."));
    expect(Object.fromEntries(await versionPackages(root))).toEqual({ leasehold: "0.1.1" });
    const peerDependencies = { leasehold: "^0.1.0" };
    expect(JSON.parse(read("agents/package.json"))).toMatchObject({ version: "0.1.0", peerDependencies });
  });

  it("changes nothing without a changeset", async () => {
    const { root, read } = repository();
    const before = read("CHANGELOG.md");
    expect((await versionPackages(root)).size).toBe(0);
    expect(read("CHANGELOG.md")).toBe(before);
    expect(handOver("# Changelog\n\n## 0.1.0\n\n- The first.\n")).toBe("# Changelog\n\n## 0.1.0\n\n- The first.\n");
  });
});

it("packages are published after those that they depend on", () => {
  const names = releasedPackages(ROOT).map(({ name }) => name);
  expect(names).toHaveLength(8);
  for (const name of ["leasehold-gateway", "leasehold-testing", "leasehold-durable-object"])
    expect(names.indexOf(name)).toBeGreaterThan(names.indexOf("leasehold-engine"));
  for (const name of ["leasehold-agents", "leasehold-nest"])
    expect(names.indexOf(name)).toBeGreaterThan(names.indexOf("leasehold"));
});
