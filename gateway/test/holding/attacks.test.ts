import { afterEach, describe, expect, it } from "vitest";
import { createLocks, type Locks } from "../../../src/index.ts";
import { sha } from "../../../src/redis/scripts/lock-acquire.gen.ts";
import { type GatewayServer, type ServeOptions, serveGateway } from "../../src/index.ts";
import { type Answer, call, pause, TOKEN, until } from "../support/client.ts";
import { startRelay } from "../support/relay.ts";
import { heldNow, holdingStage, metric, waitingLocks } from "./stage.ts";

const it_ = holdingStage();

/** Longer than the gateway lets a held request go without a try. */
const TRIED_MS = 1_500;

describe("a client that disconnects while its held request is tried", () => {
  it("costs nobody else anything: the connection to Redis stays, and so do the requests on it (W3)", async () => {
    const relay = await startRelay(it_.redis.port);
    try {
      const gateway = await it_.serve({ redis: relay.url });
      const { locks } = waitingLocks(gateway.url);
      const { locks: others, heard } = waitingLocks(gateway.url);
      // Redis knows the scripts from here on.
      await others.lock("warm").run({}, async () => {});
      const first = await locks.lock("a").acquire({ lease: "60s" });
      const second = await others.lock("b").acquire({ lease: "60s" });
      const away = new AbortController();
      const aborted = locks.lock("a").acquire({ wait: "30s", signal: away.signal });
      const waiter = others.lock("b").acquire({ wait: "30s", lease: "30s" });
      await heldNow(gateway, 2);
      const before = [relay.connections, heard.requests];
      const { pass } = relay.holdBack();
      await pause(TRIED_MS);
      away.abort();
      await expect(aborted).rejects.toThrow();
      await pause(100);
      pass();
      expect(await second.release()).toBe(true);
      const lease = await waiter;
      expect(await lease.release()).toBe(true);
      await first.release();
      // Two releases, and no retry.
      expect([relay.connections, heard.requests - 2]).toEqual(before);
    } finally {
      await relay.close();
    }
  });
});

/** An `EVALSHA` that waits for a lock. */
function acquire(name: string, id: string, note = "", validMs = 10_000): readonly (string | number)[] {
  const notAfter = (Date.now() + validMs) * 1_000;
  return [
    "EVALSHA",
    sha[0],
    1,
    `leasehold:{${name}}`,
    notAfter,
    id.padStart(36, "0"),
    30_000,
    60_000,
    "",
    note,
    1,
    0,
    "",
    "0",
  ];
}

function ask(gateway: GatewayServer, command: unknown, token = TOKEN, path = ""): Promise<Answer> {
  return call(gateway.url + path, command, { headers: { prefer: "wait=8", authorization: `Bearer ${token}` } });
}

const opened: GatewayServer[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((gateway) => gateway.close()));
});

/** A gateway of several databases or tokens. */
async function serveDatabases(options: ServeOptions): Promise<GatewayServer> {
  const gateway = await serveGateway({ port: 0, ...options });
  opened.push(gateway);
  return gateway;
}

const locksWith = ({ url }: GatewayServer, token: string): Locks => createLocks({ url, token });

/** A lock that is held, with its script known to Redis. */
const taken = (gateway: GatewayServer, name: string) =>
  waitingLocks(gateway.url).locks.lock(name).acquire({ lease: "60s" });

