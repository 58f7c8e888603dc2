import { afterEach, describe, expect, it } from "vitest";
import type { Lease } from "../../../src/index.ts";
import type { RedisServer } from "../../../tools/redis.ts";
import { startSentinels } from "../../../tools/redis-sentinels.ts";
import { startCluster, startPair } from "../../../tools/redis-topologies.ts";
import { type GatewayServer, serveGateway } from "../../src/index.ts";
import { slotOf } from "../../src/redis/cluster/slot.ts";
import { startEndpoint } from "../support/endpoint.ts";
import { TOKEN, until } from "../support/harness.ts";
import { startLoad, valuesOf } from "../support/load.ts";
import { heldNow, waitingLocks } from "./stage.ts";

/** How long a waiter may wait for its turn once the new primary is one. */
const TURN_MS = 5_000;
/** Names with one waiter each, names of fair locks, and the waiters of each of these: 50 waiters in all. */
const [ALONE, QUEUES, QUEUED] = [25, 5, 5];
/** How many questions are asked at a time meanwhile. */
const LOAD = 6;

/** Servers that fail over. */
interface Site {
  readonly url: string;
  /** Whether the primary that fails has a name. */
  readonly has: (name: string) => boolean;
  /** Resolves when the primary has failed and another one is the primary. */
  failOver(): Promise<unknown>;
  stop(): Promise<unknown>;
}

/** What was written before is on the replicas. */
const copied = async (server: RedisServer): Promise<void> =>
  void (await until(
    () => server.commands(["SET", "last", "1"], ["WAIT", "1", "1000"]),
    (text) => text.includes(":1"),
  ));
const isPrimary = (server: RedisServer): Promise<unknown> =>
  until(
    () => server.command("ROLE").catch(() => ""),
    (role) => role.includes("master"),
  );

async function withSentinels(): Promise<Site> {
  const group = await startSentinels();
  const [primary, replica] = group.servers as [RedisServer, RedisServer];
  return {
    url: group.url,
    has: () => true,
    async failOver() {
      await copied(primary);
      await primary.kill();
      await isPrimary(replica);
    },
    stop: () => group.stop(),
  };
}

async function inCluster(): Promise<Site> {
  const cluster = await startCluster(3, 1);
  const [primary, , , replica] = cluster.servers as [RedisServer, RedisServer, RedisServer, RedisServer];
  return {
    url: cluster.url,
    has: (name) => slotOf(`{${name}}`) < 5_461,
    async failOver() {
      await primary.commands(["WAIT", "1", "1000"]);
      await primary.kill();
      await isPrimary(replica);
    },
    stop: () => cluster.stop(),
  };
}

async function behindName(): Promise<Site> {
  const { primary, replica, promote, stop } = await startPair();
  const endpoint = await startEndpoint(primary.port);
  return {
    url: endpoint.url,
    has: () => true,
    async failOver() {
      await copied(primary);
      await promote();
      await primary.command("REPLICAOF", "127.0.0.1", String(replica.port));
      endpoint.leadTo(replica.port);
    },
    async stop() {
      await endpoint.close();
      await stop();
    },
  };
}

/** Adds up how long this process stood still, as far as a timer shows, in ms. */
function startLag(): { stop(): number } {
  const [EACH_MS, STALL_MS] = [20, 100];
  let lagMs = 0;
  let before = performance.now();
  const timer = setInterval(() => {
    const now = performance.now();
    const lateMs = now - before - EACH_MS;
    if (lateMs > STALL_MS) lagMs += lateMs;
    before = now;
  }, EACH_MS);
  return {
    stop() {
      clearInterval(timer);
      return lagMs;
    },
  };
}

let site: Site | undefined;
let gateway: GatewayServer | undefined;
afterEach(async () => {
  await gateway?.close();
  await site?.stop();
  [site, gateway] = [undefined, undefined];
});

describe.each([
  ["Sentinels", withSentinels],
  ["a cluster", inCluster],
  ["a name that leads elsewhere", behindName],
])("a failover by %s, under load", (_, start) => {
  it("gives each of fifty held waiters its turn within 5 s of the new primary; no answer is another's (47.3)", async () => {
    const servers = await start();
    site = servers;
    const server = await serveGateway({ redis: servers.url, token: TOKEN, port: 0, timeoutMs: 1_000 });
    gateway = server;
    const { locks } = waitingLocks(server.url);
    const names: string[] = [];
    for (let at = 0; names.length < ALONE + QUEUES; at++) if (servers.has(`name ${at}`)) names.push(`name ${at}`);
    const kindOf = (at: number) => locks[at < ALONE ? "lock" : "fairLock"](names[at] ?? "");
    const holders = await Promise.all(names.map((_name, at) => kindOf(at).acquire({ lease: "60s" })));

    const granted: Lease[] = [];
    const waiters = names.flatMap((_name, at) =>
      Array.from({ length: at < ALONE ? 1 : QUEUED }, async () => {
        const lease = await kindOf(at).acquire({ wait: "60s", lease: "60s" });
        granted.push(lease);
        const isOurs = await until(
          () => lease.verify().catch(() => undefined),
          (answer) => answer !== undefined,
        );
        await lease.release();
        return [lease.name, isOurs];
      }),
    );
    // The test may fail before they are awaited.
    for (const waiter of waiters) waiter.catch(() => {});
    await heldNow(server, waiters.length);

    const load = startLoad(server.url, LOAD);
    await load.nextOk();
    await servers.failOver();
    const [since, lag] = [performance.now(), startLag()];
    const released = await Promise.all(
      holders.map((holder) =>
        until(
          () => holder.release().catch(() => undefined),
          (answer) => answer !== undefined,
        ),
      ),
    );
    const turns = await Promise.all(waiters);
    const tookMs = performance.now() - since - lag.stop();
    await load.nextOk();
    await load.stop();

    expect(tookMs).toBeLessThan(TURN_MS);
    expect(new Set(released)).toEqual(new Set([true]));
    expect(turns.filter(([, isOurs]) => !isOurs)).toEqual([]);
    // One tenure each, and every one has a token of its own.
    for (const [at, name] of names.entries()) {
      const tokens = granted.filter((lease) => lease.name === name).map(({ token }) => token);
      expect(tokens).toHaveLength(at < ALONE ? 1 : QUEUED);
      expect([holders[at]?.token ?? 0, ...tokens]).toEqual([holders[at]?.token ?? 0, ...tokens].sort((a, b) => a - b));
      expect(new Set([holders[at]?.token, ...tokens]).size).toBe(tokens.length + 1);
    }
    expect(load.wrong).toEqual([]);
    const { ok, notSent, noAnswer } = load.counted;
    // A failover may lose the last writes; nothing is there twice, and nothing that was not sent.
    expect(Math.max(...(await valuesOf(server.url, [...ok, ...noAnswer])))).toBe(1);
    expect(Math.max(0, ...(await valuesOf(server.url, notSent)))).toBe(0);
  }, 90_000);
});
