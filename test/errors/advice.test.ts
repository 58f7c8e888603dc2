/** Errors that say what to do. */
import { describe, expect, it } from "vitest";
import { createLocks, LeaseLostError, type Locks, quorumLock } from "../../src/index.ts";
import { createTestRedis } from "../../testing/src/index.ts";
import { TCP_CLIENTS } from "../support/tcp-clients.ts";
import { freshName, useStack } from "../support/use-stack.ts";

const stack = useStack();
const caught = (promise: Promise<unknown>): Promise<Error> =>
  promise.then(
    (value) => expect.unreachable(`it resolved: ${String(value)}`),
    (error: Error) => error,
  );

describe("a lease that has expired", () => {
  it("says that a longer one or keepAlive helps; no other loss does (B36)", async () => {
    const redis = createTestRedis();
    const locks = createLocks(redis.options);
    const lease = await locks.lock("a").acquire({ lease: "1s" });
    await redis.advance("2s");
    const says =
      'the lease of "a" has ended: expired, since nothing extended it in time: use a longer lease, or keepAlive: true';
    expect(await caught(lease.extend())).toMatchObject({ code: "lease_lost", reason: "expired", message: says });
    expect(() => lease.throwIfEnded()).toThrow(says);
    expect(lease.signal.reason).toMatchObject({ message: says });
    for (const reason of ["taken", "released", "forced", "gone"] as const)
      expect(new LeaseLostError("a", reason).message).toBe(`the lease of "a" has ended: ${reason}`);
  });
});

const OWN = "This client holds it: to acquire it again in work under its lease, pass the same reentryKey";
type Acquire = (locks: Locks, name: string) => Promise<unknown>;
/** What holds a name, and what waits for it. */
const NESTED: Readonly<Record<string, readonly [hold: Acquire, wait: Acquire]>> = {
  lock: [(locks, name) => locks.lock(name).acquire(), (locks, name) => locks.lock(name).acquire({ wait: 30 })],
  fairLock: [
    (locks, name) => locks.fairLock(name).acquire(),
    (locks, name) => locks.fairLock(name).acquire({ wait: 0, reentryKey: "another" }),
  ],
  "write lock": [
    (locks, name) => locks.readWriteLock(name).write.acquire(),
    (locks, name) => locks.readWriteLock(name).write.acquire({ wait: 0 }),
  ],
  "read lock under a write lock": [
    (locks, name) => locks.readWriteLock(name).write.acquire(),
    (locks, name) => locks.readWriteLock(name).read.acquire({ wait: 0 }),
  ],
  "part of a multi-lock": [
    (locks, name) => locks.lock(name).acquire(),
    (locks, name) => locks.multiLock(["free", name]).acquire({ wait: 0 }),
  ],
};

describe("a wait for what this client holds", () => {
  it.each(Object.entries(NESTED))("names reentryKey: %s (B36)", async (_, [hold, wait]) => {
    const name = freshName();
    const make = (): Locks => createLocks({ url: stack.url, token: stack.token });
    const ours = make();
    await hold(ours, name);
    const error = await caught(wait(ours, name));
    expect(error).toMatchObject({ code: "lock_timeout" });
    expect(error.message).toContain(OWN);
    expect(error).not.toHaveProperty("isOwn");
    // Another client's wait is no deadlock.
    expect((await caught(wait(make(), name))).message).not.toContain(OWN);
  });

  it("does not where the holder is another client that came after this one (B36)", async () => {
    const name = freshName();
    const [ours, theirs] = [1, 2].map(() => createLocks({ url: stack.url, token: stack.token }));
    await (await ours?.lock(name).acquire())?.release();
    await theirs?.lock(name).acquire();
    const error = await caught(ours?.lock(name).acquire({ wait: 0 }) as Promise<unknown>);
    expect(error.message).not.toContain(OWN);
  });

  it("does not for kinds that are not reentrant (B36)", async () => {
    const redis = createTestRedis();
    const locks = createLocks(redis.options);
    const quorum = quorumLock([locks], "a");
    await quorum.acquire();
    const readers = locks.readWriteLock("b");
    await readers.read.acquire();
    for (const call of [() => quorum.acquire({ wait: 0 }), () => readers.write.acquire({ wait: 0 })])
      expect((await caught(call())).message).not.toContain(OWN);
  });
});

describe("a user who may not have the keys", () => {
  it("names the keys and the prefix, and no token (B36)", async () => {
    const { redis } = stack;
    await redis.command("ACL", "SETUSER", "narrow", "on", ">narrow-password", "~other:*", "+@all");
    const client = TCP_CLIENTS.ioredis(`redis://narrow:narrow-password@127.0.0.1:${redis.port}`);
    try {
      const locks = createLocks({ redis: client.redis, prefix: "mine:" });
      for (const [call, keys] of [
        [() => locks.lock("a").acquire(), "mine:{a}"],
        [() => locks.fairLock("b").inspect(), "mine:{b}, mine:{b}%crowd"],
      ] as const) {
        const error = await caught(call());
        expect(error).toMatchObject({ code: "unauthorized" });
        expect(error.message).toMatch(/^NOPERM .*key/);
        expect(error.message).toContain(`: allow the user the keys of the prefix, ~mine:* (here ${keys})`);
        expect(error.message).not.toContain("token");
      }
    } finally {
      client.close();
      await redis.command("ACL", "DELUSER", "narrow");
    }
  });
});
