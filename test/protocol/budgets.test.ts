import { beforeAll, describe, expect, it } from "vitest";
import { turn } from "../../agents/src/index.ts";
import { type Connection, connect, createLocks, extendAll, type Locks } from "../../src/index.ts";
import { list } from "../../src/list/index.ts";
import { takeOver } from "../../src/queue/index.ts";
import { runScript } from "../../src/redis/run.ts";
import { lockClose } from "../../src/redis/scripts/lock-close.gen.ts";
import { targetOf } from "../../src/redis/target.ts";
import { randomId } from "../../src/shared/crypto.ts";
import { freshName, pause, useStack } from "../support/use-stack.ts";

const stack = useStack();
let locks: Locks;
let connection: Connection;
let requests = 0;
beforeAll(async () => {
  const counting: typeof fetch = (...args) => {
    requests++;
    return stack.fetch(...args);
  };
  connection = connect({ url: stack.url, token: stack.token, fetch: counting });
  locks = createLocks({ url: stack.url, token: stack.token, fetch: counting });
});

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
    const givenUp = (): Promise<unknown> => lock.acquire({ wait: 0 }).catch(() => {});
    await givenUp();
    // One more, to say who holds it.
    within({ requests: 2, commands: 6 }, await cost(givenUp));
    within(once, await cost(() => lease.extend()));
    within({ requests: 1, commands: 3 }, await cost(() => lease.verify()));
    within(once, await cost(() => lease.release()));
    within(once, await cost(() => lock.inspect()));
    within(once, await cost(() => lock.forceRelease()));
    const target = targetOf(connection, "lock", [lock.name]);
    const call = { operation: "cancel", budgetMs: 1000 };
    const cancel = () => runScript(target, lockClose, [randomId(), 0, connection.retentionMs, 0], call);
    within(once, await cost(cancel));
    lease = await lock.acquire();
    within(once, await cost(cancel));
  });

  it("lock: a wait, in which one poll in eight reads the clock, and the cancel behind it", async () => {
    const lock = locks.lock(freshName());
    await lock.acquire();
    const wait = (reentryKey?: string) =>
      lock.acquire({ wait: "10s", maxPolls: 9, backoff: () => 5, reentryKey }).catch(() => {});
    await wait();
    within({ requests: 10, commands: 2 * 3 + 7 * 2 + 4 }, await cost(wait));
    within({ requests: 10, commands: 9 * 3 + 4 }, await cost(() => wait("a reentry key")));
  });

  it("lock: acquire of a name never seen, and of one whose holder died", async () => {
    const lock = locks.lock(freshName());
    within(once, await cost(() => lock.acquire({ lease: "50ms" })));
    await pause(80);
    within(once, await cost(() => lock.acquire()));
  });

  it("lock: the sixty-fourth hold, and its release", async () => {
    const lock = locks.lock(freshName(), { reentryKey: "one" });
    let lease = await lock.acquire();
    for (let holds = 1; holds < 63; holds++) await lock.acquire();
    within(once, await cost(async () => (lease = await lock.acquire())));
    within(once, await cost(() => lease.release()));
  });

  it("semaphores: a spend of one with many permits, and of three of a group (51.3)", async () => {
    const group = locks.group(freshName());
    const stocks = ["a", "b", "c"].map((name) => group.semaphore(name));
    for (const stock of stocks) await stock.setPermits(2_000);
    // The server's cache of scripts is warm then.
    await (await group.semaphore("a").acquire()).spend(0);
    const many = await group.semaphore("a").acquire({ permits: 1_000 });
    within({ requests: 1, commands: 3 + 6 }, await cost(() => many.spend(999)));
    const three = await locks.multiLock(stocks).acquire({ permits: { a: 3, b: 1, c: 1 } });
    within({ requests: 1, commands: 3 + 3 * 6 }, await cost(() => three.spend({ a: 2, b: 1, c: 0 })));
  });

  it("once with wait: each poll, and the end of a wait without a result", async () => {
    const one = locks.once(freshName());
    const backoff = (): number => 20;
    const turn = await one.begin();
    const never = (): never => expect.unreachable();
    await one.run({ wait: 50, backoff }, never).catch(() => {});
    const waiting = () => one.run({ wait: "10s", maxPolls: 3, backoff }, never).catch(() => {});
    within({ requests: 4, commands: 3 * 3 + 4 }, await cost(waiting));
    if (turn.status === "started") await turn.complete("done");
    // No id is closed where there is a result.
    within({ requests: 1, commands: 3 }, await cost(waiting));
  });

  it("extendAll: of five leases", async () => {
    const leases = await Promise.all(Array.from({ length: 5 }, () => locks.lock(freshName()).acquire()));
    await extendAll(leases, "1m");
    within({ requests: 1, commands: 20 }, await cost(() => extendAll(leases, "2m")));
  });

  it("list: a page", async () => {
    const few = createLocks({ url: stack.url, token: stack.token, prefix: `${freshName()}:` });
    const names = ["a", "b", "c"];
    await Promise.all(names.map((name) => few.readWriteLock(name).read.acquire()));
    const counted = { ...locks.connection, prefix: few.connection.prefix };
    const pages = async (): Promise<number> => {
      let entries = 0;
      for await (const _ of list(counted, { pageSize: 1000 })) entries++;
      return entries;
    };
    expect(await pages()).toBe(3);
    // Keys of other tests may make a second page, which finds nothing.
    const { requests, commands } = await cost(pages);
    expect(requests).toBeLessThanOrEqual(4);
    expect(commands).toBeLessThanOrEqual(requests - 1 + 7 * 3);
  });

  it("takeOver: in time, a duplicate, and an ended lease", async () => {
    const lock = locks.lock(freshName());
    const ticket = async (): Promise<string> => (await lock.acquire()).ticket();
    await takeOver(lock, await ticket(), () => 1);
    const first = await ticket();
    within({ requests: 2, commands: 9 }, await cost(() => takeOver(lock, first, () => 1)));
    within({ requests: 1, commands: 3 }, await cost(() => takeOver(lock, first, () => 1)));
    const lease = await lock.acquire();
    await lease.release();
    within({ requests: 3, commands: 13 }, await cost(() => takeOver(lock, lease.ticket(), () => 1)));
  });

  it("turn: messages that it collects", async () => {
    const name = freshName();
    // No timer fires, so a running turn does not verify its lease meanwhile.
    const timers = { setTimeout: () => 0, clearTimeout: () => {} };
    const clock = { now: Date.now, monotonic: () => performance.now(), timers };
    const counting: typeof fetch = (...args) => {
      requests++;
      return stack.fetch(...args);
    };
    const still = createLocks({ url: stack.url, token: stack.token, fetch: counting, clock });
    const message = (id: string, work: () => unknown = () => 1) =>
      turn(still, name, { onBusy: "collect", id }, async () => void (await work()));
    await message("warm");
    within({ requests: 2, commands: 8 + 9 }, await cost(() => message("1")));
    let kept = { requests: 0, commands: 0 };
    await message("2", async () => {
      if (kept.requests > 0) return;
      await message("3");
      kept = await cost(() => message("4"));
    });
    within({ requests: 1, commands: 6 }, kept);
    within({ requests: 1, commands: 4 }, await cost(() => message("4")));
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
    const brief = createLocks({
      url: stack.url,
      token: stack.token,
      retention: 1_600,
      requestTimeout: 800,
      lease: 1_200,
    });
    const lock = brief.lock(freshName());
    await (await lock.acquire()).release();
    await brief.lock(freshName()).acquire();
    await brief.lock(freshName()).acquire();
    await brief.lock(freshName()).forceRelease();
    const turn = await brief.once(freshName(), { ttl: 2_000 }).begin();
    if (turn.status === "started") await turn.complete("x");
    await brief.once(freshName(), { ttl: 2_000 }).begin();
    const failing = await brief.once(freshName(), { ttl: 2_000 }).begin();
    if (failing.status === "started") await failing.fail();
    const keys = (await stack.redis.command("SCAN", "0", "COUNT", "1000")).match(/leasehold:\S*/g) ?? [];
    expect(keys.length).toBe(7);
    for (const key of keys) {
      const ttl = Number((await stack.redis.command("PTTL", key)).slice(1));
      expect(ttl).toBeGreaterThan(0);
      expect(ttl).toBeLessThanOrEqual(3_600);
    }
    await pause(3_700);
    expect(await stack.redis.command("SCAN", "0", "COUNT", "1000")).not.toContain("leasehold:");
  });

  it("all have the prefix and one hash tag", async () => {
    await stack.redis.command("FLUSHALL");
    const prefixed = createLocks({ url: stack.url, token: stack.token, prefix: "shop:" });
    await prefixed.lock("a{b}%c").acquire();
    await prefixed.group("g").lock("n").acquire();
    const reply = await stack.redis.command("KEYS", "*");
    expect(reply.match(/shop:\S*/g)?.sort()).toEqual(["shop:{a%7Bb%7D%25c}", "shop:{g}/n"]);
  });
});
