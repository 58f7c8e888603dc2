/**
 * A private MariaDB server for tests: Debian's binaries, installed with apt-get if permitted, on a free loopback port, in
 * its own folder, stopped by its process ID, also if this process ends early.
 */
import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { chownSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "./redis.ts";

export interface MariadbServer {
  /** For `mysql2`: no password. */
  readonly url: string;
  /** Ends the server and removes its folder. */
  stop(): Promise<void>;
}

const SERVER = "/usr/sbin/mariadbd";
const INSTALL = "/usr/bin/mariadb-install-db";

/** Whether there is a server, installed first if possible; if not, a line says what to install. */
export function findMariadb(): boolean {
  const isThere = (): boolean => existsSync(SERVER) && existsSync(INSTALL);
  if (isThere()) return true;
  if (process.getuid?.() === 0 && spawnSync("apt-get", ["--version"], { stdio: "ignore" }).status === 0) {
    console.error("installing mariadb-server with apt-get …");
    // RUNLEVEL=1 prevents Debian from starting a system-wide server.
    const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive", RUNLEVEL: "1" };
    for (const args of [
      ["update", "-q"],
      ["install", "-q", "-y", "--no-install-recommends", "mariadb-server"],
    ]) {
      spawnSync("apt-get", args, { env, stdio: "ignore" });
    }
  }
  if (!isThere())
    console.warn("No MariaDB: what needs one is skipped. Install it with `apt-get install mariadb-server`.");
  return isThere();
}

/** As root, the server uses the IDs of the package's user. */
function identity(): { readonly uid: number; readonly gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const [, uid, gid] = /^mysql:[^:]*:(\d+):(\d+)/m.exec(readFileSync("/etc/passwd", "utf8")) ?? [];
  return { uid: Number(uid ?? 65534), gid: Number(gid ?? 65534) };
}

async function ready(child: ChildProcess, output: () => string): Promise<void> {
  for (let tries = 0; tries < 3000; tries++) {
    if (output().includes("ready for connections")) return;
    if (child.exitCode !== null) break;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error(`mariadbd did not start: ${output().slice(-500)}`);
}

/** Starts a private server. */
export async function startMariadb(): Promise<MariadbServer> {
  const ids = identity();
  const dir = mkdtempSync(join(tmpdir(), "leasehold-mariadb-"));
  if (ids) chownSync(dir, ids.uid, ids.gid);
  const data = join(dir, "data");
  const install = ["--no-defaults", `--datadir=${data}`, "--auth-root-authentication-method=normal", "--skip-test-db"];
  execFileSync(INSTALL, install, { ...ids, cwd: dir, stdio: "ignore" });
  const port = await freePort();
  const args = [
    "--no-defaults",
    `--datadir=${data}`,
    `--socket=${join(dir, "socket")}`,
    `--port=${port}`,
    "--bind-address=127.0.0.1",
    "--max-connections=80",
    "--innodb-flush-log-at-trx-commit=0",
    "--innodb-buffer-pool-size=32M",
    "--skip-name-resolve",
  ];
  const child = spawn(SERVER, args, { ...ids, cwd: dir, stdio: ["ignore", "ignore", "pipe"] });
  let output = "";
  child.stderr?.on("data", (chunk) => (output += chunk));
  const kill = (): void => void child.kill("SIGKILL");
  process.once("exit", kill);
  await ready(child, () => output);
  return {
    url: `mysql://root@127.0.0.1:${port}/mysql`,
    async stop() {
      process.off("exit", kill);
      const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
      kill();
      await ended;
      rmSync(dir, { recursive: true, force: true });
    },
  };
}
