/** Which set-up doctor says that a server is in, and what a failover costs there: on servers of each set-up. */
import { Redis } from "ioredis";
import { afterAll, describe, expect, it } from "vitest";
import { connect } from "../../../src/index.ts";
import { ioredis } from "../../../src/tcp/ioredis.ts";
import { startRedis } from "../../../tools/redis.ts";
import { startSentinels } from "../../../tools/redis-sentinels.ts";
import { startCluster, startPair } from "../../../tools/redis-topologies.ts";
import { command } from "../../../tools/run-command.ts";
import { failover } from "../../src/operations/doctor/failover.ts";

const closing: (() => Promise<unknown>)[] = [];
afterAll(() => Promise.all(closing.map((close) => close())));

/** Stopped after the tests. */
async function started<T extends { stop(): Promise<void> }>(starting: Promise<T>): Promise<T> {
  const server = await starting;
  closing.push(() => server.stop());
  return server;
}

const alone = async (...extra: string[]): Promise<string> => (await started(startRedis(extra))).url;
const LOSES = "a failover can lose the last grants, and two callers then hold one lock";

interface Line {
  readonly check: string;
}

describe.concurrent("doctor says which set-up a server is in (55.1)", () => {
  it.each<[string, () => Promise<string>, string, string]>([
    [
      "a user that may not read settings",
      async () => {
        const server = await started(startRedis(["--appendonly", "yes"]));
        await server.command("ACL", "SETUSER", "eve", "on", ">password", "~*", "&*", "+@all", "-config");
        return server.url.replace("//", "//eve:password@");
      },
      "skip",
      "one server with an append-only file, which does not report appendfsync: only always loses nothing",
    ],
    ["nothing on disk", () => alone(), "warn", "one server, no append-only file: a restart frees every lock"],
    [
      "appendfsync always",
      () => alone("--appendonly", "yes", "--appendfsync", "always"),
      "ok",
      "one server, AOF always: a restart loses nothing",
    ],
    [
      "appendfsync always, but not during a rewrite",
      () => alone("--appendonly", "yes", "--appendfsync", "always", "--no-appendfsync-on-rewrite", "yes"),
      "warn",
      "one server, AOF always, but not during a rewrite: a crash can then free the locks of the last half a minute",
    ],
    [
      "appendfsync everysec",
      () => alone("--appendonly", "yes", "--appendfsync", "everysec"),
      "warn",
      "one server, AOF everysec: a crash can free the locks of the last second or two",
    ],
    [
      "appendfsync no",
      () => alone("--appendonly", "yes", "--appendfsync", "no"),
      "warn",
      "one server, AOF no: a crash can free the locks of the last half a minute",
    ],
    [
      "a replica, by an address",
      async () => (await started(startPair())).primary.url,
      "warn",
      `a primary with replicas: ${LOSES}`,
    ],
    [
      "a replica, by a name",
      async () => `redis://localhost:${(await started(startPair())).primary.port}`,
      "warn",
      `a primary with replicas: ${LOSES}; a failover moves localhost: a client finds the new primary when it connects again and the name leads there`,
    ],
    ["a replica itself", async () => (await started(startPair())).replica.url, "skip", "this server is a slave"],
    ["Sentinels", async () => (await started(startSentinels())).url, "warn", `Sentinel: ${LOSES}`],
    [
      "a cluster with replicas",
      async () => (await started(startCluster(3, 1))).url,
      "warn",
      `a cluster with replicas: ${LOSES}`,
    ],
    [
      "a cluster without replicas",
      async () => (await started(startCluster())).url,
      "warn",
      "a cluster without replicas, no append-only file: a restart frees every lock",
    ],
  ])("%s", { timeout: 90_000 }, async (_, start, verdict, says) => {
    const url = await start();
    const { out } = await command(["doctor", "--json", "--redis", url]);
    const lines = out
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Line);
    expect(lines.find(({ check }) => check === "failover")).toEqual({
      check: "failover",
      verdict,
      says,
      ...(verdict === "warn" && { advice: expect.any(String) }),
    });
  });
});

it("says of Upstash what its documents say, since it cannot be tried here (55.1)", async () => {
  const server = await started(startRedis());
  const redis = new Redis(server.url);
  closing.push(async () => redis.disconnect());
  const facts = new Map([["upstash_version", "1.0"]]);
  const target = { connection: connect({ redis: ioredis(redis) }), address: server.url, rest: undefined };
  const patient = { ...target, facts, signal: undefined, scrub: (text: string) => text, mayFlush: false };
  expect(await failover.run(patient)).toMatchObject({
    verdict: "warn",
    says: `Upstash replicates asynchronously: ${LOSES}`,
  });
});
