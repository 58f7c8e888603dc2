import { Cluster, Redis } from "ioredis";
import { createClient, createCluster, createSentinel } from "redis";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { elect } from "../../src/elect/index.ts";
import {
  type Connection,
  connect,
  fairLock,
  type LeaseholdEvent,
  latch,
  lock,
  once,
  type RedisOverTcp,
  readWriteLock,
  semaphore,
} from "../../src/index.ts";
import { ioredis } from "../../src/tcp/ioredis.ts";
import { nodeRedis } from "../../src/tcp/node-redis.ts";
import { type Sentinels, startSentinels } from "../../tools/redis-sentinels.ts";
import { startCluster } from "../../tools/redis-topologies.ts";
import { gapAfter } from "../support/gap.ts";
import { freshName, pause, useStack } from "../support/use-stack.ts";

const stack = useStack();
const closing: (() => unknown)[] = [];
afterAll(() => {
  for (const close of closing) close();
});

/** Longer than the first polls. */
const HOLD_MS = 1500;
/** Half of what a waiter pauses that a message will wake. */
const SOON_MS = 2500;
/** Time enough to be listed, and to listen. */
const LISTED_MS = 500;
/** Without messages, a waiter would poll some 16 times meanwhile. */
const MAX_POLLS = 9;

type Client = (events?: LeaseholdEvent[]) => Promise<Connection>;
const viaIoredis: Client = async (events) => {
  const client = new Redis(stack.redis.url);
  closing.push(() => client.disconnect());
  return connect({ redis: ioredis(client), onEvent: (event) => events?.push(event) });
};
const viaNodeRedis = (RESP: 2 | 3): Client => {
  return async (events) => {
    const client = createClient({ url: stack.redis.url, RESP });
    client.on("error", () => {});
    await client.connect();
    closing.push(() => client.destroy());
    return connect({ redis: nodeRedis(client), onEvent: (event) => events?.push(event) });
  };
};
const CLIENTS = { ioredis: viaIoredis, "node-redis, RESP2": viaNodeRedis(2), "node-redis, RESP3": viaNodeRedis(3) };

const polls = (events: readonly LeaseholdEvent[]): number =>
  events.filter((event) => event.type === "request" && /^(acquire|begin|wait)$/.test(event.operation)).length;

describe.concurrent("a waiter", () => {
  it.each(Object.entries(CLIENTS))("of a lock that is released is woken, %s (49.3)", async (_, open) => {
    const events: LeaseholdEvent[] = [];
    const [name, holding, waiting] = [freshName(), await open(), await open(events)];
    const wait = () => lock(waiting, name).acquire({ wait: "20s" });
    expect(await gapAfter(() => lock(holding, name).acquire(), wait, HOLD_MS)).toBeLessThan(SOON_MS);
    expect(polls(events)).toBeLessThanOrEqual(MAX_POLLS);
  });
});

/** How each kind is held, waited for and freed. */
const KINDS: Readonly<
  Record<string, (c: Connection, other: Connection, name: string) => Promise<() => Promise<unknown>>>
