import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createLocks, type Locks } from "../../src/index.ts";
import { inspect, list } from "../../src/list/index.ts";
import { freshName } from "../../test/support/names.ts";
import { command } from "../../tools/run-command.ts";
import { type DurableObjectRedis, durableObject } from "../src/port.ts";
import { type ReadyWorker, startReadyWorker } from "./support/workerd.ts";

const token = "test-token-0123456789";
const readToken = "read-token-0123456789";
const tenants = [
  { token: "token-of-acme-0123456", tenant: "acme" },
  { token: "token-of-other-012345", tenant: "other" },
];
const bindings = {
  LEASEHOLD_TOKEN: token,
  LEASEHOLD_READ_TOKEN: readToken,
  LEASEHOLD_TENANTS: JSON.stringify(tenants),
};
let folder: string;
let worker: ReadyWorker;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "leasehold-objects-"));
  worker = await startReadyWorker(bindings, folder);
});
afterAll(async () => {
  await worker?.stop();
  rmSync(folder, { recursive: true, force: true });
});

const locksOf = (own = token): Locks => createLocks({ url: worker.url, token: own });
const post = (path: string, body: unknown, own = token, headers = {}): Promise<Response> =>
  fetch(worker.url + path, {
    method: "POST",
    headers: { authorization: `Bearer ${own}`, ...headers },
    body: JSON.stringify(body),
  });

