import { inspect } from "node:util";
import { Redis } from "ioredis";
import { createClient } from "redis";
import { describe, expect, it } from "vitest";
import { createLocks, type LeaseholdEvent } from "../../src/index.ts";
import { ioredis } from "../../src/tcp/ioredis.ts";
import { nodeRedis } from "../../src/tcp/node-redis.ts";
import { freePort, startRedis } from "../../tools/redis.ts";
import { startPair } from "../../tools/redis-topologies.ts";
import { answerLost, heldBack } from "../faults/faults.ts";
import { startWorld } from "../faults/world.ts";
import { isFree, staysFree } from "../kinds/lock/sites.ts";
import { TCP_CLIENTS, type TcpWay } from "../support/tcp-clients.ts";
import { freshName, pause, useStack } from "../support/use-stack.ts";

const stack = useStack({ warm: true });
const ways = Object.keys(TCP_CLIENTS) as TcpWay[];
const caught = (call: Promise<unknown>): Promise<unknown> => call.catch((error: unknown) => error);

describe.concurrent.each(ways)("%s: nobody listens there", (way) => {
  it("an operation ends soon, says where and why, and no outcome is unknown", async () => {
    const port = await freePort();
    const client = TCP_CLIENTS[way](`redis://user:a-password-1@127.0.0.1:${port}`);
    const events: LeaseholdEvent[] = [];
    const locks = createLocks({ redis: client.redis, onEvent: (event) => events.push(event) });
    const start = performance.now();
    const error = await caught(locks.lock(freshName()).tryAcquire());
    expect(performance.now() - start).toBeLessThan(4000);
    expect(error).toMatchObject({ code: "unreachable", cause: { code: "ECONNREFUSED" } });
    expect((error as Error).message).toContain(`127.0.0.1:${port}`);
    expect((error as Error).message).not.toContain("may have been granted");
    expect(events.filter(({ type }) => type === "unanswered")).toEqual([]);
    expect(inspect([error, events], { depth: 9, showHidden: true })).not.toContain("a-password-1");
    client.close();
  });

  it("one that waits gets the lock when Redis is there", async () => {
    const port = await freePort();
    const client = TCP_CLIENTS[way](`redis://127.0.0.1:${port}`);
    const waiting = createLocks({ redis: client.redis }).lock("late").acquire({ wait: "20s" });
    await pause(300);
    const server = await startRedis([], port);
    expect(await (await waiting).release()).toBe(true);
    client.close();
    await server.stop();
  });

  it("what is asked of a client that is not connected is never sent (R4)", async () => {
    await using world = await startWorld(stack, way);
    await world.ours.lock(world.name).inspect();
    world.proxy.next("lock-acquire", ({ away }) => away(4000));
    const locks = world.client({ requestTimeout: 1000 });
    // The first one is on its way when the connection breaks. The others find none.
    await caught(locks.lock(world.name).tryAcquire());
    const others = Array.from({ length: 12 }, () => freshName());
    const errors = await Promise.all(others.map((name) => caught(locks.lock(name).tryAcquire())));
    for (const error of errors) expect(error).toMatchObject({ code: "unreachable" });
    await locks.lock(freshName()).acquire({ wait: "20s" });
    const sent = world.proxy.seen.map(({ body }) => body).join();
    for (const name of others) expect(sent).not.toContain(name);
    await staysFree(world);
  });
});

describe.concurrent("a command that was on its way when the connection broke", () => {
  it("ioredis sends it again when the caller is gone, and nothing comes of it (R3c)", async () => {
    await using world = await startWorld(stack, "ioredis");
    await world.ours.lock(world.name).inspect();
    world.proxy.next("lock-acquire", ({ away }) => away(500));
    const error = await caught(world.client({ requestTimeout: 200 }).lock(world.name).tryAcquire());
    expect(error).toMatchObject({ code: "outcome_unknown" });
    expect((error as Error).message).toContain("may have been granted");
    // It arrives once more, and too late.
    await world.proxy.arrived(({ script, answers }) => script === "lock-acquire" && answers.includes("late"));
    await staysFree(world);
  });

  it("node-redis gives it up, and leasehold asks again", async () => {
    await using world = await startWorld(stack, "node-redis");
    world.proxy.next("lock-acquire", answerLost);
    const lease = await world.client({ requestTimeout: "5s" }).lock(world.name).tryAcquire();
    expect(world.proxy.seen.map(({ answers }) => answers)).toEqual([["granted"], ["granted"]]);
    expect(await lease?.release()).toBe(true);
  });
});

