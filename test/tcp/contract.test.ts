import { Cluster, Redis } from "ioredis";
import { createClientPool, createCluster, createSentinel } from "redis";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createLocks, type RedisOverTcp } from "../../src/index.ts";
import { ioredis } from "../../src/tcp/ioredis.ts";
import { nodeRedis } from "../../src/tcp/node-redis.ts";
import { type Sentinels, startSentinels } from "../../tools/redis-sentinels.ts";
import { type Cluster as Nodes, startCluster } from "../../tools/redis-topologies.ts";
import { contracts } from "../contract/all.ts";
import { lockContract } from "../contract/lock.ts";
import { TCP_CLIENTS, type TcpClient } from "../support/tcp-clients.ts";
import { freshName, useStack } from "../support/use-stack.ts";

const stack = useStack();
const codeOf = ({ code }: { readonly code?: string }): string | undefined => code;
/** The short form shows the lock over both libraries; the long one all kinds, over all that they call a client. */
const long = process.env["EVERY_CLIENT"] !== undefined;

/** Opens one client for all tests of a contract, as a service has. `replicas`: how many its server has. */
function way(
  label: string,
  contract: typeof contracts,
  open: () => Promise<TcpClient> | TcpClient,
  replicas = 0,
): void {
  let client: TcpClient | undefined;
  beforeAll(async () => {
    client = await open();
  });
  afterAll(() => client?.close());
  contract(label, () => ({ redis: client?.redis as RedisOverTcp }));

  it(`counts the replicas that have a lease, ${label}`, async () => {
    const one = createLocks({ redis: client?.redis as RedisOverTcp }).lock(freshName());
    const lease = await one
      .tryAcquire({ replicas: { min: replicas || 1, timeout: replicas ? "5s" : 50 } })
      .catch(codeOf);
    expect(lease).toEqual(replicas ? expect.objectContaining({ token: expect.any(Number) }) : "not_replicated");
    expect((await one.inspect()).state).toBe(replicas ? "held" : "free");
  });
}

for (const [name, open] of Object.entries(TCP_CLIENTS))
  way(name, long ? contracts : lockContract, () => open(stack.redis.url));

if (long) {
  way("ioredis, automatic pipelining, RESP2", contracts, () => {
    const client = new Redis(stack.redis.port, { enableAutoPipelining: true, protocol: 2, lazyConnect: true });
    return { redis: ioredis(client), close: () => client.disconnect() };
  });

  way("node-redis, a pool", contracts, async () => {
    const pool = createClientPool({ url: stack.redis.url }, { maximum: 5 });
    pool.on("error", () => {});
    await pool.connect();
    return { redis: nodeRedis(pool), close: () => pool.destroy() };
  });

  let cluster: Nodes;
  let watched: Sentinels;
  beforeAll(async () => {
    [cluster, watched] = await Promise.all([startCluster(3), startSentinels()]);
  });
  afterAll(() => Promise.all([cluster?.stop(), watched?.stop()]));
  const sentinels = (): { host: string; port: number }[] =>
    watched.sentinels.map(({ port }) => ({ host: "127.0.0.1", port }));

  way(
    "ioredis, found by Sentinels",
    contracts,
    () => {
      const client = new Redis({ sentinels: sentinels(), name: watched.name });
      return { redis: ioredis(client), close: () => client.disconnect() };
    },
    1,
  );

  way(
    "node-redis, found by Sentinels",
    contracts,
    async () => {
      const client = createSentinel({ name: watched.name, sentinelRootNodes: sentinels() });
      client.on("error", () => {});
      await client.connect();
      return { redis: nodeRedis(client), close: () => client.destroy() };
    },
    1,
  );

  way("ioredis, a cluster of three", contracts, () => {
    const client = new Cluster(cluster.ports.map((port) => ({ host: "127.0.0.1", port })));
    return { redis: ioredis(client), close: () => client.disconnect() };
  });

  way("node-redis, a cluster of three", contracts, async () => {
    const client = createCluster({ rootNodes: cluster.ports.map((port) => ({ url: `redis://127.0.0.1:${port}` })) });
    client.on("error", () => {});
    await client.connect();
    return { redis: nodeRedis(client), close: () => client.destroy() };
  });
}
