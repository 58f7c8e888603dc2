import { describe, expect, it } from "vitest";
import { runOnce } from "../../src/cron/index.ts";
import { redisFence } from "../../src/fence/index.ts";
import { dedupeKey } from "../../src/hono/index.ts";
import { createLocks, type Locks } from "../../src/index.ts";
import { inspect, type Listed, list } from "../../src/list/index.ts";
import { freshName, useStack } from "../support/use-stack.ts";

const stack = useStack();
const make = (): Locks => createLocks({ url: stack.url, token: stack.token, prefix: `${freshName("inspect")}:` });
const time = expect.any(Number);

describe.concurrent("inspect", () => {
  it("tells the kind, and the holders one by one", async () => {
    const locks = make();
    await locks.lock("lock", { owner: "alice", label: "night, 50 %" }).acquire({ lease: "1m" });
    await locks.lock("lock", { owner: "alice", label: "later" }).acquire({ lease: "2m" });
    const lock = await inspect(locks, "lock");
    expect(lock).toMatchObject({ kind: "lock", state: "held", holds: 2, label: "night, 50 %" });
    const who = { since: lock.since, label: "night, 50 %", owner: lock.owner };
    expect(lock.holders).toEqual([
      { ...who, until: lock.until },
      { ...who, until: time },
    ]);
    expect(lock.until).toBeGreaterThan(Date.now() + 110_000);
    expect(lock.holders[1]?.until).toBeLessThan(Date.now() + 61_000);

    const permits = locks.semaphore("permits", { permits: 5 });
    const first = await permits.acquire({ permits: 3, lease: "1m" });
    const second = await permits.acquire({ lease: "2m" });
    expect((await inspect(locks, "permits")).holders).toEqual([
      { since: Math.floor(second.token / 1000), until: time, permits: 1 },
      { since: Math.floor(first.token / 1000), until: time, permits: 3 },
    ]);
    await locks.readWriteLock("page").read.acquire({ owner: "bob", lease: "1m" });
    const page = await inspect(locks, "page");
    expect(page).toMatchObject({ kind: "rw", state: "read" });
    expect(page.holders).toEqual([{ until: page.until, owner: expect.stringMatching(/^[\w-]{22}$/), mode: "read" }]);
  });

  it("tells a name that is not in use, and a fence next to one", async () => {
    const locks = make();
    expect(await inspect(locks, "never")).toEqual({
      ...{ name: "never", kind: "none", state: "free", held: false, token: 0, holds: 0, holders: [] },
    });
    const lease = await locks.lock("invoice").acquire();
    await redisFence(locks).claim(lease);
    await lease.release();
    expect(await inspect(locks, "invoice")).toMatchObject({ kind: "none", token: lease.token, fence: lease.token });
    await redisFence(locks, { group: "g" }).claim({ name: "alone", token: 7 });
    expect(await inspect(locks, "alone", { group: "g" })).toMatchObject({ name: "alone", group: "g", fence: 7 });
  });

  it("tells the cron job and the sender that a name belongs to", async () => {
    const locks = make();
    const slot = "2026-03-01T04:00:00.000Z";
    let during: Listed | undefined;
    const work = async (): Promise<void> => {
      during = await inspect(locks, "cron:nightly: all");
    };
    await runOnce("nightly: all", slot, work, { locks });
    expect(during).toMatchObject({ kind: "lock", held: true, job: "nightly: all" });
    const key = await dedupeKey({ sender: "git:hub", scope: "/hook", id: "1" });
    await locks.once(key).begin();
    await locks.once("plain").begin();
    const all: Listed[] = [];
    for await (const entry of list(locks)) all.push(entry);
    const belongs = all.map(({ name, kind, job, slot, sender }) => ({ name, kind, job, slot, sender }));
    expect(belongs.sort((a, b) => (a.name < b.name ? -1 : 1))).toEqual([
      { name: "cron-last:nightly: all", kind: "fence", job: "nightly: all" },
      { name: `cron-slot:12:nightly: all:${slot}`, kind: "once", job: "nightly: all", slot },
      { name: "cron:nightly: all", kind: "none" },
      { name: key, kind: "once", sender: "git:hub" },
      { name: "plain", kind: "once" },
    ]);
  });
});
