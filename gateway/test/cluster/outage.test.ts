import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createLocks, extendAll, type Lease } from "../../../src/index.ts";
import type { RedisServer } from "../../../tools/redis.ts";
import { type Cluster, startCluster } from "../../../tools/redis-topologies.ts";
import { type GatewayServer, serveGateway } from "../../src/index.ts";
import { slotOf } from "../../src/redis/cluster/slot.ts";
import { A, B, C, NO_ANSWER, NO_ANSWER_ALONE, NOT_SENT, NOT_SENT_ALONE } from "../support/cluster.ts";
import { type Answer, call, pause, TOKEN, until } from "../support/harness.ts";

let cluster: Cluster;
let gateway: GatewayServer;
/** The primary of B. */
let victim: RedisServer;

beforeAll(async () => {
  cluster = await startCluster(3);
  // Otherwise the others refuse all commands, too.
  for (const server of cluster.servers) await server.command("CONFIG", "SET", "cluster-require-full-coverage", "no");
  victim = await cluster.ownerOf(slotOf(B));
});
afterAll(() => cluster?.stop());
beforeEach(async () => {
  gateway = await serveGateway({ redis: cluster.url, token: TOKEN, port: 0 });
});
afterEach(async () => {
  victim.thaw();
  await gateway.close();
});

const post = (path: string, body: unknown, headers = {}): Promise<Answer> =>
  call(gateway.url + path, body, { headers });
const pipeline = (...commands: unknown[]): Promise<Answer> => post("/pipeline", commands);
const result = (value: unknown) => ({ result: value });

describe("a shard of a cluster that is dead", () => {
  beforeEach(async () => {
    await pipeline(["DEL", A], ["DEL", B], ["DEL", C]);
    await victim.kill();
    await until(
      () => call(gateway.url, ["GET", B]),
      ({ status }) => status === 503,
    );
  });
  afterEach(async () => {
    await victim.command("PING").catch(() => victim.start());
    for (const server of cluster.servers)
      await until(
        () => server.command("CLUSTER", "INFO"),
        (info) => info.includes("cluster_state:ok") && info.includes("cluster_slots_ok:16384"),
      );
  });

  it("costs a pipeline its own commands only, each with its own error: nothing was sent (47.3)", async () => {
    const { status, body } = await pipeline(["INCR", A], ["INCR", B], ["PING"], ["INCR", C], ["GET", B]);
    expect(status).toBe(200);
    expect(body).toEqual([result(1), NOT_SENT_ALONE, result("PONG"), result(1), NOT_SENT_ALONE]);
    const raw = await fetch(`${gateway.url}/pipeline`, {
      method: "POST",
      body: JSON.stringify([
        ["INCR", A],
        ["INCR", B],
      ]),
      headers: { authorization: `Bearer ${TOKEN}`, "upstash-response-format": "resp2" },
    });
    expect(await raw.text()).toBe(`:2\r\n-${NOT_SENT_ALONE.error}\r\n`);
    // A request of which nothing was sent fails as a whole.
    expect(await pipeline(["INCR", B], ["GET", B])).toMatchObject(NOT_SENT);
  });

  it("keeps the gateway ready for the others (47.3)", async () => {
    expect((await fetch(`${gateway.url}/ready`)).status).toBe(200);
  });
});

describe("a shard of a cluster that stalls", () => {
  it("costs a pipeline its own commands only, which may have run (47.3)", async () => {
    await pipeline(["DEL", A], ["DEL", B], ["DEL", C]);
    victim.freeze();
    const { status, body } = await pipeline(["INCR", A], ["INCR", B], ["INCR", C]);
    expect(status).toBe(200);
    expect(body).toEqual([result(1), NO_ANSWER_ALONE, result(1)]);
    victim.thaw();
    await until(
      () => call(gateway.url, ["GET", B]),
      ({ text }) => text === '{"result":"1"}',
    );
    victim.freeze();
    expect(await pipeline(["INCR", B], ["GET", B])).toMatchObject(NO_ANSWER);
  });
});

/** Names with this ending, whose slots the victim has, or the others. */
function namesWith(ending: string): { readonly healthy: string[]; readonly ailing: string[] } {
  const names = Array.from({ length: 30 }, () => `outage ${crypto.randomUUID()} ${ending}`);
  const isAiling = (name: string): boolean => Math.floor((slotOf(`{${name}}`) * 3) / 16_384) === 1;
  return { healthy: names.filter((name) => !isAiling(name)), ailing: names.filter(isAiling) };
}

describe.each(["dies", "stalls"] as const)("while one of three primaries %s", (how) => {
  const strike = async (): Promise<void> => (how === "dies" ? victim.kill() : victim.freeze());
  const heal = async (): Promise<void> => (how === "dies" ? victim.start() : victim.thaw());

  it("leases on the others are extended, and a multi-lock releases its names there (47.3)", async () => {
    const locks = createLocks({ url: gateway.url, token: TOKEN });
    const take = (names: string[]): Promise<Lease[]> =>
      Promise.all(names.map((name) => locks.lock(name).acquire({ lease: "10s" })));
    const [single, joint] = [namesWith("alone"), namesWith("joint")];
    const [healthy, ailing] = [await take(single.healthy), await take(single.ailing)];
    const both = await locks.multiLock([...joint.healthy, ...joint.ailing]).acquire({ lease: "60s" });
    await strike();
    try {
      for (const end = performance.now() + 12_000; performance.now() < end; await pause(500)) {
        const results = await extendAll([...healthy, ...ailing]);
        const failed = results.flatMap(({ lease, error }) => (error ? [lease] : []));
        expect(failed.filter((lease) => healthy.includes(lease))).toEqual([]);
        expect(Math.min(...healthy.map(({ remaining }) => remaining))).toBeGreaterThan(0);
      }
      await expect(both.release()).rejects.toMatchObject({ code: "outcome_unknown" });
      const states = await Promise.all(joint.healthy.map((name) => locks.lock(name).inspect()));
      expect(new Set(states.map(({ state }) => state))).toEqual(new Set(["free"]));
    } finally {
      await heal();
    }
  }, 60_000);
});
