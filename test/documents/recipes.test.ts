/** Examples of pages that take a package of others, or that are whole programs: each runs as its page says. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import type { Effect as Effects } from "effect";
import { Context, Deferred, Effect, Fiber, Result } from "effect";
import { Redis } from "ioredis";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { signDelivery } from "../../demo/deliveries.ts";
import { serveGateway } from "../../gateway/src/index.ts";
import {
  type Fenced,
  MYSQL_FENCE_TABLE,
  POSTGRES_FENCE_TABLE,
  redisFence,
  SQLITE_FENCE_TABLE,
  StaleTokenError,
} from "../../src/fence/index.ts";
import { createLocks, type Lease, type Locks, type RunOptions } from "../../src/index.ts";
import { list } from "../../src/list/index.ts";
import { ioredis } from "../../src/tcp/ioredis.ts";
import { findPostgres, startPostgres } from "../../tools/postgres.ts";
import { type RedisServer, startRedis } from "../../tools/redis.ts";
import { command } from "../../tools/run-command.ts";
import { run } from "../support/command.ts";
import { listen } from "../support/proxy.ts";
import { freshName, pause, useStack } from "../support/use-stack.ts";
import { closeClients } from "./clients.ts";
import { blocksOf, ROOT, textOf } from "./markdown.ts";

const SECRET = "the secret of the hook";
const stack = useStack({ warm: true });
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(ROOT, "test/documents/.examples-"));
  vi.stubEnv("UPSTASH_REDIS_REST_URL", stack.url);
  vi.stubEnv("UPSTASH_REDIS_REST_TOKEN", stack.token);
  vi.stubEnv("REDIS_URL", stack.redis.url);
});
afterAll(() => {
  vi.unstubAllEnvs();
  closeClients();
  rmSync(folder, { recursive: true, force: true });
});
const locks = () => createLocks({ url: stack.url, token: stack.token });
const isFree = async (name: string) => (await locks().lock(name).inspect()).state === "free";

/** The examples of a page. */
const textsOf = (page: string): string[] =>
  blocksOf(textOf(`docs/${page}.md`))
    .filter(({ language }) => language === "ts")
    .map(({ text }) => text);

/** Writes an example of a page to a file. */
function write(page: string, index = 0): string {
  const text = textsOf(page)[index];
  if (text === undefined) throw new Error(`docs/${page}.md has no example ${index}`);
  const file = join(folder, `${page}-${index}.ts`);
  const here = text
    .replace(/from "(ioredis|redis)"/g, 'from "../clients.ts"')
    .replace('import pg from "pg"', 'import { pg } from "../clients.ts"');
  writeFileSync(file, here);
  return file;
}

async function load<T>(page: string, index = 0): Promise<T> {
  return (await import(/* @vite-ignore */ write(page, index))) as T;
}

describe("docs/effect.md", () => {
  interface Example {
    withLock<A, E, R>(
      name: string,
      options: RunOptions,
      work: (lease: Lease) => Effects.Effect<A, E, R>,
    ): Effects.Effect<A, unknown, R>;
    charge(id: string): Effects.Effect<string, unknown>;
  }
  let example: Example;
  beforeAll(async () => {
    example = await load<Example>("effect");
  });

  it("runs an effect under a lock, with its services and its own error", async () => {
    expect(await Effect.runPromise(example.charge("1"))).toMatch(/^invoice 1 charged under \d+$/);
    class Cents extends Context.Service<Cents, number>()("Cents") {}
    const name = freshName("services");
    const work = example.withLock(name, {}, () => Effect.map(Cents, (cents) => cents + 1));
    expect(await Effect.runPromise(Effect.provideService(work, Cents, 41))).toBe(42);
    const failing = example.withLock(name, {}, () => Effect.fail("declined" as const));
    expect(await Effect.runPromise(Effect.result(failing))).toMatchObject(Result.fail("declined"));
    expect(await isFree(name)).toBe(true);
  });

  it("fails with a time-out where it is held, and with a loss where the lease is", async () => {
    const name = freshName("held");
    const lease = await locks().lock(name).acquire();
    const waiting = example.withLock(name, { wait: 50 }, () => Effect.void);
    expect(await Effect.runPromise(Effect.flip(waiting))).toMatchObject({ code: "lock_timeout" });
    await lease.release();
    const losing = example.withLock(name, { lease: 100 }, () => Effect.never);
    expect(await Effect.runPromise(Effect.flip(losing))).toMatchObject({ code: "lease_lost" });
  });

  it("an interruption ends a wait, and interrupts the work and releases", async () => {
    const name = freshName("interrupted");
    const began = Deferred.makeUnsafe<void>();
    const work = example.withLock(name, { lease: "1m" }, () =>
      Effect.andThen(Deferred.succeed(began, undefined), Effect.never),
    );
    const working = Effect.runFork(work);
    await Effect.runPromise(Deferred.await(began));
    const waiting = Effect.runFork(example.withLock(name, { wait: "1m" }, () => Effect.void));
    await pause(50);
    await Effect.runPromise(Fiber.interrupt(waiting));
    await Effect.runPromise(Fiber.interrupt(working));
    while (!(await isFree(name))) await pause(10);
  });
});

