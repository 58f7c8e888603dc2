import { afterAll, afterEach, beforeAll, beforeEach } from "vitest";
import type { RedisServer } from "../../../tools/redis.ts";
import { type Cluster, startCluster } from "../../../tools/redis-topologies.ts";
import { type GatewayServer, serveGateway } from "../../src/index.ts";
import { slotOf } from "../../src/redis/cluster/slot.ts";
import { type Answer, call, TOKEN, until } from "./harness.ts";

const TIMEOUT_MS = 700;
export const NOT_SENT = { status: 503, body: { error: "Redis is not reachable: nothing was sent" } };
export const NO_ANSWER = { status: 504, body: { error: "No answer from Redis: what was sent may have run" } };
/** The same for one command of a pipeline, if others are answered. */
export const NOT_SENT_ALONE = { error: "CLUSTERDOWN Redis is not reachable: nothing was sent" };
export const NO_ANSWER_ALONE = { error: "NOANSWER No answer from Redis: what was sent may have run" };

/** A tag whose keys are in a slot. */
export function tagIn(slot: number): string {
  for (let i = 0; ; i++) if (slotOf(String(i)) === slot) return `{${i}}`;
}

/** A key for each of the three primaries. */
export const A: string = tagIn(100);
export const B: string = tagIn(8_000);
export const C: string = tagIn(16_000);

export interface ClusterStage {
  readonly cluster: Cluster;
  readonly gateway: GatewayServer;
  /** Another gateway in front of the cluster, or the one of all tests anew. */
  serve(redis?: string): Promise<GatewayServer>;
  renew(): Promise<void>;
  run(...command: unknown[]): Promise<Answer>;
  post(path: string, body: unknown): Promise<Answer>;
  /** The number at a key, asked of its owner past the gateway. */
  value(key: string): Promise<number>;
  /** How often all nodes together have answered with an error of this name. */
  errors(name: string): Promise<number>;
}

const bulk = (reply: string): string => reply.split("\r\n")[1] ?? "";

export const idOf = async (server: RedisServer): Promise<string> => bulk(await server.command("CLUSTER", "MYID"));

/** Three primaries with a replica each for all tests of a file, and a gateway in front of them for every test. */
export function clusterStage(): ClusterStage {
  let cluster: Cluster;
  let gateway: GatewayServer;
  const serve = (redis = cluster.url): Promise<GatewayServer> =>
    serveGateway({ redis, token: TOKEN, port: 0, timeoutMs: TIMEOUT_MS });
  beforeAll(async () => {
    cluster = await startCluster(3, 1);
  });
  afterAll(() => cluster?.stop());
  beforeEach(async () => {
    gateway = await serve();
  });
  afterEach(() => gateway.close());
  return {
    get cluster() {
      return cluster;
    },
    get gateway() {
      return gateway;
    },
    serve,
    async renew() {
      await gateway.close();
      gateway = await serve();
    },
    run: (...command) => call(gateway.url, command),
    post: (path, body) => call(gateway.url + path, body),
    async value(key) {
      // A node that has just heard of a failover elsewhere is down for a moment: that is no value.
      const reply = await until(
        async () => (await cluster.ownerOf(slotOf(key))).command("GET", key),
        (text) => text.startsWith("$"),
      );
      return Number(bulk(reply));
    },
    async errors(name) {
      const ask = (server: RedisServer): Promise<string> => server.command("INFO", "errorstats").catch(() => "");
      const infos = await Promise.all(cluster.servers.map(ask));
      const counts = infos.map((info) => Number(new RegExp(`errorstat_${name}:count=(\\d+)`).exec(info)?.[1] ?? 0));
      return counts.reduce((sum, count) => sum + count, 0);
    },
  };
}
