/**
 * The servers of a soak, each in its own process: the gateway in front of Redis, the same with streams of messages, Redis
 * over TCP, the memory server, and Durable Objects.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { Redis } from "ioredis";
import { createClient } from "redis";
import { NODE_FLAGS } from "../../gateway/bench/node-flags.ts";
import { createLocks, type Locks } from "../../src/index.ts";
import { ioredis } from "../../src/tcp/ioredis.ts";
import { nodeRedis } from "../../src/tcp/node-redis.ts";
import { freePort, startRedis } from "../../tools/redis.ts";

/** A client of a server. */
interface SoakedClient {
  readonly locks: Locks;
  /** Closes what the client keeps open. */
  close(): unknown;
}

export interface SoakedServer {
  /** The process whose memory and files are measured. */
  readonly pid: number;
  /** Opens the client of this number, from 0. */
  open(number: number): Promise<SoakedClient>;
  stop(): Promise<void>;
}

const ROOT = join(import.meta.dirname, "../..");
const HOOKS = join(ROOT, "tools/sources.ts");
const GATEWAY = "gateway/src/cli/main.ts";
const TOKEN = "token-of-the-soak";
const START_MS = 60_000;
/** How long an ended name is remembered: short, so that a server soon has as many keys as at the end. */
const RETENTION = "20s";

/** Opens clients that speak HTTP. */
const overHttp =
  (url: string, wake: "poll" | "subscribe" = "poll") =>
  async (): Promise<SoakedClient> => ({
    locks: createLocks({ url, token: TOKEN, retention: RETENTION, wake }),
    close() {},
  });

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
async function startGateway(
  database: readonly string[],
  { program = GATEWAY, wake }: { readonly program?: string; readonly wake?: "subscribe" } = {},
): Promise<SoakedServer> {
  const port = await freePort();
  const args = [...database, "--token", TOKEN, "--port", String(port), "--log-level", "silent"];
  const child = startProgram(program, args, NODE_FLAGS);
  child.stdout?.resume();
  const url = `http://127.0.0.1:${port}`;
  await untilAnswered(url);
  return { pid: child.pid as number, open: overHttp(url, wake), stop: () => end(child) };
}

async function startGatewayAndRedis(wake?: "subscribe"): Promise<SoakedServer> {
  const redis = await startRedis();
  const gateway = await startGateway(["--redis", redis.url], wake && { wake });
  return {
    ...gateway,
    async stop() {
      await gateway.stop();
      await redis.stop();
    },
  };
}

/** Redis itself, whose open files are its connections. Clients of ioredis and node-redis take turns. */
async function startRedisOverTcp(): Promise<SoakedServer> {
  const { url, pid, stop } = await startRedis();
  return {
    pid,
    async open(number) {
      if (number % 2 === 0) {
        const client = new Redis(url);
        const locks = createLocks({ redis: ioredis(client), retention: RETENTION });
        return { locks, close: () => client.disconnect() };
      }
      const client = createClient({ url });
      client.on("error", () => {});
      await client.connect();
      const locks = createLocks({ redis: nodeRedis(client), retention: RETENTION });
      return { locks, close: () => client.destroy() };
    },
    stop,
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
    pid: workerdOf(child.pid as number),
    open: overHttp(url),
    async stop() {
      child.stdin?.end();
      await new Promise((resolve) => child.once("exit", resolve));
      rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

export const SOAKED: Readonly<Record<string, () => Promise<SoakedServer>>> = {
  gateway: () => startGatewayAndRedis(),
  subscriptions: () => startGatewayAndRedis("subscribe"),
  tcp: startRedisOverTcp,
  memory: () => startGateway(["--memory"]),
  objects: startObjects,
};

/** A server that leaks, for the test of the soak itself. */
export const LEAKING = {
  leaking: () => startGateway(["--memory"], { program: "verification/soak/leaking.ts" }),
} as const;
