import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { build } from "esbuild";
import { afterAll, beforeAll, expect, it } from "vitest";
import { program, ROOT } from "../support/command.ts";
import { freshName, useStack } from "../support/use-stack.ts";

const stack = useStack({ warm: true });

/** 500 waits of every kind under one signal, which aborts when each of them waits. Prints what was left. */
const PROGRAM = `
  import { getEventListeners } from "node:events";
  import { createLocks } from "./src/index.ts";
  import { elect } from "./src/elect/index.ts";
  import { inspect } from "./src/list/index.ts";
  const [url, token, name] = process.argv.slice(2);
  const waiting = new Set();
  const locks = createLocks({ url, token, requestTimeout: "30s", onEvent: (event) => event.type === "waiting" && waiting.add(event) });
  const holder = createLocks({ url, token });
  await holder.lock(name).acquire({ lease: "5m" });
  await holder.fairLock(name + "f").acquire({ lease: "5m" });
  await holder.readWriteLock(name + "r").write.acquire({ lease: "5m" });
  await holder.semaphore(name + "s", { permits: 1 }).acquire({ lease: "5m" });
  await holder.latch(name + "l").trySetCount(1);
  await holder.once(name + "o", { lease: "5m" }).begin();
  const stop = new AbortController();
  const { signal } = stop;
  const wait = "5m";
  const backoff = () => 5000;
  const own = { signal, wait, backoff };
  const ways = [
    () => locks.lock(name).acquire(own),
    () => locks.fairLock(name + "f").acquire(own),
    () => locks.readWriteLock(name + "r").read.acquire(own),
    () => locks.semaphore(name + "s", { permits: 1 }).acquire(own),
    () => locks.latch(name + "l").wait(own),
    () => locks.once(name + "o").run(own, () => {}),
    () => locks.multiLock([name, name + "m"]).acquire(own),
    () => elect(locks, name, { signal, lease: "60s", backoff, onGained() {} }),
    () => locks.request(name + "r", { signal }, () => {}),
    () => inspect(locks, name, { signal }).then(() => new Promise(() => {})), // asks once
  ];
  const ends = [];
  let max = 0;
  for (let n = 0; n < 500; n++) {
    ways[n % 10]().then((value) => ends.push(value), (error) => ends.push(error.message));
    max = Math.max(max, getEventListeners(signal, "abort").length);
  }
  while (waiting.size < 450) await new Promise((resolve) => setTimeout(resolve, 20));
  max = Math.max(max, getEventListeners(signal, "abort").length);
  stop.abort(new Error("SIGTERM"));
  while (ends.length < 450) await new Promise((resolve) => setTimeout(resolve, 20));
  console.log(JSON.stringify({ max, left: getEventListeners(signal, "abort").length, ends: [...new Set(ends)] }));
  process.exit(0);`;

let dir: string;
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), "leasehold-waits-"));
  await build({
    stdin: { contents: PROGRAM, resolveDir: ROOT, loader: "ts" },
    outfile: join(dir, "waits.mjs"),
    bundle: true,
    format: "esm",
    platform: "node",
    logLevel: "error",
  });
});
const children: ChildProcess[] = [];
afterAll(() => {
  for (const child of children) child.kill("SIGKILL");
  rmSync(dir, { recursive: true, force: true });
});

// Slow where the machine is busy: 500 requests at once.
it.each(["node-20", "node-22", "node", "node-26"])(
  "%s warns of no leak for 500 waits under one signal, which leave no listener behind (E16)",
  async (node) => {
    const args = [join(dir, "waits.mjs"), stack.url, stack.token, freshName()];
    // Nothing that our own runner is told reaches it.
    const env = { PATH: process.env["PATH"] ?? "" };
    const child = spawn(program(`${node}/bin/node`), args, { env, stdio: ["ignore", "pipe", "pipe"] });
    children.push(child);
    const [printed, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
    expect(errors).toBe("");
    expect(JSON.parse(printed)).toEqual({ max: 1, left: 0, ends: ["SIGTERM", null] });
  },
  120_000,
);
