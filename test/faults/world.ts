import { inspect } from "node:util";
import { Redis } from "@upstash/redis";
import { expect } from "vitest";
import {
  type ConnectionSettings,
  type ConnectOptions,
  createLocks,
  type LeaseholdEvent,
  type Locks,
} from "../../src/index.ts";
import { type FaultProxy, startProxy } from "../support/proxy.ts";
import { freshName, type Stack } from "../support/stack.ts";
import { TCP_CLIENTS, type TcpWay } from "../support/tcp-clients.ts";
import { startTcpProxy } from "../support/tcp-proxy.ts";

/** Time limit of one attempt of the client under test. */
export const TIMEOUT_MS = 2500;
export const LEASE_MS = 30_000;

/** Hold ids; what kinds add to them is no secret. */
const ID_PATTERN = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/;

/** The way to Redis of the client under test. */
export type Way = "own transport" | "@upstash/redis" | TcpWay;

/**
 * One name, a client whose requests pass the proxy, and one that goes straight to the gateway and sees how it really
 * is.
 */
export interface World extends AsyncDisposable {
  readonly stack: Stack;
  readonly proxy: FaultProxy;
  readonly name: string;
  readonly ours: Locks;
  readonly theirs: Locks;
  /** Those of our client. */
  readonly events: LeaseholdEvent[];
  /** Another client of ours over the same proxy. */
  client(settings?: ConnectionSettings): Locks;
  /** Fails when a token was given that is not larger than all before; `same` allows for the last one. */
  saw(token: number, same?: "same"): void;
  /** Fails when a text, or anything as the console would show it, holds a hold id or the API token. */
  keepsSecrets(shown: unknown): void;
}

/** A proxy, and how a client of ours reaches it. */
async function startWay(
  { url, token, redis }: Stack,
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
  const tcp = await startTcpProxy(redis.port);
  const client = TCP_CLIENTS[way](tcp.url);
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
  const { url, token } = stack;
  const events: LeaseholdEvent[] = [];
  let last = 0;

  const client = (settings: ConnectionSettings = {}): Locks => {
    const all = {
      // Over TCP a connection has to be missed and made anew within it.
      requestTimeout: way in TCP_CLIENTS ? 2 * TIMEOUT_MS : TIMEOUT_MS,
      lease: LEASE_MS,
      onEvent: (event: LeaseholdEvent) => events.push(event),
      ...settings,
    };
    return createLocks({ ...clientOf(), ...all });
  };

  return {
    stack,
    proxy,
    name: freshName("fault"),
    events,
    client,
    ours: client(),
    theirs: createLocks({ url, token, lease: LEASE_MS }),
    saw(given, same) {
      if (same) expect(given).toBeGreaterThanOrEqual(last);
      else expect(given).toBeGreaterThan(last);
      last = given;
    },
    keepsSecrets(shown) {
      const text = typeof shown === "string" ? shown : inspect(shown, { depth: 20, showHidden: true });
      const ids = proxy.seen.flatMap(({ args }) => args.flatMap((arg) => ID_PATTERN.exec(arg)?.[0] ?? []));
      for (const secret of new Set([...ids, token, "another-token"])) expect(text).not.toContain(secret);
    },
    [Symbol.asyncDispose]: () => proxy.close(),
  };
}
