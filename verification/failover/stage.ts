/** The servers of a set-up with their faults, and clients of them. */
import { setTimeout as pause } from "node:timers/promises";
import { Cluster, Redis } from "ioredis";
import { type Connection, connect } from "../../src/index.ts";
import { ioredis } from "../../src/tcp/ioredis.ts";
import type { RedisServer } from "../../tools/redis.ts";
import type { Random } from "../histories/random.ts";

/** `kill`: SIGKILL. `freeze`: SIGSTOP for longer than a request waits. `partition`: nothing is forwarded for as long. */
export type FaultName = "kill" | "freeze" | "partition";

/**
 * A fault, from its beginning until everything that it took away is there again. `struck` is called at the moment at
 * which the server is gone.
 */
export type Fault = (random: Random, struck: () => void) => Promise<void>;

/** A client like a process of its own: a connection, or one to each server of a quorum. */
export interface Client {
  readonly connections: readonly Connection[];
  close(): void;
}

export interface Stage {
  /** The server's name and version. */
  readonly server: string;
  readonly faults: Readonly<Record<FaultName, Fault>>;
  open(): Client;
  /** The server that has the record of every name now; undefined where records cannot be read one by one. */
  readonly serving?: () => Promise<RedisServer>;
  /** The group whose names are on the servers that the faults meet. Default: all names are. */
  readonly group?: string;
  stop(): Promise<void>;
}

/** How long a request is retried: the default. */
export const REQUEST_TIMEOUT_MS = 5000;
/** How long a frozen or cut off server is away: longer than a request waits. */
const AWAY_MS = { min: REQUEST_TIMEOUT_MS + 100, max: REQUEST_TIMEOUT_MS + 600 };
/** How long a killed server is away before it is started again. */
const DOWN_MS = { min: 0, max: 200 };
const RECONNECT_MS = 50;
const SOCKET_TIMEOUT_MS = 1000;

export const awayMs = (random: Random): number => random.between(AWAY_MS.min, AWAY_MS.max);
export const downMs = (random: Random): number => random.between(DOWN_MS.min, DOWN_MS.max);
export { pause };

const TCP = {
  socketTimeout: SOCKET_TIMEOUT_MS,
  maxRetriesPerRequest: 0,
  retryStrategy: () => RECONNECT_MS,
  // As docs/tcp.md advises: a client would stay with a demoted primary.
  reconnectOnError: ({ message }: Error) => message.startsWith("READONLY"),
  sentinelRetryStrategy: () => RECONNECT_MS,
};

/** A client over TCP. */
export function clientOf(...redises: readonly (Redis | Cluster)[]): Client {
  for (const redis of redises) redis.on("error", () => {});
  return {
    connections: redises.map((redis) => connect({ redis: ioredis(redis), requestTimeout: REQUEST_TIMEOUT_MS })),
    close() {
      for (const redis of redises) redis.disconnect();
    },
  };
}

/** Where a server is: its port, or Sentinels that know it. */
type Place =
  | { readonly port: number }
  | { readonly sentinels: { readonly host: string; readonly port: number }[]; readonly name: string };

export const dial = (place: Place): Redis => new Redis({ ...TCP, ...place });

export const dialCluster = (ports: readonly number[]): Cluster =>
  new Cluster(
    ports.map((port) => ({ host: "127.0.0.1", port })),
    {
      redisOptions: { socketTimeout: SOCKET_TIMEOUT_MS },
      slotsRefreshTimeout: SOCKET_TIMEOUT_MS,
      slotsRefreshInterval: SOCKET_TIMEOUT_MS,
      clusterRetryStrategy: () => RECONNECT_MS,
    },
  );

/** The version that a server reports. */
export async function versionOf(server: RedisServer): Promise<string> {
  const info = await server.command("INFO", "server");
  const valkey = /valkey_version:(\S+)/.exec(info)?.[1];
  return valkey ? `Valkey ${valkey}` : `Redis ${/redis_version:(\S+)/.exec(info)?.[1]}`;
}