it("docs/index.md: the second process waits for the first, and prints a higher token", {
  timeout: 60_000,
}, async () => {
  const file = write("index");
  const local = readFileSync(file, "utf8")
    .replace("http://127.0.0.1:8080", stack.url)
    .replace('token: "try"', `token: "${stack.token}"`);
  writeFileSync(file, local);
  const sources = pathToFileURL(join(ROOT, "tools/sources.ts")).href;
  const report = () => run(process.execPath, ["--no-warnings", "--import", sources, file], ROOT);
  const printed = await Promise.all([report(), report()]);
  const [lower = 0, higher = 0] = printed.map((line) => Number(/token (\d+)/.exec(line)?.[1])).sort((a, b) => a - b);
  // Tokens are times in microseconds, and the work takes 3 s.
  expect(higher - lower).toBeGreaterThan(2_900_000);
});

it("docs/observability.md: the program prints its spans, with parents, and its metrics (54.5)", {
  timeout: 60_000,
}, async () => {
  const sources = pathToFileURL(join(ROOT, "tools/sources.ts")).href;
  const printed = await run(process.execPath, ["--no-warnings", "--import", sources, write("observability", 1)], ROOT);
  const [, trace = "none"] = /name: 'checkout'/.test(printed) ? (/traceId: '(\w+)'/.exec(printed) ?? []) : [];
  for (const name of ["acquire lock", "hold lock", "release lock", "checkout"])
    expect(printed).toMatch(new RegExp(`traceId: '${trace}',[^{}]*?(?:\\{[^{}]*\\},[^{}]*?)?name: '${name}'`));
  expect(printed).toContain("name: 'leasehold.acquire.duration'");
  const { devDependencies } = JSON.parse(textOf("package.json")) as { devDependencies: Record<string, string> };
  const [, api = "", sdk = ""] =
    /version (\S+) of the API and (\S+) of the SDK/.exec(textOf("docs/observability.md")) ?? [];
  expect(devDependencies["@opentelemetry/api"]).toContain(`${api}.`);
  expect(devDependencies["@opentelemetry/sdk-trace-base"]).toContain(`${sdk}.`);
});

it("docs/errors.md: the first error is a lease that nothing extended (54.5)", async () => {
  const printed = vi.spyOn(console, "log").mockReturnValue();
  await load("errors", 1);
  expect(printed.mock.calls).toEqual([["expired"]]);
  printed.mockRestore();
});

it("docs/one-result.md: with maxAttempts: 1, work runs at most once, though it threw or crashed (54.5)", async () => {
  const page = textOf("docs/one-result.md");
  expect(page).toContain("**At most once:** `maxAttempts: 1`");
  let runs = 0;
  const failing = locks().once(freshName("threw"), { maxAttempts: 1 });
  const work = async (): Promise<never> => {
    runs += 1;
    throw new Error("declined");
  };
  await expect(failing.run(work)).rejects.toThrow("declined");
  expect(await failing.run(work)).toMatchObject({ status: "exhausted" });
  const crashing = locks().once(freshName("crashed"), { maxAttempts: 1, lease: "200ms" });
  expect((await crashing.begin()).status).toBe("started");
  await pause(300);
  expect(await crashing.run(work)).toMatchObject({ status: "exhausted" });
  expect(runs).toBe(1);
});

