import { afterAll, beforeAll, expect, it } from "vitest";
import { type RedisServer, startRedis } from "../../../tools/redis.ts";
import { type GatewayServer, serveGateway } from "../../src/index.ts";
import { pause, TOKEN } from "../support/harness.ts";
import { startLoad, valuesOf } from "../support/load.ts";

/** How often Redis dies: `LEASEHOLD_RESTARTS=100` for a long run. */
const { LEASEHOLD_RESTARTS: RESTARTS_WANTED = "4" } = process.env;
const RESTARTS = Number(RESTARTS_WANTED);

let redis: RedisServer;
let gateway: GatewayServer;

beforeAll(async () => {
  // What it has answered is on disk.
  redis = await startRedis(["--appendonly", "yes", "--appendfsync", "always"]);
  gateway = await serveGateway({ redis: redis.url, token: TOKEN, port: 0, timeoutMs: 1_000 });
});
afterAll(async () => {
  await gateway?.close();
  await redis?.stop();
});

it(
  `Redis killed and started ${RESTARTS} times under load: every answer is true, and it is back within 2 s of Redis`,
  async () => {
    const load = startLoad(gateway.url);
    const late: number[] = [];
    for (let round = 0; round < RESTARTS; round++) {
      await load.nextOk();
      await pause(150);
      if (round % 2 === 0) await redis.kill();
      else await redis.command("SHUTDOWN", "NOSAVE");
      await pause(100);
      const isThere = redis.start().then(() => performance.now());
      const [backAt, thereAt] = [await isThere.then(() => load.nextOk()), await isThere];
      late.push(backAt - thereAt);
    }
    await load.stop();
    expect(load.wrong).toEqual([]);
    expect(Math.max(...late)).toBeLessThan(2_000);
    expect(load.ok).toBeGreaterThan(RESTARTS * 6);
    expect(load.notSent).toBeGreaterThan(0);
    const { ok, notSent, noAnswer } = load.counted;
    expect(noAnswer.length).toBeGreaterThan(0);
    // Once, not at all, and not twice.
    expect(new Set(await valuesOf(gateway.url, ok))).toEqual(new Set([1]));
    expect(new Set(await valuesOf(gateway.url, notSent))).toEqual(new Set([0]));
    expect(Math.max(...(await valuesOf(gateway.url, noAnswer)))).toBeLessThanOrEqual(1);
  },
  30_000 + RESTARTS * 5_000,
);
