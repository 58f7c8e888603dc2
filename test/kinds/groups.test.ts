import { describe, expect, it } from "vitest";
import { redisFence } from "../../src/fence/index.ts";
import { connect, createLocks, type Locks, lock, multiLock, resume } from "../../src/index.ts";
import { freshName, useStack } from "../support/use-stack.ts";

const stack = useStack();
const to = () => ({ url: stack.url, token: stack.token });
const make = (): Locks => createLocks(to());
const group = "accounts";
const some = (count: number): string[] => Array.from({ length: count }, () => freshName("account"));

describe("one name with and without a group", () => {
  it("the plain name of one that a multi-lock has in a group is refused with the reason", async () => {
    const locks = make();
    const names = some(2);
    const [name = ""] = names;
    const lease = await locks.multiLock(names, { group }).acquire();
    const message = new RegExp(`"${name}".*group`);
    expect(() => locks.lock(name)).toThrow(TypeError);
    expect(() => locks.lock(name)).toThrow(message);
    // Named in full it is told the truth.
    expect(await locks.lock(name, { group }).inspect()).toMatchObject({ state: "held", token: lease.token });
    expect(await locks.lock(name, { group }).tryAcquire()).toBeNull();
    expect(await locks.multiLock(names, { group }).inspect()).toMatchObject({ [name]: { state: "held" } });
  });

  it("the same when the plain lock was made first, or is a part of a multi-lock without the group", async () => {
    const names = some(2);
    const [one = "", two = ""] = names;
    const connection = connect(to());
    const plain = lock(connection, two);
    expect(await plain.inspect()).toMatchObject({ state: "free" });
    const multi = multiLock(connection, names, { group });
    const lease = await multi.acquire();
    await expect(plain.inspect()).rejects.toThrow(TypeError);
    await expect(plain.forceRelease()).rejects.toThrow(TypeError);
    expect(() => multiLock(connection, [one, freshName()])).toThrow(/group/);
    expect(() => multiLock(connection, names)).toThrow(/group/);
    // Also when it is free again: whoever asks next would be told nothing of the one after.
    await lease.release();
    expect(() => lock(connection, one)).toThrow(TypeError);
  });

  it("what was meant is taken: names of several groups, single locks that say theirs, tickets, other names", async () => {
    const locks = make();
    const names = some(2);
    const [name = ""] = names;
    const tenants = ["tenant 1", "tenant 2"].map((each) => locks.multiLock(names, { group: each }));
    const leases = await Promise.all(tenants.map((each) => each.acquire()));
    expect(leases.every((lease) => lease.remaining > 0)).toBe(true);
    // A group that was given for one name counts.
    const config = freshName("config");
    const both = [locks.lock(config), locks.lock(config, { group: "tenant 1" })];
    for (const lease of await Promise.all(both.map((each) => each.acquire()))) await lease.release();
    const resumed = await resume(locks.connection, leases[0]?.ticket() ?? "");
    expect(await resumed.verify()).toBe(true);
    expect(() => locks.lock(`${name}-other`)).not.toThrow();
  });
});

describe("a reentry key that holds one of the names of a group", () => {
  it("gets not_reentrant for all of them, at once, and nothing of it is changed", async () => {
    const locks = make();
    const names = some(3);
    const [, held = ""] = names;
    const lease = await locks.lock(held, { group, reentryKey: "alice" }).acquire({ lease: "20s" });
    const multi = locks.multiLock(names, { group, reentryKey: "alice" });
    await expect(multi.acquire({ wait: "20s" })).rejects.toMatchObject({ code: "not_reentrant" });
    await expect(multi.tryAcquire()).rejects.toMatchObject({ code: "not_reentrant" });
    for (const name of names) {
      const state = name === held ? { state: "held", holds: 1, token: lease.token } : { state: "free" };
      expect(await locks.lock(name, { group }).inspect()).toMatchObject(state);
    }
    expect(await locks.multiLock(names, { group, reentryKey: "bob" }).tryAcquire()).toBeNull();
    expect(await lease.release()).toBe(true);
    await (await multi.acquire()).release();
  });

  it("enters where it has all of them, in whatever order, and one of them alone", async () => {
    const locks = make();
    const names = some(3);
    const lease = await locks.multiLock(names, { group, reentryKey: "alice" }).acquire({ lease: "20s" });
    const again = await locks.multiLock([...names].reverse(), { group, reentryKey: "alice" }).acquire();
    const one = await locks.lock(names[1] ?? "", { group, reentryKey: "alice" }).acquire();
    expect([again.token, one.token]).toEqual([lease.token, lease.token]);
    for (const each of [again, lease, one]) expect(await each.release()).toBe(true);
    for (const name of names) expect(await locks.lock(name, { group }).inspect()).toMatchObject({ state: "free" });
  });

  it.each([0, 1])("is refused immediately, though another caller holds the other one too (%d)", async (which) => {
    const locks = make();
    const names = some(2);
    const [one = "", two = ""] = which ? [...names].reverse() : names;
    await locks.lock(one, { group, reentryKey: "alice" }).acquire({ lease: "20s" });
    await locks.lock(two, { group, reentryKey: "bob" }).acquire({ lease: "20s" });
    for (const reentryKey of ["alice", "bob"]) {
      const multi = locks.multiLock(names, { group, reentryKey });
      await expect(multi.acquire({ wait: "20s", maxPolls: 1 })).rejects.toMatchObject({ code: "not_reentrant" });
    }
    const another = locks.multiLock(names, { group, reentryKey: "carol" });
    await expect(another.acquire({ wait: "50ms" })).rejects.toMatchObject({ code: "lock_timeout" });
  });
});

describe("fences of a lease over several names", () => {
  it("are claimed by name: the lease as a whole has none that all others share", async () => {
    const locks = make();
    const fence = redisFence(locks, { group });
    const names = some(2);
    const [one = ""] = names;
    const older = await locks.multiLock(names, { group }).acquire();
    for (const name of names) await fence.claim({ name, token: older.tokens[name] ?? 0 });
    await older.release();
    const newer = await locks.multiLock([...names].reverse(), { group }).acquire();
    for (const refused of [
      () => fence.claim(newer),
      () => fence.write(newer, "value"),
      () => fence.call(newer, "SET", `{${group}}key`, "value"),
    ]) {
      await expect(refused()).rejects.toThrow(TypeError);
      await expect(refused()).rejects.toThrow(/tokens/);
    }
    for (const name of names) await fence.claim({ name, token: newer.tokens[name] ?? 0 });
    // The older one, and one of a single name, meet there.
    await expect(fence.write({ name: one, token: older.token }, "late")).rejects.toMatchObject({ code: "stale_token" });
    await newer.release();
    const single = await locks.lock(one, { group }).acquire();
    await fence.claim(single);
    await expect(fence.write({ name: one, token: newer.token }, "late")).rejects.toMatchObject({ code: "stale_token" });
    // A multi-lock of one name is that of the name.
    await single.release();
    await fence.claim(await locks.multiLock([one], { group }).acquire());
    // So is what a ticket of several gives.
    const resumed = await locks.resume(newer.ticket());
    await expect(fence.claim(resumed)).rejects.toThrow(/tokens/);
  });
});
