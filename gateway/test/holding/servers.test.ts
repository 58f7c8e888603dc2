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
import { idOf } from "../support/cluster.ts";
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
/** Nobody waits for longer while a name is free. */
const LIVE_MS = 1_000;
/** The longest delay between two polls, and a little more. */
const POLLED_MS = 2_500;

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

  /** Has a waiter held while something happens to the servers, then releases. Returns how long the waiter took. */
  async function wakeThrough(kind: (typeof KINDS)[number], name: string, happens: () => Promise<unknown>) {
    const theirs = waitingLocks(gateway(1).url).locks;
    const holder = await theirs[kind](name).acquire({ lease: "60s", wait: "8s" });
    const waiting = waitingLocks(gateway(0).url).locks[kind](name).acquire({ wait: "60s", lease: "60s" });
    await heldNow(gateway(0), 1);
    await happens();
    const released = await until(
      () => holder.release().catch(() => undefined),
      (answer) => answer !== undefined,
    );
    const since = performance.now();
    const lease = await waiting;
    expect([released, lease.token > holder.token]).toEqual([true, true]);
    const tookMs = performance.now() - since;
    await lease.release();
    return tookMs;
  }

  if (which === "a cluster") {
    it.each(KINDS)(
      "wakes the waiter of a %s whose slot moves to another node while it is held",
      async (kind) => {
        const name = `${kind} moving`;
        const slot = slotOf(name);
        const from = await site.serverOf(name);
        const owners = await Promise.all(NAMES.map(site.serverOf));
        const to = owners.find((server) => server.port !== from.port) as RedisServer;
        const setSlot = async (at: RedisServer, state: string, other: RedisServer) =>
          expect(await at.command("CLUSTER", "SETSLOT", `${slot}`, state, await idOf(other))).toMatch(/^\+OK/);
        const tookMs = await wakeThrough(kind, name, async () => {
          await setSlot(to, "IMPORTING", from);
          await setSlot(from, "MIGRATING", to);
          for (const key of [`leasehold:{${name}}`, `leasehold:{${name}}%crowd`])
            expect(await from.command("MIGRATE", "127.0.0.1", `${to.port}`, key, "0", "1000")).toMatch(/^\+(OK|NOKEY)/);
          for (const server of [to, from]) await setSlot(server, "NODE", to);
        });
        expect(tookMs).toBeLessThan(LIVE_MS);
        expect(await wakeMs(kind, name, waitingLocks(gateway(1).url).locks)).toBeLessThan(WOKEN_MS);
      },
      60_000,
    );
  }

  if (which === "servers with Sentinels") {
    it("wakes the waiter that is held during a failover, and those after it", async () => {
      const primary = await site.serverOf("a");
      const replica = site.sentinels?.servers.find((server) => server !== primary) as RedisServer;
      // Its request dies with the server, so that it polls for a while.
      const tookMs = await wakeThrough("lock", "failing over", async () => {
        expect(await primary.commands(["SET", "last", "1"], ["WAIT", "1", "5000"])).toContain(":1");
        await primary.kill();
        await site.sentinels?.settled(replica);
      });
      expect(tookMs).toBeLessThan(POLLED_MS);
      expect(await wakeMs("lock", "after", waitingLocks(gateway(1).url).locks)).toBeLessThan(WOKEN_MS);
    }, 60_000);
  }
});
