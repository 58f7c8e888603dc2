import { Redis } from "@upstash/redis";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type GatewayServer, serveGateway } from "../../gateway/src/index.ts";
import { type Acquirable, type ConnectionSettings, createLocks, type Lease, type Locks } from "../../src/index.ts";
import { type Pair, startPair } from "../../tools/redis-topologies.ts";
import { type FaultProxy, startProxy } from "../support/proxy.ts";
import { freshName } from "../support/stack.ts";

const TOKEN = "test-token-0123456789";

const ways = {
  "own transport": (url: string, more: ConnectionSettings) => createLocks({ url, token: TOKEN, ...more }),
  "@upstash/redis": (url: string, more: ConnectionSettings) =>
    createLocks({ redis: new Redis({ url, token: TOKEN, enableTelemetry: false }), ...more }),
};

type Held = Pick<Lease, "remaining" | "tokens" | "extend" | "verify" | "release">;
type Kind = (locks: Locks, name: string) => Pick<Acquirable<Held>, "tryAcquire" | "acquire" | "run">;

/** The kinds that are acquired with replicas, over names of their own. */
const kinds: Record<string, Kind> = {
  lock: (locks: Locks, name: string) => locks.lock(name),
  "fair lock": (locks: Locks, name: string) => locks.fairLock(name),
  "write lock": (locks: Locks, name: string) => locks.readWriteLock(name).write,
  semaphore: (locks: Locks, name: string) => locks.semaphore(name, { permits: 1 }),
  "multi-lock of one slot": (locks: Locks, name: string) => locks.group("g").multiLock([name, `${name}-2`]),
  "multi-lock of several slots": (locks: Locks, name: string) => locks.multiLock([name, `${name}-2`]),
};

let pair: Pair;
let gateway: GatewayServer;
let proxy: FaultProxy;

beforeAll(async () => {
  pair = await startPair();
  gateway = await serveGateway({ redis: pair.primary.url, token: TOKEN, port: 0 });
  proxy = await startProxy(gateway.url);
});
afterAll(async () => {
  await proxy.close();
  await gateway.close();
  await pair.stop();
});

const once = { replicas: { min: 1, timeout: 2_000 } };
const soon = { replicas: { min: 1, timeout: 300 } };

async function refused(acquiring: Promise<unknown>): Promise<{ code?: string; message?: string; took: number }> {
  const start = performance.now();
  const error = (await acquiring.catch((reason: unknown) => reason)) as { code?: string; message?: string };
  return { ...error, code: error.code ?? "", message: error.message ?? "", took: performance.now() - start };
}

