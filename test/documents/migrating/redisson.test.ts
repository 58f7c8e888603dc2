import { expect, it } from "vitest";
import {
  type Acquirable,
  connect,
  createLocks,
  exponentialBackoff,
  type Joinable,
  type Latch,
  type Lease,
  LeaseLostError,
  type Lock,
  type Locks,
  LockTimeoutError,
  quorumLock,
  type Semaphore,
} from "../../../src/index.ts";
import { freshName, pause, useStack } from "../../support/use-stack.ts";
import { evaluate, expectExclusion, type Holding, type Row, rowsOf, testRows } from "./rows.ts";

const HEADING = "From Redisson";
const stacks = [useStack(), useStack(), useStack()] as const;
const [stack] = stacks;
const rows = rowsOf(HEADING);
const ourLocks = (): Locks => createLocks({ url: stack.url, token: stack.token });
/** What the guide's code may name. */
const scopeOf = (name: string, locks = ourLocks()) => ({
  ...{ locks, name, permits: 1, quorumLock, exponentialBackoff, a: name, b: `${name}+` },
  connections: stacks.map(({ url, token }) => connect({ url, token })),
});

/** Holds the lock that a row names. */
const holdingOf =
  (row: Row, name: string): Holding =>
  async () => {
    const made = evaluate<Acquirable & { readonly write?: Acquirable }>(row.ours[0], scopeOf(name));
    const lease = await (made.write ?? made).acquire({ wait: "30s" });
    return () => lease.release();
  };

/** It excludes itself, and multi-locks in which it is. */
async function excludes(row: Row): Promise<void> {
  const name = freshName();
  await expectExclusion(holdingOf(row, name), holdingOf(row, name));
  const whole: Holding = async () => {
    const scope = scopeOf(name);
    const made = evaluate<Joinable & { readonly write?: Joinable }>(row.ours[0], scope);
    const lease = await scope.locks.multiLock([made.write ?? made, `${name}-other`]).acquire({ wait: "30s" });
    return () => lease.release();
  };
  await expectExclusion(holdingOf(row, name), whole);
  await expectExclusion(whole, holdingOf(row, name));
}

const lockOf = (name = freshName()): Lock => ourLocks().lock(name);

