/**
 * `npm run servers --silent -- valkey-server sid` prints a folder for the PATH with that server of that suite of Debian, so
 * that the tests, benchmarks and histories can run on it:
 *
 *     PATH="$(npm run servers --silent -- valkey-server sid):$PATH" npm test
 *
 * Nothing is installed: the packages are unpacked under node_modules, and the server runs with the C library of its own
 * suite. It needs Debian with apt-get, and a mirror that has the suite.
 */
import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, globSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const HELP = `npm run servers --silent -- PACKAGE SUITE
  PACKAGE   redis-server or valkey-server
  SUITE     of Debian: trixie has Redis 8.0 and Valkey 8.1; sid the newest of both. Redis 6.2 is in none of them,
            and bullseye's 6.0 is too old`;
const CACHE = join(import.meta.dirname, "../node_modules/.cache/servers");
const KEYRING = "/usr/share/keyrings/debian-archive-keyring.gpg";
/** The packages that the servers need from their suite, in addition to those of their project. */
const LIBRARY = /^(lib|lua)/;

/** The options that make apt-get read one suite and write into one folder. */
function aptOptions(folder: string): readonly string[] {
  const settings = {
    "Dir::Etc::sourcelist": join(folder, "sources.list"),
    "Dir::Etc::sourceparts": "-",
    "Dir::State::lists": join(folder, "lists"),
    "Dir::State::status": "/dev/null",
    "Dir::Cache": join(folder, "cache"),
    "APT::Sandbox::User": "root",
  };
  return Object.entries(settings).flatMap(([name, value]) => ["-o", `${name}=${value}`]);
}

/** The mirror of this machine's own packages. */
function mirrorOfDebian(): string {
  const format = ["indextargets", "--format", "$(REPO_URI)", "Created-By: Packages"];
  const uris = execFileSync("apt-get", format, { encoding: "utf8" }).split("\n");
  const mirror = uris.find((uri) => /\/debian\/?$/.test(uri));
  if (!mirror) throw new Error("apt-get knows no mirror of Debian: run `apt-get update` on a Debian machine first");
  return mirror;
}

function readSuite(suite: string, folder: string): readonly string[] {
  for (const name of ["lists/partial", "cache/archives/partial"]) mkdirSync(join(folder, name), { recursive: true });
  writeFileSync(join(folder, "sources.list"), `deb [signed-by=${KEYRING}] ${mirrorOfDebian()} ${suite} main\n`);
  const options = aptOptions(folder);
  execFileSync("apt-get", [...options, "update", "-q"], { stdio: ["ignore", "ignore", "inherit"] });
  return options;
}

/** The packages that a server needs: those of its project, and libraries. */
function packagesFor(project: string, options: readonly string[]): readonly string[] {
  const kinds = ["recommends", "suggests", "conflicts", "breaks", "replaces", "enhances"].map((kind) => `--no-${kind}`);
  const names = [`${project}-server`, `${project}-tools`];
  const lines = execFileSync("apt-cache", [...options, "depends", "--recurse", ...kinds, ...names], {
    encoding: "utf8",
  }).split("\n");
  return [...new Set(lines.filter((line) => LIBRARY.test(line) || line.startsWith(`${project}-`)))];
}

function unpack(project: string, suite: string, root: string): void {
  const folder = join(CACHE, suite);
  const options = readSuite(suite, folder);
  const debs = join(folder, project);
  mkdirSync(debs, { recursive: true });
  mkdirSync(root, { recursive: true });
  const names = packagesFor(project, options);
  execFileSync("apt-get", [...options, "download", "-q", ...names], {
    cwd: debs,
    stdio: ["ignore", "ignore", "inherit"],
  });
  for (const name of readdirSync(debs)) execFileSync("dpkg", ["-x", join(debs, name), root]);
}

/** Writes a script for each program that starts it with the loader and the libraries of its suite. */
function writePrograms(project: string, root: string, bin: string): void {
  const folders = ["usr/lib/*-linux-gnu", "lib/*-linux-gnu", "usr/lib64", "lib64"];
  const loaders = globSync(
    folders.map((folder) => `${folder}/ld-linux-*`),
    { cwd: root },
  );
  const loader = loaders.find((path) => existsSync(join(root, path)));
  if (!loader) throw new Error(`no loader of programs in ${root}: remove the folder, and try again`);
  const libraries = globSync(["lib/*-linux-gnu", "usr/lib/*-linux-gnu"], { cwd: root }).map((path) => join(root, path));
  mkdirSync(bin, { recursive: true });
  for (const program of readdirSync(join(root, "usr/bin")).filter((name) => name.startsWith(`${project}-`))) {
    const start = `exec "${join(root, loader)}" --library-path "${libraries.join(":")}" "${join(root, "usr/bin", program)}" "$@"`;
    writeFileSync(join(bin, program), `#!/bin/sh\n${start}\n`);
    chmodSync(join(bin, program), 0o755);
  }
}

function main([name, suite]: readonly string[]): void {
  const project = /^(redis|valkey)-server$/.exec(name ?? "")?.[1];
  if (!project || !suite) {
    console.error(HELP);
    process.exitCode = 2;
    return;
  }
  const root = join(CACHE, `${project}-${suite}`);
  const bin = join(root, "path");
  if (!existsSync(bin)) {
    unpack(project, suite, root);
    writePrograms(project, root, bin);
  }
  console.log(bin);
}

main(process.argv.slice(2));
