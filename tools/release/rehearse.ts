/**
 * A release on this machine, without the steps that need a person with accounts.
 *
 *   npm run release:rehearse [-- --client npm]     every client by default
 *
 * In a copy of the repository, it writes versions and changelogs, packs the tarballs, and publishes them with the
 * workflow's script to a local registry (verdaccio), twice. Then each client installs the packages into three
 * applications, which run against a Redis through the installed gateway, and runs the command without installing it.
 * Some minutes; other packages are from npm's registry.
 */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { parseArgs } from "node:util";
import { createLocks } from "../../src/index.ts";
import { freePort, startRedis } from "../redis.ts";

const ROOT = join(import.meta.dirname, "../..");
const EXAMPLES = join(import.meta.dirname, "examples");
const TOOLS = { verdaccio: "6.10.4", pnpm: "12.21.0", "@yarnpkg/cli-dist": "4.18.1" };
const TOOLS_FOLDER = join(ROOT, "node_modules/.cache/leasehold", `tools-${Object.values(TOOLS).join("-")}`);
const TOKEN = "rehearsal-token-0123456789";
const LIMIT_MS = 600_000;
const START_MS = 60_000;
const NEXT_CHANGE = '---\n"leasehold": patch\n"leasehold-engine": minor\n---\n\nA change of the rehearsal.\n';

const { values } = parseArgs({ options: { client: { type: "string", multiple: true } } });

/** The environment without npm's own variables. */
const ownEnv = Object.fromEntries(
  Object.entries(process.env).filter(
    ([name]) => !/^(npm_(?!config_(cache|userconfig))|node_(env|options))/i.test(name),
  ),
);
const PATH = [dirname(process.execPath), process.env["PATH"]].join(delimiter);
const inRoot = (program: string): string => join(ROOT, "node_modules/.bin", program);
const inTools = (program: string): string => join(TOOLS_FOLDER, "node_modules/.bin", program);

type Command = readonly [file: string, ...args: string[]];
function run([file, ...args]: Command, cwd: string, env: NodeJS.ProcessEnv = {}): Promise<string> {
  const options = { cwd, env: { ...ownEnv, PATH, ...env }, maxBuffer: 2 ** 26, timeout: LIMIT_MS };
  return new Promise((resolve, reject) => {
    execFile(file, args, options, (error, stdout, stderr) => {
      if (error) reject(new Error(`${file} ${args.join(" ")} failed: ${error.code}\n${stdout}\n${stderr}`));
      else resolve(stdout);
    });
  });
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  child.kill();
  await once(child, "exit");
}

/** Starts verdaccio, which stores what is published, and forwards all other requests to npm's registry. */
async function startRegistry(folder: string) {
  if (!existsSync(join(TOOLS_FOLDER, "node_modules/.package-lock.json"))) {
    mkdirSync(TOOLS_FOLDER, { recursive: true });
    const manifest = { private: true, dependencies: TOOLS, overrides: { "node-fetch": "2.7.0" } };
    writeFileSync(join(TOOLS_FOLDER, "package.json"), JSON.stringify(manifest));
    await run(["npm", "install", "--no-audit", "--no-fund", "--no-package-lock"], TOOLS_FOLDER);
  }
  mkdirSync(folder);
  const port = await freePort();
  const url = `http://127.0.0.1:${port}/`;
  const settings = {
    storage: join(folder, "storage"),
    auth: { htpasswd: { file: join(folder, "htpasswd"), max_users: 1 } },
    uplinks: { upstream: { url: (await run(["npm", "config", "get", "registry"], ROOT)).trim(), timeout: "60s" } },
    packages: {
      "leasehold*": { access: "$all", publish: "$authenticated" },
      "**": { access: "$all", proxy: "upstream" },
    },
    max_body_size: "50mb",
    web: { enable: false },
    log: { type: "stdout", level: "warn" },
  };
  const file = join(folder, "verdaccio.json");
  writeFileSync(file, JSON.stringify(settings));
  const program = join(TOOLS_FOLDER, "node_modules/verdaccio/bin/verdaccio");
  const child = spawn(process.execPath, [program, "--config", file, "--listen", `127.0.0.1:${port}`], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  const startedAt = performance.now();
  while (!(await fetch(`${url}-/ping`).catch(() => undefined))?.ok) {
    if (child.exitCode !== null || performance.now() - startedAt > START_MS) throw new Error("verdaccio did not start");
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  const answer = await fetch(`${url}-/user/org.couchdb.user:rehearsal`, {
    method: "PUT",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ name: "rehearsal", password: "rehearsal-0123456789" }),
  });
  const { token } = (await answer.json()) as { readonly token: string };
  return { url, npmrc: `registry=${url}\n//127.0.0.1:${port}/:_authToken=${token}\n`, stop: () => end(child) };
}

