import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createLocks } from "../../src/index.ts";
import { startRedis } from "../../tools/redis.ts";
import { startProxy } from "../support/proxy.ts";
import { pause, useStack } from "../support/use-stack.ts";
import { blocksOf, ROOT, textOf } from "./markdown.ts";

const stack = useStack({ warm: true });

/** The pages that have the example for a subject, first or over TCP; all others are in a section of docs/shutdown.md. */
const PAGES: Readonly<Record<string, readonly [page: string, index: number]>> = {
  Leader: ["docs/leader.md", 0],
  "Leader over TCP": ["docs/leader.md", 1],
  Express: ["docs/express.md", 0],
  "Express over TCP": ["docs/express.md", 1],
};

function exampleOf(subject: string): string {
  const [page, index] = PAGES[subject] ?? ["", 0];
  const [, section = ""] = page ? ["", textOf(page)] : textOf("docs/shutdown.md").split(`\n## ${subject}\n`);
  const example = blocksOf(section)[index];
  if (example?.language !== "ts") throw new Error(`no example for ${subject}`);
  return example.text;
}

/** Calls the hooks as Nest does. */
const AS_NEST = `
const scheduler = new Scheduler();
scheduler.onApplicationBootstrap();
process.once("SIGTERM", async () => {
  await scheduler.onApplicationShutdown("SIGTERM");
  process.kill(process.pid, "SIGTERM");
});`;

let folder: string;
const children: ChildProcess[] = [];
// Within the project, so that packages resolve as they would for its users.
beforeAll(() => {
  folder = mkdtempSync(join(ROOT, "test/documents/.examples-"));
});
afterAll(() => {
  for (const child of children) child.kill("SIGKILL");
  rmSync(folder, { recursive: true, force: true });
});