describe("the ready Worker", () => {
  it("says what it is, and refuses whoever has no token", async () => {
    const page = await fetch(worker.url);
    expect([page.status, page.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
    expect(await page.text()).toContain("createLocks");
    for (const own of ["", "x", `${token}x`, token.slice(1)]) expect((await post("/", ["PING"], own)).status).toBe(401);
    const options = await fetch(worker.url, { method: "OPTIONS", headers: { origin: "https://example.com" } });
    expect(options.headers.get("access-control-allow-origin")).toBe(null);
    expect(await (await post("/", ["PING"])).json()).toEqual({ result: "PONG" });
  });

  it("answers pipelines of many names, transactions of one, and says which commands need one place", async () => {
    const [one, other] = [freshName(), freshName()];
    const pipeline = [
      ["SET", `{${one}}`, "1", "PX", "60000"],
      ["GET", `{${other}}`],
      ["INCR", `{${one}}`],
      ["NOPE"],
      ["DBSIZE"],
    ];
    const answers = (await (await post("/pipeline", pipeline)).json()) as { error?: string }[];
    expect(answers.slice(0, 3)).toEqual([{ result: "OK" }, { result: null }, { result: 2 }]);
    expect(answers[3]?.error).toContain("unknown command");
    expect(answers[4]?.error).toContain("one place");

    const together = [
      ["INCR", `{${one}}`],
      ["GET", `{${one}}`],
    ];
    expect(await (await post("/multi-exec", together)).json()).toEqual([{ result: 3 }, { result: "3" }]);
    const apart = await post("/multi-exec", [
      ["INCR", `{${one}}`],
      ["INCR", `{${other}}`],
    ]);
    expect([apart.status, (await apart.json()) as object]).toEqual([
      400,
      { error: expect.stringContaining("CROSSSLOT") },
    ]);
    expect(await (await post("/multi-exec", [["INCR", `{${one}}`], ["NOPE"]])).json()).toMatchObject({
      error: expect.stringContaining("EXECABORT"),
    });
    const slots = await post("/", ["EVAL", "return 1", "2", `{${one}}`, `{${other}}`]);
    expect(await slots.json()).toMatchObject({ error: expect.stringContaining("CROSSSLOT") });
    const base64 = await post("/", ["GET", `{${one}}`], token, { "upstash-encoding": "base64" });
    expect(await base64.json()).toEqual({ result: btoa("3") });
  });

  it("lets a token that may only read look, and nothing else", async () => {
    const name = freshName();
    const lease = await locksOf().lock(name).acquire();
    const reading = locksOf(readToken);
    expect(await reading.lock(name).inspect()).toMatchObject({ state: "held", token: lease.token });
    expect(await inspect(reading, name)).toMatchObject({ kind: "lock", held: true });
    await expect(reading.lock(freshName()).tryAcquire()).rejects.toThrow();
    expect(await (await post("/", ["DEL", `{${name}}`], readToken)).json()).toMatchObject({
      error: expect.stringContaining("NOPERM"),
    });
    expect(await lease.verify()).toBe(true);
  });

  it("keeps tenants apart", async () => {
    const name = freshName();
    const all = [locksOf(), ...tenants.map((tenant) => locksOf(tenant.token))];
    const leases = await Promise.all(all.map((locks) => locks.lock(name).tryAcquire()));
    expect(leases.every((lease) => lease !== null)).toBe(true);
    // A name that looks like one of a tenant is still this token's own.
    expect(await locksOf().lock(`acme\0${name}`).inspect()).toMatchObject({ state: "free" });
  });

  it("names who waits for a plain lock, to no other tenant, and has no list of all names", async () => {
    const name = freshName();
    const [mine, theirs] = tenants.map((tenant) => tenant.token);
    const first = await locksOf(mine).lock(name).acquire();
    const waiter = locksOf(mine).lock(name).acquire({ wait: "20s", label: "nightly" });
    const ask = async (own = mine): Promise<unknown> =>
      (await post("/", ["LEASEHOLD.WAITERS", `leasehold:{${name}}`], own)).json();
    const told = { result: [1, [["lock-acquire", expect.any(Number), "nightly"]]] };
    await expect.poll(() => ask()).toEqual(told);
    const several = [["PING"], ["LEASEHOLD.WAITERS", `leasehold:{${name}}`]];
    expect(await (await post("/pipeline", several, mine)).json()).toEqual([{ result: "PONG" }, told]);
    for (const own of [theirs, token, readToken]) expect(await ask(own)).toEqual({ result: [0, []] });
    expect(await (await post("/", ["LEASEHOLD.AWAITED"], mine)).json()).toMatchObject({
      error: expect.stringContaining("all names in one place"),
    });
    await first.release();
    await (await waiter).release();
  });

  it("refuses bodies that are too large", async () => {
    expect((await post("/", ["SET", "{a}", "x".repeat(1_000_001)])).status).toBe(413);
  });

  it("holds a request that asks for it, until the release", async () => {
    const name = freshName();
    const locks = locksOf();
    const first = await locks.lock(name).acquire();
    const holding = createLocks({
      url: worker.url,
      token,
      fetch: (url, init) => fetch(url, { ...init, headers: { ...init.headers, prefer: "wait=4" } }),
    });
    const waiter = holding.lock(name).acquire({ wait: "20s" });
    await new Promise((resolve) => setTimeout(resolve, 200));
    await first.release();
    expect((await waiter).token).toBeGreaterThan(first.token);
  });

  it("shares its names with Workers that are bound to its objects", async () => {
    const name = `é ${freshName()}`;
    const namespace = await worker.mf.getDurableObjectNamespace("LEASEHOLD");
    const bound = createLocks({ redis: durableObject(namespace as never) as DurableObjectRedis });
    const lease = await locksOf().lock(name).acquire();
    expect(await bound.lock(name).tryAcquire()).toBeNull();
    expect(await bound.lock(name).inspect()).toMatchObject({ state: "held", token: lease.token });
  });

  it("reads and releases a name, and has no list of all", async () => {
    const name = freshName();
    await locksOf().lock(name).acquire();
    expect(await inspect(locksOf(), name)).toMatchObject({ name, kind: "lock", held: true });
    await expect(list(locksOf())[Symbol.asyncIterator]().next()).rejects.toThrow("one place");
  });

  it("is released by the command line by name, and says why it cannot list", async () => {
    const name = freshName();
    const lease = await locksOf().lock(name).acquire();
    const env = { UPSTASH_REDIS_REST_URL: worker.url, UPSTASH_REDIS_REST_TOKEN: token };
    expect(await command(["inspect", name], { env })).toMatchObject({
      code: 0,
      out: expect.stringContaining(String(lease.token)),
    });
    expect(await command(["release", name, "--yes"], { env })).toMatchObject({ code: 0, out: `released ${name}\n` });
    await expect(lease.extend()).rejects.toMatchObject({ code: "lease_lost", reason: "forced" });
    expect((await locksOf().lock(name).acquire()).token).toBeGreaterThan(lease.token);
    expect(await command(["ls"], { env })).toMatchObject({ code: 3, err: expect.stringContaining("one place") });
  });

  it("keeps what it holds over a restart, tokens and leases", async () => {
    const name = freshName();
    const [lock, crowd] = [locksOf().lock(name), locksOf().semaphore(`${name}s`, { permits: 2 })];
    const lease = await lock.acquire({ lease: "60s" });
    const ticket = lease.ticket();
    await crowd.acquire({ lease: "60s" });
    await worker.stop();
    worker = await startReadyWorker(bindings, folder);
    const locks = locksOf();
    expect(await locks.lock(name).tryAcquire()).toBeNull();
    expect(await locks.semaphore(`${name}s`, { permits: 2 }).inspect()).toMatchObject({ available: 1 });
    const resumed = await locks.resume(ticket);
    expect(await resumed.verify()).toBe(true);
    expect(await resumed.release()).toBe(true);
    expect((await locks.lock(name).acquire()).token).toBeGreaterThan(lease.token);
  });

  it("is one holder at a time also when its objects leave memory between any two steps", async () => {
    const name = freshName();
    let last = 0;
    for (let n = 0; n < 5; n++) {
      const lease = await locksOf().lock(name).acquire();
      await worker.mf.unsafeEvictDurableObject("leasehold", "LeaseholdObject", { name });
      expect(await locksOf().lock(name).tryAcquire()).toBeNull();
      expect(lease.token).toBeGreaterThan(last);
      last = lease.token;
      await worker.mf.unsafeEvictDurableObject("leasehold", "LeaseholdObject", { name });
      expect(await lease.release()).toBe(true);
    }
  });
});
