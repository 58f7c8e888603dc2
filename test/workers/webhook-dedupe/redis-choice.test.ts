import { mkdtempSync, rmdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, test, vi } from "vitest";
import { startCountingGateway } from "../../../demo/gateway.ts";
import { connect, lock } from "../../../src/index.ts";
import { freePort, installedRedis } from "../../../tools/redis.ts";
import { chooseRedis } from "../../../tools/redis-choice.ts";

afterEach(() => void vi.unstubAllEnvs());

describe("the Redis of the demo", () => {
  test("is a private server where one is installed, and it leaves no key in it", async () => {
    const redis = await chooseRedis();
    expect(redis.line).toBe(`Redis: a private ${installedRedis()}`);
    const gateway = await startCountingGateway(redis);
    await lock(connect({ url: gateway.url, token: gateway.token }), "invoice:42").run({ lease: "5s" }, async () => {});
    expect(gateway.requests).toBeGreaterThanOrEqual(2);
    await gateway.close();
    const again = await startCountingGateway(redis);
    const init = { method: "POST", headers: { authorization: `Bearer ${again.token}` }, body: '["DBSIZE"]' };
    expect(await (await fetch(again.url, init)).json()).toEqual({ result: 0 });
    await again.close();
    await redis.stop();
  });

  test("is in memory where none is installed, and nothing is installed for it", async () => {
    const empty = mkdtempSync(join(tmpdir(), "leasehold-path-"));
    vi.stubEnv("PATH", empty);
    const redis = await chooseRedis();
    rmdirSync(empty);
    expect(redis.line).toMatch(/^Redis: in memory, since there is no redis-server or valkey-server on the PATH$/);
    const gateway = await startCountingGateway(redis);
    expect(
      await lock(connect({ url: gateway.url, token: gateway.token }), "invoice:42").run(async ({ token }) => token > 0),
    ).toBe(true);
    await gateway.close();
  });

  test("is in memory, or somebody's own, if that is asked for; its password is not repeated", async () => {
    expect((await chooseRedis({ memory: true })).line).toBe("Redis: in memory");
    const url = `redis://:hunter2@127.0.0.1:${await freePort()}`;
    const own = await chooseRedis({ redis: url });
    expect(own).toMatchObject({ database: { redis: url }, line: expect.not.stringContaining("hunter2") });
    await expect(startCountingGateway(own)).rejects.toThrow(/^Redis does not answer$/);
    await expect(chooseRedis({ redis: url, memory: true })).rejects.toThrow(
      /^--redis and --memory exclude each other$/,
    );
  });
});
