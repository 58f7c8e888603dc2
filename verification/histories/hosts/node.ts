import { Redis } from "@upstash/redis";
import { Cluster, Redis as Ioredis } from "ioredis";
import { createClient as createNodeRedis } from "redis";
import type { ConnectOptions, RedisOverTcp } from "../../../src/index.ts";
import { ioredis } from "../../../src/tcp/ioredis.ts";
import { nodeRedis } from "../../../src/tcp/node-redis.ts";
import { createClient } from "../client.ts";
import { createOthers } from "../others.ts";
import { createReader, toLine } from "./lines.ts";

const [url = "", token = "", transport = ""] = process.argv.slice(2);

const noop = (): void => {};

/**
 * A TCP client of one server, of a server behind Sentinels or of a cluster, from the same URL that the gateway accepts.
 */
function dial(): Ioredis | Cluster {
  const [, kind, list = "", name = ""] = /^redis(\+\w+)?:\/\/([^/]*)\/?(.*)$/.exec(url) ?? [];
  const options = { socketTimeout: 2000, maxRetriesPerRequest: 0, retryStrategy: () => 100 };
  const nodes = list.split(",").map((node) => {
    const [host = "", port] = node.split(":");
    return { host, port: Number(port) };
  });
  if (kind === "+cluster")
    return new Cluster(nodes, { redisOptions: { socketTimeout: 2000 }, slotsRefreshTimeout: 2000 });
  return kind === "+sentinel" ? new Ioredis({ ...options, sentinels: nodes, name }) : new Ioredis(url, options);
}

/** The `upstash` client batches concurrent commands into one request, so they succeed or fail together. */
function connection(): ConnectOptions {
  if (transport === "upstash") return { redis: new Redis({ url, token, enableTelemetry: false }) };
  if (transport === "node-redis") {
    const socket = { socketTimeout: 2000, reconnectStrategy: () => 100 };
    const redis = createNodeRedis({ url, pingInterval: 500, socket });
    redis.on("error", noop);
    // While the server is down, it tries again, and requests fail until then.
    redis.connect().catch(noop);
    return { redis: counted(nodeRedis(redis as never)) };
  }
  if (transport !== "ioredis") return { url, token };
  const redis = dial();
  redis.on("error", noop);
  return { redis: counted(ioredis(redis)) };
}

let heard = 0;
/** Counts the messages that waiters hear. */
function counted(redis: RedisOverTcp): RedisOverTcp {
  const { wakeUps } = redis;
  if (!wakeUps) return redis;
  return {
    ...redis,
    wakeUps: {
      minWaitMs: wakeUps.minWaitMs,
      isOpen: (channel) => wakeUps.isOpen(channel),
      listen: (channel, hear, terms) =>
        wakeUps.listen(
          channel,
          (news) => {
            if (news.type === "message") heard++;
            hear(news);
          },
          terms,
        ),
    },
  };
}

function heardSince(): number {
  const count = heard;
  heard = 0;
  return count;
}

const others = transport === "node" ? createOthers({ url, token }) : undefined;
const answer = createClient(connection(), { others, heard: heardSince });
const read = createReader(async (order) => void process.stdout.write(toLine(await answer(order))));
process.stdin.setEncoding("utf8").on("data", read);
process.stdin.on("end", () => process.exit());