describe("docs/fencing.md: the check of a store", () => {
  /** A store of one object, which may ignore the conditions of a PUT. */
  async function check(heedsConditions: boolean): Promise<string> {
    let etag = "";
    const server = createServer((request, response) => {
      const { "if-match": match, "if-none-match": none } = request.headers;
      const isRefused = (match !== undefined && match !== etag) || (none === "*" && etag !== "");
      if (heedsConditions && isRefused) return void response.writeHead(412).end();
      etag = `"${crypto.randomUUID()}"`;
      response.writeHead(200, { etag }).end();
    });
    const port = await listen(server, 0);
    const file = write(
      "fencing",
      textsOf("fencing").findIndex((text) => text.includes("S3_BUCKET_URL")),
    );
    const env = { S3_BUCKET_URL: `http://127.0.0.1:${port}/bucket`, S3_KEY_ID: "key", S3_SECRET: "secret" };
    try {
      return (await run(process.execPath, ["--no-warnings", file], ROOT, env)).trim();
    } finally {
      server.closeAllConnections();
      server.close();
    }
  }

  it("tells a store that can be fenced from one that ignores conditions (54.5)", async () => {
    expect([await check(true), await check(false)]).toEqual(["can be fenced", "cannot be fenced"]);
  });
});

it("docs/fencing.md: the SQL of the table is that of the package (54.5)", () => {
  const [sql] = blocksOf(textOf("docs/fencing.md")).filter(({ language }) => language === "sql");
  const statements = sql?.text
    .trim()
    .split("\n")
    .map((line) => line.replace(/ -- .*/, ""));
  expect(statements).toEqual([SQLITE_FENCE_TABLE, POSTGRES_FENCE_TABLE, MYSQL_FENCE_TABLE]);
});

const postgres = findPostgres();
describe.skipIf(!postgres)("docs/fencing.md: Drizzle over Postgres", () => {
  it("a statement of Drizzle is written once, and refused to an older holder (54.5)", { timeout: 60_000 }, async () => {
    const server = await startPostgres(postgres ?? "");
    vi.stubEnv("DATABASE_URL", server.url);
    const pool = new pg.Pool({ connectionString: server.url });
    try {
      await pool.query(`${POSTGRES_FENCE_TABLE} CREATE TABLE invoices (id INTEGER PRIMARY KEY, paid BOOLEAN NOT NULL)`);
      await pool.query("INSERT INTO invoices VALUES (42, false), (43, false)");
      const index = textsOf("fencing").findIndex((text) => text.includes("drizzle-orm"));
      const { pay } = await load<{ pay(lease: Fenced, id: number): Promise<number> }>("fencing", index);
      expect(await pay({ name: "invoices", token: 2 }, 42)).toBe(1);
      expect(await pay({ name: "invoices", token: 2 }, 42)).toBe(0);
      await expect(pay({ name: "invoices", token: 1 }, 43)).rejects.toThrow(StaleTokenError);
      const { rows } = await pool.query("SELECT id FROM invoices WHERE paid");
      expect(rows).toEqual([{ id: 42 }]);
    } finally {
      await pool.end();
      closeClients();
      await server.stop();
    }
  });
});