describe.each(Object.entries(ways))("replicas, %s", (_, way) => {
  const make = (more: ConnectionSettings = {}): Locks => way(proxy.url, { requestTimeout: 4_000, ...more });

  describe.each(Object.entries(kinds))("%s", (kind, of) => {
    const parts = kind === "multi-lock of several slots" ? 2 : 1;

    it("is acquired when the replica has it: one request more", async () => {
      const name = freshName();
      for (let round = 0; round < 2; round++) {
        const before = proxy.count();
        const lease = await of(make(), name).acquire({ ...once, lease: "20s" });
        // The first time of all the server may not know the scripts.
        if (round > 0) expect(proxy.count() - before).toBe(parts + 1);
        expect(lease.remaining).toBeGreaterThan(15_000);
        expect(lease.remaining).toBeLessThanOrEqual(20_000);
        const [key] = (await pair.replica.command("KEYS", `*${name}*`)).match(/leasehold:\S+/g) ?? [];
        expect(key).toContain(name);
        expect(await of(make(), name).tryAcquire()).toBeNull();
        expect(await lease.release()).toBe(true);
      }
    });

    it("is not when the replica is frozen: an error within its time, and nothing stays held", async () => {
      const name = freshName();
      pair.replica.freeze();
      try {
        const tried = await refused(of(make(), name).tryAcquire(soon));
        expect(tried).toMatchObject({ code: "not_replicated" });
        expect(tried.took).toBeGreaterThan(290);
        expect(tried.took).toBeLessThan(6_000);
        const next = await of(make(), name).tryAcquire();
        expect(next).not.toBeNull();
        expect(await next?.release()).toBe(true);
        expect(await refused(of(make(), name).run(soon, () => 1))).toMatchObject({ code: "not_replicated" });
        expect(await of(make(), name).tryAcquire()).not.toBeNull();
      } finally {
        pair.replica.thaw();
      }
    });

    it("whose answer is lost on the way to the replicas is acquired, or not and nothing stays held", async () => {
      const name = freshName();
      const replicating = ({ path, body }: { path: string; body: string }): boolean =>
        path === "/pipeline" && body.includes('"WAIT"') && body.includes(name);
      proxy.next(replicating, async ({ forward, cut }) => {
        await forward();
        cut();
      });
      const lease = await of(make(), name).acquire(once);
      expect(await lease.verify()).toBe(true);
      expect(await lease.release()).toBe(true);
      const stop = proxy.always(replicating, async ({ forward, cut }) => {
        await forward();
        cut();
      });
      const brief = make({ requestTimeout: 2_500 });
      expect(await refused(of(brief, name).tryAcquire(soon))).toMatchObject({ code: "not_replicated" });
      stop();
      const next = await of(make(), name).tryAcquire();
      expect(next).not.toBeNull();
      await next?.release();
    });
  });

  it("says how many, and wants a whole number of them", async () => {
    const lock = make().lock(freshName());
    const refusal = await refused(lock.tryAcquire({ replicas: { min: 2, timeout: 200 } }));
    expect(refusal).toMatchObject({ code: "not_replicated", message: expect.stringContaining("1 of 2 replicas") });
    expect(await lock.inspect()).toMatchObject({ state: "free" });
    for (const min of [0, -1, 1.5, undefined as never])
      await expect(lock.tryAcquire({ replicas: { min } })).rejects.toThrow(RangeError);
    await expect(lock.tryAcquire({ replicas: { min: 1, timeout: "x" as never } })).rejects.toThrow(TypeError);
    expect(await lock.tryAcquire(once)).not.toBeNull();
  });

  it("takes back no more than the hold that was asked for", async () => {
    const lock = make().lock(freshName(), { reentryKey: "alice" });
    const first = await lock.acquire(once);
    pair.replica.freeze();
    try {
      expect(await refused(lock.tryAcquire(soon))).toMatchObject({ code: "not_replicated" });
    } finally {
      pair.replica.thaw();
    }
    expect(await first.verify()).toBe(true);
    expect(await lock.inspect()).toMatchObject({ holds: 1, token: first.token });
  });

  it("an abort while it waits for the replicas ends it, and nothing stays held", async () => {
    const lock = make().lock(freshName());
    const reason = new Error("changed my mind");
    pair.replica.freeze();
    try {
      const controller = new AbortController();
      const waiting = refused(
        lock
          .acquire({ replicas: { min: 1, timeout: "5s" }, signal: controller.signal })
          .catch((error: unknown) => Promise.reject(error === reason ? { code: "aborted" } : error)),
      );
      await proxy.arrived(({ body }) => body.includes(lock.name));
      setTimeout(() => controller.abort(reason), 200);
      const { code, took } = await waiting;
      expect(code).toBe("aborted");
      expect(took).toBeLessThan(3_000);
    } finally {
      pair.replica.thaw();
    }
    expect(await lock.tryAcquire()).not.toBeNull();
  });

  it("a server that refuses WAIT is an error that says so, and nothing stays held", async () => {
    const lock = make().lock(freshName());
    await pair.primary.command("ACL", "SETUSER", "default", "-wait");
    try {
      const refusal = await refused(lock.tryAcquire(once));
      expect(refusal).toMatchObject({ code: "unauthorized", message: expect.stringMatching(/^NOPERM.*wait/) });
      expect(await lock.inspect()).toMatchObject({ state: "free" });
      expect(await lock.tryAcquire()).not.toBeNull();
    } finally {
      await pair.primary.command("ACL", "SETUSER", "default", "+@all");
    }
  });

  it("that answer after the lease's end leave it expired, its work not begun, and nothing held", async () => {
    const lock = make().lock(freshName());
    const late = { lease: 1_500, replicas: { min: 1, timeout: "5s" } } as const;
    let worked = false;
    const work = (): void => {
      worked = true;
    };
    for (const acquire of [() => lock.tryAcquire(late), () => lock.run(late, work)]) {
      pair.replica.freeze();
      const thawing = setTimeout(() => pair.replica.thaw(), 2_200);
      try {
        expect(await refused(acquire())).toMatchObject({ code: "lease_lost", reason: "expired" });
      } finally {
        clearTimeout(thawing);
        pair.replica.thaw();
      }
      expect(await lock.inspect()).toMatchObject({ state: "free" });
    }
    expect(worked).toBe(false);
  });

  it("is still held after a failover, under its token, by its holder alone", async () => {
    const own = await startPair();
    let front = await serveGateway({ redis: own.primary.url, token: TOKEN, port: 0 });
    try {
      const locks = way(front.url, {});
      const held: [name: string, of: Kind, lease: Held][] = [];
      for (const [name, of] of Object.entries(kinds)) held.push([name, of, await of(locks, name).acquire(once)]);
      const lease = await locks.lock("left").acquire(once);
      await own.primary.kill();
      await own.promote();
      const port = Number(new URL(front.url).port);
      await front.close();
      front = await serveGateway({ redis: own.replica.url, token: TOKEN, port });
      expect(await locks.lock("left").inspect()).toMatchObject({ state: "held", token: lease.token, holds: 1 });
      for (const [name, of, kept] of held) {
        expect([name, await of(way(front.url, {}), name).tryAcquire()]).toEqual([name, null]);
        await kept.extend("40s");
        expect(await kept.verify()).toBe(true);
        expect(await kept.release()).toBe(true);
        const next = await of(locks, name).tryAcquire();
        expect(next).not.toBeNull();
        for (const [each, token] of Object.entries(kept.tokens)) expect(next?.tokens[each] ?? 0).toBeGreaterThan(token);
      }
    } finally {
      await front.close();
      await own.stop();
    }
  });
});