> = {
  "a fair lock": async (c, other, name) => {
    const held = await fairLock(c, name).acquire();
    const waiter = fairLock(other, name).acquire({ wait: "20s" });
    await pause(HOLD_MS);
    return async () => [await held.release(), await (await waiter).release()];
  },
  "a semaphore": async (c, other, name) => {
    const held = await semaphore(c, name, { permits: 1 }).acquire();
    const waiter = semaphore(other, name, { permits: 1 }).acquire({ wait: "20s" });
    await pause(HOLD_MS);
    return async () => [await held.release(), await (await waiter).release()];
  },
  "a fair semaphore": async (c, other, name) => {
    const held = await semaphore(c, name, { permits: 1, fair: true }).acquire();
    const waiter = semaphore(other, name, { permits: 1, fair: true }).acquire({ wait: "20s" });
    await pause(HOLD_MS);
    return async () => [await held.release(), await (await waiter).release()];
  },
  "the readers of a read-write lock": async (c, other, name) => {
    const held = await readWriteLock(c, name).write.acquire();
    const waiters = [1, 2, 3].map(() => readWriteLock(other, name).read.acquire({ wait: "20s" }));
    await pause(HOLD_MS);
    return async () => [await held.release(), await Promise.all(waiters)];
  },
  "the writer of a read-write lock": async (c, other, name) => {
    const held = await readWriteLock(c, name).read.acquire();
    const waiter = readWriteLock(other, name).write.acquire({ wait: "20s" });
    await pause(HOLD_MS);
    return async () => [await held.release(), await (await waiter).release()];
  },
  "a once": async (c, other, name) => {
    const attempt = await once(c, name).begin();
    const waiter = once(other, name).run({ wait: "20s" }, () => "again");
    await pause(HOLD_MS);
    if (attempt.status !== "started") throw new Error("it has not begun");
    return async () => [await attempt.complete("done"), await waiter];
  },
  "a latch": async (c, other, name) => {
    await latch(c, name).trySetCount(1);
    const waiter = latch(other, name).wait({ wait: "20s" });
    await pause(HOLD_MS);
    return async () => [await latch(c, name).countDown("party"), await waiter];
  },
  "a lock that is released by force": async (c, other, name) => {
    await lock(c, name).acquire();
    const waiter = lock(other, name).acquire({ wait: "20s" });
    await pause(HOLD_MS);
    return async () => [await lock(c, name).forceRelease(), await (await waiter).release()];
  },
};

describe.concurrent("the waiters", () => {
  it.each(Object.entries(KINDS))("of %s are woken (49.3)", async (what, hold) => {
    const events: LeaseholdEvent[] = [];
    const free = await hold(await viaIoredis(), await viaIoredis(events), freshName());
    // The waiters of a latch poll by a back-off of their own.
    const most = what === "a latch" ? MAX_POLLS + 2 : MAX_POLLS * (what.startsWith("the readers") ? 3 : 1);
    expect(polls(events)).toBeLessThanOrEqual(most);
    const published = (await stack.commandCalls())["publish"] ?? 0;
    const freedAt = performance.now();
    await free();
    expect(performance.now() - freedAt).toBeLessThan(SOON_MS);
    expect((await stack.commandCalls())["publish"] ?? 0).toBeGreaterThan(published);
  });
});

it("publishes nothing where nobody listens, and opens no second connection for who never waits (49.3)", async () => {
  const [name, connection] = [freshName(), await viaIoredis()];
  await lock(connection, name).run(async () => {});
  // It counts from here.
  const commands = await stack.commandsOf(async () => {
    for (let cycle = 0; cycle < 10; cycle++) await lock(connection, name).run(async () => {});
  });
  expect(commands).toBeLessThanOrEqual(80);
  const calls = await stack.commandCalls();
  expect([calls["publish"], calls["subscribe"]]).toEqual([undefined, undefined]);
});

it("wakes one of many listeners, and polls for none of the others (49.3)", async () => {
  const [name, holding] = [freshName(), await viaIoredis()];
  const events: LeaseholdEvent[] = [];
  const waiting = await viaIoredis(events);
  const held = await lock(holding, name).acquire();
  const controller = new AbortController();
  const { signal } = controller;
  const waiters = Array.from({ length: 40 }, () => lock(waiting, name).acquire({ wait: "30s", signal }));
  await pause(HOLD_MS);
  const before = polls(events);
  await held.release();
  await Promise.race(waiters);
  await pause(100);
  expect(polls(events) - before).toBeLessThanOrEqual(3);
  controller.abort(new Error("enough"));
  expect((await Promise.allSettled(waiters)).filter(({ status }) => status === "fulfilled")).toHaveLength(1);
});

it("passes a message on if the waiter that it names has left (49.3)", async () => {
  const [name, holding, waiting] = [freshName(), await viaIoredis(), await viaIoredis()];
  const held = await lock(holding, name).acquire();
  const leaving = new AbortController();
  const first = lock(waiting, name).acquire({ wait: "20s", signal: leaving.signal });
  await pause(HOLD_MS / 3);
  const second = lock(await viaIoredis(), name).acquire({ wait: "20s" });
  await pause(HOLD_MS / 3);
  leaving.abort(new Error("it leaves"));
  await expect(first).rejects.toThrow("it leaves");
  await pause(HOLD_MS / 3);
  const releasedAt = performance.now();
  await held.release();
  await (await second).release();
  expect(performance.now() - releasedAt).toBeLessThan(SOON_MS);
});

