import { Redis } from "@upstash/redis";
import { Cluster, Redis as Ioredis } from "ioredis";
import type { ConnectOptions } from "../../../src/index.ts";
import { ioredis } from "../../../src/tcp/ioredis.ts";
import { createClient } from "../client.ts";
import { createOthers } from "../others.ts";
import { createReader, toLine } from "./lines.ts";

const [url = "", token = "", transport = ""] = process.argv.slice(2);

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
  if (transport !== "ioredis") return { url, token };
  const redis = dial();
  redis.on("error", () => {});
  return { redis: ioredis(redis) };
}

const others = transport === "node" ? createOthers({ url, token }) : undefined;
const answer = createClient(connection(), others);
const read = createReader(async (order) => void process.stdout.write(toLine(await answer(order))));
process.stdin.setEncoding("utf8").on("data", read);
process.stdin.on("end", () => process.exit());
