import { Cluster, Redis } from "ioredis-5";
import { createClient } from "redis-5";
import { afterAll, describe, expect, it } from "vitest";
import { connect } from "../../src/index.ts";
import { ioredis } from "../../src/tcp/ioredis.ts";
import { nodeRedis } from "../../src/tcp/node-redis.ts";
import { contracts } from "../contract/all.ts";
import { answerLost, heldBack, reset, scriptsFlushed } from "../faults/faults.ts";
import { overcomes } from "../faults/play.ts";
import { startWorld } from "../faults/world.ts";
import { lockSites, staysFree } from "../kinds/lock/sites.ts";
import { EARLIER_CLIENTS, type EarlierWay, type TcpClient } from "../support/tcp-clients.ts";
import { useStack } from "../support/use-stack.ts";

const stack = useStack({ warm: true });
const ways = Object.keys(EARLIER_CLIENTS) as EarlierWay[];
/** The short form shows what differs between versions; the lock itself is shown by mixed.test.ts. */
if (process.env["EVERY_CLIENT"] !== undefined) {
  for (const way of ways) {
    let client: TcpClient | undefined;
    afterAll(() => client?.close());
    contracts(way, () => {
      client ??= EARLIER_CLIENTS[way](stack.redis.url);
      return { redis: client.redis };
    });
  }
}

const sites = lockSites.filter(({ name }) => /^tryAcquire$/.test(name));
describe.concurrent.each(ways.flatMap((way) => sites.map((site) => ({ way, site, name: site.name }))))(
  "$way: $name",
  ({ way, site }) => {
    it("overcomes a connection that is lost after and before it ran, one that is silent, and SCRIPT FLUSH", async () => {
      for (const faults of [[answerLost, reset], [heldBack], [scriptsFlushed(stack.redis)]])
        await overcomes(stack, way, site, faults);
    });
  },
);

it.each(ways)("%s: what is asked while it is not connected is never sent (R4)", async (way) => {
  await using world = await startWorld(stack, way);
  await world.ours.lock(world.name).inspect();
  world.proxy.next("lock-acquire", ({ away }) => away(1500));
  const locks = world.client({ requestTimeout: 500 });
  for (let call = 0; call < 2; call++)
    await expect(locks.lock(world.name).tryAcquire()).rejects.toMatchObject({
      code: expect.stringMatching(/^(unreachable|outcome_unknown)$/),
    });
  await world.ours.lock(`${world.name} later`).acquire({ wait: "20s" });
  await staysFree(world);
});

it("the settings that cannot work are refused, and the port is asked for", () => {
  const none = { lazyConnect: true };
  const prefixed = new Redis({ ...none, keyPrefix: "app:" });
  const texts = new Redis({ ...none, stringNumbers: true });
  const cluster = new Cluster([{ host: "127.0.0.1", port: 1 }], none);
  const silent = createClient({ socket: { socketTimeout: 2000 } });
  expect(() => nodeRedis(silent)).toThrow(/on\("error"/);
  silent.on("error", () => {});
  expect(() => nodeRedis(silent)).toThrow(/reconnectStrategy/);
  expect(() => ioredis(prefixed)).toThrow(/keyPrefix/);
  expect(() => ioredis(texts)).toThrow(/stringNumbers/);
  expect(() => connect({ redis: texts as never })).toThrow(/leasehold\/ioredis/);
  expect(() => connect({ redis: silent as never })).toThrow(/leasehold\/node-redis/);
  expect(connect({ redis: ioredis(cluster) }).server).toBe("");
  for (const client of [prefixed, texts, cluster]) client.disconnect();
});
