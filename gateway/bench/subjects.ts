import { type ChildProcess, execFileSync, fork, spawnSync } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { connect, lock } from "../../src/index.ts";
import { type RedisServer, startRedis } from "../../tools/redis.ts";
import { startWebdis, type Webdis } from "../../tools/webdis.ts";
import { NODE_FLAGS } from "./node-flags.ts";

const TOKEN = "bench-token-0123456789";
/** One core for the measured server, the other one for Redis and the load. */
const SERVER_CORE = ["taskset", "-c", "0"];
export const LOAD_CORE: readonly string[] = ["taskset", "-c", "1"];

interface Gateway {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly pid: number;
  /** The size of its heap after a garbage collection, in MiB. */
  heapMiB(): Promise<number>;
}

/** A Redis, and in front of it the gateway and, if it is installed, webdis, each pinned to a core. */
export interface Stage {
  readonly redis: RedisServer;
  readonly gateway: Gateway;
  readonly webdis: Webdis | undefined;
  /** The command with which `lock` acquires a name, as it goes over the wire, its script known to Redis. */
  readonly acquire: readonly string[];
  stop(): Promise<void>;
}

const BUILD = fileURLToPath(new URL("../../tools/build.ts", import.meta.url));
const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const COMMAND = fileURLToPath(new URL("../dist/cli/main.js", import.meta.url));

/**
 * Loaded before the command: collects garbage when asked, and ends with this process. The second collection frees
 * memory that finalizers of the first one released.
 */
const PRELOADED = `
  process.on("message", () => {
    gc();
    gc();
    process.send(process.memoryUsage());
  });
  process.once("disconnect", () => process.exit());
`;

/**
 * Builds the gateway and starts its command as the image in gateway/deploy does. From the sources it would take some
 * 20 MiB more: Node would load a compiler.
 */
async function startGateway(redisUrl: string): Promise<Gateway & { end(): Promise<void> }> {
  execFileSync(process.execPath, [BUILD, "engine", "gateway"], { cwd: ROOT, stdio: "inherit" });
  const preload = `data:text/javascript,${encodeURIComponent(PRELOADED)}`;
  const child: ChildProcess = fork(COMMAND, ["--redis", redisUrl, "--token", TOKEN, "--port", "0"], {
    execArgv: ["--import", preload, "--expose-gc", ...NODE_FLAGS],
    env: { ...process.env, MALLOC_ARENA_MAX: "1", LEASEHOLD_LOG_LEVEL: "warn" },
    stdio: ["ignore", "pipe", "inherit", "ipc"],
  });
  // Pinned before it has opened anything; later threads inherit the core.
  spawnSync("taskset", ["-a", "-c", "-p", "0", String(child.pid)], { stdio: "ignore" });
  const said = once(child.stdout ?? child, "data") as Promise<[Buffer]>;
  const early = once(child, "exit").then(([code]) => Promise.reject(new Error(`the gateway ended with ${code}`)));
  early.catch(() => {});
  const [line] = await Promise.race([said, early]);
  const [url = ""] = /http:\/\/\S+/.exec(line.toString()) ?? [];
  return {
    url,
    headers: { authorization: `Bearer ${TOKEN}`, "content-type": "application/json" },
    pid: child.pid ?? 0,
    async heapMiB() {
      const answer = once(child, "message") as Promise<[{ heapUsed: number }]>;
      child.send("collect");
      const [{ heapUsed }] = await answer;
      return heapUsed / 2 ** 20;
    },
    async end() {
      const ended = once(child, "exit");
      child.disconnect();
      await ended;
    },
  };
}

async function recordAcquire(url: string): Promise<readonly string[]> {
  let last: readonly unknown[] = [];
  const watching: typeof fetch = (input, init) => {
    if (typeof init?.body === "string") last = JSON.parse(init.body);
    return fetch(input, init);
  };
  const one = lock(connect({ url, token: TOKEN, fetch: watching }), "bench-acquire", { lease: "1h" });
  // The first acquisition sends the script to Redis; the second one names it by its SHA-1.
  await (await one.tryAcquire())?.release();
  await one.tryAcquire();
  if (String(last[0]).toUpperCase() !== "EVALSHA") throw new Error("an acquire is no EVALSHA any more");
  return last.map(String);
}

export async function startStage(withWebdis: boolean): Promise<Stage> {
  const redis = await startRedis();
  spawnSync("taskset", ["-a", "-c", "-p", "1", String(redis.pid)], { stdio: "ignore" });
  const gateway = await startGateway(redis.url);
  const webdis = withWebdis ? await startWebdis(redis.port, SERVER_CORE) : undefined;
  return {
    redis,
    gateway,
    webdis,
    acquire: await recordAcquire(gateway.url),
    async stop() {
      await webdis?.stop();
      await gateway.end();
      await redis.stop();
    },
  };
}

/** Whether processes can be pinned to cores here. */
export const canPin = (): boolean => spawnSync("taskset", ["-c", "1", "true"], { stdio: "ignore" }).status === 0;
