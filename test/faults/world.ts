import { inspect } from "node:util";
import { Redis } from "@upstash/redis";
import type { ConnectOptions } from "../../src/index.ts";
import { createFetchProxy } from "../support/fetch-proxy.ts";
import { type FaultProxy, startProxy } from "../support/proxy.ts";
import type { Stack } from "../support/stack.ts";
import { EARLIER_CLIENTS, type EarlierWay, TCP_CLIENTS, type TcpWay } from "../support/tcp-clients.ts";
import { startTcpProxy } from "../support/tcp-proxy.ts";
import { createWorld, TIMEOUT_MS, type World } from "./stage.ts";

export { LEASE_MS, TIMEOUT_MS, type World } from "./stage.ts";

/** The way to Redis of the client under test. By "own fetch" there is no network that could fail by itself. */
export type Way = "own transport" | "own fetch" | "@upstash/redis" | TcpWay | EarlierWay;

const OVER_TCP = { ...TCP_CLIENTS, ...EARLIER_CLIENTS };

/**
 * The way of the stories of a kind: what becomes of a request is the same where the caller's own `fetch` decides it.
 * The lock's stories, and in the long form all, meet a proxy that listens.
 */
export const wayOf = (kind: string): Way =>
  kind === "lock" || process.env["EVERY_FAULT"] ? "own transport" : "own fetch";

/** A proxy, and how a client of ours reaches it. */
async function startWay(
  { url, token, redis, fetch }: Stack,
  way: Way,
): Promise<{ readonly proxy: FaultProxy; clientOf(): ConnectOptions }> {
  if (way === "own transport" || way === "@upstash/redis") {
    const proxy = await startProxy(url);
    const endpoint = { url: proxy.url, token };
    return {
      proxy,
      clientOf: () =>
        way === "own transport" ? endpoint : { redis: new Redis({ ...endpoint, enableTelemetry: false }) },
    };
  }
  if (way === "own fetch") {
    const proxy = createFetchProxy(url, fetch);
    return { proxy, clientOf: () => ({ url, token, fetch: proxy.fetch }) };
  }
  const tcp = await startTcpProxy(redis.port);
  const client = OVER_TCP[way](tcp.url);
  const proxy: FaultProxy = {
    ...tcp,
    async close() {
      client.close();
      await tcp.close();
    },
    [Symbol.asyncDispose]: () => proxy.close(),
  };
  return { proxy, clientOf: () => ({ redis: client.redis }) };
}

export async function startWorld(stack: Stack, way: Way = "own transport"): Promise<World> {
  const { proxy, clientOf } = await startWay(stack, way);
  const { url, token, fetch } = stack;
  return createWorld({
    stack,
    proxy,
    clientOf,
    direct: { url, token, fetch },
    // Over TCP, a lost connection has to be noticed and replaced within this time.
    timeoutMs: way in OVER_TCP ? 4 * TIMEOUT_MS : TIMEOUT_MS,
    show: (value) => inspect(value, { depth: 20, showHidden: true }),
  });
}
