import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { placeOf } from "../../src/engine/place.ts";
import { type Connection, connect, createLocks, type Locks } from "../../src/index.ts";
import { runScript } from "../../src/redis/run.ts";
import { lockClose } from "../../src/redis/scripts/lock-close.gen.ts";
import { randomId } from "../../src/shared/crypto.ts";
import { freshName, pause, type Stack, startStack } from "../support/stack.ts";

let stack: Stack;
let locks: Locks;
let connection: Connection;
let requests = 0;
beforeAll(async () => {
  stack = await startStack();
  const counting: typeof fetch = (...args) => {
    requests++;
    return fetch(...args);
  };
  connection = connect({ url: stack.url, token: stack.token, fetch: counting });
  locks = createLocks({ url: stack.url, token: stack.token, fetch: counting });
});
afterAll(() => stack.stop());

/** Requests and Redis commands of one operation, those inside its script included. */
async function cost(operation: () => Promise<unknown>): Promise<{ requests: number; commands: number }> {
  requests = 0;
  const commands = await stack.commandsOf(operation);
  return { requests, commands };
}

const once = { requests: 1, commands: 4 };
const within = (
  budget: { requests: number; commands: number },
  spent: { requests: number; commands: number },
): void => {
  expect(spent.requests).toBe(budget.requests);
  expect(spent.commands).toBeGreaterThan(1);
  expect(spent.commands).toBeLessThanOrEqual(budget.commands);
};

describe("budgets, with a warm script cache", () => {
  it("lock: acquire, refused acquire, extend, verify, release, cancel", async () => {
    const lock = locks.lock(freshName());
    await (await lock.acquire()).extend();
    await lock.inspect();
    await lock.forceRelease();
    await (await lock.acquire()).release();
    let lease = await lock.acquire();
    await lease.release();
    within(once, await cost(async () => (lease = await lock.acquire())));
    within({ requests: 1, commands: 3 }, await cost(() => lock.tryAcquire()));
    within(once, await cost(() => lease.extend()));
    within({ requests: 1, commands: 3 }, await cost(() => lease.verify()));
    within(once, await cost(() => lease.release()));
    within(once, await cost(() => lock.inspect()));
    within(once, await cost(() => lock.forceRelease()));
    const place = placeOf(connection, "lock", [lock.name], undefined);
    const call = { operation: "cancel", budgetMs: 1000 };
    const cancel = () => runScript(place, lockClose, [randomId(), 0, connection.retentionMs, 0], call);
    within(once, await cost(cancel));
    lease = await lock.acquire();
    within(once, await cost(cancel));
  });

  it("lock: acquire of a name never seen, and of one whose holder died", async () => {
    const lock = locks.lock(freshName());
    within(once, await cost(() => lock.acquire({ lease: "50ms" })));
    await pause(80);
    within(once, await cost(() => lock.acquire()));
  });

  it("lock: the sixty-fourth hold, and its release", async () => {
    const lock = locks.lock(freshName(), { owner: "one" });
    let lease = await lock.acquire();
    for (let holds = 1; holds < 63; holds++) await lock.acquire();
    within(once, await cost(async () => (lease = await lock.acquire())));
    within(once, await cost(() => lease.release()));
  });

  it("once: begin, refused begin, complete, done, fail", async () => {
    const one = locks.once(freshName());
    const warm = await locks.once(freshName()).begin();
    if (warm.status === "started") await warm.complete(1);
    let turn = await one.begin();
    if (turn.status === "started") await turn.fail();
    within(once, await cost(async () => (turn = await one.begin())));
    within({ requests: 1, commands: 3 }, await cost(() => one.begin()));
    within(once, await cost(async () => turn.status === "started" && (await turn.complete({ big: "x".repeat(1000) }))));
    within({ requests: 1, commands: 3 }, await cost(() => one.begin()));
  });
});

describe("keys", () => {
  it("none is left after lease and retention, whatever ended it (R8)", async () => {
    await stack.redis.command("FLUSHALL");
    const brief = createLocks({ url: stack.url, token: stack.token, retention: 400, requestTimeout: 200, lease: 300 });
    const lock = brief.lock(freshName());
    await (await lock.acquire()).release();
    await brief.lock(freshName()).acquire();
    await brief.lock(freshName()).acquire();
    await brief.lock(freshName()).forceRelease();
    const turn = await brief.once(freshName(), { ttl: 500 }).begin();
    if (turn.status === "started") await turn.complete("x");
    await brief.once(freshName(), { ttl: 500 }).begin();
    const failing = await brief.once(freshName(), { ttl: 500 }).begin();
    if (failing.status === "started") await failing.fail();
    const keys = (await stack.redis.command("SCAN", "0", "COUNT", "1000")).match(/leasehold:\S*/g) ?? [];
    expect(keys.length).toBe(7);
    for (const key of keys) {
      const ttl = Number((await stack.redis.command("PTTL", key)).slice(1));
      expect(ttl).toBeGreaterThan(0);
      expect(ttl).toBeLessThanOrEqual(900);
    }
    await pause(1_000);
    expect(await stack.redis.command("SCAN", "0", "COUNT", "1000")).not.toContain("leasehold:");
  });

  it("all have the prefix and one hash tag", async () => {
    await stack.redis.command("FLUSHALL");
    const prefixed = createLocks({ url: stack.url, token: stack.token, prefix: "shop:" });
    await prefixed.lock("a{b}%c").acquire();
    await prefixed.lock("n", { group: "g" }).acquire();
    const reply = await stack.redis.command("KEYS", "*");
    expect(reply.match(/shop:\S*/g)?.sort()).toEqual(["shop:{a%7Bb%7D%25c}", "shop:{g}/n"]);
  });
});
