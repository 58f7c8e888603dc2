/**
 * A registry on this machine: verdaccio, which stores the published packages and forwards all other requests to npm's
 * registry.
 */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, openSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { freePort } from "../redis.ts";

/** The additional tools of the rehearsal. */
const TOOLS = { verdaccio: "6.10.4", pnpm: "12.21.0", "@yarnpkg/cli-dist": "4.18.1" };
const START_MS = 60_000;

/** Installs the tools of a rehearsal once. @returns their folder. */
export function installTools(cache: string): string {
  const folder = join(cache, `tools-${Object.values(TOOLS).join("-")}`);
  if (existsSync(join(folder, "node_modules/.package-lock.json"))) return folder;
  mkdirSync(folder, { recursive: true });
  const manifest = { private: true, dependencies: TOOLS, overrides: { "node-fetch": "2.7.0" } };
  writeFileSync(join(folder, "package.json"), JSON.stringify(manifest));
  execFileSync("npm", ["install", "--no-audit", "--no-fund", "--no-package-lock"], { cwd: folder, stdio: "ignore" });
  return folder;
}

export interface LocalRegistry {
  readonly url: string;
  /** For npm: the credentials for publishing there. */
  readonly npmrc: string;
  stop(): Promise<void>;
}

async function login(url: string): Promise<string> {
  const response = await fetch(`${url}-/user/org.couchdb.user:rehearsal`, {
    method: "PUT",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ name: "rehearsal", password: "rehearsal-0123456789" }),
  });
  if (!response.ok) throw new Error(`the registry refused a user: ${response.status} ${await response.text()}`);
  return ((await response.json()) as { readonly token: string }).token;
}

async function untilReady(url: string, child: ChildProcess): Promise<void> {
  const end = performance.now() + START_MS;
  while (child.exitCode === null && performance.now() < end) {
    const answer = await fetch(`${url}-/ping`).catch(() => undefined);
    if (answer?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error("verdaccio did not start");
}

export async function startRegistry(tools: string, folder: string): Promise<LocalRegistry> {
  mkdirSync(folder, { recursive: true });
  const port = await freePort();
  const url = `http://127.0.0.1:${port}/`;
  const upstream = execFileSync("npm", ["config", "get", "registry"], { encoding: "utf8" }).trim();
  const settings = {
    storage: join(folder, "storage"),
    auth: { htpasswd: { file: join(folder, "htpasswd"), max_users: 1 } },
    uplinks: { upstream: { url: upstream, maxage: "30m", timeout: "60s" } },
    packages: {
      "leasehold*": { access: "$all", publish: "$authenticated" },
      "**": { access: "$all", proxy: "upstream" },
    },
    max_body_size: "50mb",
    web: { enable: false },
    log: { type: "stdout", format: "pretty", level: "warn" },
  };
  const file = join(folder, "verdaccio.json");
  writeFileSync(file, JSON.stringify(settings));
  const log = openSync(join(folder, "verdaccio.log"), "w");
  const program = join(tools, "node_modules/verdaccio/bin/verdaccio");
  const child = spawn(process.execPath, [program, "--config", file, "--listen", `127.0.0.1:${port}`], {
    stdio: ["ignore", log, log],
  });
  await untilReady(url, child);
  return {
    url,
    npmrc: `registry=${url}\n//127.0.0.1:${port}/:_authToken=${await login(url)}\n`,
    async stop() {
      if (child.exitCode !== null) return;
      child.kill();
      await once(child, "exit");
    },
  };
}
