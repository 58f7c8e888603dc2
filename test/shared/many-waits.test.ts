import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createLocks } from "../../src/index.ts";
import { program, ROOT } from "../support/command.ts";
import { freshName, useStack } from "../support/use-stack.ts";
import { openStream } from "../ui/support.ts";

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
    () => locks.once(name + "o").run(() => {}, own),
    () => locks.multiLock([name, name + "m"]).acquire(own),
    () => elect(locks, name, { signal, lease: "60s", backoff, onGained() {} }),
    () => locks.request(name + "r", { signal }, () => {}),
    () => inspect(locks, name, { signal }).then(() => new Promise(() => {})), // asks once
  ];
  const ends = [];
  let most = 0;
  for (let n = 0; n < 500; n++) {
    ways[n % 10]().then((value) => ends.push(value), (error) => ends.push(error.message));
    most = Math.max(most, getEventListeners(signal, "abort").length);
  }
  while (waiting.size < 450) await new Promise((resolve) => setTimeout(resolve, 20));
  most = Math.max(most, getEventListeners(signal, "abort").length);
  stop.abort(new Error("SIGTERM"));
  while (ends.length < 450) await new Promise((resolve) => setTimeout(resolve, 20));
  console.log(JSON.stringify({ most, left: getEventListeners(signal, "abort").length, ends: [...new Set(ends)] }));
  process.exit(0);`;

let dir: string;
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), "leasehold-waits-"));
  const options = { bundle: true, format: "esm", platform: "node", write: true, logLevel: "error" } as const;
  await build({
    ...options,
    stdin: { contents: PROGRAM, resolveDir: ROOT, loader: "ts" },
    outfile: join(dir, "waits.mjs"),
  });
  await build({ ...options, entryPoints: [join(ROOT, "src/cli/main.ts")], outfile: join(dir, "main.mjs") });
  mkdirSync(join(dir, "page"));
  for (const file of ["index.html", "style.css", "icon.svg", "page.js"]) writeFileSync(join(dir, "page", file), "x");
});
const children: ChildProcess[] = [];
afterAll(() => {
  for (const child of children) child.kill("SIGKILL");
  rmSync(dir, { recursive: true, force: true });
});

const names = (count: number) => Array.from({ length: count }, (_, n) => `name ${n}`);

describe.each(["node-20", "node-22", "node", "node-26"])("under %s", (node) => {
  /** Starts a bundle; nothing that our own runner is told reaches it. */
  function start(script: string, args: readonly string[]) {
    const env = { UPSTASH_REDIS_REST_URL: stack.url, UPSTASH_REDIS_REST_TOKEN: stack.token };
    const child = spawn(program(`${node}/bin/node`), [join(dir, script), ...args], {
      env: { PATH: process.env["PATH"] ?? "", ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    children.push(child);
    return { child, errors: text(child.stderr), ended: once(child, "exit") };
  }

  // Slow where the machine is busy: 500 requests at once.
  it("500 waits under one signal warn of no leak, and leave no listener behind (E16)", async () => {
    const { child, errors } = start("waits.mjs", [stack.url, stack.token, freshName()]);
    const printed = await text(child.stdout);
    expect(await errors).toBe("");
    expect(JSON.parse(printed)).toEqual({ most: 1, left: 0, ends: ["SIGTERM", null] });
  }, 120_000);

  it("`leasehold ls` and `ui` of 200 names warn of nothing (E16)", async () => {
    const prefix = `${freshName("cli")}:`;
    const locks = createLocks({ url: stack.url, token: stack.token, prefix });
    await Promise.all(names(200).map((name) => locks.lock(name).acquire({ lease: "5m" })));
    const listed = start("main.mjs", ["ls", "--json", "--key-prefix", prefix]);
    expect((await text(listed.child.stdout)).trim().split("\n")).toHaveLength(200);
    expect(await listed.errors).toBe("");

    const page = start("main.mjs", ["ui", "--json", "--key-prefix", prefix]);
    const [line] = (await once(createInterface(page.child.stdout), "line")) as [string];
    const stream = await openStream(JSON.parse(line).url);
    const seen = new Set<string>();
    await stream.until("rows", ({ rows }) => {
      for (const { name } of rows) seen.add(name);
      return seen.size === 200;
    });
    stream.close();
    page.child.kill("SIGINT");
    await page.ended;
    expect(await page.errors).toBe("");
  }, 120_000);
});