async function commit(repository: string): Promise<void> {
  const who = ["-c", "user.name=rehearsal", "-c", "user.email=rehearsal@example.com", "-c", "commit.gpgsign=false"];
  await run(["git", "add", "-A"], repository);
  await run(["git", ...who, "commit", "-q", "--allow-empty", "-m", "A step of the rehearsal"], repository);
}

/** A copy of the files that git tracks, as a separate repository. */
async function copyRepository(folder: string): Promise<string> {
  const listed = await run(["git", "ls-files", "--cached", "--others", "--exclude-standard"], ROOT);
  for (const file of listed.trim().split("\n"))
    if (existsSync(join(ROOT, file))) cpSync(join(ROOT, file), join(folder, file), { recursive: true });
  symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
  await run(["git", "init", "-q", "-b", "main"], folder);
  await commit(folder);
  return folder;
}

/** Versions, changelogs, tarballs and publication, like the workflow's steps. */
async function release(repository: string, registry: { readonly url: string; readonly npmrc: string }): Promise<void> {
  const npmrc = join(repository, "..", ".npmrc");
  writeFileSync(npmrc, registry.npmrc);
  const script = (name: string, ...args: string[]): Promise<string> =>
    run([process.execPath, join("tools/release", name), ...args], repository, { npm_config_userconfig: npmrc });
  console.log(`released:\n${await script("version.ts")}`);
  await commit(repository);
  const packed = join(repository, "..", `packed-${Date.now()}`);
  await script("pack.ts", packed);
  await script("notes.ts", "leasehold");
  const publish = ["publish.ts", packed, "--no-provenance", "--registry", registry.url] as const;
  await script(...publish);
  const again = await script(...publish);
  if (/is published$/m.test(again)) throw new Error(`the second run published something:\n${again}`);
}

/** A package manager of users. */
interface Client {
  /** The files of its settings in a project. */
  readonly files?: Readonly<Record<string, string>>;
  readonly env?: NodeJS.ProcessEnv;
  /** Deno installs nothing here. */
  readonly install?: Command | undefined;
  /** Runs a package's program without a project. */
  readonly program: Command;
}

