/**
 * Writes the output of the command `leasehold` into the documents: it starts a Redis and the gateway, sets up a scene,
 * and runs the commands that each document shows.
 *
 *   node --import ./tools/sources.ts tools/command-output.ts
 *
 * In a document, `<!-- shown: ls --held -->` precedes a block and `<!-- end shown -->` follows it. A word in capitals
 * selects a mode: `SCREEN` shows the last screen of a terminal, and `ASKED` a terminal with the answer yes.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { serveGateway } from "../gateway/src/index.ts";
import { createLocks, type Locks } from "../src/index.ts";
import { startRedis } from "./redis.ts";
import { command } from "./run-command.ts";

const ROOT = join(import.meta.dirname, "..");
/** The documents that show output. */
export const DOCUMENTS: readonly string[] = ["docs/command-line.md", "docs/operations.md"];
const SHOWN = /(?<=<!-- shown: (.+?) -->\n)[\s\S]*?(?=<!-- end shown -->)/g;
/** The age of the scene when it is captured, so that its times look real. */
const AGE_MS = 75_000;
const COLUMNS = 110;

/** Arguments that make a command faster, if its figures do not matter. */
const QUICK: Readonly<Record<string, readonly string[]>> = {
  watch: ["--every", "100ms"],
  bench: ["--cycles", "5", "--hand-overs", "2"],
};

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Acquires one of each kind; returns the function that ends the waiters. */
async function setScene(locks: Locks): Promise<() => Promise<unknown>> {
  const lease = "5m";
  const caller = new AbortController();
  await locks.lock("invoice:42").acquire({ lease, label: "nightly run" });
  await locks.lock("import:users").acquire({ lease: "15m", label: "users.csv" });
  await locks.readWriteLock("pages").read.acquire({ lease });
  await locks.readWriteLock("pages").read.acquire({ lease: "7m" });
  const pool = locks.semaphore("exports");
  await pool.setPermits(5);
  await pool.acquire({ permits: 2, lease });
  await pool.acquire({ lease: "8m" });
  await locks.once("delivery:8841").run(() => "sent");
  await locks.once("report:2026-11", { lease }).begin();
  const queue = locks.fairLock("deploy");
  await queue.acquire({ lease, label: "build 311" });
  const waiting = [1, 2].map(() => queue.acquire({ wait: "10m", signal: caller.signal }).catch(() => {}));
  while (((await queue.inspect()) as { waiters?: number }).waiters !== waiting.length) await pause(20);
  return () => {
    caller.abort();
    return Promise.all(waiting);
  };
}

/** The last screen that a terminal showed, without colours and marks. */
function lastScreen(out: string): string {
  const screens = out.split("\u001b[H");
  return (screens.at(-1) ?? "").replace(/\p{Cc}\[[\d?]*[a-zA-Z]/gu, "").trimEnd();
}

/** Events during `watch`; each step follows once the last one was seen. */
async function happen(locks: Locks, seen: (word: string) => Promise<void>): Promise<void> {
  await seen("\n");
  const lease = await locks.lock("cache:warm").acquire({ lease: "20s", label: "hourly" });
  await seen("taken");
  await lease.extend("30s");
  await seen("extended");
  await lease.release();
  await seen("released");
}

async function show(line: string, locks: Locks, env: Record<string, string>, isQuick: boolean): Promise<string> {
  const [, way = "", args = ""] = /^(SCREEN |ASKED )?(.*)$/.exec(line) ?? [];
  const [verb = "", ...words] = args.split(" ");
  const ends = new AbortController();
  let printed = "";
  const seen = async (word: string): Promise<void> => {
    while (!printed.includes(word)) await pause(20);
  };
  const meanwhile = verb === "watch" ? happen(locks, seen).finally(() => ends.abort()) : undefined;
  const { out, err } = await command([verb, ...words, ...((isQuick && QUICK[verb]) || [])], {
    env: { ...env, NO_COLOR: "1" },
    columns: COLUMNS,
    isTerminal: way === "SCREEN ",
    signal: ends.signal,
    onOutput(text) {
      printed = text;
    },
    ...(way === "ASKED " && { typed: "y\n" }),
  });
  await meanwhile;
  const text = way === "SCREEN " ? lastScreen(out) : (err.replace(/\[y\/N\] $/, "[y/N] y\n") + out).trimEnd();
  return `\`\`\`text\n$ leasehold ${args}\n${text}\n\`\`\`\n`;
}

/** Returns documents with all shown output regenerated; quickly, with other figures, unless the scene ages. */
export async function render(texts: readonly string[], ageMs = 0): Promise<string[]> {
  const redis = await startRedis();
  const token = "shown-token-0123456789";
  const gateway = await serveGateway({ redis: redis.url, token, port: 0 });
  const locks = createLocks({ url: gateway.url, token, holder: "web-3" });
  const end = await setScene(locks);
  await pause(ageMs);
  const env = { UPSTASH_REDIS_REST_URL: gateway.url, UPSTASH_REDIS_REST_TOKEN: token };
  const rendered: string[] = [];
  try {
    for (const text of texts) {
      const blocks: string[] = [];
      for (const [, line = ""] of text.matchAll(SHOWN)) blocks.push(await show(line, locks, env, ageMs === 0));
      rendered.push(text.replace(SHOWN, () => (blocks.shift() ?? "").replaceAll(gateway.url, "http://127.0.0.1:8080")));
    }
  } finally {
    await end();
    await gateway.close();
    await redis.stop();
  }
  return rendered;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const files = DOCUMENTS.map((file) => join(ROOT, file));
  const rendered = await render(
    files.map((file) => readFileSync(file, "utf8")),
    AGE_MS,
  );
  for (const [at, file] of files.entries()) writeFileSync(file, rendered[at] ?? "");
}