/** An example in a process of its own. */
function start(subject: string, url: string, more = "", edit: (text: string) => string = (text) => text) {
  const text = edit(exampleOf(subject));
  const file = join(folder, `${subject.replace(/\W/g, "-")}-${children.length}.ts`);
  writeFileSync(file, text + more);
  const sources = pathToFileURL(join(ROOT, "tools/sources.ts")).href;
  const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", "--import", sources, file], {
    env: {
      PATH: process.env["PATH"],
      PORT: "0",
      REDIS_URL: url,
      UPSTASH_REDIS_REST_URL: url,
      UPSTASH_REDIS_REST_TOKEN: stack.token,
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  children.push(child);
  const lines: string[] = [];
  const ended = once(child, "exit");
  createInterface(child.stdout).on("line", (line) => lines.push(line));
  return {
    lines,
    async says(text: string): Promise<string> {
      for (;;) {
        const line = lines.find((each) => each.includes(text));
        if (line !== undefined) return line;
        if (child.exitCode !== null) throw new Error(`it ended: ${lines}`);
        await pause(20);
      }
    },
    /** Sends SIGTERM; how the process ended, and after how long. */
    async stop(): Promise<{ code: number | null; signal: string | null; ms: number }> {
      const from = performance.now();
      child.kill("SIGTERM");
      const [code, signal] = (await ended) as [number | null, string | null];
      return { code, signal, ms: performance.now() - from };
    },
  };
}

const locks = () => createLocks({ url: stack.url, token: stack.token });
const isFree = async (name: string) => (await locks().lock(name).inspect()).state === "free";
/** How many connections have run a script last. */
const connections = async (): Promise<number> =>
  (await stack.redis.command("CLIENT", "LIST")).split("cmd=evalsha").length;
/** Shorter than each lease in the examples, and than each wait. */
const PROMPT_MS = 12_000;

describe("the examples of docs/shutdown.md, on SIGTERM", () => {
  it("a leader resigns: its name is free when the process has ended (E14)", async () => {
    const leader = start("Leader", stack.url);
    await leader.says("leading with token");
    expect(await leader.stop()).toMatchObject({ code: 0 });
    expect(leader.lines.at(-1)).toBe("no longer leading: resigned");
    expect(await isFree("scheduler")).toBe(true);
  }, 60_000);

  it("a follower ends, and leaves the leader alone (E14)", async () => {
    const lease = await locks().lock("scheduler").acquire({ lease: "10m" });
    await using proxy = await startProxy(stack.url);
    const follower = start("Leader", proxy.url);
    await proxy.arrived("lock-acquire");
    const { code, ms } = await follower.stop();
    expect(code).toBe(0);
    expect(ms).toBeLessThan(PROMPT_MS);
    expect(follower.lines).toEqual([]);
    expect(await lease.release()).toBe(true);
  }, 60_000);

  it.each(["Leader", "Waits"])(
    "the process of %s ends long before its lease where Redis is gone (E14)",
    async (of) => {
      const proxy = await startProxy(stack.url);
      const working = start(of, proxy.url);
      await working.says(of === "Waits" ? "working with" : "leading with");
      await proxy.close();
      const { code, ms } = await working.stop();
      expect(code).toBe(0);
      expect(ms).toBeLessThan(PROMPT_MS);
      // Nothing could be released.
      await locks().lock("scheduler").forceRelease();
      await locks().lock("import").forceRelease();
    },
    60_000,
  );

  it("work ends, and its name is free; a wait ends, and takes nothing from the holder (E14)", async () => {
    const working = start("Waits", stack.url);
    await working.says("working with");
    await using proxy = await startProxy(stack.url);
    const waiting = start("Waits", proxy.url);
    await proxy.arrived("lock-acquire");
    const waited = await waiting.stop();
    expect(waited.code).toBe(0);
    expect(waited.ms).toBeLessThan(PROMPT_MS);
    expect(waiting.lines).toEqual([]);
    expect(await isFree("import")).toBe(false);
    expect(await working.stop()).toMatchObject({ code: 0 });
    expect(await isFree("import")).toBe(true);
  }, 60_000);

  it("a server answers the request that waits with 503, and ends (E14)", async () => {
    const lease = await locks().lock("report:7").acquire({ lease: "10m" });
    await using proxy = await startProxy(stack.url);
    const server = start("Express", proxy.url);
    const [, port] = /port: (\d+)/.exec(await server.says("listening")) ?? [];
    const ask = (id: number) => fetch(`http://127.0.0.1:${port}/reports/${id}`, { method: "POST" });
    expect(await (await ask(8)).json()).toEqual({ token: expect.any(Number) });
    const waiting = ask(7);
    await proxy.arrived("lock-acquire", 2);
    const ended = server.stop();
    const { status, headers } = await waiting;
    expect([status, headers.get("Retry-After")]).toEqual([503, "1"]);
    const { code, ms } = await ended;
    expect(code).toBe(0);
    expect(ms).toBeLessThan(PROMPT_MS);
    expect(await lease.release()).toBe(true);
  }, 60_000);

  it.each(["Express", "Express over TCP"])(
    "%s: a request whose wait has ended gets 503, and the server goes on (54.10)",
    { timeout: 60_000 },
    async (subject) => {
      const lease = await locks().lock("report:10").acquire({ lease: "10m" });
      const url = subject === "Express" ? stack.url : stack.redis.url;
      const server = start(subject, url, "", (text) => text.replace(/wait: "\d+s"/, 'wait: "100ms"'));
      const [, port] = /port: (\d+)/.exec(await server.says("listening")) ?? [];
      const ask = () => fetch(`http://127.0.0.1:${port}/reports/10`, { method: "POST" });
      const { status, headers } = await ask();
      expect([status, Number(headers.get("Retry-After"))]).toEqual([503, expect.any(Number)]);
      expect(Number(headers.get("Retry-After"))).toBeGreaterThan(0);
      await lease.release();
      expect(await (await ask()).json()).toEqual({ token: expect.any(Number) });
      expect(await server.stop()).toMatchObject({ code: 0 });
    },
  );

  it("over TCP, a server answers the request that waits with 503, and ends (54.10)", { timeout: 60_000 }, async () => {
    const lease = await locks().lock("report:11").acquire({ lease: "10m" });
    const before = await connections();
    const server = start("Express over TCP", stack.redis.url);
    const [, port] = /port: (\d+)/.exec(await server.says("listening")) ?? [];
    const waiting = fetch(`http://127.0.0.1:${port}/reports/11`, { method: "POST" });
    while ((await connections()) <= before) await pause(20);
    const ended = server.stop();
    expect((await waiting).status).toBe(503);
    const { code, ms } = await ended;
    expect(code).toBe(0);
    expect(ms).toBeLessThan(PROMPT_MS);
    expect(await lease.release()).toBe(true);
  });

  it("a server answers the request that waits with 503, and ends long before the wait, where Redis is gone (E14)", async () => {
    const lease = await locks().lock("report:9").acquire({ lease: "10m" });
    const proxy = await startProxy(stack.url);
    const server = start("Express", proxy.url);
    const [, port] = /port: (\d+)/.exec(await server.says("listening")) ?? [];
    const waiting = fetch(`http://127.0.0.1:${port}/reports/9`, { method: "POST" });
    await proxy.arrived("lock-acquire");
    await proxy.close();
    const ended = server.stop();
    expect((await waiting).status).toBe(503);
    const { code, ms } = await ended;
    expect(code).toBe(0);
    expect(ms).toBeLessThan(PROMPT_MS);
    expect(await lease.release()).toBe(true);
  }, 60_000);

  it("a provider of Nest lets the process end long before its lease where Redis is gone (E14)", async () => {
    const proxy = await startProxy(stack.url);
    const nest = start("Nest", proxy.url, AS_NEST);
    await nest.says("leading with token");
    await proxy.close();
    const { signal, ms } = await nest.stop();
    expect(signal).toBe("SIGTERM");
    expect(ms).toBeLessThan(PROMPT_MS);
    // Nothing could be released.
    await locks().lock("nest scheduler").forceRelease();
  }, 60_000);

  it("a provider of Nest resigns before the process ends (E14)", async () => {
    const nest = start("Nest", stack.url, AS_NEST);
    await nest.says("leading with token");
    // Nest sends the signal again when its hooks have ended.
    expect(await nest.stop()).toMatchObject({ signal: "SIGTERM" });
    expect(await isFree("nest scheduler")).toBe(true);
  }, 60_000);
});

describe("the examples over ioredis, on SIGTERM (54.3)", () => {
  it.each([
    ["Redis over TCP", "import", "working with"],
    ["Leader over TCP", "scheduler", "leading with"],
  ])("%s: the work ends, its name is free, and the process ends", { timeout: 60_000 }, async (subject, name, says) => {
    const working = start(subject, stack.redis.url);
    await working.says(says);
    const { code, ms } = await working.stop();
    expect(code).toBe(0);
    expect(ms).toBeLessThan(PROMPT_MS);
    expect(await isFree(name)).toBe(true);
  });

  it("a wait ends, takes nothing from the holder, and leaves no holder behind", { timeout: 60_000 }, async () => {
    const lease = await locks().lock("import").acquire({ lease: "10m" });
    const before = await connections();
    const waiting = start("Redis over TCP", stack.redis.url);
    while ((await connections()) <= before) await pause(20);
    const { code, ms } = await waiting.stop();
    expect(code).toBe(0);
    expect(ms).toBeLessThan(PROMPT_MS);
    expect(waiting.lines).toEqual([]);
    expect(await lease.release()).toBe(true);
    expect(await isFree("import")).toBe(true);
  });

  it("a server finishes its requests, then closes the client", { timeout: 60_000 }, async () => {
    const server = start("Express over TCP", stack.redis.url);
    const [, port] = /port: (\d+)/.exec(await server.says("listening")) ?? [];
    const headers = { Connection: "close" };
    const working = fetch(`http://127.0.0.1:${port}/reports/12`, { method: "POST", headers });
    await server.says("building 12");
    const ended = server.stop();
    expect(await (await working).json()).toEqual({ token: expect.any(Number) });
    const { code, ms } = await ended;
    expect(code).toBe(0);
    expect(ms).toBeLessThan(PROMPT_MS);
    expect(await isFree("report:12")).toBe(true);
  });

  it.each(["kill", "freeze"] as const)(
    "the process ends before its lease where Redis is gone: %s",
    { timeout: 60_000 },
    async (fault) => {
      const redis = await startRedis();
      try {
        const working = start("Redis over TCP", redis.url);
        await working.says("working with");
        await redis[fault]();
        const { code, ms } = await working.stop();
        expect(code).toBe(0);
        expect(ms).toBeLessThan(PROMPT_MS);
      } finally {
        await redis.stop();
      }
    },
  );
});
