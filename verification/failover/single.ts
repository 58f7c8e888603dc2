/** Set-ups without failover: one Redis, three of a quorum, and Durable Objects. */
import { mkdtempSync, readdirSync, rmSync, statSync, truncateSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect } from "../../src/index.ts";
import { type RedisServer, startRedis } from "../../tools/redis.ts";
import { startObjects } from "../histories/object-site.ts";
import type { Random } from "../histories/random.ts";
import { TOKEN } from "../histories/site.ts";
import { type Link, startLink } from "./link.ts";
import {
  awayMs,
  clientOf,
  dial,
  downMs,
  type Fault,
  pause,
  REQUEST_TIMEOUT_MS,
  type Stage,
  versionOf,
} from "./stage.ts";

const freezing =
  (serverOf: (random: Random) => RedisServer): Fault =>
  async (random, struck) => {
    const server = serverOf(random);
    server.freeze();
    struck();
    await pause(awayMs(random));
    server.thaw();
  };

const cutting =
  (linkOf: (random: Random) => Link): Fault =>
  async (random, struck) => {
    const link = linkOf(random);
    link.stall();
    struck();
    await pause(awayMs(random));
    link.resume();
  };

/** One Redis. @param path where its program is, if it is not the one on the PATH */
export async function startSingle(extra: readonly string[], path?: string): Promise<Stage> {
  const server = await startRedis(extra, undefined, path === undefined ? {} : { PATH: path });
  const link = await startLink(server.port);
  return {
    server: await versionOf(server),
    faults: {
      async kill(random, struck) {
        const ended = server.kill();
        struck();
        await ended;
        await pause(downMs(random));
        await server.start();
      },
      freeze: freezing(() => server),
      partition: cutting(() => link),
    },
    open: () => clientOf(dial({ port: link.port })),
    serving: async () => server,
    async stop() {
      await link.close();
      await server.stop();
    },
  };
}

/** `appendfsync everysec` may leave the writes of its last second in memory that a power cut clears. */
const UNSYNCED_MS = 1000;
const SAMPLE_MS = 20;

/**
 * One Redis with `appendfsync everysec`, and power cuts: a kill removes from the append-only file what was written in a
 * random part of the last second, since a power cut here would end the test as well.
 */
export async function startPowerCuts(): Promise<Stage> {
  const dir = mkdtempSync(join(tmpdir(), "leasehold-power-"));
  const stage = await startSingle(["--dir", dir, "--appendonly", "yes", "--appendfsync", "everysec"]);
  const files = join(dir, "appendonlydir");
  const file = join(files, readdirSync(files).find((name) => name.endsWith(".incr.aof")) ?? "");
  let sizes: { readonly at: number; readonly bytes: number }[] = [];
  const sampling = setInterval(() => {
    sizes = [...sizes.slice(-(UNSYNCED_MS / SAMPLE_MS)), { at: performance.now(), bytes: statSync(file).size }];
  }, SAMPLE_MS);
  return {
    ...stage,
    faults: {
      ...stage.faults,
      async kill(random, struck) {
        const server = (await stage.serving?.()) as RedisServer;
        await server.kill();
        struck();
        const syncedAt = performance.now() - random.between(0, UNSYNCED_MS);
        const synced = sizes.findLast(({ at }) => at <= syncedAt) ?? sizes[0];
        if (synced) truncateSync(file, synced.bytes);
        sizes = [];
        await pause(downMs(random));
        await server.start();
      },
    },
    async stop() {
      clearInterval(sampling);
      await stage.stop();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

const QUORUM = 3;

/**
 * A quorum of servers that keep nothing on disk. A server that lost its data stays out until the longest lease has ended,
 * as the guide requires.
 */
export async function startQuorum(leaseMs: number): Promise<Stage> {
  const servers = await Promise.all(Array.from({ length: QUORUM }, () => startRedis()));
  const links = await Promise.all(servers.map(({ port }) => startLink(port)));
  return {
    server: await versionOf(servers[0] as RedisServer),
    faults: {
      async kill(random, struck) {
        const server = random.pick(servers);
        await server.kill();
        struck();
        await pause(leaseMs + downMs(random));
        await server.start();
      },
      freeze: freezing((random) => random.pick(servers)),
      partition: cutting((random) => random.pick(links)),
    },
    open: () => clientOf(...links.map(({ port }) => dial({ port }))),
    async stop() {
      await Promise.all(links.map((link) => link.close()));
      await Promise.all(servers.map((server) => server.stop()));
    },
  };
}

/** The ready Worker in workerd, with its storage on disk. */
export async function startObjectStage(): Promise<Stage> {
  const site = await startObjects();
  const link = await startLink(Number(new URL(site.url).port));
  const nemesis = (name: string) => site.nemeses[name] as (random: Random) => Promise<void>;
  return {
    server: site.server,
    faults: {
      kill(random, struck) {
        struck();
        return nemesis("objects killed")(random);
      },
      async freeze(random, struck) {
        struck();
        await site.freeze(awayMs(random));
      },
      partition: cutting(() => link),
    },
    open: () => ({
      connections: [
        connect({ url: `http://127.0.0.1:${link.port}`, token: TOKEN, requestTimeout: REQUEST_TIMEOUT_MS }),
      ],
      close() {},
    }),
    async stop() {
      await link.close();
      await site.stop();
    },
  };
}
