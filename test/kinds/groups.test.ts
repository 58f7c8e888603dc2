import "reflect-metadata";
import { describe, expect, it } from "vitest";
import { createRuntime } from "../../nest/src/runtime.ts";
import { redisFence } from "../../src/fence/index.ts";
import {
  connect,
  createLocks,
  fromEnv,
  type Joinable,
  type Lease,
  type Locks,
  lock,
  type MultiLease,
  multiLock,
  resume,
  group as viewOfGroup,
} from "../../src/index.ts";
import { inspect, list } from "../../src/list/index.ts";
import { freshName, useStack } from "../support/use-stack.ts";

const stack = useStack();
const to = () => ({ url: stack.url, token: stack.token });
const make = (): Locks => createLocks(to());
const group = "accounts";
const some = (count: number): string[] => Array.from({ length: count }, () => freshName("account"));

async function listed(entries: ReturnType<typeof list>): Promise<unknown[]> {
  const found = [];
  for await (const entry of entries) found.push(entry);
  return found;
}

describe("the view of a group", () => {
  it("holds what a multi-lock of its names holds, and the same names outside are others", async () => {
    const locks = make();
    const view = locks.group(group);
    const names = some(2);
    const [name = ""] = names;
    const lease = await view.multiLock(names).acquire();
    expect(await view.lock(name).inspect()).toMatchObject({ state: "held", token: lease.token });
    expect(await view.lock(name).tryAcquire()).toBeNull();
    expect(await view.multiLock(names).inspect()).toMatchObject({ [name]: { state: "held" } });
    expect(await locks.lock(name).inspect()).toEqual({ state: "free", token: 0 });
    const tenants = ["tenant 1", "tenant 2"].map((each) => locks.group(each).multiLock(names));
    const leases = await Promise.all([...tenants, locks.multiLock(names)].map((each) => each.acquire()));
    expect(leases.every(({ remaining }) => remaining > 0)).toBe(true);
  });

  it("is the same one however it is made, and sends over its connection", async () => {
    let requests = 0;
    const counted: typeof fetch = (...given) => {
      requests++;
      return fetch(...given);
    };
    const connection = connect({ ...to(), fetch: counted });
    const view = viewOfGroup(connection, group);
    const [name = ""] = some(1);
    expect(view.state).toBe(connection.state);
    const lease = await lock(view, name).acquire();
    for (const other of [createLocks(view), createLocks(connection).group(group)])
      expect(await other.lock(name).tryAcquire()).toBeNull();
    expect(await lock(viewOfGroup(createLocks(connection), group), name).tryAcquire()).toBeNull();
    requests = 0;
    // What several views send at once is one pipeline.
    const both = multiLock(connection, [lock(view, name), lock(viewOfGroup(connection, "other"), name), freshName()]);
    expect(Object.values(await both.inspect())).toHaveLength(3);
    expect(requests).toBe(1);
    await lease.release();
  });

  it("of an environment reads it at the first request", async () => {
    const env: Record<string, string> = {};
    const view = createLocks(fromEnv(env)).group(group);
    env["KV_REST_API_URL"] = stack.url;
    env["KV_REST_API_TOKEN"] = stack.token;
    const [name = ""] = some(1);
    await view.lock(name).acquire();
    expect(await make().group(group).lock(name).tryAcquire()).toBeNull();
  });

  it("of the client that Nest injects has the names of the group, and both are listed and inspected", async () => {
    const { locks } = createRuntime({ ...to(), prefix: `${freshName()}:` });
    const view = locks.group(group);
    const lease = await view.lock("n").acquire();
    expect(await view.lock("n").tryAcquire()).toBeNull();
    expect(await locks.lock("n").inspect()).toMatchObject({ state: "free" });
    expect(await listed(list(locks))).toMatchObject([{ name: "n", group }]);
    expect(await inspect(view, "n")).toMatchObject({ held: true });
    expect(await lease.release()).toBe(true);
  });

  it("has every kind, and no group of its own", async () => {
    const view = make().group(group);
    const [name = ""] = some(1);
    expect(await view.once(name).run(() => 7)).toMatchObject({ status: "done", result: 7 });
    expect(await make().group(group).once(name).begin()).toMatchObject({ status: "done", result: 7 });
    expect(await make().once(name).inspect()).toMatchObject({ state: "free" });
    const inside = view as unknown as Locks;
    expect(() => inside.group("g")).toThrow(/this is the view of the group "accounts"/);
    expect(() => viewOfGroup(view, "g")).toThrow(TypeError);
  });

  it("resumes a ticket of any group or of none, and so does its connection", async () => {
    const locks = make();
    const view = locks.group(group);
    const names = some(2);
    const [name = ""] = names;
    const leases = [
      await view.multiLock(names).acquire(),
      await view.fairLock(freshName()).acquire(),
      await locks.lock(name).acquire(),
    ];
    for (const lease of leases) {
      for (const place of [locks, view, locks.group("another")])
        expect(await (await place.resume(lease.ticket())).verify()).toBe(true);
      expect(await (await resume(view, lease.ticket())).release()).toBe(true);
      expect(await lease.verify()).toBe(false);
    }
  });

  it("is listed and inspected without its neighbours", async () => {
    const own = createLocks({ ...to(), prefix: `${freshName()}:` });
    const view = own.group("a {group}");
    await view.lock("n").acquire();
    await own.lock("n").acquire();
    await own.group("a {group} too").lock("n").acquire();
    const found = await listed(list(view));
    expect(found).toMatchObject([{ name: "n", group: "a {group}" }]);
    expect(await listed(list(view, { prefix: "m" }))).toEqual([]);
    expect(await listed(list(own))).toHaveLength(3);
    expect(await inspect(view, "n")).toMatchObject({ group: "a {group}", held: true });
    expect(await inspect(view, "unused")).toMatchObject({ group: "a {group}", kind: "none" });
    expect(await inspect(own, "n")).not.toHaveProperty("group");
  });
});

