/**
 * A release on this machine, without the steps that need a person with accounts.
 *
 *   npm run release:rehearse [-- --client npm --example next]     all clients and all examples by default
 *
 * An example named `command` is the command line by `npx`, `pnpm dlx`, `yarn dlx`, `bunx` and `deno run npm:`.
 *
 * In a copy of the repository, it writes versions and changelogs, packs the tarballs, and publishes them with the
 * workflow's script to a local registry. Then each client installs the packages into each example, which runs against a
 * Redis through the installed gateway. It takes some minutes; other packages are from npm's registry.
 */
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { parseArgs } from "node:util";
import { createLocks } from "../../src/index.ts";
import { startRedis } from "../redis.ts";
import { type Client, clientsOf, type Runner, runnersOf } from "./clients.ts";
import { EXAMPLES, type Example, type Surroundings, VARIABLES } from "./examples.ts";
import { installTools, startRegistry } from "./local-registry.ts";

const ROOT = join(import.meta.dirname, "../..");
const CACHE = join(ROOT, "node_modules/.cache/leasehold");
const TOKEN = "rehearsal-token-0123456789";
const LIMIT_MS = 600_000;
const COMMAND = "command";

const { values } = parseArgs({
  options: { client: { type: "string", multiple: true }, example: { type: "string", multiple: true } },
});

type Run = (file: string, args: readonly string[], cwd: string, env?: NodeJS.ProcessEnv) => Promise<string>;

/** The environment without npm's own variables. */
const ownEnv = Object.fromEntries(
  Object.entries(process.env).filter(
    ([name]) => !/^(npm_(?!config_(cache|userconfig))|node_(env|options))/i.test(name),
  ),
);
const PATH = [dirname(process.execPath), process.env["PATH"]].join(delimiter);

const run: Run = (file, args, cwd, env = {}) =>
  new Promise((resolve, reject) => {
    const options = { cwd, env: { ...ownEnv, PATH, ...env }, maxBuffer: 2 ** 26, timeout: LIMIT_MS };
    execFile(file, args, options, (error, stdout, stderr) => {
      if (error) reject(new Error(`${file} ${args.join(" ")} failed: ${error.code}\n${stdout}\n${stderr}`));
      else resolve(stdout);
    });
  });

/** A copy of the files that git tracks, as a separate repository. */
async function copyRepository(folder: string): Promise<string> {
  const listed = await run("git", ["ls-files", "--cached", "--others", "--exclude-standard"], ROOT);
  for (const file of listed.trim().split("\n")) cpSync(join(ROOT, file), join(folder, file), { recursive: true });
  symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
  await commit(folder, "init", "-q", "-b", "main");
  return folder;
}

async function commit(folder: string, ...first: readonly string[]): Promise<void> {
  const who = ["-c", "user.name=rehearsal", "-c", "user.email=rehearsal@example.com", "-c", "commit.gpgsign=false"];
  if (first.length > 0) await run("git", [...who, ...first], folder);
  await run("git", [...who, "add", "-A"], folder);
  await run("git", [...who, "commit", "-q", "--allow-empty", "-m", "A step of the rehearsal"], folder);
}

/** Versions, changelogs, tarballs and publication, like the workflow's steps. */
async function release(
  repository: string,
  registry: { readonly url: string; readonly npmrc: string },
): Promise<string> {
  const script = (name: string, ...args: string[]) =>
    run(process.execPath, [join("tools/release", name), ...args], repository, { npm_config_userconfig: npmrc });
  const npmrc = join(repository, "..", ".npmrc");
  writeFileSync(npmrc, registry.npmrc);
  const versions = await script("version.ts");
  await commit(repository);
  const packed = join(repository, "..", `packed-${Date.now()}`);
  await script("pack.ts", packed);
  await script("notes.ts", "leasehold");
  const publish = ["publish.ts", packed, "--no-provenance", "--registry", registry.url] as const;
  await script(...publish);
  const again = await script(...publish);
  if (/is published$/m.test(again)) throw new Error(`the second run published something:\n${again}`);
  return versions;
}

