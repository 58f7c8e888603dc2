import { Cluster, Redis } from "ioredis";
import { createClient, createClientPool, createCluster } from "redis";
import { afterAll, describe, expect, it } from "vitest";
import { connect } from "../../src/index.ts";
import { bunRedis } from "../../src/tcp/bun.ts";
import { ioredis } from "../../src/tcp/ioredis.ts";
import { nodeRedis } from "../../src/tcp/node-redis.ts";

const none = { lazyConnect: true };
const nodes = [{ host: "127.0.0.1", port: 1 }];
const clients = {
  ioredis: new Redis(none),
  prefixed: new Redis({ ...none, keyPrefix: "app:" }),
  texts: new Redis({ ...none, stringNumbers: true }),
  cluster: new Cluster(nodes, none),
  prefixedCluster: new Cluster(nodes, { ...none, keyPrefix: "app:" }),
  prefixedNodes: new Cluster(nodes, { ...none, redisOptions: { keyPrefix: "app:" } }),
};
afterAll(() => {
  for (const client of Object.values(clients)) client.disconnect();
});
const listened = createClient();
listened.on("error", () => {});

const any = <T>(value: unknown): T => value as T;

describe("a client that cannot work is refused before anything is sent", () => {
  it.each<[string, RegExp, () => unknown]>([
    ["ioredis without its port", /wrapped by .*leasehold\/ioredis/, () => connect({ redis: any(clients.ioredis) })],
    ["a cluster without its port", /wrapped by .*leasehold\/ioredis/, () => connect({ redis: any(clients.cluster) })],
    ["node-redis without its port", /wrapped by .*leasehold\/node-redis/, () => connect({ redis: any(listened) })],
    [
      "Bun's client without its port",
      /wrapped by .*leasehold\/bun/,
      () => connect({ redis: any({ connected: false, send() {}, connect() {} }) }),
    ],
    ["a keyPrefix", /keyPrefix.*prefix of connect/, () => ioredis(clients.prefixed)],
    ["a keyPrefix of a cluster", /keyPrefix/, () => ioredis(clients.prefixedCluster)],
    ["a keyPrefix of a cluster's nodes", /keyPrefix/, () => ioredis(clients.prefixedNodes)],
    ["numbers as texts", /stringNumbers/, () => ioredis(clients.texts)],
    ["nobody listens to errors", /client\.on\("error", …\)/, () => nodeRedis(createClient())],
    ["nobody listens to a cluster's errors", /on\("error"/, () => nodeRedis(createCluster({ rootNodes: [] }))],
    [
      "a time-out after which the client is closed for good",
      /needs a reconnectStrategy/,
      () => {
        const client = createClient({ socket: { socketTimeout: 2000 } });
        client.on("error", () => {});
        return nodeRedis(client);
      },
    ],
    ["node-redis for ioredis", /needs a client of ioredis/, () => ioredis(any(listened))],
    ["ioredis for node-redis", /needs a client of node-redis/, () => nodeRedis(any(clients.ioredis))],
    [
      "node-redis 4, which has no types of replies",
      /node-redis 5 or later/,
      () => nodeRedis(any({ isOpen: true, sendCommand() {}, on() {}, listenerCount: () => 1 })),
    ],
    ["ioredis for Bun's", /needs a client of Bun/, () => bunRedis(any(clients.ioredis))],
    ["nothing at all", /needs a client of ioredis/, () => ioredis(any(undefined))],
    ["no client at all", /needs a client of node-redis/, () => nodeRedis(any(null))],
    ["no client of Bun at all", /needs a client of Bun/, () => bunRedis(any(undefined))],
  ])("%s", (_, message, make) => {
    expect(make).toThrow(TypeError);
    expect(make).toThrow(message);
  });

  it("and one that can work is accepted, and the address of its server is known", () => {
    const upstash = createClient({ socket: { host: "eu1-a-name.upstash.io", port: 6379, tls: true } });
    upstash.on("error", () => {});
    const told = [clients.ioredis, clients.cluster].map((client) => connect({ redis: ioredis(client) }));
    const pool = createClientPool({ url: "redis://a-name:7000" });
    pool.on("error", () => {});
    const named = [...told, ...[listened, upstash, pool].map((client) => connect({ redis: nodeRedis(client) }))];
    expect(named.map(({ server, state }) => [server, state.dialect])).toEqual([
      ["localhost:6379", "plain"],
      ["", "plain"],
      ["localhost:6379", "plain"],
      ["eu1-a-name.upstash.io:6379", "flagged"],
      ["", "plain"],
    ]);
  });
});
