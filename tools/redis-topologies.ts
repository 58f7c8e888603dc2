/**
 * Groups of private Redis servers, for tests and the demo: a cluster, and a primary with its replica. As in
 * `tools/redis.ts`, all listen on free loopback ports and are ended by process ID.
 */
import { freePort, type RedisServer, startRedis } from "./redis.ts";

/** Settings with which a failure is noticed after a second, and a replica is in sync as soon as it has started. */
const PROMPT = ["--repl-diskless-sync-delay", "0", "--repl-ping-replica-period", "1"];
const CLUSTER = ["--cluster-enabled", "yes", "--cluster-node-timeout", "1000", ...PROMPT];
const SLOTS = 16_384;
const BUS = 10_000;
const WAIT_MS = 20_000;

/** What is in front of a server, such as a proxy. Clients and other servers reach the server through it. */
export interface Door {
  /** The port that the server announces. */
  readonly port: number;
  /** Leads new connections to this port. */
  lead(port: number): void;
}

export interface Cluster {
  /** The seeds, for the gateway. */
  readonly url: string;
  /**
   * The primaries in the order of their slots, then their replicas: the first one of each, the second one of each, …
   */
  readonly servers: readonly RedisServer[];
  readonly ports: readonly number[];
  /** The answering server that reports to own the slot now. */
  ownerOf(slot: number): Promise<RedisServer>;
  stop(): Promise<void>;
}

export interface Pair {
  readonly primary: RedisServer;
  readonly replica: RedisServer;
  /** Promotes the replica, like a manual failover. The old primary is not notified. */
  promote(): Promise<void>;
  stop(): Promise<void>;
}