describe.concurrent("a client", () => {
  it("with a wrong password is unauthorized", async () => {
    const server = await startRedis();
    await server.command("CONFIG", "SET", "requirepass", "the-right-one");
    for (const way of ways) {
      const client = TCP_CLIENTS[way](`redis://:wrong-password-1@127.0.0.1:${server.port}`);
      const error = await caught(createLocks({ redis: client.redis }).lock("a").tryAcquire());
      expect(error).toMatchObject({ code: "unauthorized" });
      expect(inspect(error, { depth: 9, showHidden: true })).not.toContain("wrong-password-1");
      client.close();
    }
    await server.stop();
  });

  it("that connects lazily is connected by the first request; 30 at once do not look like a leak", async () => {
    const warnings: Error[] = [];
    const note = (warning: Error): number => warnings.push(warning);
    process.on("warning", note);
    const lazy = new Redis(stack.redis.port, { lazyConnect: true, enableOfflineQueue: false });
    const prompt = createClient({ url: stack.redis.url, disableOfflineQueue: true });
    prompt.on("error", () => {});
    void prompt.connect();
    for (const redis of [ioredis(lazy), nodeRedis(prompt)]) {
      const names = Array.from({ length: 30 }, () => freshName());
      const leases = await Promise.all(names.map((name) => createLocks({ redis }).lock(name).tryAcquire()));
      expect(leases.filter((lease) => lease === null)).toEqual([]);
    }
    // One listener for each client, however many adapters it has: it ends the connection for messages.
    expect(ioredis(lazy).wakeUps).toBe(ioredis(lazy).wakeUps);
    const left = (["ready", "close", "end"] as const).map((event) => lazy.listenerCount(event));
    expect(left).toEqual([0, 0, 1]);
    await pause(20);
    process.off("warning", note);
    expect(warnings.filter(({ name }) => name === "MaxListenersExceededWarning")).toEqual([]);
    lazy.disconnect();
    prompt.destroy();
  });

  it("that its owner has closed is reported as closed, and nothing hangs (B36)", async ({ expect }) => {
    const [first, second] = ways.map((way) => TCP_CLIENTS[way](stack.redis.url));
    for (const client of [first, second]) {
      const locks = createLocks({ redis: client?.redis as never });
      await (await locks.lock(freshName()).acquire()).release();
      client?.close();
      // A socket that has just been closed may still take a request.
      await expect
        .poll(() => caught(locks.lock(freshName()).tryAcquire()))
        .toMatchObject({
          code: "unreachable",
          message: expect.stringMatching(/the client of .+ is closed: open it/),
        });
    }
  });

  it("counts the replicas that have a lease on the connection that made it", async () => {
    const pair = await startPair();
    const url = `redis://127.0.0.1:${pair.primary.port}`;
    for (const way of ways) {
      const client = TCP_CLIENTS[way](url);
      const one = createLocks({ redis: client.redis }).lock(freshName());
      const lease = await one.tryAcquire({ replicas: { min: 1, timeout: "2s" } });
      expect(await lease?.release()).toBe(true);
      const two = caught(one.tryAcquire({ replicas: { min: 2, timeout: 50 } }));
      expect(await two).toMatchObject({ code: "not_replicated" });
      expect((await one.inspect()).state).toBe("free");
      client.close();
    }
    await pair.stop();
  });
});

describe("a silent connection", () => {
  it("ends an attempt at its time, and the library closes it", async () => {
    for (const way of ways) {
      await using world = await startWorld(stack, way);
      world.proxy.next("lock-acquire", heldBack);
      const lease = await world.client({ requestTimeout: "5s" }).lock(world.name).tryAcquire();
      expect(await lease?.release()).toBe(true);
      await world.proxy.deliver();
      await (await isFree(world)).release();
    }
  });

  it("is kept by clients as they come; a call ends in time, and what it had sent changes nothing later (R3c)", async () => {
    const server = await startRedis();
    const first = new Redis(server.port);
    const second = createClient({ url: server.url });
    second.on("error", () => {});
    await second.connect();
    for (const redis of [ioredis(first), nodeRedis(second)]) {
      const one = createLocks({ redis, requestTimeout: 2000 }).lock(freshName());
      await one.inspect();
      server.freeze();
      const start = performance.now();
      const error = await caught(one.tryAcquire({ lease: "1h" }));
      expect(performance.now() - start).toBeLessThan(8000);
      expect(error).toMatchObject({
        code: "outcome_unknown",
        message: expect.stringContaining("may have been granted"),
      });
      server.thaw();
      // On the same connection, behind the late copies.
      expect(await one.inspect()).toMatchObject({ state: "free" });
    }
    expect([first.status, second.isReady]).toEqual(["ready", true]);
    first.disconnect();
    second.destroy();
    await server.stop();
  });
});