/** The clients, with a registry, a project, and a cache outside of it. */
function clientsOf(registry: string, project: string): Readonly<Record<string, Client>> {
  const cache = `${project}.cache`;
  // JSON is YAML. Recently published packages may be installed, and no package may run scripts.
  const pnpm = { minimumReleaseAge: 0, ignoreScripts: true, storeDir: cache };
  const yarn = {
    npmRegistryServer: registry,
    unsafeHttpWhitelist: ["127.0.0.1"],
    nodeLinker: "node-modules",
    ...{ enableScripts: false, enableTelemetry: false, enableImmutableInstalls: false, enableGlobalCache: false },
    // Its global cache refers to the registry of an earlier rehearsal, which no longer exists.
    ...{ cacheFolder: cache, globalFolder: join(cache, "global"), npmMinimalAgeGate: 0 },
  };
  const bun = { BUN_INSTALL_CACHE_DIR: cache, BUN_TMPDIR: cache, TMPDIR: cache, npm_config_registry: registry };
  return {
    npm: {
      files: { ".npmrc": `registry=${registry}\naudit=false\nfund=false\nignore-scripts=true\n` },
      env: { npm_config_cache: cache, npm_config_registry: registry },
      install: ["npm", "install"],
      program: ["npx", "--yes", "leasehold-cli"],
    },
    pnpm: {
      files: { ".npmrc": `registry=${registry}\n`, "pnpm-workspace.yaml": JSON.stringify(pnpm) },
      env: { npm_config_registry: registry, COREPACK_ENABLE_STRICT: "0" },
      install: [inTools("pnpm"), "install", "--no-frozen-lockfile"],
      program: [inTools("pnpm"), "dlx", "leasehold-cli"],
    },
    yarn: {
      files: { ".yarnrc.yml": JSON.stringify(yarn), "yarn.lock": "" },
      install: [inTools("yarn"), "install"],
      program: [inTools("yarn"), "dlx", "--quiet", "leasehold-cli"],
    },
    bun: {
      files: { "bunfig.toml": `[install]\nregistry = "${registry}"\nminimumReleaseAge = 0\n` },
      env: bun,
      install: [inRoot("bun"), "install", "--ignore-scripts"],
      program: [inRoot("bunx"), "leasehold-cli"],
    },
    deno: {
      env: { NPM_CONFIG_REGISTRY: registry, DENO_DIR: cache, DENO_NO_UPDATE_CHECK: "1" },
      program: [
        ...([inRoot("deno"), "run", "--no-prompt", "--no-config", "--minimum-dependency-age=0"] as const),
        ...["--allow-all", "npm:leasehold-cli"],
      ],
    },
  };
}

interface Application {
  readonly dependencies: Readonly<Record<string, string>>;
  /** The file that is made from an example of `workers/`. */
  readonly made?: { readonly from: string; readonly to: string; change(source: string): string };
}

const APPLICATIONS: Readonly<Record<string, Application>> = {
  express: {
    dependencies: { leasehold: "latest", "leasehold-testing": "latest", express: "5.3.0" },
    made: { from: "express-api.ts", to: "app.ts", change: (source) => source },
  },
  next: {
    dependencies: { leasehold: "latest", next: "16.4.5", react: "19.3.0", "react-dom": "19.3.0" },
    made: {
      from: "vercel-cron.ts",
      to: "app/api/report/route.js",
      // Without its types, for which Next.js would install a compiler.
      change: (source) => source.replaceAll(/: \(request: Request\) => Promise<Response>| as \{ total: number \}/g, ""),
    },
  },
  hosts: {
    dependencies: {
      ...{ leasehold: "latest", "leasehold-agents": "latest", "leasehold-nest": "latest", rxjs: "7.8.2" },
      ...{ "@nestjs/common": "12.5.1", "@nestjs/core": "12.5.1", "reflect-metadata": "0.2.2" },
    },
  },
};

/** Makes a project with its settings, and installs its packages. */
async function install(folder: string, dependencies: object, { files = {}, env, install }: Client): Promise<void> {
  mkdirSync(`${folder}.cache`, { recursive: true });
  mkdirSync(folder, { recursive: true });
  const manifest = { name: "rehearsal", private: true, type: "module", dependencies };
  for (const [name, text] of Object.entries({ ...files, "package.json": JSON.stringify(manifest) }))
    writeFileSync(join(folder, name), text);
  if (install) await run(install, folder, { CI: "1", ...env });
}

interface Server {
  readonly url: string;
}
const environmentOf = ({ url }: Server): NodeJS.ProcessEnv => ({
  ...{ UPSTASH_REDIS_REST_URL: url, UPSTASH_REDIS_REST_TOKEN: TOKEN },
  ...{ CRON_SECRET: "cron-secret-0123456789", CI: "1", NO_COLOR: "1" },
});

async function tryApplication(folder: string, name: string, client: Client, server: Server): Promise<void> {
  const { dependencies, made } = APPLICATIONS[name] as Application;
  await install(folder, dependencies, client);
  cpSync(join(EXAMPLES, name), folder, { recursive: true });
  if (made) {
    const file = join(folder, made.to);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, made.change(readFileSync(join(ROOT, "workers", made.from), "utf8")));
  }
  await run([process.execPath, "--no-warnings", "drive.mjs"], folder, environmentOf(server));
}

