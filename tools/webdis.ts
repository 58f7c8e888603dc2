/**
 * A private webdis for benchmarks, and wrk, which generates the load. Both are searched on the PATH and, if permitted,
 * installed with apt-get. webdis listens on a free loopback port with its own configuration, and is stopped by its
 * process ID.
 */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "./redis.ts";

export interface Webdis {
  readonly url: string;
  readonly pid: number;
  stop(): Promise<void>;
}

const START_MS = 5_000;

const isThere = (name: string): boolean => spawnSync("which", [name], { stdio: "ignore" }).status === 0;

/** Installs missing programs if possible, and returns those still missing. */
export function missing(names: readonly string[]): readonly string[] {
  const wanted = names.filter((name) => !isThere(name));
  if (wanted.length === 0 || process.getuid?.() !== 0 || !isThere("apt-get")) return wanted;
  console.error(`installing ${wanted.join(" and ")} with apt-get …`);
  // RUNLEVEL=1 prevents Debian from starting a system-wide server.
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive", RUNLEVEL: "1" };
  spawnSync("apt-get", ["update", "-q"], { env, stdio: "ignore" });
  spawnSync("apt-get", ["install", "-q", "-y", "--no-install-recommends", ...wanted], { env, stdio: "ignore" });
  return names.filter((name) => !isThere(name));
}

async function untilThere(url: string, child: ChildProcess): Promise<void> {
  const end = performance.now() + START_MS;
  while (child.exitCode === null && performance.now() < end) {
    const response = await fetch(`${url}/PING`).catch(() => undefined);
    if (response?.ok && (await response.text()).includes("PONG")) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error("webdis did not start");
}

/** @param prefix the command prefix: `taskset -c 0` */
export async function startWebdis(redisPort: number, prefix: readonly string[] = []): Promise<Webdis> {
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), "leasehold-webdis-"));
  const config = join(folder, "webdis.json");
  writeFileSync(
    config,
    JSON.stringify({
      ...{ redis_host: "127.0.0.1", redis_port: redisPort, http_host: "127.0.0.1", http_port: port },
      // It gets one core, so one thread, with its default connection pool.
      ...{ threads: 1, pool_size: 20, daemonize: false, verbosity: 0, logfile: join(folder, "webdis.log") },
    }),
  );
  const [program = "webdis", ...args] = [...prefix, "webdis", config];
  const child = spawn(program, args, { stdio: "ignore", cwd: folder });
  const kill = (): void => void child.kill("SIGKILL");
  process.once("exit", kill);
  const stop = async (): Promise<void> => {
    process.off("exit", kill);
    if (child.exitCode === null && child.signalCode === null) {
      const ended = new Promise((resolve) => child.once("exit", resolve));
      kill();
      await ended;
    }
    rmSync(folder, { recursive: true, force: true });
  };
  const url = `http://127.0.0.1:${port}`;
  try {
    await untilThere(url, child);
  } catch (error) {
    await stop();
    throw error;
  }
  return { url, pid: child.pid ?? 0, stop };
}
