/**
 * `npm run dev`: a Redis, the gateway and the example Worker in `wrangler dev` with a local D1; Ctrl-C ends them all.
 * `npm run dev -- --send` (in another terminal) sends three copies of a signed delivery at the same time. `--port` is
 * the Worker's, 8787 by default. Redis is chosen as in the demo: `--redis URL` uses yours, `--memory` one in memory.
 */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { CONFIG, QUIET, ROOT, WRANGLER } from "../demo/bundle.ts";
import { realDeliveries, signDelivery } from "../demo/deliveries.ts";
import { post } from "../demo/sender.ts";
import { serveGateway } from "../gateway/src/index.ts";
import { chooseRedis, REDIS_FLAGS } from "./redis-choice.ts";

/** Public, and so for this machine only. */
const SECRET = "leasehold-dev-secret";
const TOKEN = "leasehold-dev-token";
const STOP_MS = 5_000;
/** Windows has no process groups to send a signal to. */
const HAS_GROUPS = process.platform !== "win32";

const { values } = parseArgs({
  options: { send: { type: "boolean" }, port: { type: "string", default: "8787" }, ...REDIS_FLAGS },
});
const workerUrl = `http://127.0.0.1:${values.port}`;

async function send(): Promise<void> {
  const all = await realDeliveries(SECRET, 300);
  const delivery = all[Math.floor(Math.random() * all.length)];
  if (!delivery) return;
  if (!(await fetch(workerUrl).catch(() => undefined))) throw new Error(`nothing answers on ${workerUrl}: npm run dev`);
  console.log(`${delivery.event}, delivery ${delivery.id}, three copies at once:`);
  const answers = await Promise.all([1, 2, 3].map(() => post(workerUrl, delivery)));
  for (const { status, headers } of answers) {
    const retry = headers.has("Retry-After") ? `, come again in ${headers.get("Retry-After")} s` : "";
    console.log(`  ${status} ${headers.get("Leasehold-Status") ?? ""}${retry}`);
  }
}

/** In its own process group, so that wrangler and its children can be ended together, and only from here. */
function wrangler(...args: string[]): ChildProcess {
  return spawn(process.execPath, [WRANGLER, ...args, "--config", CONFIG], {
    cwd: ROOT,
    env: { ...process.env, ...QUIET },
    stdio: ["ignore", "inherit", "inherit"],
    detached: HAS_GROUPS,
  });
}

function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  const { pid } = child;
  if (pid === undefined) return;
  if (!HAS_GROUPS) {
    spawnSync("taskkill", ["/pid", String(pid), "/t", "/f"], { stdio: "ignore" });
    return;
  }
  try {
    process.kill(-pid, signal);
  } catch {
    // It has ended already.
  }
}

async function ready(): Promise<void> {
  while (!(await fetch(workerUrl).catch(() => undefined))) await pause(200);
}

async function howToSend(): Promise<string> {
  const { headers, body } = await signDelivery(
    SECRET,
    crypto.randomUUID(),
    "ping",
    '{"zen":"Keep it logically awesome."}',
  );
  const flags = Object.entries(headers).map(([name, value]) => `-H '${name}: ${value}'`);
  return `
Send a real delivery, three copies at once:  npm run dev -- --send${values.port === "8787" ? "" : ` --port ${values.port}`}
Or this one, again and again:
curl -i ${workerUrl}/webhooks/github ${flags.join(" ")} -d '${body}'

Ctrl-C ends everything.`;
}

async function serve(): Promise<void> {
  const redis = await chooseRedis(values);
  console.log(redis.line);
  const gateway = await serveGateway({ ...redis.database, token: TOKEN, port: 0 });
  let child = wrangler("d1", "migrations", "apply", "DB", "--local");
  process.on("exit", () => signalGroup(child, "SIGKILL"));

  let stopping = false;
  async function stop(code: number): Promise<never> {
    // A second Ctrl-C does not wait.
    if (stopping) process.exit(code);
    stopping = true;
    signalGroup(child, "SIGTERM");
    await Promise.race([
      child.exitCode === null && child.signalCode === null ? once(child, "exit") : 0,
      pause(STOP_MS),
    ]);
    await Promise.all([gateway.close(), redis.stop()]);
    process.exit(code);
  }
  for (const [signal, code] of [
    ["SIGINT", 130],
    ["SIGTERM", 143],
    ["SIGHUP", 129],
  ] as const) {
    // tools/redis.ts would exit immediately; its `exit` handler stays.
    process.removeAllListeners(signal);
    process.on(signal, () => void stop(code));
  }

  const [failed] = await once(child, "exit");
  if (failed) return stop(1);
  const vars = { UPSTASH_REDIS_REST_URL: gateway.url, UPSTASH_REDIS_REST_TOKEN: TOKEN, GITHUB_WEBHOOK_SECRET: SECRET };
  const flags = Object.entries(vars).flatMap(([name, value]) => ["--var", `${name}:${value}`]);
  child = wrangler("dev", "--port", values.port, "--ip", "127.0.0.1", ...flags);
  child.once("exit", (code) => stop(code ?? 1));
  await ready();
  console.log(await howToSend());
}

await (values.send ? send() : serve()).catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
});