for (const [what, rule] of [
  ["subscribe", "-subscribe"],
  ["publish", "-publish"],
] as const) {
  it(`polls if the user must not ${what}, and says so if it knows (49.3)`, async () => {
    const user = freshName("user").slice(0, 20);
    await stack.redis.command("ACL", "SETUSER", user, "on", ">secret", "~*", "&*", "+@all", rule);
    const client = new Redis(stack.redis.port, { username: user, password: "secret" });
    closing.push(() => client.disconnect());
    const events: LeaseholdEvent[] = [];
    const connection = connect({ redis: ioredis(client), onEvent: (event) => events.push(event) });
    const name = freshName();
    const held = await lock(connection, name).acquire();
    const waiters = [1, 2].map(() => lock(connection, name).run({ wait: "20s" }, async () => {}));
    await pause(HOLD_MS);
    await held.release();
    const releasedAt = performance.now();
    await Promise.all(waiters);
    // As without messages: a quarter of the tenure's age, for each of the two.
    expect(performance.now() - releasedAt).toBeLessThan(SOON_MS);
    const told = events.filter(({ type }) => type === "not_woken");
    expect(told).toHaveLength(what === "subscribe" ? 1 : 0);
  });
}

it("hands an office over at once when its leader resigns (49.3)", async () => {
  const name = freshName();
  const gained: number[] = [];
  const resigned: number[] = [];
  const candidates = await Promise.all(
    [1, 2, 3].map(async () => {
      const connection = await viaIoredis();
      const stop = new AbortController();
      return elect(connection, name, {
        lease: "30s",
        signal: stop.signal,
        async onGained() {
          gained.push(performance.now());
          await pause(HOLD_MS);
          resigned.push(performance.now());
          stop.abort(new Error("it resigns"));
        },
      });
    }),
  );
  await Promise.all(candidates);
  const gaps = resigned.slice(0, -1).map((at, term) => (gained[term + 1] ?? Number.NaN) - at);
  console.info(`hand-overs of an office: ${gaps.map((ms) => ms.toFixed(1)).join(" and ")} ms`);
  expect(Math.max(...gaps)).toBeLessThan(SOON_MS);
});

it("goes on if the connection for messages is lost (49.3)", async () => {
  const [name, holding, waiting] = [freshName(), await viaIoredis(), await viaIoredis()];
  const held = await lock(holding, name).acquire();
  const waiter = lock(waiting, name).acquire({ wait: "20s" });
  await pause(HOLD_MS / 2);
  await stack.redis.command("CLIENT", "KILL", "TYPE", "pubsub");
  await pause(100);
  await held.release();
  const releasedAt = performance.now();
  await (await waiter).release();
  // It polls within a second after the loss.
  expect(performance.now() - releasedAt).toBeLessThan(SOON_MS);
});

it("closes the second connection soon after the last waiter, also after it was lost once (49.3)", async () => {
  const connectionName = freshName("listens");
  const client = new Redis(stack.redis.port, { connectionName });
  closing.push(() => client.disconnect());
  const [holding, waiting] = [await viaIoredis(), connect({ redis: ioredis(client) })];
  const wait = async (name: string): Promise<unknown> =>
    gapAfter(
      () => lock(holding, name).acquire(),
      () => lock(waiting, name).acquire({ wait: "20s" }),
      LISTED_MS,
    );
  const listening = async (): Promise<string | undefined> => {
    const list = `${await stack.redis.command("CLIENT", "LIST", "TYPE", "pubsub")}`;
    return list.split("\n").find((line) => line.includes(`name=${connectionName} `));
  };
  await wait(freshName());
  await stack.redis.command("CLIENT", "KILL", "TYPE", "pubsub");
  await wait(freshName());
  expect(await listening()).toContain("sub=");
  await expect.poll(listening).toBeUndefined();
});