async function tryCommand(folder: string, client: Client, server: Server): Promise<void> {
  await install(folder, {}, { ...client, install: undefined });
  const env = { ...environmentOf(server), ...client.env };
  const version = await run([...client.program, "--version"], folder, env);
  if (!/^\d+\.\d+\.\d+$/m.test(version)) throw new Error(`--version printed ${version}`);
  await createLocks({ url: server.url, token: TOKEN }).lock("rehearsal").acquire({ lease: "10m" });
  const held = await run([...client.program, "ls"], folder, env);
  if (!held.includes("rehearsal")) throw new Error(`ls printed ${held}`);
}

/** Starts the gateway that npm installed. */
async function startGateway(folder: string, registry: string, redisUrl: string) {
  const npm = clientsOf(registry, folder)["npm"] as Client;
  await install(folder, { "leasehold-gateway": "latest" }, npm);
  const env = { ...ownEnv, PATH, LEASEHOLD_REDIS_URL: redisUrl, LEASEHOLD_TOKEN: TOKEN, LEASEHOLD_PORT: "0" };
  const file = join(folder, "node_modules/leasehold-gateway/dist/cli/main.js");
  const child = spawn(process.execPath, [file], { env, stdio: ["ignore", "pipe", "ignore"] });
  const [line] = (await once(createInterface(child.stdout), "line")) as [string];
  const url = /http:\/\/\S+?(?=["\s]|$)/.exec(line)?.[0];
  if (url === undefined) throw new Error(`the gateway printed ${line}`);
  return { url, stop: () => end(child) };
}

async function rehearse(folder: string, stops: (() => Promise<unknown>)[]): Promise<number> {
  const registry = await startRegistry(join(folder, "registry"));
  stops.push(registry.stop);
  const repository = await copyRepository(join(folder, "repository"));
  await release(repository, registry);
  writeFileSync(join(repository, ".changeset/rehearsal.md"), NEXT_CHANGE);
  await release(repository, registry);
  const redis = await startRedis();
  stops.push(redis.stop);
  const gateway = await startGateway(join(folder, "server"), registry.url, redis.url);
  stops.push(gateway.stop);
  let failed = 0;
  const names = values.client ?? Object.keys(clientsOf("", ""));
  for (const name of names)
    for (const what of ["command", ...Object.keys(APPLICATIONS)]) {
      const project = join(folder, `${name}-${what}`);
      const client = clientsOf(registry.url, project)[name];
      if (client === undefined) throw new Error(`there is no client "${name}": ${names.join(", ")}`);
      if (what !== "command" && client.install === undefined) continue;
      const began = performance.now();
      // The same cron again: an earlier application has run tonight's occurrence.
      await redis.command("FLUSHALL");
      const trial =
        what === "command" ? tryCommand(project, client, gateway) : tryApplication(project, what, client, gateway);
      const error: unknown = await trial.then(
        () => undefined,
        (cause: unknown) => cause ?? "unknown",
      );
      const seconds = ((performance.now() - began) / 1000).toFixed(1);
      console.log(`${error ? "FAIL" : "ok  "} ${name.padEnd(5)} ${what.padEnd(8)} ${seconds.padStart(6)} s`);
      if (error) console.error(error);
      if (error) failed++;
      // Some hundred megabytes for a framework.
      for (const used of [project, `${project}.cache`]) rmSync(used, { recursive: true, force: true });
    }
  return failed;
}

const folder = mkdtempSync(join(tmpdir(), "leasehold-rehearsal-"));
const stops: (() => Promise<unknown>)[] = [];
try {
  const failed = await rehearse(folder, stops);
  console.log(failed === 0 ? "the rehearsal went well" : `${failed} failed`);
  process.exitCode = failed === 0 ? 0 : 1;
} finally {
  for (const stop of stops.reverse()) await stop();
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}
