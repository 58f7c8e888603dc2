import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Connection, connect, createLocks, type Locks } from "../../../src/index.ts";
import { runScript } from "../../../src/redis/run.ts";
import { semaphoreAcquire } from "../../../src/redis/scripts/semaphore-acquire.gen.ts";
import { semaphoreClose } from "../../../src/redis/scripts/semaphore-close.gen.ts";
import { semaphoreQueue } from "../../../src/redis/scripts/semaphore-queue.gen.ts";
import { targetOf, withCrowd } from "../../../src/redis/target.ts";
import { randomId } from "../../../src/shared/crypto.ts";
import { freshName, pause, useStack } from "../../support/use-stack.ts";

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
beforeEach(async () => {
  await stack.redis.command("FLUSHALL");
});

/** Redis commands of one request, those inside its script included. */
async function commands(operation: () => Promise<unknown>): Promise<number> {
  requests = 0;
  const commands = await stack.commandsOf(operation);
  expect(requests).toBe(1);
  return commands;
}

/** Members of the crowds of all names, and ids of records. */
async function crowd(name: string): Promise<string[]> {
  const reply = await stack.redis.command("ZRANGE", `leasehold:{${name}}%crowd`, "0", "-1");
  return reply.match(/[0-9a-z][0-9a-f#-]{35,}/g) ?? [];
}

const cancel = (name: string, kind: string, id: string) => {
  const target = withCrowd(targetOf(connection, kind, [name]));
  return runScript(target, semaphoreClose, [id, 0, connection.retentionMs, 0], { operation: "cancel", budgetMs: 1000 });
};

/** Every script is known to Redis. */
async function warm(): Promise<void> {
  const semaphore = locks.semaphore(freshName(), { permits: 1 });
  const lease = await semaphore.acquire();
  await lease.extend();
  await semaphore.inspect();
  await lease.release();
  await semaphore.setPermits(1);
  await semaphore.forceRelease();
}

describe("budgets, with a warm script cache", () => {
  it.each([1, 1000])(
    "semaphore: at most 10 commands for %i permits, also with the dead to take out",
    async (permits) => {
      await warm();
      const semaphore = locks.semaphore(freshName(), { permits: 2 * permits });
      const spent: Record<string, number> = {};
      const measure = async <T>(what: string, operation: () => Promise<T>): Promise<T> => {
        let result: T | undefined;
        spent[what] = await commands(async () => (result = await operation()));
        expect(spent[what], what).toBeLessThanOrEqual(10);
        return result as T;
      };
      const some = { permits, lease: "20s" } as const;
      await (await measure("acquire of a name never seen", () => semaphore.acquire(some))).release();
      const lease = await measure("acquire", () => semaphore.acquire(some));
      await measure("extend", () => lease.extend());
      await measure("verify", () => lease.verify());
      if (permits > 1) await measure("partial release", () => lease.releasePermits([1, 3, 7]));
      await measure("release", () => lease.release());
      await semaphore.setPermits(60);
      await Promise.all(Array.from({ length: 60 }, () => semaphore.acquire({ lease: 400 })));
      await pause(450);
      await semaphore.setPermits(2 * permits);
      const first = await measure("acquire with 60 dead", () => semaphore.acquire(some));
      await semaphore.setPermits(permits);
      expect(await measure("refused", () => semaphore.tryAcquire({ permits }))).toBeNull();
      const { url, token, fetch } = stack;
      const brief = createLocks({ url, token, fetch, retention: 2_000, requestTimeout: 1_000 });
      for (let n = 0; n < 30; n++) {
        await brief.semaphore(semaphore.name).addPermits(2);
        await brief.semaphore(semaphore.name).drain();
      }
      await pause(2_020);
      await measure("release with 60 answers to forget", () => first.release());
      for (let n = 0; n < 30; n++) await brief.semaphore(semaphore.name).drain();
      await pause(2_020);
      await measure("setPermits", () => semaphore.setPermits(10));
      await measure("drain", () => semaphore.drain());
      await measure("inspect", () => semaphore.inspect());
      await measure("cancel of what was never seen", () =>
        cancel(semaphore.name, "semaphore", `${randomId()}#${permits}`),
      );
      expect(spent["refused"]).toBeLessThanOrEqual(7);
    },
  );

  it.each([1, 1000])(
    "fair: at most 10 commands for %i permits, in the queue and past the dead in it",
    async (permits) => {
      const name = freshName();
      const fair = locks.semaphore(name, { permits, fair: true, grace: 50 });
      const target = withCrowd(targetOf(connection, "semaphore", [name]));
      const ask = (id: string, ticket: number, grace = 60_000) =>
        runScript(target, semaphoreQueue, [id, 60_000, permits, 60_000, 60_000, ticket, grace, 0, 0], {
          operation: "acquire",
        });
      const spent: Record<string, number> = {};
      const measure = async <T>(what: string, operation: () => Promise<T>): Promise<T> => {
        let result: T | undefined;
        spent[what] = await commands(async () => (result = await operation()));
        expect(spent[what], what).toBeLessThanOrEqual(10);
        return result as T;
      };
      await (await fair.acquire({ permits })).release();
      await Promise.all(Array.from({ length: Math.min(permits, 40) }, () => fair.acquire({ lease: 400 })));
      await pause(450);
      const lease = await measure("acquire with dead permits", () => fair.acquire({ permits }));
      const [head, next, last] = Array.from({ length: 3 }, () => `${randomId()}#${permits}`) as [
        string,
        string,
        string,
      ];
      const ticketOf = async (reply: Promise<Awaited<ReturnType<typeof ask>>>): Promise<number> => {
        const answer = await reply;
        return answer.status === "held" ? answer.ticket : -1;
      };
      const first = await measure("join", () => ticketOf(ask(head, 0)));
      await measure("stay at the head", () => ask(head, first));
      for (let n = 0; n < 40; n++) await ask(`${randomId()}#1`, 0, 1);
      const second = await measure("join behind", () => ticketOf(ask(next, 0)));
      await pause(50);
      await measure("stay behind dead ones", () => ask(next, second));
      await measure("try while others wait", () => fair.tryAcquire());
      const gone = await measure("a place that is gone", () => ask(last, 5));
      expect(gone).toMatchObject({ status: "held", ticket: 0 });
      expect((await crowd(name)).join()).not.toContain(last.slice(0, 36));
      await measure("release", () => lease.release());
      const taken = await measure("take", () => ask(head, first));
      expect(taken.status).toBe("granted");
      await measure("leave", () => cancel(name, "semaphore", next));
    },
  );

  it("counter: at most 10 commands", async () => {
    await warm();
    const counter = locks.counter(freshName());
    await counter.setPermits(5);
    expect(await commands(() => counter.tryAcquire())).toBeLessThanOrEqual(10);
    expect(await commands(() => counter.release())).toBeLessThanOrEqual(10);
    expect(await commands(() => counter.addPermits(1))).toBeLessThanOrEqual(10);
    expect(await commands(() => counter.drain())).toBeLessThanOrEqual(10);
    expect(await commands(() => counter.tryAcquire())).toBeLessThanOrEqual(7);
    expect(await commands(() => cancel(counter.name, "counter", `${randomId()}#2`))).toBeLessThanOrEqual(10);
  });
});

describe("script time", () => {
  it("does not grow with the permits in use: acquire, release, extend, refused", async () => {
    await warm();
    const sizes = [10, 100, 1_000, 10_000];
    const semaphores = sizes.map(() => locks.semaphore(freshName()));
    for (const [n, semaphore] of semaphores.entries()) {
      const size = sizes[n] as number;
      await semaphore.setPermits(size + 1);
      for (let taken = 0; taken < size; taken += Math.min(size, 500)) {
        await semaphore.acquire({ permits: Math.min(size, 500), lease: "10m" });
      }
    }
    const usec = async (operation: () => Promise<unknown>): Promise<number> => {
      await stack.redis.command("CONFIG", "RESETSTAT");
      await operation();
      const info = await stack.redis.command("INFO", "commandstats");
      return Number(/cmdstat_evalsha:calls=1,usec=(\d+)/.exec(info)?.[1]);
    };
    const empty = (): number[][] => sizes.map(() => []);
    const times: Record<string, number[][]> = { acquire: empty(), extend: empty(), refused: empty(), release: empty() };
    for (let round = 0; round < 25; round++) {
      for (const [n, semaphore] of semaphores.entries()) {
        const note = async (what: string, operation: () => Promise<unknown>): Promise<void> => {
          times[what]?.[n]?.push(await usec(operation));
        };
        let lease = await semaphore.acquire();
        await lease.release();
        await note("acquire", async () => (lease = await semaphore.acquire()));
        await note("extend", () => lease.extend("1m"));
        await note("refused", () => semaphore.tryAcquire());
        await note("release", () => lease.release());
      }
    }
    const median = (list: readonly number[]): number => [...list].sort((a, b) => a - b)[list.length >> 1] as number;
    const medians = Object.entries(times).map(([what, lists]) => [what, lists.map(median)] as const);
    for (const [what, list] of medians) expect(Math.max(...list) / Math.min(...list), what).toBeLessThan(2);
  });
});

describe("contention", () => {
  it("never has more permits out than there are: 40 clients, 1 to 4 each, some that die", async () => {
    const name = freshName();
    const capacity = 7;
    let max = 0;
    let watching = true;
    const watch = async (): Promise<void> => {
      const semaphore = locks.semaphore(name, { permits: capacity });
      while (watching) max = Math.max(max, (await semaphore.inspect()).acquired);
    };
    const watcher = watch();
    let out = 0;
    let mostOut = 0;
    const tokens: number[] = [];
    const client = async (seed: number): Promise<void> => {
      const semaphore = createLocks({ url: stack.url, token: stack.token, fetch: stack.fetch }).semaphore(name, {
        permits: capacity,
      });
      for (let round = 0; round < 4; round++) {
        const permits = 1 + ((seed + round * 3) % 4);
        const dies = (seed + round) % 10 === 0;
        const lease = await semaphore.acquire({ permits, wait: "60s", lease: dies ? 400 : "30s" });
        tokens.push(lease.token);
        // Nobody here knows when a hold whose client died is over there.
        if (dies) continue;
        out += permits;
        mostOut = Math.max(mostOut, out);
        await pause(2 + ((seed * 7) % 9));
        if (permits > 1 && seed % 3 === 0) {
          expect(await lease.releasePermits([1])).toBe(true);
          out -= 1;
          await pause(2);
          out -= permits - 1;
          expect(await lease.release()).toBe(true);
        } else {
          out -= permits;
          expect(await lease.release()).toBe(true);
        }
      }
    };
    await Promise.all(Array.from({ length: 40 }, (_, seed) => client(seed)));
    watching = false;
    await watcher;
    expect(max).toBeGreaterThan(capacity - 3);
    expect(max).toBeLessThanOrEqual(capacity);
    expect(mostOut).toBeLessThanOrEqual(capacity);
    expect(new Set(tokens).size).toBe(tokens.length);
    await pause(450);
    expect(await locks.semaphore(name, { permits: capacity }).inspect()).toMatchObject({ acquired: 0, available: 7 });
  });

  it("fair: many waiters of many sizes all get there, past those who died in the queue", async () => {
    const name = freshName();
    const options = { permits: 5, fair: true, grace: 100 } as const;
    const holder = await locks.semaphore(name, options).acquire({ permits: 5, lease: "20s" });
    // They join, and nobody hears of them again.
    const target = withCrowd(targetOf(connection, "semaphore", [name]));
    for (let n = 0; n < 20; n++) {
      const args = [`${randomId()}#5`, 60_000, 5, 60_000, 60_000, 0, 100, 0, 0] as const;
      await runScript(target, semaphoreQueue, args, { operation: "acquire" });
    }
    let out = 0;
    const waiting = Array.from({ length: 30 }, (_, seed) => {
      const permits = 1 + (seed % 5);
      return locks.semaphore(name, options).run({ permits, wait: "60s" }, async () => {
        out += permits;
        expect(out).toBeLessThanOrEqual(5);
        await pause(3);
        out -= permits;
      });
    });
    await holder.release();
    await Promise.all(waiting);
    expect(await locks.semaphore(name, options).inspect()).toMatchObject({ acquired: 0, available: 5, waiters: 0 });
  });

  it("fair: the name stays a semaphore's while anybody waits", async () => {
    const fair = locks.semaphore(freshName(), { permits: 1, fair: true });
    const lease = await fair.acquire();
    const target = withCrowd(targetOf(connection, "semaphore", [fair.name]));
    const args = [`${randomId()}#1`, 60_000, 1, 60_000, 60_000, 0, 60_000, 0, 0] as const;
    expect((await runScript(target, semaphoreQueue, args, { operation: "acquire" })).status).toBe("held");
    expect(await lease.release()).toBe(true);
    await expect(locks.lock(fair.name).tryAcquire()).rejects.toMatchObject({ code: "wrong_kind", kind: "semaphore" });
    expect(await fair.inspect()).toMatchObject({ state: "free", waiters: 1 });
    expect(await fair.tryAcquire()).toBeNull();
  });

  it("a counter ends at the exact sum", async () => {
    const counter = locks.counter(freshName());
    await counter.setPermits(3);
    let out = 0;
    await Promise.all(
      Array.from({ length: 20 }, async (_, seed) => {
        for (let round = 0; round < 3; round++) {
          const permits = 1 + (seed % 3);
          await counter.acquire({ permits, wait: "60s" });
          out += permits;
          expect(out).toBeLessThanOrEqual(3);
          await pause(1);
          out -= permits;
          await counter.release(permits);
        }
      }),
    );
    expect(await counter.available()).toBe(3);
  });

  it("answers an id that was granted with its own token, whatever was granted since", async () => {
    const target = withCrowd(targetOf(connection, "semaphore", [freshName()]));
    const [one, other] = [`${randomId()}#3`, `${randomId()}#2`] as const;
    const ask = async (id: string) => {
      const args = [id, "semaphore", 60_000, 9, 60_000, 60_000, 0, 0] as const;
      const answer = await runScript(target, semaphoreAcquire, args, { operation: "acquire" });
      return answer.status === "granted" ? [answer.token, answer.holds] : answer.status;
    };
    const [first, second] = [await ask(one), await ask(other)];
    expect(second[0]).toBeGreaterThan(first[0] as number);
    expect([await ask(one), await ask(other)]).toEqual([first, second]);
    await cancel(target.name, "semaphore", one);
    expect([await ask(one), await ask(other)]).toEqual(["closed", second]);
  });

  it("releases none of some permits when one of them is gone, and does it once", async () => {
    const semaphore = locks.semaphore(freshName(), { permits: 9 });
    const target = withCrowd(targetOf(connection, "semaphore", [semaphore.name]));
    const id = `${randomId()}#4`;
    const acquired = await runScript(target, semaphoreAcquire, [id, "semaphore", 60_000, 9, 60_000, 60_000, 0, 0], {
      operation: "acquire",
    });
    const token = acquired.status === "granted" ? acquired.token : 0;
    const release = async (which: string, request: string = randomId()): Promise<string> =>
      (
        await runScript(target, semaphoreClose, [`${id},${request},${which}`, token, 60_000, 0], {
          operation: "release",
        })
      ).status;
    const request = randomId();
    expect(await release("1,3", request)).toBe("closed");
    expect(await release("1,3", request)).toBe("closed");
    for (const which of ["1,2", "3", "2,2", "2,5", "1,2,3,4"]) expect(await release(which), which).toBe("lost");
    expect(await semaphore.acquired()).toBe(2);
    expect(await release("4,2")).toBe("closed");
    expect([await release("1,3", request), await release("2")]).toEqual(["closed", "lost"]);
    expect(await semaphore.inspect()).toMatchObject({ acquired: 0, available: 9, state: "free" });
    // The record keeps that it is over, to be forgotten some day, and that three requests were done.
    expect((await crowd(semaphore.name)).length).toBe(3);
    const own = `t${id.slice(0, 36)}`;
    expect(await stack.redis.command("ZSCORE", `leasehold:{${semaphore.name}}%crowd`, own)).toContain("-1");
  });

  it("gives back what a cancelled request took from a counter once, whatever was cancelled since", async () => {
    const counter = locks.counter(freshName());
    await counter.setPermits(5);
    const target = withCrowd(targetOf(connection, "counter", [counter.name]));
    const id = `${randomId()}#3`;
    const take = async () => {
      const args = [id, "counter", 60_000, "", 60_000, 60_000, 0, 0] as const;
      return (await runScript(target, semaphoreAcquire, args, { operation: "acquire" })).status;
    };
    expect([await take(), await take(), await counter.available()]).toEqual(["granted", "granted", 2]);
    for (let round = 0; round < 2; round++) {
      await cancel(counter.name, "counter", id);
      await cancel(counter.name, "counter", id);
      expect([await take(), await counter.available()]).toEqual(["closed", 5]);
      for (let n = 0; n < 20; n++) await cancel(counter.name, "counter", `${randomId()}#2`);
    }
  });

  it("asks little: requests per acquisition", async () => {
    const semaphore = locks.semaphore(freshName(), { permits: 5 });
    const start = performance.now();
    requests = 0;
    const rounds = 8;
    await Promise.all(
      Array.from({ length: 25 }, async () => {
        for (let round = 0; round < rounds; round++) {
          await semaphore.run({ wait: "60s" }, () => pause(40 + 20 * Math.random()));
        }
      }),
    );
    const acquisitions = 25 * rounds;
    const took = performance.now() - start;
    expect(took, `${requests} requests`).toBeLessThan(30_000);
    expect(requests / acquisitions).toBeLessThan(12);
  });
});

describe("keys", () => {
  it("none is left after lease, retention and ttl, whatever ended it (R8)", async () => {
    const brief = createLocks({
      url: stack.url,
      token: stack.token,
      retention: 4_000,
      requestTimeout: 2_000,
      lease: 1_000,
    });
    const options = { permits: 9, ttl: 1_000 };
    const name = freshName();
    const semaphore = brief.semaphore(name, options);
    await (await semaphore.acquire({ permits: 2 })).release();
    await semaphore.acquire({ permits: 3 });
    await (await semaphore.acquire({ permits: 3 })).releasePermits([1]);
    await cancel(freshName(), "semaphore", `${randomId()}#3`).catch(() => {});
    await brief.semaphore(freshName(), options).acquire();
    await brief.semaphore(freshName(), options).setPermits(3);
    await brief.semaphore(freshName(), options).drain();
    const counter = brief.counter(freshName(), options);
    await counter.setPermits(3);
    await counter.tryAcquire();
    await counter.release();
    await brief.counter(freshName()).release();
    const keys = (await stack.redis.command("SCAN", "0", "COUNT", "1000")).match(/leasehold:\S*/g) ?? [];
    expect(keys.length).toBe(14);
    for (const key of keys) {
      const ttl = Number((await stack.redis.command("PTTL", key)).slice(1));
      expect(ttl, key).toBeGreaterThan(0);
      if (!key.includes(name)) expect(ttl, key).toBeLessThanOrEqual(60_000);
    }
    await pause(5_400);
    const left = (await stack.redis.command("SCAN", "0", "COUNT", "1000")).match(/leasehold:\S*/g) ?? [];
    // The cancel went through a connection that remembers for a minute.
    expect(left.length).toBe(2);
  });

  it("the crowd keeps nothing of holds that are over but what is remembered", async () => {
    const name = freshName();
    const { url, token, fetch } = stack;
    const brief = createLocks({ url, token, fetch, retention: 2_000, requestTimeout: 1_000 });
    const semaphore = brief.semaphore(name);
    await semaphore.setPermits(2000);
    for (let round = 0; round < 5; round++) {
      await semaphore.acquire({ permits: 300, lease: "400ms" });
      await semaphore.acquire({ permits: 3, lease: "400ms" });
      const lease = await semaphore.acquire({ permits: 100 });
      await lease.releasePermits([5, 6]);
      await lease.release();
      await pause(410);
    }
    await pause(2_010);
    for (let round = 0; round < 3; round++) await (await semaphore.acquire({ permits: 300 })).release();
    // The permits that ran out were swept just now, and are remembered for so long.
    await pause(2_010);
    for (let round = 0; round < 3; round++) await (await semaphore.acquire({ permits: 300 })).release();
    // Three holds with an answer each, and those of the numbers set.
    expect((await crowd(name)).length).toBeLessThanOrEqual(4);
    expect(await semaphore.inspect()).toMatchObject({ acquired: 0, available: 2000 });
  });
});

describe("memory full", () => {
  const full = () => stack.redis.command("CONFIG", "SET", "maxmemory", "1");
  const roomy = () => stack.redis.command("CONFIG", "SET", "maxmemory", "0");

  it("releases work, whole, in part, twice; nothing else does, and nothing is half done", async () => {
    const semaphore = locks.semaphore(freshName());
    await semaphore.setPermits(9);
    const counter = locks.counter(freshName(), { permits: 3 });
    await counter.acquire({ permits: 3 });
    const [one, other] = [await semaphore.acquire({ permits: 4 }), await semaphore.acquire({ permits: 2 })];
    try {
      await full();
      expect(await one.releasePermits([1, 2])).toBe(true);
      expect(await one.release()).toBe(true);
      expect(await counter.release(2)).toBe(true);
      await expect(semaphore.acquire()).rejects.toMatchObject({ code: "redis_error" });
      await expect(counter.tryAcquire()).rejects.toMatchObject({ code: "redis_error" });
      await expect(other.extend("1h")).rejects.toMatchObject({ code: "redis_error" });
      expect(await other.verify()).toBe(true);
      expect(await semaphore.inspect()).toMatchObject({ permits: 9, acquired: 2, available: 7 });
      expect(await counter.available()).toBe(2);
    } finally {
      await roomy();
    }
    expect(await other.release()).toBe(true);
    expect(await semaphore.available()).toBe(9);
    expect(await one.verify()).toBe(false);
    expect((await semaphore.acquire({ permits: 9 })).token).toBeGreaterThan(other.token);
  });
});
