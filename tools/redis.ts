/**
 * Private Redis servers for the demo, the tests, the benchmarks and `npm run dev`.
 *
 * The first `redis-server` or `valkey-server` on the PATH is used. Without one, tests and benchmarks install one with
 * apt-get if permitted. Every server listens on a free loopback port, writes nothing to disk by default, and is stopped
 * by its process ID, also if this process ends early.
 */
import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { accessSync, constants, mkdtempSync, rmSync } from "node:fs";
import { createServer, connect as dial } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";

export interface RedisServer {
  readonly port: number;
  readonly url: string;
  readonly pid: number;
  /** Sends one command in inline form on a new connection and returns the raw reply; for tests and readiness. */
  command(...args: string[]): Promise<string>;
  /** The same for several commands on one connection. */
  commands(...list: readonly (readonly string[])[]): Promise<string>;
  /**
   * Kills the server and restarts it on the same port: empty, or with its persisted data if `extra` enables persistence
   * (`--appendonly yes --appendfsync always`).
   */
  restart(downMs?: number): Promise<void>;
  /** Ends the server with SIGKILL; its folder stays. */
  kill(): Promise<void>;
  /** Restarts a killed server on the same port, with the same options in the same folder. */
  start(): Promise<void>;
  /** Freezes the process (SIGSTOP): connections stay open and nothing is answered. */
  freeze(): void;
  /** Resumes a frozen process (SIGCONT). */
  thaw(): void;
  /** Ends the server and removes its folder. */
  stop(): Promise<void>;
}

const HOW_TO_INSTALL = "No redis-server or valkey-server on the PATH: install one with `apt-get install redis-server`.";

const SERVERS = ["redis-server", "valkey-server"];

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** The first server program on the PATH, or on another one, if there is one; installs nothing. */
export const installedRedis = (path = process.env["PATH"] ?? ""): string | undefined =>
  path
    .split(delimiter)
    .flatMap((folder) => SERVERS.filter((name) => isExecutable(join(folder, name))))
    .at(0);

/** The server binary, installed first if possible. Otherwise throws one line that says what to install. */
export function findRedis(): string {
  const found = installedRedis();
  if (found) return found;
  if (process.getuid?.() === 0 && spawnSync("apt-get", ["--version"], { stdio: "ignore" }).status === 0) {
    console.error("installing redis-server with apt-get …");
    // RUNLEVEL=1 prevents Debian from starting a system-wide server.
    const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive", RUNLEVEL: "1" };
    for (const args of [
      ["update", "-q"],
      ["install", "-q", "-y", "--no-install-recommends", "redis-server"],
    ]) {
      spawnSync("apt-get", args, { env, stdio: "ignore" });
    }
    const installed = installedRedis();
    if (installed) return installed;
  }
  throw new Error(HOW_TO_INSTALL);
}

/** For programs: ends the process with one line if no Redis is available. */
export function requireRedis(): void {
  try {
    findRedis();
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  }
}

/** A TCP port that was free a moment ago. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address();
      const port = typeof address === "object" && address ? address.port : 0;
      probe.close(() => resolve(port));
    });
  });
}

const running = new Set<ChildProcess>();
const folders = new Set<string>();
let guarded = false;

/**
 * Servers and their folders are removed with this process: on a normal exit, on Ctrl-C, on SIGTERM and on an uncaught
 * error.
 */
function guardExit(): void {
  if (guarded) return;
  guarded = true;
  process.on("exit", () => {
    for (const child of running) child.kill("SIGKILL");
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  });
  for (const [signal, code] of [
    ["SIGINT", 130],
    ["SIGTERM", 143],
    ["SIGHUP", 129],
  ] as const) {
    process.once(signal, () => process.exit(code));
  }
}

const encode = (args: readonly string[]): string =>
  `*${args.length}\r\n${args.map((arg) => `$${Buffer.byteLength(arg)}\r\n${arg}\r\n`).join("")}`;

/** A Sentinel does not know QUIT, so the connection is closed here. */
const NO_QUIT = /-ERR unknown command 'quit'.*\r\n$/i;

function inline(port: number, commands: readonly (readonly string[])[], timeoutMs = 10_000): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = dial(port, "127.0.0.1");
    let reply = "";
    const late = `redis did not answer ${commands[0]?.[0]} in ${timeoutMs} ms`;
    socket.setTimeout(timeoutMs, () => socket.destroy(new Error(late)));
    socket.on("connect", () => socket.write([...commands, ["QUIT"]].map(encode).join("")));
    socket.on("data", (chunk) => {
      reply += chunk.toString();
      if (NO_QUIT.test(reply)) socket.destroy();
    });
    socket.on("error", reject);
    socket.on("close", () => resolve(reply.replace(NO_QUIT.test(reply) ? NO_QUIT : /\+OK\r\n$/, "")));
  });
}

