/**
 * A private PostgreSQL server for tests: Debian's binaries, installed with apt-get if permitted, on a free loopback
 * port, in its own folder, stopped by its process ID, also if this process ends early.
 */
import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { connect as dial } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "./redis.ts";

export interface PostgresServer {
  /** For `pg`: no password. */
  readonly url: string;
  /** Ends the server and removes its folder. */
  stop(): Promise<void>;
}

const DEBIAN = "/usr/lib/postgresql";

/** The newest binaries of Debian's packages. */
function binaries(): string | undefined {
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).sort((a, b) => Number(b) - Number(a)) : [];
  return versions.map((version) => join(DEBIAN, version, "bin")).find((dir) => existsSync(join(dir, "initdb")));
}

/**
 * The folder of the binaries, installed first if possible; otherwise undefined, and a line that says what to install.
 */
export function findPostgres(): string | undefined {
  const found = binaries();
  if (found) return found;
  if (process.getuid?.() === 0 && spawnSync("apt-get", ["--version"], { stdio: "ignore" }).status === 0) {
    console.error("installing postgresql with apt-get …");
    // RUNLEVEL=1 prevents Debian from starting a system-wide server.
    const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive", RUNLEVEL: "1" };
    for (const args of [
      ["update", "-q"],
      ["install", "-q", "-y", "--no-install-recommends", "postgresql"],
    ]) {
      spawnSync("apt-get", args, { env, stdio: "ignore" });
    }
  }
  const installed = binaries();
  if (!installed)
    console.warn("No PostgreSQL: what needs one is skipped. Install it with `apt-get install postgresql`.");
  return installed;
}

/** PostgreSQL refuses to run as root, so it uses the IDs of the package's user or of nobody. */
function identity(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const users = readFileSync("/etc/passwd", "utf8");
  const [, uid, gid] = /^postgres:[^:]*:(\d+):(\d+)/m.exec(users) ?? /^nobody:[^:]*:(\d+):(\d+)/m.exec(users) ?? [];
  return { uid: Number(uid ?? 65534), gid: Number(gid ?? 65534) };
}

const answers = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = dial(port, "127.0.0.1");
    socket.once("connect", () => resolve(true)).once("error", () => resolve(false));
    socket.once("connect", () => socket.destroy());
  });

async function launch(bin: string, dir: string, port: number): Promise<ChildProcess> {
  const settings = ["listen_addresses=127.0.0.1", "unix_socket_directories=", "fsync=off", "max_connections=50"];
  const args = ["-D", dir, "-p", String(port), ...settings.flatMap((setting) => ["-c", setting])];
  const child = spawn(join(bin, "postgres"), args, { ...identity(), cwd: dir, stdio: ["ignore", "ignore", "pipe"] });
  let output = "";
  child.stderr?.on("data", (chunk) => (output += chunk));
  const ended = new Promise<never>((_, reject) => {
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`postgres ended with ${code}: ${output.slice(-500)}`)));
  });
  ended.catch(() => {});
  const ready = async (): Promise<void> => {
    for (let tries = 0; tries < 1000; tries++) {
      if (output.includes("ready to accept connections") && (await answers(port))) return;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    throw new Error(`postgres did not answer on port ${port}: ${output.slice(-500)}`);
  };
  await Promise.race([ready(), ended]);
  return child;
}

/** Starts a private server with the binaries that {@link findPostgres} found. */
export async function startPostgres(bin: string): Promise<PostgresServer> {
  const ids = identity();
  const dir = mkdtempSync(join(tmpdir(), "leasehold-postgres-"));
  if (ids.uid !== undefined && ids.gid !== undefined) chownSync(dir, ids.uid, ids.gid);
  const options = ["-D", dir, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"];
  execFileSync(join(bin, "initdb"), options, { ...ids, cwd: dir, stdio: "ignore" });
  const port = await freePort();
  const child = await launch(bin, dir, port);
  // Immediately: its children end with it.
  const quit = (): void => void child.kill("SIGQUIT");
  process.once("exit", quit);
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    async stop() {
      process.off("exit", quit);
      const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
      quit();
      await ended;
      rmSync(dir, { recursive: true, force: true });
    },
  };
}
