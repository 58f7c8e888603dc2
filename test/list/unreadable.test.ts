import { afterAll, describe, expect, it } from "vitest";
import { redisFence } from "../../src/fence/index.ts";
import { createLocks, type Locks } from "../../src/index.ts";
import { inspect, type Listed, list } from "../../src/list/index.ts";
import { createMemoryRedis } from "../../testing/src/index.ts";
import { TCP_CLIENTS } from "../support/tcp-clients.ts";
import { freshName, useStack } from "../support/use-stack.ts";

const stack = useStack();
const closing: (() => void)[] = [];
afterAll(() => {
  for (const close of closing) close();
});

type Run = (...command: string[]) => unknown;
interface Way {
  readonly locks: Locks;
  readonly prefix: string;
  readonly run: Run;
}
const WAYS: Readonly<Record<string, () => Way>> = {
  HTTP() {
    const prefix = `${freshName("unreadable")}:`;
    const run: Run = (...command) => stack.redis.command(...(command as [string]));
    return { prefix, run, locks: createLocks({ url: stack.url, token: stack.token, prefix }) };
  },
  TCP() {
    const prefix = `${freshName("unreadable")}:`;
    const { redis, close } = TCP_CLIENTS.ioredis(stack.redis.url);
    closing.push(close);
    const run: Run = (...command) => stack.redis.command(...(command as [string]));
    return { prefix, run, locks: createLocks({ redis, prefix }) };
  },
  "a Redis in memory"() {
    const { url, token, fetch, command } = createMemoryRedis();
    return {
      prefix: "m:",
      run: (...words) => command(...(words as [string])),
      locks: createLocks({ url, token, fetch, prefix: "m:" }),
    };
  },
};

async function all(locks: Locks, options?: object): Promise<Listed[]> {
  const entries: Listed[] = [];
  for await (const entry of list(locks, options)) entries.push(entry);
  return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
}

