/** The sites of runs: servers of Redis with their faults, and Durable Objects. */
import { type RedisServer, startRedis } from "../../tools/redis.ts";
import { startSentinels } from "../../tools/redis-sentinels.ts";
import { startCluster } from "../../tools/redis-topologies.ts";
import { createClock } from "./clock.ts";
import { startObjects } from "./object-site.ts";
import { pause, type Random } from "./random.ts";
import type { Nemesis, Site } from "./site.ts";

export type SiteName = "single" | "gateways" | "subscriptions" | "clock" | "sentinel" | "cluster" | "objects";

/** Enough for one server of Redis; more sessions than a site can serve would only meet time limits. */
export const NAMES_AT_ONCE = 100;

/** Every write is on disk before it is answered, so a killed server loses nothing. */
const DURABLE = ["--appendonly", "yes", "--appendfsync", "always"];
const SLOTS = 16_384;

const freezing =
  (serverOf: (random: Random) => RedisServer): Nemesis =>
  async (random) => {
    const server = serverOf(random);
    server.freeze();
    await pause(random.between(50, 900));
    server.thaw();
  };

const killing =
  (serverOf: (random: Random) => RedisServer): Nemesis =>
  async (random) => {
    const server = serverOf(random);
    await server.kill();
    await pause(random.between(0, 300));
    await server.start();
  };

const filling =
  (serverOf: (random: Random) => RedisServer): Nemesis =>
  async (random) => {
    const server = serverOf(random);
    await server.command("CONFIG", "SET", "maxmemory", "1");
    try {
      await pause(random.between(50, 400));
    } finally {
      await server.command("CONFIG", "SET", "maxmemory", "0");
    }
  };

/** The version reported by a server. */
async function versionOf(server: RedisServer): Promise<string> {
  const info = await server.command("INFO", "server");
  const valkey = /valkey_version:(\S+)/.exec(info)?.[1];
  return valkey ? `Valkey ${valkey}` : `Redis ${/redis_version:(\S+)/.exec(info)?.[1]}`;
}

async function startSingle(): Promise<Site & { readonly redis: RedisServer }> {
  const server = await startRedis(DURABLE);
  const the = (): RedisServer => server;
  return {
    redis: server,
    name: "one server",
    server: await versionOf(server),
    url: server.url,
    speaks: "tcp",
    isStrict: true,
    keepsData: true,
    nemeses: { "server frozen": freezing(the), "server killed": killing(the), "memory full": filling(the) },
    stop: () => server.stop(),
  };
}

/** Waiters of one gateway are woken by writes through the other one. */
async function startBehindTwo(): Promise<Site> {
  return { ...(await startSingle()), name: "one server, two gateways, held requests", gateways: 2 };
}

/**
 * Waiters over TCP are woken by messages, each client on a second connection, which breaks on its own as well. Most
 * callers wait, since nobody else needs a message.
 */
async function startWithSubscriptions(): Promise<Site> {
  const site = await startSingle();
  return {
    ...site,
    name: "one server, waiters woken by messages",
    runtimes: ["ioredis", "node-redis", "ioredis", "node-redis"],
    waiting: 0.7,
    nemeses: {
      ...site.nemeses,
      "subscriptions cut": async () => void (await site.redis.command("CLIENT", "KILL", "TYPE", "pubsub")),
    },
  };
}

async function startWithClock(): Promise<Site> {
  const clock = createClock();
  const server = await startRedis([], undefined, clock.env);
  return {
    name: "one server, its clock set",
    server: await versionOf(server),
    url: server.url,
    speaks: "tcp",
    isStrict: false,
    keepsData: true,
    nemeses: {
      "server frozen": freezing(() => server),
      async "clock set"(random) {
        const far = random.chance(0.3) ? 3_600_000 : 3000;
        clock.shift(Math.round(random.between(-far, far)));
        await pause(random.between(50, 700));
        if (random.chance(0.5)) clock.shift(0);
      },
    },
    async stop() {
      await server.stop();
      clock.remove();
    },
  };
}

