/**
 * A primary with replicas, and Sentinels that watch them: private, on free loopback ports, ended by process ID. They
 * fail over about 2 s after the primary has ended, and again after 2 s at the earliest.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type RedisServer, startRedis } from "./redis.ts";
import { type Door, startPair, until } from "./redis-topologies.ts";

const DOWN_AFTER_MS = 500;

export interface SentinelsOptions {
  /** The number of Sentinels, of which a majority must agree. 3 by default. */
  readonly count?: number;
  /** Further options of the primary and the replica. */
  readonly extra?: readonly string[];
  /** The doors of the primary and the replica. */
  readonly doors?: readonly Door[];
  /** Further lines in the Sentinels' configuration. */
  readonly lines?: readonly string[];
}

export interface Sentinels {
  /** The URL for the gateway, with all Sentinels and without a login. */
  readonly url: string;
  readonly name: string;
  readonly sentinels: readonly RedisServer[];
  /** The primary at the start, and its replica. */
  readonly servers: readonly RedisServer[];
  /** The port of the primary according to most Sentinels. */
  primaryPort(): Promise<number>;
  /** Resolves when all answering Sentinels name this server. */
  settled(on: RedisServer): Promise<void>;
  stop(): Promise<void>;
}

const NAME = "the-primary";

async function portAt(sentinel: RedisServer): Promise<number> {
  const reply = await sentinel.command("SENTINEL", "GET-MASTER-ADDR-BY-NAME", NAME);
  return Number(reply.split("\r\n")[4]);
}

/** One Sentinel. It keeps its state in the file, which it rewrites. */
function startSentinel(folder: string, index: number, port: number, quorum: number, lines: readonly string[]) {
  const file = join(folder, `sentinel-${index}.conf`);
  const watched = [
    `sentinel monitor ${NAME} 127.0.0.1 ${port} ${quorum}`,
    `sentinel down-after-milliseconds ${NAME} ${DOWN_AFTER_MS}`,
    `sentinel failover-timeout ${NAME} 1000`,
  ];
  writeFileSync(file, [...watched, ...lines, ""].join("\n"));
  return startRedis([file, "--sentinel"]);
}

export async function startSentinels(options: SentinelsOptions = {}): Promise<Sentinels> {
  const count = options.count ?? 3;
  const folder = mkdtempSync(join(tmpdir(), "leasehold-sentinels-"));
  const pair = await startPair(options.extra, options.doors);
  const sentinels: RedisServer[] = [];
  const stop = async (): Promise<void> => {
    // The Sentinels end first, so that they do not fail over servers that are being stopped.
    await Promise.all(sentinels.map((sentinel) => sentinel.stop()));
    await pair.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  const quorum = Math.floor(count / 2) + 1;
  try {
    for (let index = 0; index < count; index++) {
      const port = options.doors?.[0]?.port ?? pair.primary.port;
      sentinels.push(await startSentinel(folder, index, port, quorum, options.lines ?? []));
    }
    for (const sentinel of sentinels) {
      await until("the Sentinels know each other and the replica", async () => {
        const info = await sentinel.command("INFO", "sentinel");
        return info.includes(`slaves=1,sentinels=${count}`) && info.includes("status=ok");
      });
    }
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    url: `redis+sentinel://${sentinels.map(({ port }) => `127.0.0.1:${port}`).join(",")}/${NAME}`,
    name: NAME,
    sentinels,
    servers: [pair.primary, pair.replica],
    async primaryPort() {
      const ports = await Promise.all(sentinels.map((sentinel) => portAt(sentinel).catch(() => Number.NaN)));
      const max = ports.find((port) => ports.filter((other) => other === port).length >= quorum);
      if (max === undefined) throw new Error("the Sentinels do not agree");
      return max;
    },
    settled: (on) =>
      until("all Sentinels name the same", async () => {
        const ports = await Promise.all(sentinels.map((sentinel) => portAt(sentinel).catch(() => on.port)));
        return ports.every((port) => port === on.port);
      }),
    stop,
  };
}