describe("one tenant", () => {
  it("gets ten lists of waiters in a request, and errors for more (W1)", async () => {
    const gateway = await it_.serve();
    await taken(gateway, "a");
    const waiter = ask(gateway, acquire("a", "1", "n".repeat(10_000)));
    await heldNow(gateway, 1);
    const lists = Array.from({ length: 12 }, () => ["LEASEHOLD.WAITERS", "leasehold:{a}"]);
    const { body, text } = await ask(gateway, lists, TOKEN, "/pipeline");
    const errors = (body as unknown as { error?: string }[]).flatMap(({ error }) => error ?? []);
    expect(errors).toEqual(Array(2).fill("ERR more than 10 commands about waiters in one request"));
    expect(text.length).toBeLessThan(10_000);
    expect((await waiter).status).toBe(200);
  });

  it("is answered at once if its command is large, since each try would send it (W9)", async () => {
    const gateway = await it_.serve();
    await taken(gateway, "a");
    const since = performance.now();
    const { status, body } = await ask(gateway, acquire("a", "1", "n".repeat(20_000)));
    expect([status, (body as { result: string[] }).result[0]]).toEqual([200, "held"]);
    expect(performance.now() - since).toBeLessThan(4_000);
  });

  it("leaves places to wait for another one (W16)", async () => {
    const databases = ["one", "two"].map((name) => ({ name, redis: it_.redis.url, token: name }));
    const gateway = await serveDatabases({ databases, maxHeld: 100, maxHeldInAll: 8 });
    for (const name of ["a", "b"]) await locksWith(gateway, "one").lock(name).acquire({ lease: "60s" });
    const greedy = Array.from({ length: 12 }, (_, at) => ask(gateway, acquire("a", `${at}`), "one"));
    await until(
      () => metric(gateway, "requests_held"),
      (count) => count >= 4,
    );
    const other = ask(gateway, acquire("b", "other"), "two");
    await heldNow(gateway, 5);
    await Promise.all([...greedy, other]);
  });
});

it("a held request of a token that is revoked ends with its refusal, and is granted nothing later (W17)", async () => {
  const databases = (token: string[]) => [{ name: "one", redis: it_.redis.url, token }];
  const gateway = await serveDatabases({ databases: databases(["stays", "leaves"]) });
  const holder = await locksWith(gateway, "stays").lock("a").acquire({ lease: "60s" });
  const waiter = ask(gateway, acquire("a", "1"), "leaves");
  const other = locksWith(gateway, "stays").lock("a").acquire({ lease: "60s", wait: "20s" });
  await heldNow(gateway, 2);
  gateway.reload({ databases: databases(["stays"]) });
  // At once: the name becomes free long before the waiter's time is up, and the waiter came first.
  await holder.release();
  expect((await waiter).body).toMatchObject({ result: ["held", ...Array(7).fill(expect.anything())] });
  expect((await other).token).toBeGreaterThan(holder.token);
});

it("a held request whose Redis goes away is answered with its refusal: it has run (W13)", async () => {
  const relay = await startRelay(it_.redis.port);
  try {
    const gateway = await it_.serve({ redis: relay.url });
    await taken(gateway, "a");
    const waiters = Array.from({ length: 4 }, (_, at) => ask(gateway, acquire("a", `${at}`)));
    await heldNow(gateway, 4);
    await relay.close();
    const answers = await Promise.all(waiters);
    // "503, nothing was sent" would be false. 504 says that a try may have run.
    for (const { status } of answers) expect([200, 504]).toContain(status);
    for (const { status, body } of answers)
      if (status === 200) expect(body).toMatchObject({ result: ["held", ...Array(7).fill(expect.anything())] });
  } finally {
    await relay.close().catch(() => {});
  }
});

it("a request is held as long as it asks for, although each try takes memory for its reply (W15)", async () => {
  const gateway = await it_.serve({ replyBudgetBytes: 64 * 1024, maxReplyBytes: 20 * 1024 });
  const holder = await taken(gateway, "a");
  const { locks } = waitingLocks(gateway.url);
  const waiter = locks.lock("a").acquire({ wait: "20s", lease: "30s" });
  await heldNow(gateway, 1);
  // Each write of the record is a reason to try again.
  for (let tries = 0; tries < 60; tries++) {
    await holder.extend("60s");
    await pause(10);
  }
  await heldNow(gateway, 1);
  await holder.release();
  expect((await waiter).token).toBeGreaterThan(holder.token);
});