async function startWithSentinels(): Promise<Site> {
  const site = await startSentinels();
  const primary = async (): Promise<RedisServer> => {
    const port = await site.primaryPort();
    return site.servers.find((server) => server.port === port) as RedisServer;
  };
  const either = (random: Random): RedisServer => random.pick(site.servers);
  return {
    name: "primary, replica and three Sentinels",
    server: await versionOf(await primary()),
    url: site.url,
    speaks: "tcp",
    isStrict: false,
    keepsData: false,
    nemeses: {
      "server frozen": freezing(either),
      "failover by command": async () => {
        await site.sentinels[0]?.command("SENTINEL", "FAILOVER", site.name);
        await pause(1500);
      },
      "primary killed": async (random) => {
        const server = await primary();
        await server.kill();
        await pause(random.between(500, 3000));
        await server.start();
      },
    },
    stop: () => site.stop(),
  };
}

const idOf = async (server: RedisServer): Promise<string> =>
  (await server.command("CLUSTER", "MYID")).split("\r\n")[1] ?? "";

async function tellOk(server: RedisServer, ...command: string[]): Promise<void> {
  const reply = await server.command(...command);
  if (!/^\+(OK|NOKEY)/.test(reply)) throw new Error(`${command.join(" ")}: ${reply.trim()}`);
}

/** Some of the keys of a slot. */
async function keysIn(server: RedisServer, slot: number): Promise<string[]> {
  const reply = await server.command("CLUSTER", "GETKEYSINSLOT", String(slot), "100");
  return reply.split("\r\n").filter((line, index) => index > 0 && line !== "" && !line.startsWith("$"));
}

/** Moves one slot with all its keys, key by key, while they are in use. */
async function move(slot: number, from: RedisServer, to: RedisServer): Promise<void> {
  const [source, target] = await Promise.all([idOf(from), idOf(to)]);
  await tellOk(to, "CLUSTER", "SETSLOT", String(slot), "IMPORTING", source);
  await tellOk(from, "CLUSTER", "SETSLOT", String(slot), "MIGRATING", target);
  for (let keys = await keysIn(from, slot); keys.length > 0; keys = await keysIn(from, slot))
    for (const key of keys) await tellOk(from, "MIGRATE", "127.0.0.1", String(to.port), key, "0", "5000");
  for (const server of [to, from]) await tellOk(server, "CLUSTER", "SETSLOT", String(slot), "NODE", target);
}

async function startNodes(): Promise<Site> {
  const cluster = await startCluster(3);
  const any = (random: Random): RedisServer => random.pick(cluster.servers);
  return {
    name: "cluster of three",
    server: await versionOf(cluster.servers[0] as RedisServer),
    url: cluster.url,
    speaks: "tcp",
    isStrict: true,
    keepsData: true,
    nemeses: {
      "node frozen": freezing(any),
      "memory full": filling(any),
      /** Slots that have keys are in use, so these are moved. */
      async "slots moved"(random) {
        for (let count = 0; count < 5; count++) {
          const from = any(random);
          const [key] = (await from.command("RANDOMKEY")).split("\r\n").slice(1);
          if (!key) continue;
          const slot = Number((await from.command("CLUSTER", "KEYSLOT", key)).slice(1));
          if (!(slot >= 0 && slot < SLOTS) || (await cluster.ownerOf(slot)) !== from) continue;
          await move(slot, from, random.pick(cluster.servers.filter((server) => server !== from)));
        }
      },
    },
    stop: () => cluster.stop(),
  };
}

export const SITES: Readonly<Record<SiteName, () => Promise<Site>>> = {
  single: startSingle,
  gateways: startBehindTwo,
  subscriptions: startWithSubscriptions,
  clock: startWithClock,
  sentinel: startWithSentinels,
  cluster: startNodes,
  objects: startObjects,
};