/** Polls until the condition holds; fails after 20 s, or another limit. A condition that throws does not hold yet. */
export async function until(what: string, holds: () => Promise<boolean>, limitMs = WAIT_MS): Promise<void> {
  const end = performance.now() + limitMs;
  while (!(await holds().catch(() => false))) {
    if (performance.now() > end) throw new Error(`${what}: not within ${limitMs} ms`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

const stopAll = async (servers: readonly RedisServer[]): Promise<void> => {
  await Promise.all(servers.map((server) => server.stop()));
};

/** All or none: started servers are stopped if one fails. */
async function startAll(starting: readonly Promise<RedisServer>[]): Promise<RedisServer[]> {
  const settled = await Promise.allSettled(starting);
  const started = settled.filter((result) => result.status === "fulfilled").map(({ value }) => value);
  const failed = settled.find((result) => result.status === "rejected");
  if (failed === undefined) return started;
  await stopAll(started);
  throw failed.reason;
}

async function ok(server: RedisServer, ...command: string[]): Promise<void> {
  const reply = await server.command(...command);
  if (!reply.startsWith("+OK")) throw new Error(`${command.join(" ")}: ${reply.trim()}`);
}

/**
 * In sync, and counted by the primary: after the initial data, Redis 7 sends a replica nothing more before its first
 * acknowledgement, which may take a second. FUNCTION FLUSH is a write without a key.
 */
export async function inStep(primary: RedisServer, replicas: readonly RedisServer[]): Promise<void> {
  for (const replica of replicas) {
    await until(`replica on port ${replica.port} in step`, async () =>
      (await replica.command("INFO", "replication")).includes("master_link_status:up"),
    );
  }
  const count = String(replicas.length);
  await until("the replicas acknowledge", async () =>
    (await primary.commands(["FUNCTION", "FLUSH"], ["WAIT", count, "1500"])).endsWith(`:${count}\r\n`),
  );
}

/**
 * One server that is its own cluster until it meets another. A node's bus listens 10 000 above its port, which must
 * also be a free port; so it is tried several times.
 */
export async function startNode(extra: readonly string[] = [], door?: Door, tries = 20): Promise<RedisServer> {
  const port = await freePort();
  if (port + BUS > 65_535) return startNode(extra, door, tries);
  const bus = String(port + BUS);
  const announced = door ? ["--cluster-announce-port", String(door.port), "--cluster-announce-bus-port", bus] : [];
  try {
    const server = await startRedis([...CLUSTER, ...announced, ...extra], port);
    door?.lead(port);
    return server;
  } catch (error) {
    if (tries === 0) throw error;
    return startNode(extra, door, tries - 1);
  }
}

const idOf = async (server: RedisServer): Promise<string> =>
  (await server.command("CLUSTER", "MYID")).split("\r\n")[1] ?? "";

async function assign(primaries: readonly RedisServer[]): Promise<void> {
  const bound = (index: number): number => Math.floor((SLOTS * index) / primaries.length);
  for (const [index, server] of primaries.entries()) {
    await ok(server, "CLUSTER", "SET-CONFIG-EPOCH", String(index + 1));
    await ok(server, "CLUSTER", "ADDSLOTSRANGE", String(bound(index)), String(bound(index + 1) - 1));
  }
}

async function meet(servers: readonly RedisServer[]): Promise<void> {
  const [first, ...others] = servers;
  for (const other of others) await ok(other, "CLUSTER", "MEET", "127.0.0.1", String(first?.port));
  const known = `cluster_known_nodes:${servers.length}\r`;
  for (const server of servers) {
    await until("all nodes have met", async () => (await server.command("CLUSTER", "INFO")).includes(known));
  }
}

async function follow(primary: RedisServer, replicas: readonly RedisServer[]): Promise<void> {
  const id = await idOf(primary);
  for (const replica of replicas) {
    await until("the replica knows its primary", async () =>
      (await replica.command("CLUSTER", "REPLICATE", id)).startsWith("+OK"),
    );
  }
  await inStep(primary, replicas);
}

/** Resolves when every node reports that the cluster works and knows the role of each: only then can it fail over. */
async function whole(servers: readonly RedisServer[], replicas: number): Promise<void> {
  for (const server of servers) {
    await until("the cluster works", async () => {
      const slaves = (await server.command("CLUSTER", "NODES")).match(/\bslave\b/g)?.length ?? 0;
      return (await server.command("CLUSTER", "INFO")).includes("cluster_state:ok") && slaves === replicas;
    });
  }
}

/** Whether a server reports to be the primary of a slot. */
async function owns(server: RedisServer, slot: number): Promise<boolean> {
  const nodes = await server.command("CLUSTER", "NODES").catch(() => "");
  const own = nodes.split("\n").find((line) => /\bmyself,master\b/.test(line)) ?? "";
  const ranges = own
    .split(" ")
    .slice(8)
    .filter((range) => !range.startsWith("["));
  return ranges.some((range) => {
    const [first = Number.NaN, last = first] = range.split("-").map(Number);
    return slot >= first && slot <= last;
  });
}

export interface ClusterOptions {
  /** Further options of each server. */
  readonly extra?: readonly string[];
  /** The doors of the servers, in their order. */
  readonly doors?: readonly Door[];
}

/**
 * A cluster of this many primaries with this many replicas each. It takes about 2.5 s to start, and 2.6 s to fail over.
 */
export async function startCluster(nodes = 3, replicas = 0, options: ClusterOptions = {}): Promise<Cluster> {
  const { extra = [], doors = [] } = options;
  const servers = await startAll(
    Array.from({ length: nodes * (1 + replicas) }, (_, index) => startNode(extra, doors[index])),
  );
  try {
    const primaries = servers.slice(0, nodes);
    await assign(primaries);
    await meet(servers);
    const replicasOf = (index: number) => servers.filter((_, at) => at >= nodes && at % nodes === index);
    await Promise.all(primaries.map((primary, index) => follow(primary, replicasOf(index))));
    await whole(servers, nodes * replicas);
  } catch (error) {
    await stopAll(servers);
    throw error;
  }
  const ports = servers.map(({ port }) => port);
  return {
    url: `redis+cluster://${ports.map((port) => `127.0.0.1:${port}`).join(",")}`,
    servers,
    ports,
    async ownerOf(slot) {
      const owning = await Promise.all(servers.map((server) => owns(server, slot)));
      const owner = servers.find((_, index) => owning[index]);
      if (owner === undefined) throw new Error(`nobody owns slot ${slot}`);
      return owner;
    },
    stop: () => stopAll(servers),
  };
}

/** A primary and its replica, in sync. `extra` are further command-line options of both, `doors` are theirs. */
export async function startPair(extra: readonly string[] = [], doors: readonly Door[] = []): Promise<Pair> {
  const optionsOf = (door: Door | undefined): string[] =>
    door ? [...PROMPT, "--replica-announce-port", String(door.port), ...extra] : [...PROMPT, ...extra];
  const primary = await startRedis(optionsOf(doors[0]));
  doors[0]?.lead(primary.port);
  let replica: RedisServer | undefined;
  try {
    const from = String(doors[0]?.port ?? primary.port);
    const started = await startRedis([...optionsOf(doors[1]), "--replicaof", "127.0.0.1", from]);
    doors[1]?.lead(started.port);
    replica = started;
    await inStep(primary, [started]);
    return {
      primary,
      replica: started,
      promote: () => ok(started, "REPLICAOF", "NO", "ONE"),
      stop: () => stopAll([primary, started]),
    };
  } catch (error) {
    await stopAll(replica === undefined ? [primary] : [primary, replica]);
    throw error;
  }
}