const FAR = "8999999999999999";
const HUGE = "9".repeat(30);
/** Commands that put a broken record under a key, by what is wrong; the kind that is told, and why. */
const BROKEN: Readonly<Record<string, readonly [command: readonly string[], kind: string, why: RegExp]>> = {
  "a hash": [["HSET", "a", "1"], "foreign", /not leasehold's/],
  "a list": [["RPUSH", "1"], "foreign", /not leasehold's/],
  "a set": [["SADD", "1"], "foreign", /not leasehold's/],
  "a sorted set": [["ZADD", "1", "a"], "foreign", /not leasehold's/],
  "no text": [["SET", ""], "foreign", /not leasehold's/],
  garbage: [["SET", "\u0000%{somebody else's}"], "foreign", /not leasehold's/],
  JSON: [["SET", '{"kind":"lock"}'], "foreign", /not leasehold's/],
  "a newer format": [["SET", `lock 2 17 ${FAR} a b c`], "lock/2", /newer/],
  "a newer fence": [["SET", "fence 2 17 0 0 x"], "fence/2", /newer/],
  "only a head": [["SET", `lock 1 17 ${FAR}`], "lock/1", /damaged/],
  "a lock without its body's end": [["SET", `lock 1 17 ${FAR}   key note 0`], "lock/1", /damaged/],
  "a fair lock with words for numbers": [["SET", `fair 1 17 ${FAR}   key note 0 0 x y`], "fair/1", /damaged/],
  "a read-write lock": [["SET", `rw 1 17 ${FAR}   0  x y `], "rw/1", /damaged/],
  "a once without a body": [["SET", `once 1 17 ${FAR}   `], "once/1", /damaged/],
  "a once without a fingerprint": [["SET", `once 1 17 ${FAR}   1`], "once/1", /damaged/],
  "a semaphore": [["SET", `semaphore 1 17 ${FAR}   x`], "semaphore/1", /damaged/],
  "a counter": [["SET", `counter 1 17 ${FAR}   x 0 0 0 0`], "counter/1", /damaged/],
  "a latch": [["SET", `latch 1 17 ${FAR}   3 3`], "latch/1", /damaged/],
  "a token that is no safe integer": [["SET", `lock 1 ${HUGE} ${FAR}   `], "lock/1", /damaged/],
  "a tombstone whose token is no safe integer": [["SET", `none 1 ${HUGE} 0   `], "none/1", /damaged/],
  "an end that is no safe integer": [["SET", `lock 1 17 ${HUGE}   `], "lock/1", /damaged/],
  "a lease whose end is no safe integer": [["SET", `lock 1 17 ${FAR}  a:${HUGE}, `], "lock/1", /damaged/],
  "a label that is no text": [["SET", `lock 1 17 ${FAR}  ${"a".repeat(36)}:${FAR},  %zz 0 0`], "lock/1", /damaged/],
};

describe.concurrent.each(Object.entries(WAYS))("over %s", (_, way) => {
  it("one broken record is listed as unreadable, and the rest is listed (E24)", async () => {
    const { locks, prefix, run } = way();
    await locks.lock("ours").acquire({ lease: "1m", label: "nightly" });
    await locks.latch("ours too").trySetCount(3);
    for (const [what, [[verb = "", ...args]]] of Object.entries(BROKEN)) await run(verb, `${prefix}{${what}}`, ...args);
    const broken = Object.entries(BROKEN).map(([name, [, kind, why]]) => ({
      ...{ name, kind, state: "unreadable", held: false, token: 0, holds: 0 },
      unreadable: expect.stringMatching(why),
    }));
    const entries = await all(locks);
    expect(entries.filter(({ unreadable }) => unreadable !== undefined)).toEqual(
      broken.sort((a, b) => (a.name < b.name ? -1 : 1)),
    );
    expect(entries.filter(({ unreadable }) => unreadable === undefined)).toMatchObject([
      { name: "ours", kind: "lock", held: true, label: "nightly" },
      { name: "ours too", kind: "latch", count: 3 },
    ]);
    expect(await all(locks, { held: true })).toMatchObject([{ name: "ours" }]);
    for (const each of broken) expect(await inspect(locks, each.name)).toEqual({ ...each, holders: [] });
  });

  it("a broken crowd or fence is reported as such (E24)", async () => {
    const { locks, prefix, run } = way();
    const lease = await locks.semaphore("pool", { permits: 5 }).acquire({ permits: 2 });
    await run("DEL", `${prefix}{pool}%crowd`);
    await run("HSET", `${prefix}{pool}%crowd`, "a", "1");
    await locks.lock("fenced").acquire({ lease: "1m" });
    for (const name of ["fenced", "alone"]) {
      await redisFence(locks).write({ name, token: lease.token }, "value");
      await run("SET", `${prefix}{${name}}%fence`, "fence 1 17 0 999 cut off");
    }
    await run("DEL", `${prefix}{alone}%fence`);
    await run("HSET", `${prefix}{alone}%fence`, "a", "1");
    const damaged = { state: "unreadable", held: false, unreadable: expect.any(String) };
    expect((await all(locks)).sort((a, b) => (`${a.name} ${a.kind}` < `${b.name} ${b.kind}` ? -1 : 1))).toMatchObject([
      { name: "alone", kind: "fence/1", ...damaged },
      { name: "fenced", kind: "fence/1", ...damaged },
      { name: "fenced", kind: "lock", held: true },
      { name: "pool", kind: "foreign", ...damaged },
    ]);
    const fenced = await inspect(locks, "fenced");
    expect(fenced).toMatchObject({ kind: "lock", held: true, unreadableFence: expect.stringContaining("damaged") });
    expect(fenced).not.toHaveProperty("fence");
    const alone = await inspect(locks, "alone");
    expect(alone).toMatchObject({
      kind: "none",
      state: "free",
      unreadableFence: expect.stringContaining("not leasehold's"),
    });
    expect(await inspect(locks, "pool")).toMatchObject({ kind: "foreign", ...damaged, holders: [] });
  });
});

it("a record of any kind that ends too early never fails the list (E24)", async () => {
  const { url, token, fetch, command } = createMemoryRedis();
  const locks = createLocks({ url, token, fetch, prefix: "m:", holder: "web-7" });
  await locks.lock("lock", { label: "night, 50 %", reentryKey: "alice" }).acquire({ lease: "1m" });
  await locks.fairLock("fair").acquire({ lease: "1m" });
  await locks.readWriteLock("writing").write.acquire({ lease: "1m", label: "deploy" });
  await locks.readWriteLock("reading").read.acquire({ lease: "1m" });
  await locks.semaphore("pool", { permits: 5 }).acquire({ permits: 3, lease: "1m" });
  await locks.counter("tickets").setPermits(500);
  await locks.latch("latch").trySetCount(3);
  await locks.once("running", { lease: "1m" }).begin();
  await locks.once("done").run(() => "result");
  await redisFence(locks).write({ name: "fenced", token: 7 }, "value");
  const keys = (command("KEYS", "*") as string[]).filter((key) => !key.endsWith("%crowd"));
  const whole = await all(locks);
  expect(keys).toHaveLength(10);
  expect(whole).toHaveLength(10);
  expect(whole.every(({ unreadable }) => unreadable === undefined)).toBe(true);
  for (const key of keys) {
    const record = command("GET", key) as string;
    const name = /\{(.*)\}/.exec(key)?.[1] ?? "";
    const told = new Set<string>();
    for (let size = 0; size < record.length; size++) {
      command("SET", key, record.slice(0, size));
      const entry = await inspect(locks, name);
      if (entry.unreadable ?? entry.unreadableFence) told.add("unreadable");
      expect(JSON.stringify(entry)).not.toContain("null");
    }
    expect([...told]).toEqual(["unreadable"]);
    command("SET", key, record.slice(0, 20));
    expect(await all(locks)).toHaveLength(whole.length);
    command("SET", key, record);
  }
  expect(await all(locks)).toEqual(whole);
});