it('polls with wake: "poll" (49.3)', async () => {
  const client = new Redis(stack.redis.url);
  closing.push(() => client.disconnect());
  const connection = connect({ redis: ioredis(client), wake: "poll" });
  const name = freshName();
  const held = await lock(connection, name).acquire();
  const waiter = lock(connection, name).acquire({ wait: "5s" });
  await pause(200);
  await held.release();
  await (await waiter).release();
  expect(connection.wakeUps).toBeUndefined();
});

let cluster: Awaited<ReturnType<typeof startCluster>>;
let watched: Sentinels;
beforeAll(async () => {
  [cluster, watched] = await Promise.all([startCluster(3), startSentinels()]);
});
afterAll(() => Promise.all([cluster?.stop(), watched?.stop()]));

const sentinels = (): { host: string; port: number }[] =>
  watched.sentinels.map(({ port }) => ({ host: "127.0.0.1", port }));
const nodes = (): { host: string; port: number }[] => cluster.ports.map((port) => ({ host: "127.0.0.1", port }));
/** Clients of several servers. */
const TOPOLOGIES: Readonly<Record<string, () => Promise<RedisOverTcp>>> = {
  "a cluster, ioredis": async () => {
    const client = new Cluster(nodes());
    closing.push(() => client.disconnect());
    return ioredis(client);
  },
  "a cluster, node-redis": async () => {
    const client = createCluster({ rootNodes: nodes().map((socket) => ({ socket })) });
    client.on("error", () => {});
    await client.connect();
    closing.push(() => client.destroy());
    return nodeRedis(client);
  },
  "Sentinels, ioredis": async () => {
    const client = new Redis({ sentinels: sentinels(), name: watched.name });
    closing.push(() => client.disconnect());
    return ioredis(client);
  },
  "Sentinels, node-redis": async () => {
    const client = createSentinel({ name: watched.name, sentinelRootNodes: sentinels() });
    client.on("error", () => {});
    await client.connect();
    closing.push(() => client.destroy());
    return nodeRedis(client);
  },
};

describe.concurrent("the waiter of a lock that is released", () => {
  it.each(Object.entries(TOPOLOGIES))("is woken over %s (49.3)", async (_, open) => {
    async function check(): Promise<void> {
      const events: LeaseholdEvent[] = [];
      const holding = connect({ redis: await open() });
      const waiting = connect({ redis: await open(), onEvent: (event) => events.push(event) });
      const name = freshName();
      const wait = () => lock(waiting, name).acquire({ wait: "20s" });
      expect(await gapAfter(() => lock(holding, name).acquire(), wait, HOLD_MS)).toBeLessThan(SOON_MS);
      expect(polls(events)).toBeLessThanOrEqual(MAX_POLLS);
    }
    // Several names, so that they are on several nodes.
    await Promise.all([check(), check(), check()]);
  });
});

it("costs a server hardly more time for a full list of listeners than for none (49.3)", async () => {
  const usecPerCall = async (listeners: number): Promise<number> => {
    const [name, connection] = [freshName(), await viaIoredis()];
    const stop = new AbortController();
    const held = await lock(connection, name).acquire();
    const waiting = Array.from({ length: listeners }, () =>
      lock(connection, name).acquire({ wait: "30s", signal: stop.signal }),
    );
    for (const each of waiting) each.catch(() => {});
    await pause(LISTED_MS);
    await stack.redis.command("CONFIG", "RESETSTAT");
    for (let poll = 0; poll < 50; poll++) await held.verify();
    const stats = await stack.redis.command("INFO", "commandstats");
    stop.abort(new Error("measured"));
    await Promise.allSettled(waiting);
    return Number(/cmdstat_evalsha:[^\r]*usec_per_call=([\d.]+)/.exec(stats)?.[1]);
  };
  const [few, many] = [await usecPerCall(1), await usecPerCall(64)];
  // A pattern that tried each place of the list took a hundred times as long.
  expect(many / few).toBeLessThan(10);
});
