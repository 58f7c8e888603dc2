import { beforeEach, describe, expect, it } from "vitest";
import { type Counter, createLocks, type Locks } from "../../../src/index.ts";
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
    const options = { lease: false, permits: 5 } as const;
    const counter = locks.semaphore(freshName(), options);
    const ttl = cause === "its ttl" ? 300 : "1h";
    return { counter, brief: locks.semaphore(counter.name, { ...options, ttl }) };
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
    const counter = locks.semaphore(freshName(), { lease: false, permits: 5 });
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
      const counter = createLocks({ url: proxy.url, token: stack.token }).semaphore(freshName(), {
        lease: false,
        permits: 5,
      });
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

  it("does not get back twice what a cancelled request gave back (E3)", async () => {
    const proxy = await startProxy(stack.url);
    try {
      const own = createLocks({ url: proxy.url, token: stack.token, requestTimeout: 400 });
      const counter = own.semaphore(freshName(), { lease: false, permits: 5 });
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

it("a counter whose number is set only gets whatever is released, and nothing without a number (E3)", async () => {
  const counter = locks.semaphore(freshName(), { lease: false });
  expect(await counter.release(3)).toBe(false);
  await counter.setPermits(0);
  await counter.addPermits(4);
  expect(await counter.release(10)).toBe(true);
  expect(await counter.available()).toBe(14);
  await counter.forceRelease();
  expect(await counter.release(10)).toBe(false);
  expect(await counter.inspect()).toMatchObject({ state: "free", available: 0 });
});
