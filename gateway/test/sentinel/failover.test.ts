import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import type { RedisServer } from "../../../tools/redis.ts";
import { type Sentinels, startSentinels } from "../../../tools/redis-sentinels.ts";
import { type GatewayServer, serveGateway } from "../../src/index.ts";
import { type Answer, call, pause, TOKEN, until } from "../support/harness.ts";
import { startLoad, valuesOf } from "../support/load.ts";

/** How often the primary dies: `LEASEHOLD_FAILOVERS=10` for a long run. */
const { LEASEHOLD_FAILOVERS: FAILOVERS_WANTED = "1" } = process.env;
const FAILOVERS = Number(FAILOVERS_WANTED);

let group: Sentinels;
let gateway: GatewayServer;

const run = (...command: unknown[]): Promise<Answer> => call(gateway.url, command);

/** The server that the Sentinels call the primary, and the other one. */
async function roles(): Promise<{ primary: RedisServer; replica: RedisServer }> {
  const port = await group.primaryPort();
  const primary = group.servers.find((server) => server.port === port);
  const replica = group.servers.find((server) => server.port !== port);
  if (primary === undefined || replica === undefined) throw new Error(`the primary is on port ${port}`);
  return { primary, replica };
}

const inStep = (server: RedisServer): Promise<string> =>
  until(
    () => server.command("INFO", "replication").catch(() => ""),
    (info) => info.includes("master_link_status:up"),
  );

beforeAll(async () => {
  group = await startSentinels();
  gateway = await serveGateway({ redis: group.url, token: TOKEN, port: 0, timeoutMs: 1_000 });
});
afterEach(async () => {
  for (const server of [...group.sentinels, ...group.servers]) server.thaw();
});
afterAll(async () => {
  await gateway?.close();
  await group?.stop();
});

it(
  "the primary dies under load: no answer is made up, and it is back within 2 s of the Sentinels' word",
  async () => {
    const load = startLoad(gateway.url);
    const late: number[] = [];
    for (let round = 0; round < FAILOVERS; round++) {
      // The Sentinels fail over again after 2 s at the earliest.
      await pause(round === 0 ? 200 : 2_000);
      await load.nextOk();
      const { primary, replica } = await roles();
      await primary.kill();
      await until(
        () => group.primaryPort().catch(() => 0),
        (port) => port === replica.port,
      );
      const namedAt = performance.now();
      late.push((await load.nextOk()) - namedAt);
      await primary.start();
      // The Sentinels do it as well, after 8 s.
      await primary.command("REPLICAOF", "127.0.0.1", String(replica.port));
      await inStep(primary);
    }
    await load.stop();
    expect(load.wrong).toEqual([]);
    expect(Math.max(...late)).toBeLessThan(2_000);
    expect(load.notSent).toBeGreaterThan(0);
    const { ok, notSent, noAnswer } = load.counted;
    expect(Math.max(...(await valuesOf(gateway.url, [...ok, ...noAnswer])))).toBe(1);
    expect(new Set(await valuesOf(gateway.url, notSent))).toEqual(new Set([0]));
  },
  30_000 + FAILOVERS * 20_000,
);

it("the primary freezes with a command in flight: 504, and it is not sent to the new one; an outdated Sentinel is ignored", async () => {
  const { primary, replica } = await roles();
  await inStep(replica);
  // After a failover, one of them may still name the primary of before.
  await group.settled(primary);
  const [cutOff, ...others] = group.sentinels;
  const headers = { authorization: `Bearer ${TOKEN}` };
  const stream = await fetch(`${gateway.url}/subscribe/news`, { headers });
  const heard = stream.text();
  // It misses what follows, and has on disk what was.
  await cutOff?.kill();
  primary.freeze();
  const answer = await run("INCR", "in-flight");
  expect(answer).toMatchObject({ status: 504, body: { error: "No answer from Redis: what was sent may have run" } });
  await until(
    async () => (await Promise.all(others.map((sentinel) => addressAt(sentinel)))).join(),
    (ports) => ports === others.map(() => replica.port).join(),
  );
  await until(
    () => run("SET", "k", "new"),
    ({ status }) => status === 200,
  );
  expect((await run("GET", "in-flight")).body).toEqual({ result: null });
  // What is published now is not heard by the one of before.
  expect(await heard).toContain("subscribe,news,1");
  const connection = (await run("CLIENT", "ID")).text;
  // The other two know better and are silent; this one names the primary of before, and that one believes it too.
  for (const sentinel of others) sentinel.freeze();
  primary.thaw();
  await cutOff?.start();
  expect(await addressAt(cutOff as RedisServer)).toBe(primary.port);
  await pause(1_000);
  expect((await run("GET", "k")).body).toEqual({ result: "new" });
  expect((await run("CLIENT", "ID")).text).toBe(connection);
  for (const sentinel of others) sentinel.thaw();
  await group.settled(replica);
  expect((await run("CLIENT", "ID")).text).toBe(connection);
});

async function addressAt(sentinel: RedisServer): Promise<number> {
  const reply = await sentinel.command("SENTINEL", "GET-MASTER-ADDR-BY-NAME", group.name);
  return Number(reply.split("\r\n")[4]);
}