/** Starts the gateway of a project with a Redis. */
async function startGateway(project: string, redisUrl: string) {
  const file = join(project, "node_modules/leasehold-gateway/dist/cli/main.js");
  const env = { ...ownEnv, PATH, LEASEHOLD_REDIS_URL: redisUrl, LEASEHOLD_TOKEN: TOKEN, LEASEHOLD_PORT: "0" };
  const child = spawn(process.execPath, [file], { env, stdio: ["ignore", "pipe", "ignore"] });
  const [line] = (await once(createInterface(child.stdout), "line")) as [string];
  const url = /http:\/\/\S+?(?=["\s]|$)/.exec(line)?.[0];
  if (url === undefined) throw new Error(`the gateway printed ${line}`);
  return {
    url,
    async stop() {
      child.kill();
      await once(child, "exit");
    },
  };
}

interface Place {
  readonly folder: string;
  readonly registry: string;
}

/** Makes a project and installs its packages. */
async function install(
  name: string,
  example: Pick<Example, "dependencies" | "manifest">,
  client: Client,
  place: Place,
) {
  const project = join(place.folder, name);
  mkdirSync(project, { recursive: true });
  const { dependencies, manifest = {} } = example;
  writeFileSync(join(project, "package.json"), JSON.stringify({ name, private: true, ...manifest, dependencies }));
  const { command, env } = client(project, place.registry);
  const [file, ...args] = command;
  await run(file, args, project, { ...VARIABLES, ...env });
  return project;
}

async function tryExample(name: string, client: Client, place: Place, server: { readonly url: string }): Promise<void> {
  const [clientName = "", exampleName = ""] = name.split("-");
  const example = EXAMPLES[exampleName];
  if (example === undefined) throw new Error(`there is no example "${exampleName}"; client ${clientName}`);
  const project = await install(name, example, client, place);
  example.write(project);
  const env = { ...VARIABLES, UPSTASH_REDIS_REST_URL: server.url, UPSTASH_REDIS_REST_TOKEN: TOKEN };
  const surroundings: Surroundings = {
    url: server.url,
    token: TOKEN,
    run: (file, ...args) => run(file, args, project, env),
  };
  await example.drive(project, surroundings);
  // Some hundred megabytes for a framework.
  for (const used of [project, `${project}.cache`]) rmSync(used, { recursive: true, force: true });
}

/** Runs the command line by a client that installs it only for this run. */
async function tryCommand(client: string, runner: Runner, place: Place, server: { readonly url: string }) {
  const project = join(place.folder, `${client}-command`);
  mkdirSync(project, { recursive: true });
  const start = (...args: string[]): Promise<string> => {
    const { command, env } = runner(project, place.registry, ["leasehold-cli", ...args]);
    const [file, ...rest] = command;
    return run(file, rest, project, {
      ...VARIABLES,
      ...env,
      UPSTASH_REDIS_REST_URL: server.url,
      UPSTASH_REDIS_REST_TOKEN: TOKEN,
    });
  };
  const version = await start("--version");
  if (!/^\d+\.\d+\.\d+$/m.test(version)) throw new Error(`--version printed ${version}`);
  await createLocks({ url: server.url, token: TOKEN }).lock("rehearsal").acquire({ lease: "10m" });
  const held = await start("ls");
  if (!held.includes("rehearsal")) throw new Error(`ls printed ${held}`);
  rmSync(project, { recursive: true, force: true });
}

const NEXT_CHANGE = '---\n"leasehold": patch\n"leasehold-engine": minor\n---\n\nA change of the rehearsal.\n';

async function rehearse(folder: string, stops: (() => Promise<unknown>)[]): Promise<number> {
  const tools = installTools(CACHE);
  const registry = await startRegistry(tools, join(folder, "registry"));
  stops.push(registry.stop);
  const repository = await copyRepository(join(folder, "repository"));
  console.log(`released:\n${await release(repository, registry)}`);
  writeFileSync(join(repository, ".changeset/rehearsal.md"), NEXT_CHANGE);
  console.log(`released next:\n${await release(repository, registry)}`);

  const clients = clientsOf(tools, ROOT);
  const place = { folder, registry: registry.url };
  const npm = clients["npm"] as Client;
  const project = await install("server", { dependencies: { "leasehold-gateway": "latest" } }, npm, place);
  const redis = await startRedis();
  stops.push(redis.stop);
  const gateway = await startGateway(project, redis.url);
  stops.push(gateway.stop);
  let failed = 0;
  const report = async (clientName: string, exampleName: string, begin: () => Promise<unknown>): Promise<void> => {
    const began = performance.now();
    // The same cron again: an earlier example has run tonight's occurrence.
    await redis.command("FLUSHALL");
    const error = await begin().then(
      () => undefined,
      (cause: unknown) => cause,
    );
    const seconds = ((performance.now() - began) / 1000).toFixed(1);
    console.log(`${error ? "FAIL" : "ok  "} ${clientName.padEnd(5)} ${exampleName.padEnd(8)} ${seconds.padStart(6)} s`);
    if (error) console.error(error);
    if (error) failed++;
  };
  const chosen = (name: string): boolean => values.example?.includes(name) ?? true;
  const runners = runnersOf(tools, ROOT);
  for (const clientName of values.client ?? Object.keys(runners)) {
    const client = clients[clientName];
    const runner = runners[clientName];
    if (runner === undefined) throw new Error(`there is no client "${clientName}"`);
    if (chosen(COMMAND)) await report(clientName, COMMAND, () => tryCommand(clientName, runner, place, gateway));
    // Deno installs nothing here, since it is an example of the others.
    if (client === undefined) continue;
    for (const exampleName of Object.keys(EXAMPLES).filter(chosen))
      await report(clientName, exampleName, () => tryExample(`${clientName}-${exampleName}`, client, place, gateway));
  }
  return failed;
}

const folder = mkdtempSync(join(tmpdir(), "leasehold-rehearsal-"));
const stops: (() => Promise<unknown>)[] = [];
try {
  const failed = await rehearse(folder, stops);
  console.log(`${failed === 0 ? "the rehearsal went well" : `${failed} failed`}`);
  process.exitCode = failed === 0 ? 0 : 1;
} finally {
  for (const stop of stops.reverse()) await stop();
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}
