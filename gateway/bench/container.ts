/**
 * Measures the memory that a container for the gateway needs, for two sizes of budgets and heap. Clients read long lists,
 * send large bodies and read them back at the same time, which is more than the budgets have room for.
 *
 *   node gateway/bench/container.ts [SECONDS]     of the built package: npm run build; Linux only
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { startRedis } from "../../tools/redis.ts";
import { NODE_FLAGS } from "./node-flags.ts";
import { residentMiB } from "./process.ts";

const MIB = 2 ** 20;
const SIZES = [
  { bodies: 32, replies: 64, heap: 256 },
  { bodies: 128, replies: 256, heap: 768 },
] as const;
const ITEMS = 300_000;
const VALUE_BYTES = 9_000_000;
/** The number of clients that read a list, send a value, and read one. */
const [LISTS, SENDERS, READERS] = [8, 6, 6];
const LOOK_MS = 20;
const IDLE_MS = 1_000;
const TOKEN = "bench-token-0123456789";

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

interface Program {
  readonly url: string;
  readonly pid: number;
  readonly isAlive: () => boolean;
  stop(): Promise<void>;
}

/** Starts the command as the image in gateway/deploy does. */
async function start(redis: string, { bodies, replies, heap }: (typeof SIZES)[number]): Promise<Program> {
  const { PATH } = process.env;
  const command = fileURLToPath(new URL("../dist/cli/main.js", import.meta.url));
  const child = spawn(process.execPath, [...NODE_FLAGS, command, "--port", "0"], {
    env: {
      PATH,
      MALLOC_ARENA_MAX: "1",
      NODE_OPTIONS: `--max-old-space-size=${heap}`,
      LEASEHOLD_REDIS_URL: redis,
      LEASEHOLD_TOKEN: TOKEN,
      LEASEHOLD_LOG_LEVEL: "silent",
      LEASEHOLD_BODY_BUDGET_BYTES: String(bodies * MIB),
      LEASEHOLD_REPLY_BUDGET_BYTES: String(replies * MIB),
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(child, "exit");
  const [line] = (await once(child.stdout, "data")) as [Buffer];
  const [url = ""] = /http:\/\/\S+/.exec(line.toString()) ?? [];
  return {
    url,
    pid: child.pid ?? 0,
    isAlive: () => child.exitCode === null && child.signalCode === null,
    async stop() {
      child.kill("SIGKILL");
      await ended;
    },
  };
}

/** Sends a command and reads the answer to its end. Returns the status. */
async function ask(url: string, command: readonly string[]): Promise<number> {
  const headers = { authorization: `Bearer ${TOKEN}` };
  const response = await fetch(url, { method: "POST", headers, body: JSON.stringify(command) });
  await response.body?.pipeTo(new WritableStream());
  return response.status;
}

/** Returns the most memory under load, and how many requests ended with each status. */
async function load({ url, pid, isAlive }: Program, forMs: number) {
  const statuses = new Map<number, number>();
  const end = performance.now() + forMs;
  const value = "x".repeat(VALUE_BYTES);
  async function repeat(command: readonly string[]): Promise<void> {
    while (performance.now() < end && isAlive()) {
      const status = await ask(url, command).catch(() => 0);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
  }
  const clients = [
    ...Array.from({ length: LISTS }, () => repeat(["LRANGE", "list", "0", "-1"])),
    ...Array.from({ length: SENDERS }, (_, at) => repeat(["SET", `sent:${at}`, value])),
    ...Array.from({ length: READERS }, () => repeat(["GET", "value"])),
  ];
  let max = 0;
  while (performance.now() < end && isAlive()) {
    max = Math.max(max, residentMiB(pid));
    await pause(LOOK_MS);
  }
  await Promise.all(clients);
  return { max, statuses: Object.fromEntries(statuses) };
}

const seconds = Number(process.argv[2] ?? 25);
const redis = await startRedis();
try {
  for (let at = 0; at < ITEMS; at += 50_000)
    await redis.command("EVAL", "for i = 1, 50000 do redis.call('RPUSH', 'list', 'item' .. i) end", "0");
  await redis.command("EVAL", "redis.call('SET', 'value', string.rep('x', ARGV[1]))", "0", String(VALUE_BYTES));
  for (const size of SIZES) {
    const program = await start(redis.url, size);
    await ask(program.url, ["PING"]);
    await pause(IDLE_MS);
    const idle = residentMiB(program.pid);
    const { max, statuses } = await load(program, seconds * 1_000);
    const lives = program.isAlive() ? "lives" : "HAS ENDED";
    console.log(
      `budgets ${size.bodies} and ${size.replies} MiB, heap ${size.heap} MiB: idle ${idle.toFixed(0)} MiB, ` +
        `max ${max.toFixed(0)} MiB, ${lives}, statuses ${JSON.stringify(statuses)}`,
    );
    await program.stop();
  }
} finally {
  await redis.stop();
}
