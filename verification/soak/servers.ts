/** The servers of a soak, each in its own process: the gateway in front of Redis, the memory server, and Durable Objects. */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { NODE_FLAGS } from "../../gateway/bench/node-flags.ts";
import { freePort, startRedis } from "../../tools/redis.ts";

export interface SoakedServer {
  readonly url: string;
  readonly token: string;
  /** The process whose memory and files are measured. */
  readonly pid: number;
  stop(): Promise<void>;
}

const ROOT = join(import.meta.dirname, "../..");
const HOOKS = join(ROOT, "tools/sources.ts");
const GATEWAY = "gateway/src/cli/main.ts";
const TOKEN = "token-of-the-soak";
const START_MS = 60_000;

function startProgram(path: string, args: readonly string[], flags: readonly string[] = []): ChildProcess {
  const child = spawn(process.execPath, [...flags, "--import", HOOKS, join(ROOT, path), ...args], {
    cwd: ROOT,
    stdio: ["pipe", "pipe", "inherit"],
  });
  process.once("exit", () => child.kill("SIGKILL"));
  return child;
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGTERM");
  await ended;
}

/** Waits until a server answers PING. */
async function untilAnswered(url: string): Promise<void> {
  const headers = { authorization: `Bearer ${TOKEN}` };
  for (const until = performance.now() + START_MS; performance.now() < until; await pause(50)) {
    const answer = await fetch(url, { method: "POST", headers, body: '["PING"]' }).catch(() => undefined);
    if ((await answer?.text())?.includes("PONG")) return;
  }
  throw new Error(`${url} does not answer`);
}

/** Starts the gateway with the flags of Node in gateway/deploy: without them, its young generation grows for half an hour. */
async function startGateway(database: readonly string[], program = GATEWAY): Promise<SoakedServer> {
  const port = await freePort();
  const args = [...database, "--token", TOKEN, "--port", String(port), "--log-level", "silent"];
  const child = startProgram(program, args, NODE_FLAGS);
  child.stdout?.resume();
  const url = `http://127.0.0.1:${port}`;
  await untilAnswered(url);
  return { url, token: TOKEN, pid: child.pid as number, stop: () => end(child) };
}

async function startGatewayAndRedis(): Promise<SoakedServer> {
  const redis = await startRedis();
  const gateway = await startGateway(["--redis", redis.url]);
  return {
    ...gateway,
    async stop() {
      await gateway.stop();
      await redis.stop();
    },
  };
}

/** The ID of the workerd process started by another process. */
function workerdOf(parent: number): number {
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    try {
      const [, name = "", rest = ""] = /\((.*)\) (.*)/.exec(readFileSync(`/proc/${pid}/stat`, "utf8")) ?? [];
      if (name === "workerd" && rest.split(" ")[1] === String(parent)) return Number(pid);
    } catch {
      // The process has ended since the list was read.
    }
  }
  throw new Error("workerd is not running");
}

async function startObjects(): Promise<SoakedServer> {
  const folder = mkdtempSync(join(tmpdir(), "leasehold-soak-"));
  const child = startProgram("verification/histories/hosts/objects.ts", [TOKEN, folder]);
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout?.once("data", (text) => resolve(String(text).trim()));
    child.once("exit", () => reject(new Error("the Durable Objects ended during their start")));
  });
  await untilAnswered(url);
  return {
    url,
    token: TOKEN,
    pid: workerdOf(child.pid as number),
    async stop() {
      child.stdin?.end();
      await new Promise((resolve) => child.once("exit", resolve));
      rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

export const SOAKED: Readonly<Record<string, () => Promise<SoakedServer>>> = {
  gateway: startGatewayAndRedis,
  memory: () => startGateway(["--memory"]),
  objects: startObjects,
};

/** A server that leaks, for the test of the soak itself. */
export const LEAKING = { leaking: () => startGateway(["--memory"], "verification/soak/leaking.ts") } as const;
