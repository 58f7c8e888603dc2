import { describe, expect, it } from "vitest";
import { createLocks, type Locks } from "../../../src/index.ts";
import { type GatewayServer, type ServeOptions, serveGateway } from "../../src/index.ts";
import { call, TOKEN, until } from "../support/client.ts";
import { commandsSince, holdingStage } from "./stage.ts";

const stage = holdingStage();
const READER = "a-reader-of-the-tests";
const OTHER = "a-token-of-somebody-else";
const KEY = "leasehold:{invoice:42}";
const as = (token: string): RequestInit => ({ headers: { authorization: `Bearer ${token}` } });

const locksOf = (url: string, label: string, token = TOKEN): Locks => createLocks({ url, token, holder: label });

async function served(options: ServeOptions): Promise<GatewayServer & AsyncDisposable> {
  const gateway = await serveGateway(options);
  return Object.assign(gateway, { [Symbol.asyncDispose]: () => gateway.close() });
}

/** Two that wait for a plain lock, and who has it. */
async function contend(url: string, token = TOKEN): Promise<{ end(): Promise<void> }> {
  const first = await locksOf(url, "web-1", token).lock("invoice:42").acquire({ lease: "1m" });
  const waits = async (label: string): Promise<void> => {
    const lease = await locksOf(url, `${label}-host`, token).lock("invoice:42").acquire({ wait: "30s", label });
    await lease.release();
  };
  const waiters = [waits("nightly")];
  const ask = async (): Promise<unknown> => (await call(`${url}/leasehold.awaited`, undefined, as(token))).body;
  await until(ask, (body) => JSON.stringify(body).includes(`"${KEY}",1`));
  waiters.push(waits("import"));
  await until(ask, (body) => JSON.stringify(body).includes(`"${KEY}",2`));
  return {
    async end() {
      await first.release();
      await Promise.all(waiters);
    },
  };
}

const BOTH = [
  2,
  [
    ["lock-acquire", expect.any(Number), "nightly@nightly-host"],
    ["lock-acquire", expect.any(Number), "import@import-host"],
  ],
];

describe("LEASEHOLD.WAITERS", () => {
  it("names who waits for a plain lock, by a path, in a body and in a pipeline, and asks Redis nothing", async () => {
    const gateway = await stage.serve({ readOnlyToken: READER });
    const { end } = await contend(gateway.url);
    await stage.redis.command("CONFIG", "RESETSTAT");
    for (const token of [TOKEN, READER]) {
      const path = await call(`${gateway.url}/leasehold.waiters/${encodeURIComponent(KEY)}`, undefined, as(token));
      expect([path.status, path.body]).toEqual([200, { result: BOTH }]);
      expect((await call(gateway.url, ["LEASEHOLD.WAITERS", KEY], as(token))).body).toEqual({ result: BOTH });
      const several = [["PING"], ["LEASEHOLD.WAITERS", KEY], ["NOPE"], ["LEASEHOLD.WAITERS", "{nobody}"]];
      expect((await call(`${gateway.url}/pipeline`, several, as(token))).body).toEqual([
        { result: "PONG" },
        { result: BOTH },
        { error: expect.any(String) },
        { result: [0, []] },
      ]);
    }
    // The first waiter is tried once in a while: 3 commands each time.
    expect(await commandsSince(stage.redis)).toBeLessThan(20);
    await end();
    expect((await call(gateway.url, ["LEASEHOLD.WAITERS", KEY])).body).toEqual({ result: [0, []] });
  });

  it("lists no names for a token that only reads, and is for JSON outside of transactions", async () => {
    const gateway = await stage.serve({ readOnlyToken: READER });
    const { end } = await contend(gateway.url);
    expect((await call(gateway.url, ["LEASEHOLD.AWAITED"])).body).toEqual({ result: [[KEY, 2]] });
    expect(await call(gateway.url, ["LEASEHOLD.AWAITED"], as(READER))).toMatchObject({
      status: 400,
      body: { error: "NOPERM this user has no permissions to run the 'leasehold.awaited' command" },
    });
    const raw = { headers: { "upstash-response-format": "resp2" } };
    const response = await fetch(gateway.url, {
      method: "POST",
      body: JSON.stringify(["LEASEHOLD.WAITERS", KEY]),
      headers: { ...raw.headers, authorization: `Bearer ${TOKEN}` },
    });
    expect([response.status, await response.text()]).toEqual([400, "-ERR this command is answered in JSON only\r\n"]);
    const { status, body } = await call(`${gateway.url}/multi-exec`, [["PING"], ["LEASEHOLD.WAITERS", KEY]]);
    expect([status, body]).toEqual([
      400,
      { error: "ERR LEASEHOLD.WAITERS is not supported in a transaction: use /pipeline" },
    ]);
    expect((await call(`${gateway.url}/leasehold.waiters`)).body).toEqual({
      error: "ERR wrong number of arguments for 'leasehold.waiters' command",
    });
    await end();
  });

  it("tells a tenant nothing of another's waiters, and a stranger nothing at all", async () => {
    const { url } = stage.redis;
    const databases = [
      { name: "ours", redis: url, token: TOKEN },
      { name: "theirs", redis: `${url}/1`, token: OTHER },
    ];
    await using gateway = await served({ databases, port: 0 });
    const { end } = await contend(gateway.url);
    for (const question of [["LEASEHOLD.WAITERS", KEY], ["LEASEHOLD.AWAITED"]]) {
      const { body } = await call(gateway.url, question, as(OTHER));
      expect(JSON.stringify(body)).not.toMatch(/nightly|import|invoice/);
      expect((await call(gateway.url, question, as("nobody"))).status).toBe(401);
    }
    expect((await call(gateway.url, ["LEASEHOLD.WAITERS", KEY], as(OTHER))).body).toEqual({ result: [0, []] });
    expect((await call(gateway.url, ["LEASEHOLD.WAITERS", KEY])).body).toEqual({ result: BOTH });
    await end();
  });

  it("is refused by a gateway that holds no requests: it does not know who waits", async () => {
    const gateway = await stage.serve({ maxHeld: 0 });
    for (const question of [["LEASEHOLD.WAITERS", KEY], ["LEASEHOLD.AWAITED"]])
      expect(await call(gateway.url, question)).toMatchObject({
        status: 400,
        body: { error: "ERR this gateway holds no requests, so it does not know who waits" },
      });
  });

  it("is answered in front of a Redis in memory, too", async () => {
    const gateway = await stage.serve({ memory: true });
    const { end } = await contend(gateway.url);
    expect((await call(gateway.url, ["LEASEHOLD.WAITERS", KEY])).body).toEqual({ result: BOTH });
    await end();
  });
});