describe("several parts and a group", () => {
  it("a multi-lock of its names has one token, which the types know", async () => {
    const locks = make();
    const view = viewOfGroup(locks, group);
    const leases: Lease[] = [
      await locks.group(group).multiLock(some(2)).acquire(),
      await multiLock(locks.group(group), some(2)).acquire(),
      await multiLock(view, some(2)).acquire(),
    ];
    const apart: MultiLease = await multiLock(locks, some(2)).acquire();
    for (const { token, tokens } of leases) expect(Object.values(tokens)).toEqual([token, token]);
    expect(apart.tickets()).toHaveLength(2);
  });

  it("has only names: what is mixed is joined outside of it", async () => {
    const locks = make();
    const view = locks.group(group);
    const names = some(2);
    const fair = locks.fairLock(freshName());
    for (const part of [fair, view.lock("a"), view.multiLock(["a"])])
      expect(() => multiLock(view, [...names, part as Joinable])).toThrow(
        'a multi-lock of the group "accounts" has only names, not an object',
      );
    const lease = await locks.multiLock([view.multiLock(names), fair]).acquire();
    expect(Object.keys(lease.tokens).sort()).toEqual([...names, fair.name].sort());
    expect(await view.multiLock(names).tryAcquire()).toBeNull();
    await lease.release();
  });
});

describe("a reentry key that holds one of the names of a group", () => {
  it("gets not_reentrant for all of them, at once, and nothing of it is changed", async () => {
    const locks = make();
    const names = some(3);
    const [, held = ""] = names;
    const lease = await locks.group(group).lock(held, { reentryKey: "alice" }).acquire({ lease: "20s" });
    const multi = locks.group(group).multiLock(names, { reentryKey: "alice" });
    await expect(multi.acquire({ wait: "20s" })).rejects.toMatchObject({ code: "not_reentrant" });
    await expect(multi.tryAcquire()).rejects.toMatchObject({ code: "not_reentrant" });
    for (const name of names) {
      const state = name === held ? { state: "held", holds: 1, token: lease.token } : { state: "free" };
      expect(await locks.group(group).lock(name).inspect()).toMatchObject(state);
    }
    expect(await locks.group(group).multiLock(names, { reentryKey: "bob" }).tryAcquire()).toBeNull();
    expect(await lease.release()).toBe(true);
    await (await multi.acquire()).release();
  });

  it("enters where it has all of them, in whatever order, and one of them alone", async () => {
    const locks = make();
    const names = some(3);
    const lease = await locks.group(group).multiLock(names, { reentryKey: "alice" }).acquire({ lease: "20s" });
    const again = await locks
      .group(group)
      .multiLock([...names].reverse(), { reentryKey: "alice" })
      .acquire();
    const one = await locks
      .group(group)
      .lock(names[1] ?? "", { reentryKey: "alice" })
      .acquire();
    expect([again.token, one.token]).toEqual([lease.token, lease.token]);
    for (const each of [again, lease, one]) expect(await each.release()).toBe(true);
    for (const name of names) expect(await locks.group(group).lock(name).inspect()).toMatchObject({ state: "free" });
  });

  it.each([0, 1])("is refused immediately, though another caller holds the other one too (%d)", async (which) => {
    const locks = make();
    const names = some(2);
    const [one = "", two = ""] = which ? [...names].reverse() : names;
    await locks.group(group).lock(one, { reentryKey: "alice" }).acquire({ lease: "20s" });
    await locks.group(group).lock(two, { reentryKey: "bob" }).acquire({ lease: "20s" });
    for (const reentryKey of ["alice", "bob"]) {
      const multi = locks.group(group).multiLock(names, { reentryKey });
      await expect(multi.acquire({ wait: "20s", maxPolls: 1 })).rejects.toMatchObject({ code: "not_reentrant" });
    }
    const another = locks.group(group).multiLock(names, { reentryKey: "carol" });
    await expect(another.acquire({ wait: "50ms" })).rejects.toMatchObject({ code: "lock_timeout" });
  });
});

describe("fences of a lease over several names", () => {
  it("are claimed by name: the lease as a whole has none that all others share", async () => {
    const locks = make();
    const fence = redisFence(locks.group(group));
    const names = some(2);
    const [one = ""] = names;
    const older = await locks.group(group).multiLock(names).acquire();
    for (const name of names) await fence.claim({ name, token: older.tokens[name] ?? 0 });
    await older.release();
    const newer = await locks
      .group(group)
      .multiLock([...names].reverse())
      .acquire();
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
    const single = await locks.group(group).lock(one).acquire();
    await fence.claim(single);
    await expect(fence.write({ name: one, token: newer.token }, "late")).rejects.toMatchObject({ code: "stale_token" });
    // A multi-lock of one name is that of the name.
    await single.release();
    await fence.claim(await locks.group(group).multiLock([one]).acquire());
    // So is what a ticket of several gives.
    const resumed = await locks.resume(newer.ticket());
    await expect(fence.claim(resumed)).rejects.toThrow(/tokens/);
  });
});