it("docs/hand-over.md: a BullMQ worker takes the lease over, and releases it (54.5)", { timeout: 60_000 }, async () => {
  const index = textsOf("hand-over").findIndex((text) => text.includes('from "bullmq"'));
  const example = await load<{ requestExport(tenant: string): Promise<boolean>; close(): Promise<void> }>(
    "hand-over",
    index,
  );
  const printed = vi.spyOn(console, "log").mockReturnValue();
  try {
    expect(await example.requestExport("acme")).toBe(true);
    while (printed.mock.calls.length === 0) await pause(20);
    while (!(await isFree("export:acme"))) await pause(20);
    expect(printed.mock.calls).toEqual([["exporting", "acme", "with token", expect.any(Number)]]);
    const held = await locks().lock("export:other").acquire();
    expect(await example.requestExport("other")).toBe(false);
    await held.release();
  } finally {
    printed.mockRestore();
    await example.close();
  }
});

describe("docs/operations.md: the restricted user", () => {
  const page = textOf("docs/operations.md");
  const [, quoted = ""] = /^redis-cli ACL SETUSER leasehold on '>PASSWORD' (.*)$/m.exec(page) ?? [];
  const rights = quoted.replaceAll("'", "");
  const added = (label: string): string[] =>
    (new RegExp(`^\\| ${label} \\| (.*) \\|$`, "m").exec(page)?.[1] ?? "")
      .match(/[+][+|\w ]*\w/g)
      ?.flatMap((each) => each.split(" ")) ?? [];
  let redis: RedisServer;
  beforeAll(async () => {
    redis = await startRedis();
  });
  afterAll(() => redis?.stop());

  async function connectAs(user: string, ...more: string[]): Promise<string> {
    expect(await redis.command("ACL", "SETUSER", user, "on", ">secret", ...rights.split(" "), ...more)).toContain("OK");
    return redis.url.replace("redis://", `redis://${user}:secret@`);
  }

  /** Every kind of lock, used once. */
  async function useAll(all: Locks): Promise<void> {
    for (const name of ["lock", "fairLock"] as const)
      await all[name](`${name} 1`).run({ keepAlive: true }, async (lease) => lease.extend());
    const { read, write } = all.readWriteLock("rw");
    await read.run(async () => {});
    await write.run(async () => {});
    await all.semaphore("semaphore", { permits: 3 }).run({ permits: 2 }, async () => {});
    await all.semaphore("fair semaphore", { permits: 1, fair: true }).run(async (lease) => lease.verify());
    const counter = all.counter("counter");
    await counter.setPermits(2);
    await counter.acquire();
    const latch = all.latch("latch");
    await latch.trySetCount(1);
    await latch.countDown();
    await latch.wait({ wait: 100 });
    await all.once("once").run(async () => 1);
    await all.multiLock(["a", "b"]).run(async () => {});
    await all.lock("lock 1").forceRelease();
    await all.lock("lock 1").inspect();
    const fence = redisFence(all);
    await all.lock("fenced").run(async (lease) => {
      await fence.claim(lease);
      await fence.write(lease, "value");
    });
  }

  it("can use every kind over ioredis, and nothing beyond its keys (54.5)", async () => {
    const url = await connectAs("service", ...added("an ioredis, node-redis or Bun client"));
    const client = new Redis(url);
    try {
      await useAll(createLocks({ redis: ioredis(client) }));
      await expect(client.get("leasehold:{once}")).resolves.toEqual(expect.any(String));
      await expect(client.get("another")).rejects.toThrow("NOPERM");
      await expect(client.flushall()).rejects.toThrow("NOPERM");
      const names: string[] = [];
      const listing = async () => {
        for await (const { name } of list(createLocks({ redis: ioredis(client) }))) names.push(name);
      };
      await expect(listing()).rejects.toMatchObject({
        code: "unauthorized",
        message: expect.stringMatching(/^NOPERM .*'scan'.*: .*allow the user \+scan$/), // (54.10)
      });
      await connectAs("service", ...added("`list`, `leasehold ls` and `leasehold ui`"));
      await listing();
      expect(names).toContain("once");
    } finally {
      client.disconnect();
    }
  });

  it("can examine the server once the rights of `leasehold doctor` are added, and is told them (54.10)", {
    timeout: 60_000,
  }, async () => {
    const url = await connectAs("examiner", ...added("an ioredis, node-redis or Bun client"));
    const refused = await command(["doctor", "--redis", url]);
    expect(refused.out).toMatch(/^fail +exclusion +unauthorized: NOPERM .*~leasehold-doctor:\* \(here/m);
    expect(refused.out).toMatch(/→ allow the user ~leasehold-doctor:\*/);
    expect(refused.out).not.toMatch(/leasehold-doctor:\w|may write/);
    await connectAs("examiner", ...added("an ioredis, node-redis or Bun client"), "~leasehold-doctor:*");
    expect((await command(["doctor", "--redis", url])).out).not.toMatch(/^fail/m);
    const token = "test-token-0123456789";
    const through = await connectAs("examiner", ...added("a gateway"), "~leasehold-doctor:*", "+incr");
    const gateway = await serveGateway({ redis: through, token, port: 0 });
    const examined = await command(["doctor", "--url", gateway.url, "--token", token]);
    await gateway.close();
    expect(examined.out).not.toMatch(/^fail/m);
    expect(examined.out).toMatch(/^ok +repeats /m);
  });

  it("has a read-only token once COMMAND is allowed; without it, the gateway says why not (54.10)", async () => {
    const [token, readOnlyToken] = ["test-token-0123456789", "reads-token-0123456789"];
    const url = await connectAs("reader", ...added("a gateway"));
    const gateway = await serveGateway({ redis: url, token, readOnlyToken, port: 0 });
    const get = () =>
      fetch(`${gateway.url}/get/leasehold:a`, { headers: { Authorization: `Bearer ${readOnlyToken}` } });
    const error = "Redis does not tell which commands only read: nothing was sent";
    try {
      const answer = await get();
      expect(answer.status).toBe(503);
      expect(await answer.json()).toEqual({ error });
      expect(textOf("gateway/README.md")).toContain(error);
      await connectAs("reader", ...added("a read-only token of a gateway"));
      expect((await get()).status).toBe(200);
    } finally {
      await gateway.close();
    }
  });

  it("can use every kind through a gateway that holds requests (54.5)", async () => {
    const token = "test-token-0123456789";
    const gateway = await serveGateway({ redis: await connectAs("gateway", ...added("a gateway")), token, port: 0 });
    try {
      await redis.command("FLUSHALL");
      const all = createLocks({ url: gateway.url, token });
      await useAll(all);
      const lease = await all.lock("held").acquire();
      const waiting = all.lock("held").acquire({ wait: "10s" });
      await pause(200);
      await lease.release();
      expect(await (await waiting).release()).toBe(true);
    } finally {
      await gateway.close();
    }
  });
});

it("docs/rate-limits.md: at most five calls at once, and 100 in a minute", async () => {
  const { callBank } = await load<{ callBank<T>(call: () => Promise<T>): Promise<T | undefined> }>("rate-limits");
  let now = 0;
  let max = 0;
  const call = async (): Promise<string> => {
    max = Math.max(max, ++now);
    await pause(20);
    now -= 1;
    return "called";
  };
  const results = await Promise.all(Array.from({ length: 12 }, () => callBank(call)));
  expect(results).toEqual(Array(12).fill("called"));
  expect(max).toBeGreaterThan(0);
  expect(max).toBeLessThanOrEqual(5);
});

describe("docs/set-nx.md", () => {
  type RunAlone = (name: string, ms: number, work: (lease: Lease) => Promise<void>) => Promise<boolean>;
  const both = [
    ["SET NX", 0, 4],
    ["leasehold", 1, 8],
  ] as const;

  it.each(both)("%s: one of two callers runs, in as many commands as the table says", async (_, index, commands) => {
    const { runAlone } = await load<{ runAlone: RunAlone }>("set-nx", index);
    const name = freshName("alone");
    // Makes the server know the scripts.
    expect(await runAlone(name, 10_000, async () => {})).toBe(true);
    expect(await stack.commandsOf(() => runAlone(name, 10_000, async () => {}))).toBe(commands);
    let refused: boolean | undefined;
    await runAlone(name, 10_000, async () => {
      refused = !(await runAlone(name, 10_000, async () => {}));
    });
    expect(refused).toBe(true);
  });

  it("work that outlives its lease is noticed under leasehold only", async () => {
    const outlive = async (index: number) => {
      const { runAlone } = await load<{ runAlone: RunAlone }>("set-nx", index);
      const name = freshName("outlives");
      let seen: boolean | undefined;
      await runAlone(name, 1000, async (lease) => {
        await pause(1100);
        expect(await runAlone(name, 10_000, async () => {})).toBe(true);
        seen = lease?.signal.aborted;
      });
      return seen;
    };
    expect([await outlive(0), await outlive(1)]).toEqual([undefined, true]);
  });
});

it("docs/webhook-hosts.md: a server of node:http logs what its handler throws, answers 500, and goes on (54.10)", {
  timeout: 60_000,
}, async () => {
  const sources = pathToFileURL(join(ROOT, "tools/sources.ts")).href;
  const index = textsOf("webhook-hosts").findIndex((text) => text.includes('from "node:http"'));
  const child = spawn(process.execPath, ["--no-warnings", "--import", sources, write("webhook-hosts", index)], {
    env: { ...process.env, PORT: "0" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  try {
    let printed = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (printed += chunk));
    while (!/port: \d+/.test(printed)) {
      if (child.exitCode !== null) throw new Error(`it ended: ${printed}`);
      await pause(20);
    }
    const [, port] = /port: (\d+)/.exec(printed) ?? [];
    const send = (id: string, body: string) =>
      fetch(`http://127.0.0.1:${port}/`, { method: "POST", headers: { "webhook-id": id }, body });
    expect((await send(freshName(), "no JSON")).status).toBe(500);
    expect(await (await send(freshName(), '{"a":1}')).json()).toEqual({ a: 1 });
    await vi.waitFor(() => expect(printed).toContain("SyntaxError"), { timeout: 20_000 });
  } finally {
    child.kill("SIGKILL");
  }
});

it("docs/express.md: a delivery runs once, and SIGTERM leaves nothing locked", { timeout: 60_000 }, async () => {
  const sources = pathToFileURL(join(ROOT, "tools/sources.ts")).href;
  const child = spawn(process.execPath, ["--no-warnings", "--import", sources, write("express")], {
    env: { ...process.env, PORT: "0", GITHUB_SECRET: SECRET },
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    const ended = once(child, "exit");
    const lines: string[] = [];
    createInterface(child.stdout).on("line", (line) => lines.push(line));
    const says = async (text: string): Promise<string> => {
      for (;;) {
        const line = lines.find((each) => each.includes(text));
        if (line !== undefined) return line;
        if (child.exitCode !== null) throw new Error(`it ended: ${lines}`);
        await pause(20);
      }
    };
    const [, port] = /port: (\d+)/.exec(await says("listening")) ?? [];
    const url = `http://127.0.0.1:${port}`;
    const { headers } = await signDelivery(SECRET, crypto.randomUUID(), "issues", '{"action":"opened"}');
    const send = (body: string) => fetch(`${url}/webhooks/github`, { method: "POST", headers, body });
    expect(await (await send('{"action":"opened"}')).json()).toEqual({ action: "opened" });
    expect((await send('{"action":"opened"}')).headers.get("Idempotent-Replayed")).toBe("true");
    expect((await send('{"action":"closed"}')).status).toBe(401);
    expect(lines.filter((line) => line.startsWith("processing"))).toHaveLength(1);

    const held = await locks().lock("report:7").acquire({ lease: "10m" });
    const ask = (id: number) => fetch(`${url}/reports/${id}`, { method: "POST", headers: { Connection: "close" } });
    const [waiting, working] = [ask(7), ask(8)];
    await says("building 8");
    await pause(100);
    child.kill("SIGTERM");
    expect((await waiting).status).toBe(503);
    expect(await (await working).json()).toEqual({ token: expect.any(Number) });
    expect((await ended)[0]).toBe(0);
    expect((await locks().lock("report:8").inspect()).state).toBe("free");
    expect(await held.release()).toBe(true);
  } finally {
    child.kill("SIGKILL");
  }
});