/** Nothing is written to disk. A file comes first, as redis-server requires. */
function serverArgs(port: number, dir: string, extra: readonly string[]): string[] {
  const files = extra.slice(0, extra[0]?.startsWith("/") ? 1 : 0);
  const rest = extra.slice(files.length);
  const own = ["--port", String(port), "--bind", "127.0.0.1", "--dir", dir];
  // A Sentinel keeps no data, and accepts no such options.
  const disk = rest.includes("--sentinel") ? [] : ["--save", "", "--appendonly", "no"];
  return [...files, ...own, ...disk, ...rest];
}

async function launch(
  binary: string,
  port: number,
  dir: string,
  extra: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<ChildProcess> {
  const options = { env: { ...process.env, ...env }, stdio: ["ignore", "pipe", "pipe"] as ["ignore", "pipe", "pipe"] };
  const child = spawn(binary, serverArgs(port, dir, extra), options);
  running.add(child);
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (chunk) => (output += chunk));
  const ended = new Promise<never>((_, reject) => {
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`${binary} ended with ${code}: ${output.slice(-500)}`)));
  });
  ended.catch(() => running.delete(child));
  const ready = async (): Promise<void> => {
    for (let tries = 0; tries < 500; tries++) {
      const pong = await inline(port, [["PING"]], 2000).catch(() => "");
      // The PID distinguishes this server from another one that took the port first.
      if (pong.startsWith("+PONG")) {
        const info = await inline(port, [["INFO", "server"]]);
        if (info.includes(`process_id:${child.pid}\r`)) return;
        throw new Error(`port ${port} was taken by another server`);
      }
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    throw new Error(`${binary} did not answer on port ${port}`);
  };
  await Promise.race([ready(), ended]);
  return child;
}

function kill(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve();
    child.once("exit", () => resolve());
    child.kill("SIGKILL");
  });
}

/** How often another port is tried if a program took the free one first. */
const MAX_PORTS = 5;
const isTaken = (error: unknown): boolean =>
  error instanceof Error && /Address already in use|was taken by another server/.test(error.message);

/** Launches a server on a port that is free. */
async function launchOnFreePort(
  binary: string,
  dir: string,
  extra: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<{ readonly port: number; readonly child: ChildProcess }> {
  for (let tries = 1; ; tries++) {
    const port = await freePort();
    try {
      return { port, child: await launch(binary, port, dir, extra, env) };
    } catch (error) {
      if (!isTaken(error) || tries === MAX_PORTS) throw error;
    }
  }
}

/**
 * Starts a private server. `extra` are further command-line options of redis-server; without `onPort`, a free port is
 * chosen. `env` is added to the environment of its process; a server on its PATH comes first.
 */
export async function startRedis(
  extra: readonly string[] = [],
  onPort?: number,
  env: NodeJS.ProcessEnv = {},
): Promise<RedisServer> {
  guardExit();
  const binary = (env["PATH"] && installedRedis(env["PATH"])) || findRedis();
  const dir = mkdtempSync(join(tmpdir(), "leasehold-redis-"));
  folders.add(dir);
  const launched =
    onPort === undefined
      ? await launchOnFreePort(binary, dir, extra, env)
      : { port: onPort, child: await launch(binary, onPort, dir, extra, env) };
  const { port } = launched;
  let { child } = launched;
  return {
    port,
    url: `redis://127.0.0.1:${port}`,
    get pid() {
      return child.pid ?? 0;
    },
    command: (...args) => inline(port, [args]),
    commands: (...list) => inline(port, list),
    async restart(downMs = 0) {
      await kill(child);
      if (downMs > 0) await new Promise((resolve) => setTimeout(resolve, downMs));
      child = await launch(binary, port, dir, extra, env);
    },
    kill: () => kill(child),
    async start() {
      child = await launch(binary, port, dir, extra, env);
    },
    freeze: () => void child.kill("SIGSTOP"),
    thaw: () => void child.kill("SIGCONT"),
    async stop() {
      await kill(child);
      rmSync(dir, { recursive: true, force: true });
      folders.delete(dir);
    },
  };
}

if (import.meta.main) {
  const binary = findRedis();
  console.log(execFileSync(binary, ["--version"], { encoding: "utf8" }).trim());
}
