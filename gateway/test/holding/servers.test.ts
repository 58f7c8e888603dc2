import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createLocks, type Locks } from "../../../src/index.ts";
import { TCP_CLIENTS, type TcpClient } from "../../../test/support/tcp-clients.ts";
import { freePort, type RedisServer, startRedis } from "../../../tools/redis.ts";
import { type Sentinels, startSentinels } from "../../../tools/redis-sentinels.ts";
import { startCluster } from "../../../tools/redis-topologies.ts";
import { type GatewayServer, type ServeOptions, serveGateway } from "../../src/index.ts";
import { slotOf } from "../../src/redis/cluster/slot.ts";
import { createAuthority } from "../support/certificates.ts";
import { TOKEN, until } from "../support/client.ts";
import { heldNow, waitingLocks } from "./stage.ts";

/** Servers as a gateway meets them, and how a client over TCP reaches the one that has a name. */
interface Site {
  readonly options: Partial<ServeOptions>;
  readonly serverOf: (name: string) => Promise<RedisServer>;
  readonly sentinels?: Sentinels;
  readonly stop: () => Promise<unknown>;
}

const SITES: Readonly<Record<string, () => Promise<Site>>> = {
  async "a server with TLS"() {
    const authority = createAuthority();
    const client = authority.sign("client", "DNS:client.test");
    const server = authority.sign("redis", "DNS:redis.test");
    const port = await freePort();
    const redis = await startRedis([
      ...["--tls-port", String(port), "--tls-ca-cert-file", authority.certFile, "--tls-auth-clients", "yes"],
      ...["--tls-cert-file", server.certFile, "--tls-key-file", server.keyFile],
    ]);
    const tls = { ca: authority.cert, cert: client.cert, key: client.key, servername: "redis.test" };
    return {
      options: { redis: `rediss://127.0.0.1:${port}`, tls },
      serverOf: async () => redis,
      async stop() {
        await redis.stop();
        authority.remove();
      },
    };
  },
  async "a cluster"() {
    const cluster = await startCluster();
    return {
      options: { redis: cluster.url },
      serverOf: (name) => cluster.ownerOf(slotOf(name)),
      stop: cluster.stop,
    };
  },
  async "servers with Sentinels"() {
    const sentinels = await startSentinels();
    return {
      options: { redis: sentinels.url },
      async serverOf() {
        const port = await sentinels.primaryPort();
        return sentinels.servers.find((server) => server.port === port) as RedisServer;
      },
      sentinels,
      stop: sentinels.stop,
    };
  },
};

const KINDS = ["lock", "fairLock"] as const;
/** Three names are on three nodes of the cluster. */
const NAMES = ["a", "b", "c"];
/** Without a report the first waiter is tried every 800 ms. A slow machine may be late, but not each time. */
const ROUNDS = 4;
const WOKEN_MS = 400;

describe.each(Object.keys(SITES))("%s", (which) => {
  let site: Site;
  const gateways: GatewayServer[] = [];
  const clients: TcpClient[] = [];
  const gateway = (index: number): GatewayServer => gateways[index] as GatewayServer;

  beforeAll(async () => {
    site = await (SITES[which] as () => Promise<Site>)();
    for (let count = 0; count < 2; count++)
      gateways.push(await serveGateway({ token: TOKEN, port: 0, timeoutMs: 1_000, ...site.options }));
  });
  afterAll(async () => {
    for (const client of clients) client.close();
    await Promise.all(gateways.map((each) => each.close()));
    await site?.stop();
  });

  async function overTcp(name: string): Promise<Locks> {
    const client = TCP_CLIENTS.ioredis((await site.serverOf(name)).url);
    clients.push(client);
    return createLocks({ redis: client.redis });
  }

  /**
   * How long a waiter behind the first gateway took, after others released, at best. Only held requests count: the first
   * one may be granted while the gateway still opens the connection on which Redis reports writes.
   */
  async function wakeMs(kind: (typeof KINDS)[number], name: string, theirs: Locks): Promise<number> {
    const { locks, heard } = waitingLocks(gateway(0).url);
    let bestMs = Number.POSITIVE_INFINITY;
    for (let round = 0; round < ROUNDS && bestMs > WOKEN_MS; round++) {
      const holder = await theirs[kind](name).acquire({ lease: "60s", wait: "8s" });
      const heldBefore = heard.held;
      const waiting = locks[kind](name).acquire({ wait: "20s", lease: "60s" });
      await heldNow(gateway(0), 1);
      const since = performance.now();
      await holder.release();
      const lease = await waiting;
      if (heard.held > heldBefore) bestMs = Math.min(bestMs, performance.now() - since);
      expect(lease.token).toBeGreaterThan(holder.token);
      await lease.release();
    }
    return bestMs;
  }

  it.each(KINDS)(
    "wakes the waiter of a %s when it is released through another gateway",
    async (kind) => {
      for (const name of NAMES)
        expect(await wakeMs(kind, `${kind} ${name}`, waitingLocks(gateway(1).url).locks)).toBeLessThan(WOKEN_MS);
    },
    60_000,
  );

  it.each(KINDS)(
    "wakes the waiter of a %s when it is released over TCP",
    async (kind) => {
      for (const name of NAMES)
        expect(await wakeMs(kind, `${kind} ${name}`, await overTcp(`${kind} ${name}`))).toBeLessThan(WOKEN_MS);
    },
    60_000,
  );

  it.runIf(which.includes("Sentinels"))(
    "wakes waiters after a failover",
    async () => {
      const { sentinels } = site;
      const primary = await site.serverOf("a");
      const replica = sentinels?.servers.find((server) => server !== primary) as RedisServer;
      await primary.kill();
      await sentinels?.settled(replica);
      const { locks } = waitingLocks(gateway(1).url);
      await until(
        async () =>
          (await locks
            .lock("after")
            .tryAcquire({ lease: 100 })
            .catch(() => null)) !== null,
        (isGranted) => isGranted,
      );
      expect(await wakeMs("lock", "after", locks)).toBeLessThan(WOKEN_MS);
    },
    60_000,
  );
});