testRows(HEADING, {
  async "getLock(name)"(row) {
    await excludes(row);
    const name = freshName();
    const lease = await lockOf(name).acquire({ reentryKey: "request 1" });
    const again = await lockOf(name).tryAcquire({ reentryKey: "request 1" });
    expect(again?.token).toBe(lease.token);
    expect(await lockOf(name).tryAcquire({ reentryKey: "request 2" })).toBeNull();
  },
  "getFairLock(name)": excludes,
  async "getFencedLock(name)"({ ours: [token] }) {
    const name = freshName();
    const lease = await lockOf(name).acquire({ reentryKey: "mine" });
    const first = evaluate<number>(token, { lease });
    const again = await lockOf(name).acquire({ reentryKey: "mine" });
    expect(again.token).toBe(first);
    await Promise.all([lease.release(), again.release()]);
    expect((await lockOf(name).acquire()).token).toBeGreaterThan(first);
  },
  async "getReadWriteLock(name)"(row) {
    await excludes(row);
    const { read, write } = ourLocks().readWriteLock(freshName());
    const reader = await read.acquire({ reentryKey: "mine" });
    const upgrade = write.acquire({ reentryKey: "mine" });
    await expect(upgrade).rejects.toMatchObject({ code: "upgrade_refused" });
    await reader.release();
  },
  async "getMultiLock(a, b)"(row) {
    const name = freshName();
    const single = rows.get("getLock(name)") as Row;
    for (const [one, other] of [
      [row, row],
      [row, single],
      [single, row],
    ] as const)
      await expectExclusion(holdingOf(one, name), holdingOf(other, name));
    // Of locks, as there.
    const { locks } = scopeOf(name);
    const [a, b] = [locks.lock(name), locks.lock(`${name}+`)];
    const lease = await evaluate<Acquirable>(row.ours[0], { locks, a, b }).acquire();
    expect(await holdsNothing(name)).toBe(false);
    await lease.release();
  },
  async "getSpinLock(name)"({ ours: [backoff] }) {
    const name = freshName();
    const lease = await lockOf(name).acquire();
    const waiting = lockOf(name).acquire(evaluate(`{ ${backoff} }`, { exponentialBackoff }));
    await lease.release();
    expect(await (await waiting).release()).toBe(true);
  },
  async "getRedLock(a, b, c)"({ ours: [right] }) {
    const name = freshName();
    const quorum = (): Holding => async () => {
      const lease = await evaluate<Acquirable>(right, scopeOf(name)).acquire({ wait: "30s" });
      return () => lease.release();
    };
    await expectExclusion(quorum(), quorum());
  },
  async "getSemaphore(name)"({ ours: [right] }) {
    const counter = evaluate<{
      setPermits(count: number): Promise<void>;
      tryAcquire(): Promise<unknown>;
    }>(right, scopeOf(freshName()));
    await counter.setPermits(1);
    expect(await counter.tryAcquire()).toBe(true);
    expect(await counter.tryAcquire()).toBe(false);
  },
  async "getPermitExpirableSemaphore(name)"(row) {
    await excludes(row);
    const semaphore = evaluate<Semaphore>(row.ours[0], { ...scopeOf(freshName()), permits: 3 });
    const lease = await semaphore.acquire({ permits: 3 });
    expect(await lease.releasePermits(lease.permits.slice(0, 2))).toBe(true);
    expect(await semaphore.available()).toBe(2);
  },
  async "getCountDownLatch(name)"({ ours: [right] }) {
    const latch = evaluate<Latch>(right, scopeOf(freshName()));
    expect(await latch.trySetCount(1)).toBe(true);
    const waiting = latch.wait({ wait: "30s" });
    await latch.countDown();
    await waiting;
  },
  async "lock()"({ ours: [call] }) {
    const name = freshName();
    await lockOf(name).acquire();
    const waiting = evaluate<Promise<Lease>>(call, { lock: lockOf(name), wait: 50 });
    await expect(waiting).rejects.toThrow(LockTimeoutError);
  },
  async "tryLock()"({ ours: [call] }) {
    const lock = lockOf();
    const lease = await evaluate<Promise<Lease | null>>(call, { lock });
    expect(lease).not.toBeNull();
    expect(await evaluate<Promise<Lease | null>>(call, { lock })).toBeNull();
  },
  async "tryLock(waitTime, leaseTime, unit)"({ ours: [call] }) {
    const given = { lock: lockOf(), wait: 50, lease: 5_000 };
    const held = await evaluate<Promise<Lease>>(call, given);
    expect(held.remaining).toBeLessThanOrEqual(5_000);
    await expect(evaluate<Promise<Lease>>(call, given)).rejects.toThrow(LockTimeoutError);
  },
  async "unlock()"({ ours: [call] }) {
    const lease = await lockOf().acquire();
    expect(await evaluate<Promise<boolean>>(call, { lease })).toBe(true);
    expect(await evaluate<Promise<boolean>>(call, { lease })).toBe(false);
  },
  async "forceUnlock()"({ ours: [call] }) {
    const lock = lockOf();
    const lease = await lock.acquire();
    expect(await evaluate<Promise<boolean>>(call, { lock })).toBe(true);
    expect(await lock.inspect()).toMatchObject({ state: "free" });
    expect((await lock.inspect()).token).toBeGreaterThan(lease.token);
    expect(await lease.verify()).toBe(false);
  },
  async "isLocked()"({ ours: [call, ...fields] }) {
    const lock = lockOf();
    await lock.acquire({ reentryKey: "mine" });
    await lock.acquire({ reentryKey: "mine" });
    const state = await evaluate<Promise<object>>(call, { lock });
    expect(state).toMatchObject({ state: "held", holds: 2, remaining: expect.any(Number) });
    expect(Object.keys(state)).toEqual(expect.arrayContaining(fields));
  },
  async "isHeldByCurrentThread()"({ ours: [call] }) {
    const lease = await lockOf().acquire();
    expect(await evaluate<Promise<boolean>>(call, { lease })).toBe(true);
    await lease.release();
    expect(await evaluate<Promise<boolean>>(call, { lease })).toBe(false);
  },
  async lockWatchdogTimeout({ ours: [, option] }) {
    const lock = lockOf();
    const options = evaluate<{ keepAlive: true }>(`{ ${option} }`, {});
    await lock.run({ ...options, lease: 3_000 }, async () => {
      await pause(4_000);
      expect(await lock.tryAcquire()).toBeNull();
    });
    await expect(lock.run({ lease: 1_500 }, () => pause(2_000))).rejects.toThrow(LeaseLostError);
  },
  async checkLockSyncedSlaves({ ours: [option] }) {
    const options = evaluate<object>(`{ ${option} }`, { min: 1, timeout: 100 });
    await expect(lockOf().acquire(options)).rejects.toMatchObject({ code: "not_replicated" });
  },
  async name({ ours: [key = ""] }) {
    const name = freshName();
    await lockOf(name).acquire();
    expect(await stack.redis.command("TYPE", key.replace("name", name))).toContain("string");
  },
});

const holdsNothing = async (name: string): Promise<boolean> => (await lockOf(name).inspect()).state === "free";

const KINDS = ["getLock(name)", "getFairLock(name)", "getReadWriteLock(name)", "getPermitExpirableSemaphore(name)"];

it.each(KINDS.flatMap((one) => KINDS.filter((other) => other !== one).map((other) => [one, other] as const)))(
  "a name that %s has is refused to %s, and to a multi-lock of it (E9)",
  async (one, other) => {
    const name = freshName();
    const release = await holdingOf(rows.get(one) as Row, name)();
    await expect(holdingOf(rows.get(other) as Row, name)()).rejects.toMatchObject({ code: "wrong_kind" });
    const scope = scopeOf(name);
    const made = evaluate<Joinable & { readonly write?: Joinable }>(rows.get(other)?.ours[0], scope);
    const multi = scope.locks.multiLock([made.write ?? made, `${name}-other`]);
    await expect(multi.tryAcquire()).rejects.toMatchObject({ code: "wrong_kind" });
    await release();
  },
);
