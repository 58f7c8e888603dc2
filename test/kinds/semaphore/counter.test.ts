import { beforeEach, describe, expect, it } from "vitest";
import {
  type Counter,
  counter,
  createLocks,
  type Locks,
  type SemaphoreOptions,
  semaphore,
} from "../../../src/index.ts";
import { startProxy } from "../../support/proxy.ts";
import { freshName, useStack } from "../../support/use-stack.ts";

const stack = useStack();
let locks: Locks;
beforeEach(() => {
  locks = createLocks({ url: stack.url, token: stack.token, fetch: stack.fetch });
});

/** The ways in which a server forgets a counter's number, each for a counter of a name of its own. */
const causes = [
  ["its ttl", (counter: Counter) => expect.poll(async () => (await counter.inspect()).state).toBe("free")],
  ["FLUSHALL", async () => void (await stack.redis.command("FLUSHALL"))],
  ["forceRelease", async (counter: Counter) => void (await counter.forceRelease())],
] as const;

describe.each(causes)("a counter whose number is forgotten by %s", (cause, forget) => {
  /** A counter of five, and the same one of a client that lets its number be forgotten early. */
  function open(): { counter: Counter; brief: Counter } {
    const options = { permits: 5 };
    const counter = locks.counter(freshName(), options);
    const ttl = cause === "its ttl" ? 300 : "1h";
    return { counter, brief: locks.counter(counter.name, { ...options, ttl }) };
  }

  it("gets back nothing of what was taken before (E3)", async () => {
    const { counter, brief } = open();
    expect(await brief.tryAcquire({ permits: 5 })).toBe(true);
    await forget(counter);
    const released = [];
    for (let n = 0; n < 5; n++) released.push(await counter.release());
    expect(released).toEqual([false, false, false, false, false]);
    expect(await counter.available()).toBe(5);
    expect((await counter.inspect()).state).toBe("free");
  });

  it("gets back no part of it, and not all at once (E3)", async () => {
    const { counter, brief } = open();
    await brief.acquire({ permits: 4 });
    await forget(counter);
    expect([await counter.release(3), await counter.release(1)]).toEqual([false, false]);
    expect(await counter.available()).toBe(5);
  });

  it("never has more than its number, also when others have taken some since (E3)", async () => {
    const { counter, brief } = open();
    await brief.acquire({ permits: 5 });
    await forget(counter);
    expect(await counter.tryAcquire({ permits: 2 })).toBe(true);
    expect(await counter.release(5)).toBe(false);
    expect(await counter.available()).toBe(3);
    expect(await counter.release(2)).toBe(true);
    expect(await counter.release()).toBe(false);
    expect(await counter.available()).toBe(5);
  });
});

describe("a counter that is given its number", () => {
  it("gets back at most what was taken, and what is drained or added is its new number (E3)", async () => {
    const counter = locks.counter(freshName(), { permits: 5 });
    await counter.acquire({ permits: 3 });
    expect(await counter.release(4)).toBe(false);
    expect(await counter.drain()).toBe(2);
    // What was drained is gone for good; what is taken comes back.
    expect(await counter.release(3)).toBe(true);
    expect(await counter.release(2)).toBe(false);
    expect(await counter.available()).toBe(3);
    await counter.addPermits(2);
    expect(await counter.release()).toBe(false);
    await counter.acquire({ permits: 5 });
    await counter.addPermits(-2);
    expect(await counter.available()).toBe(-2);
    expect(await counter.release(5)).toBe(true);
    expect(await counter.available()).toBe(3);
    await counter.acquire({ permits: 1 });
    await counter.setPermits(4);
    // It was taken from the number before.
    expect(await counter.release()).toBe(false);
    expect(await counter.available()).toBe(4);
  });

  it("counts a duplicate of a release once, also one that comes late (E3)", async () => {
    const proxy = await startProxy(stack.url);
    try {
      const counter = createLocks({ url: proxy.url, token: stack.token }).counter(freshName(), { permits: 5 });
      await counter.acquire({ permits: 4 });
      expect(await counter.release(2)).toBe(true);
      await proxy.replay(({ script }) => script === "semaphore-set");
      expect(await counter.available()).toBe(3);
      await counter.forceRelease();
      await counter.acquire({ permits: 4 });
      await proxy.replay(({ script }) => script === "semaphore-set");
      expect(await counter.available()).toBe(1);
      expect(await counter.release(5)).toBe(false);
      await counter.release(4);
      await stack.redis.command("FLUSHALL");
      await proxy.replay(({ script }) => script === "semaphore-set");
      expect(await counter.available()).toBe(5);
    } finally {
      await proxy.close();
    }
  });

  it("does not get back twice what a cancelled request returned (E3)", async () => {
    const proxy = await startProxy(stack.url);
    try {
      const own = createLocks({ url: proxy.url, token: stack.token, requestTimeout: 1_500 });
      const counter = own.counter(freshName(), { permits: 5 });
      await counter.acquire();
      const heal = proxy.always("semaphore-acquire", async ({ forward, cut }) => {
        await forward();
        cut();
      });
      await counter.tryAcquire({ permits: 3 }).catch(() => {});
      heal();
      expect(await counter.release(3)).toBe(false);
      expect(await counter.release()).toBe(true);
      expect(await counter.available()).toBe(5);
    } finally {
      await proxy.close();
    }
  });
});

describe.each([
  ["a counter that is given its number never has more than that", { permits: 5 }, 5],
  ["a counter whose number is set only gets back all that a cancelled request took", {}, 7],
])("%s, also", (_, options, max) => {
  it("when others release the permits of a request before it is cancelled (E3)", async () => {
    const proxy = await startProxy(stack.url);
    try {
      const own = createLocks({ url: proxy.url, token: stack.token, requestTimeout: 1_500 });
      const counter = own.counter(freshName(), options);
      await counter.setPermits(5);
      await counter.acquire();
      const released: Promise<boolean>[] = [];
      const heal = proxy.always("semaphore-acquire", async ({ forward, cut }) => {
        await forward();
        if (released.length === 0) released.push(counter.release(3));
        await released[0];
        cut();
      });
      await counter.tryAcquire({ permits: 3 }).catch(() => {});
      heal();
      expect(await released[0]).toBe(true);
      expect(await counter.available()).toBe(max);
    } finally {
      await proxy.close();
    }
  });
});

it("a counter whose number is set only gets whatever is released, and nothing without a number (E3)", async () => {
  const counter = locks.counter(freshName());
  expect(await counter.release(3)).toBe(false);
  await counter.setPermits(0);
  await counter.addPermits(4);
  expect(await counter.release(10)).toBe(true);
  expect(await counter.available()).toBe(14);
  await counter.forceRelease();
  expect(await counter.release(10)).toBe(false);
  expect(await counter.inspect()).toMatchObject({ state: "free", available: 0 });
});

it("a counter is a kind of its own, of a connection and of what createLocks makes, and a semaphore always has leases", async () => {
  const name = freshName();
  await counter(locks, name, { permits: 5 }).acquire({ permits: 2 });
  await counter(locks.connection, name).release();
  expect(await locks.counter(name).available()).toBe(4);
  const unlent = { lease: false, permits: 5 } as unknown as SemaphoreOptions;
  for (const make of [() => semaphore(locks, name, unlent), () => locks.semaphore(name, unlent)])
    expect(make).toThrow(/use counter\(name, options\)/);
  await expect(locks.semaphore(name).acquired()).rejects.toMatchObject({ code: "wrong_kind" });
});
