import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Connection, connect, createLocks, type Lease, type Locks } from "../../../src/index.ts";
import type { Call } from "../../../src/redis/call.ts";
import { runScript } from "../../../src/redis/run.ts";
import { crowdExtend } from "../../../src/redis/scripts/crowd-extend.gen.ts";
import { rwAcquire } from "../../../src/redis/scripts/rw-acquire.gen.ts";
import { rwClose } from "../../../src/redis/scripts/rw-close.gen.ts";
import { rwForce } from "../../../src/redis/scripts/rw-force.gen.ts";
import { targetOf, withCrowd } from "../../../src/redis/target.ts";
import { hash, randomId } from "../../../src/shared/crypto.ts";
import { shiftableClock } from "../../support/server-clock.ts";
import { freshName, pause, useStack } from "../../support/use-stack.ts";

const stack = useStack({ warm: true });
let connection: Connection;
let requests = 0;
const client = (): Locks =>
  createLocks({
    url: stack.url,
    token: stack.token,
    fetch: (...args) => {
      requests++;
      return stack.fetch(...args);
    },
  });
beforeAll(async () => {
  connection = connect({ url: stack.url, token: stack.token, fetch: stack.fetch });
  // The first commands of a connection are not to be counted.
  await command("PING");
  await pause(50);
});

/** A command as a client would send it. */
async function command(...args: (string | number)[]): Promise<unknown> {
  const headers = { authorization: `Bearer ${stack.token}` };
  const response = await stack.fetch(stack.url, { method: "POST", headers, body: JSON.stringify(args) });
  return ((await response.json()) as { result: unknown }).result;
}

const call: Call = { operation: "test", budgetMs: 5000 };
const LEASE_MS = 30_000;

/** The scripts of one name as they are sent: one request each. */
function raw(name: string, by: Connection = connection) {
  const target = withCrowd(targetOf(by, "rw", [name]));
  const retention = connection.retentionMs;
  return {
    crowd: target.keys[1] as string,
    ask: (mode: string, id: string, back = 0, lease = LEASE_MS, reentrant = 1) =>
      runScript(target, rwAcquire, [id, lease, retention, mode, reentrant, back, 0, 0], call),
    extend: (id: string, token: number, ms: number) => runScript(target, crowdExtend, [id, token, ms, retention], call),
    close: (id: string, token: number) => runScript(target, rwClose, [id, token, retention, 0], call),
    force: (side: string) => runScript(target, rwForce, [randomId(), side, retention], call),
  };
}
type Raw = ReturnType<typeof raw>;

/** An id as of an acquisition by this reentry key. */
const idOf = async (reentryKey?: string): Promise<string> =>
  randomId() + (reentryKey === undefined ? "" : await hash(reentryKey));
const tokenOf = (reply: { status: string; token?: number }): number => {
  expect(reply.status).toBe("granted");
  return reply.token as number;
};

const commands = (operation: () => Promise<unknown>): Promise<number> => stack.commandsOf(operation);

/** Readers that have died, each of a reentry key of its own and perhaps with a note, and nobody took them out yet. */
async function deadReaders(lock: Raw, count: number, note = ""): Promise<void> {
  const ids = await Promise.all(Array.from({ length: count }, async (_, n) => (await idOf(`dead ${n}`)) + note));
  const granted = await Promise.all(ids.map((id) => lock.ask("read", id, 0, 800)));
  for (const reply of granted) expect(reply.status).toBe("granted");
  expect(await command("ZCARD", lock.crowd)).toBeGreaterThanOrEqual(2 * count);
  await pause(850);
}

describe("no operation takes more than 10 commands", () => {
  const spent: Record<string, number> = {};
  const within = async (what: string, status: string, operation: () => Promise<{ status: string }>) => {
    let reply: { status: string } | undefined;
    const count = await commands(async () => {
      reply = await operation();
    });
    expect(reply?.status, what).toBe(status);
    expect(count, what).toBeGreaterThan(1);
    expect(count, what).toBeLessThanOrEqual(10);
    spent[what] = count;
  };
  afterAll(() => console.log("commands:", spent));

  it("of an uncontended lock", async () => {
    const lock = raw(freshName());
    for (const [mode, reentryKey] of [
      ["read", "alice"],
      ["read", undefined],
      ["write", "alice"],
      ["write", undefined],
    ] as const) {
      const id = await idOf(reentryKey);
      const what = `${mode}${reentryKey ? ", with an reentryKey" : ""}`;
      let token = 0;
      await within(`${what}: acquire`, "granted", async () => {
        const reply = await lock.ask(mode, id);
        token = tokenOf(reply);
        return reply;
      });
      await within(`${what}: again`, "granted", () => lock.ask(mode, id));
      await within(`${what}: extend`, "extended", () => lock.extend(id, token, 2 * LEASE_MS));
      await within(`${what}: verify`, "extended", () => lock.extend(id, token, 0));
      await within(`${what}: release`, "closed", () => lock.close(id, token));
      await within(`${what}: release again`, "closed", () => lock.close(id, token));
      await within(`${what}: cancel`, "closed", () => lock.close(randomId(), 0));
    }
  });

  it("of one in use, with a writer and readers waiting", async () => {
    const name = freshName();
    const lock = raw(name);
    const [writer, alice] = [await idOf("bob"), await idOf("alice")];
    tokenOf(await lock.ask("write", writer));
    const [next, reader] = [await idOf("carol"), await idOf("dave")];
    await within("write, refused by a writer", "held", () => lock.ask("write", next, 1000));
    await within("read, refused by a writer", "held", () => lock.ask("read", reader, 1000));
    await within("a try, refused by a writer", "held", () => lock.ask("read", alice));
    await within("write, re-entry", "granted", async () => lock.ask("write", await idOf("bob")));
    const own = await idOf("bob");
    await within("read under the own write", "granted", () => lock.ask("read", own));
    await within("write force-release", "forced", () => lock.force("write"));
    await within("read after it waited", "granted", () => lock.ask("read", reader, 1000));
    expect((await lock.ask("read", await idOf("frank"))).status).toBe("held");
    await within("write, refused by a reader", "held", () => lock.ask("write", next, 1000));
    await within("upgrade", "upgrade_refused", async () => lock.ask("write", await idOf("dave")));
    await within("cancel of a waiting writer", "closed", () => lock.close(next, 0));
    const thief = await idOf("eve");
    await within("steal", "granted", async () => lock.ask("steal", thief));
    await within("read force-release, nobody reads", "forced", () => lock.force("read"));
    await lock.close(thief, 0);
    await lock.ask("read", await idOf("bob"));
    await within("read force-release", "forced", () => lock.force("read"));
    await lock.ask("read", await idOf("bob"));
    const rw = client().readWriteLock(name);
    for (const [what, operation] of [
      ["inspect", () => rw.inspect()],
      ["force-release of both", () => rw.forceRelease()],
    ] as const) {
      requests = 0;
      spent[what] = await commands(operation);
      expect(spent[what]).toBeLessThanOrEqual(10);
      expect(requests).toBe(1);
    }
  });

  it("with fifty dead readers of fifty reentry keys to be taken out", async () => {
    const lock = raw(freshName());
    await deadReaders(lock, 50);
    await within("read, 50 dead", "granted", async () => lock.ask("read", await idOf("alice")));
    await deadReaders(lock, 50);
    await within("write, 50 dead, one alive", "held", async () => lock.ask("write", await idOf("bob"), 1000));
  });

  it("with fifty dead readers that had a label", async () => {
    const lock = raw(freshName());
    await deadReaders(lock, 50, "@nightly@host");
    const mine = `${await idOf("alice")}@@host`;
    await within("read with a note, 50 dead with notes", "granted", () => lock.ask("read", mine));
    // The reader, its reentry key and its time; of the dead their ids only.
    expect(await command("ZCARD", lock.crowd)).toBe(3 + 50);
    await deadReaders(lock, 49, "@nightly@host");
    await within("write, 49 dead with notes", "held", async () => lock.ask("write", await idOf("bob"), 1000));
    await lock.close(mine, 0);
    expect(await command("ZCOUNT", lock.crowd, 1e18, "+inf")).toBe(0);
  });

  it("with fifty dead readers, and a reentry key re-entering while a writer waits", async () => {
    const lock = raw(freshName());
    const mine = await idOf("alice");
    const token = tokenOf(await lock.ask("read", mine));
    await deadReadersDirect(lock, 50);
    const writer = await idOf("bob");
    await lock.ask("write", writer, 1000, LEASE_MS);
    await deadReadersDirect(lock, 50);
    expect((await lock.ask("read", await idOf("carol"))).status).toBe("held");
    const again = await idOf("alice");
    await within("read, re-entry, 50 dead, a writer waits", "granted", async () => {
      const reply = await lock.ask("read", again, 1000);
      expect(reply).toMatchObject({ token, holds: 2 });
      return reply;
    });
    expect(await command("ZCARD", lock.crowd)).toBe(4);
    await within("read release, two holds", "closed", () => lock.close(again, token));
  });

  it("with fifty dead readers, and a reader that waited", async () => {
    const lock = raw(freshName());
    const [writer, reader] = [await idOf("bob"), await idOf("alice")];
    const token = tokenOf(await lock.ask("write", writer));
    await deadReadersDirect(lock, 50);
    await within("read, refused by a writer, 50 dead", "held", () => lock.ask("read", reader, 1000));
    await deadReadersDirect(lock, 50);
    await within("write, refused by a writer, 50 dead", "held", async () => lock.ask("write", await idOf("x"), 1000));
    await lock.close(writer, token);
    await deadReadersDirect(lock, 50);
    await within("read that waited, 50 dead", "granted", () => lock.ask("read", reader, 1000));
    expect(await command("ZCARD", lock.crowd)).toBe(3);
  });

  it("of a name that another kind had", async () => {
    const locks = client();
    for (const mode of ["read", "write"]) {
      const name = freshName();
      await (await locks.lock(name).acquire()).release();
      await within(`${mode} of a former lock`, "granted", async () => raw(name).ask(mode, await idOf("alice")));
    }
  });
});

/** The same without waiting for their death: as they would stand there. */
async function deadReadersDirect({ crowd }: Raw, count: number): Promise<void> {
  const adds: (string | number)[] = [];
  for (let index = 0; index < count; index++) {
    const reentryKey = await hash(`dead ${index}`);
    adds.push(1e15 + index, randomId() + reentryKey, 8e15 + 1, `o${reentryKey}`);
  }
  await command("ZADD", crowd, ...adds);
}

describe("the cost of an operation does not grow with the readers (R9)", () => {
  it("a script takes about as long with 10 000 readers as with 10", async () => {
    const sizes = [10, 10_000];
    const ROUNDS = 5;
    const EACH = 30;
    const crowds = await Promise.all(
      sizes.map(async (size) => {
        const lock = raw(freshName());
        const first = await idOf("first");
        const token = tokenOf(await lock.ask("read", first, 0, 3_600_000));
        for (let done = 0; done < size; done += 500) {
          const adds: (string | number)[] = [];
          for (let index = done; index < Math.min(done + 500, size); index++) {
            const reentryKey = await hash(`reader ${index}`);
            adds.push((Date.now() + 600_000 + index) * 1000, randomId() + reentryKey, 8e15 + 1, `o${reentryKey}`);
          }
          await command("ZADD", lock.crowd, ...adds);
        }
        return { lock, first, token };
      }),
    );
    const times: Record<string, number[]> = {};
    const measure = async (what: string, at: number, operation: (index: number) => Promise<unknown>): Promise<void> => {
      await stack.redis.command("CONFIG", "RESETSTAT");
      for (let index = 0; index < EACH; index++) await operation(index);
      const info = await stack.redis.command("INFO", "commandstats");
      const each = Number(/cmdstat_evalsha:.*usec_per_call=([\d.]+)/.exec(info)?.[1]);
      times[what] ??= sizes.map(() => Number.POSITIVE_INFINITY);
      times[what][at] = Math.min(times[what][at] ?? each, each);
    };
    for (let round = 0; round < ROUNDS; round++) {
      for (const [at, { lock, first, token }] of crowds.entries()) {
        const ids = await Promise.all(Array.from({ length: EACH }, (_, index) => idOf(`${round} ${index}`)));
        await measure("read acquire", at, (index) => lock.ask("read", ids[index] as string));
        await measure("read release", at, (index) => lock.close(ids[index] as string, token));
        await measure("write refused", at, async (index) => lock.ask("write", ids[index] as string, 1));
        await measure("extend", at, (index) => lock.extend(first, token, 4_000_000 + 1000 * (index + EACH * round)));
        for (const id of ids) await lock.close(id, 0);
      }
    }
    console.log("µs per script at", sizes, times);
    for (const [what, each] of Object.entries(times)) {
      // A thousand times as many: what grew with their number would be far beyond that.
      expect(Math.max(...each), what).toBeLessThan(3 * Math.min(...each));
    }
  }, 120_000);

  it("1 000 readers at once all enter, under one token, and all leave", async () => {
    const name = freshName();
    const locks = Array.from({ length: 20 }, () => client().readWriteLock(name));
    const enter = Array.from({ length: 1000 }, (_, index) => locks[index % 20]?.read.tryAcquire({ lease: "1m" }));
    const leases = (await Promise.all(enter)) as Lease[];
    expect(new Set(leases.map(({ token }) => token)).size).toBe(1);
    expect(await client().readWriteLock(name).inspect()).toMatchObject({ state: "read", readers: 1000 });
    expect(await client().readWriteLock(name).write.tryAcquire()).toBeNull();
    const released = await Promise.all(leases.map((lease) => lease.release()));
    expect(released.every(Boolean)).toBe(true);
    expect(await client().readWriteLock(name).inspect()).toMatchObject({ state: "free", readers: 0 });
    expect(await client().readWriteLock(name).write.tryAcquire()).not.toBeNull();
  }, 60_000);
});

it("a reentry key whose other read ended enters again, however often a writer has polled since", async () => {
  const lock = raw(freshName());
  const [brief, long, writer] = [await idOf("alice"), await idOf("alice"), await idOf("bob")];
  tokenOf(await lock.ask("read", brief, 0, 100));
  const token = tokenOf(await lock.ask("read", long));
  await pause(120);
  for (let poll = 0; poll < 3; poll++) expect((await lock.ask("write", writer, 1000)).status).toBe("held");
  expect((await lock.ask("read", await idOf("carol"))).status).toBe("held");
  expect(await lock.ask("read", await idOf("alice"))).toMatchObject({ status: "granted", token, holds: 2 });
});

describe("waiting", () => {
  it("20 waiting readers enter within about a second of the writer leaving", async () => {
    const rw = client().readWriteLock(freshName());
    const writer = await rw.write.acquire({ lease: "1m" });
    const waiting = Array.from({ length: 20 }, async () => {
      const lease = await client().readWriteLock(rw.name).read.acquire({ wait: "1m" });
      return { token: lease.token, at: performance.now() };
    });
    // Long enough for the delays to have grown to their cap.
    await pause(4000);
    expect(await rw.inspect()).toMatchObject({ waitingReaders: 20 });
    const left = performance.now();
    await writer.release();
    const entered = await Promise.all(waiting);
    const last = Math.max(...entered.map(({ at }) => at)) - left;
    console.log(`the last of 20 readers entered ${last.toFixed(0)} ms after the writer had left`);
    expect(last).toBeLessThan(1500);
    expect(new Set(entered.map(({ token }) => token)).size).toBe(1);
  });

  it("a writer does not starve under a stream of readers", async () => {
    const name = freshName();
    let over = false;
    let read = 0;
    const readers = Array.from({ length: 8 }, async () => {
      const rw = client().readWriteLock(name);
      while (!over) {
        await rw.read.run({ wait: "20s" }, () => pause(30));
        read++;
      }
    });
    await pause(300);
    const waits: number[] = [];
    for (let turn = 0; turn < 5; turn++) {
      const start = performance.now();
      await client()
        .readWriteLock(name)
        .write.run({ wait: "20s" }, () => pause(5));
      waits.push(performance.now() - start);
      await pause(50);
    }
    over = true;
    await Promise.all(readers);
    console.log(`writer among 8 readers: waited ${waits.map(Math.round)} ms; ${read} reads`);
    expect(Math.max(...waits)).toBeLessThan(4000);
    expect(read).toBeGreaterThan(20);
  });

  it("a reader does not starve under a stream of writers", async () => {
    const name = freshName();
    let over = false;
    let written = 0;
    const writers = Array.from({ length: 6 }, async () => {
      const rw = client().readWriteLock(name);
      while (!over) {
        await rw.write.run({ wait: "20s" }, () => pause(15));
        written++;
      }
    });
    await pause(300);
    const waits: number[] = [];
    for (let turn = 0; turn < 5; turn++) {
      const start = performance.now();
      await client()
        .readWriteLock(name)
        .read.run({ wait: "20s" }, () => pause(5));
      waits.push(performance.now() - start);
    }
    over = true;
    await Promise.all(writers);
    console.log(`reader among 6 writers: waited ${waits.map(Math.round)} ms; ${written} writes`);
    expect(Math.max(...waits)).toBeLessThan(5000);
    expect(written).toBeGreaterThan(5);
  });

  it("a random mix of clients on a plain counter ends exact", async () => {
    const [name, counter] = [freshName(), freshName("counter")];
    let writes = 0;
    const start = performance.now();
    const one = async (): Promise<void> => {
      const rw = client().readWriteLock(name, { wait: "1m" });
      for (let round = 0; round < 15; round++) {
        if (Math.random() < 0.5) {
          await rw.read.run(async () => {
            const before = await command("GET", counter);
            await pause(2);
            expect(await command("GET", counter)).toBe(before);
          });
        } else {
          writes++;
          await rw.write.run(async () => {
            const read = Number(await command("GET", counter));
            await command("SET", counter, read + 1);
          });
        }
      }
    };
    await Promise.all(Array.from({ length: 12 }, one));
    console.log(`180 turns of 12 clients, ${writes} of them writes: ${(performance.now() - start).toFixed(0)} ms`);
    expect(Number(await command("GET", counter))).toBe(writes);
  }, 60_000);

  it("a dead reader blocks a writer no longer than its lease", async () => {
    const rw = client().readWriteLock(freshName());
    const start = performance.now();
    await rw.read.acquire({ lease: 1500, reentryKey: "dead" });
    const live = await rw.read.acquire({ lease: "1m" });
    const waiting = rw.write.acquire({ wait: "20s" });
    await live.release();
    await waiting;
    const took = performance.now() - start;
    expect(took).toBeGreaterThan(1450);
    expect(took).toBeLessThan(3500);
  });

  it("a dead waiting writer holds readers back no longer than it announced, and a grace", async () => {
    const lock = raw(freshName());
    await lock.ask("read", await idOf("alice"));
    const start = performance.now();
    await lock.ask("write", await idOf(), 500);
    expect((await lock.ask("read", await idOf())).status).toBe("held");
    // A late copy that names a shorter interval does not take its turn from who sleeps longer.
    while ((await lock.ask("read", await idOf())).status === "held") await pause(20);
    const took = performance.now() - start;
    expect(took).toBeGreaterThan(1400);
    expect(took).toBeLessThan(3000);
  });

  it("a dead waiting reader holds a writer back no longer than it announced, and a grace", async () => {
    const lock = raw(freshName());
    const writer = await idOf();
    const token = tokenOf(await lock.ask("write", writer));
    const start = performance.now();
    await lock.ask("read", await idOf(), 500);
    await lock.close(writer, token);
    const next = await idOf();
    while ((await lock.ask("write", next, 100)).status === "held") await pause(20);
    const took = performance.now() - start;
    expect(took).toBeGreaterThan(1400);
    expect(took).toBeLessThan(3000);
  });

  it("an announced deadline only rises (attack 7)", async () => {
    for (const mode of ["write", "read"]) {
      const lock = raw(freshName());
      const holder = await idOf();
      const token = tokenOf(await lock.ask("write", holder));
      const waiter = await idOf();
      await lock.ask(mode, waiter, 2000);
      const member = mode === "write" ? `w${waiter}` : `r${waiter}`;
      const before = await command("ZSCORE", lock.crowd, member);
      await lock.ask(mode, waiter, 1);
      expect(await command("ZSCORE", lock.crowd, member)).toBe(before);
      // It left: an old poll of it changes nothing.
      await lock.close(waiter, 0);
      expect((await lock.ask(mode, waiter, 2000)).status).toBe("closed");
      expect(await command("ZSCORE", lock.crowd, member)).toBeNull();
      await lock.close(holder, token);
    }
  });
});

describe("what is left", () => {
  const full = () => stack.redis.command("CONFIG", "SET", "maxmemory", "1");
  const roomy = () => stack.redis.command("CONFIG", "SET", "maxmemory", "0");
  beforeEach(roomy);

  it("a release of either side works while memory is full, and an acquire that finds no room changes nothing", async () => {
    const rw = client().readWriteLock(freshName());
    for (const side of [rw.read, rw.write]) {
      const one = await side.acquire({ reentryKey: "alice" });
      const two = await side.acquire({ reentryKey: "alice" });
      await full();
      expect(await one.release()).toBe(true);
      expect(await two.verify()).toBe(true);
      expect(await two.release()).toBe(true);
      await expect(rw.read.tryAcquire()).rejects.toMatchObject({ code: "redis_error" });
      await expect(rw.write.tryAcquire()).rejects.toMatchObject({ code: "redis_error" });
      await roomy();
      expect(await rw.inspect()).toMatchObject({ state: "free", readers: 0, holds: 0 });
    }
    const writer = await rw.write.acquire({ reentryKey: "alice" });
    const reader = await rw.read.acquire({ reentryKey: "alice" });
    await full();
    expect(await writer.release()).toBe(true);
    expect(await reader.verify()).toBe(true);
    expect(await reader.release()).toBe(true);
    await roomy();
    expect((await rw.write.acquire()).token).toBeGreaterThan(writer.token);
  });

  it("no key is left after lease and retention, whatever ended it (R8)", async () => {
    await stack.redis.command("FLUSHALL");
    const { url, token, fetch } = stack;
    const brief = createLocks({ url, token, fetch, retention: 2_000, requestTimeout: 1_000, lease: 800 });
    const rw = () => brief.readWriteLock(freshName());
    await (await rw().read.acquire()).release();
    await (await rw().write.acquire()).release();
    await rw().read.acquire({ reentryKey: "alice" });
    const mixed = rw();
    await mixed.write.acquire({ reentryKey: "alice" });
    await mixed.read.acquire({ reentryKey: "alice" });
    await mixed.read.forceRelease();
    const stolen = freshName();
    await rw().write.forceRelease();
    await brief.request(stolen, { steal: true }, () => 1);
    const keys = (await stack.redis.command("SCAN", "0", "COUNT", "1000")).match(/leasehold:\S*/g) ?? [];
    expect(keys.length).toBeGreaterThanOrEqual(6);
    for (const key of keys) {
      const ttl = Number((await stack.redis.command("PTTL", key)).slice(1));
      expect(ttl).toBeGreaterThan(0);
      expect(ttl).toBeLessThanOrEqual(3_800);
    }
    await pause(3_900);
    expect(await stack.redis.command("SCAN", "0", "COUNT", "1000")).not.toContain("leasehold:");
  });

  it("both keys live as long as the longest hold, whatever the newest", async () => {
    const rw = client().readWriteLock(freshName());
    const { crowd } = raw(rw.name);
    await rw.read.acquire({ lease: "1h" });
    await (await rw.read.acquire({ lease: "50ms" })).release();
    await rw.read.acquire({ lease: "50ms" });
    for (const key of [crowd, crowd.replace("%crowd", "")]) {
      expect(await command("PTTL", key)).toBeGreaterThan(3_590_000);
    }
  });

  it("a hold that its reentry key's dead ones outnumber keeps its rights: more than fifty dead are taken out over time", async () => {
    const lock = raw(freshName());
    const dead = await idOf("bob");
    await lock.ask("read", dead, 0, 100);
    await deadReadersDirect(lock, 120);
    await pause(120);
    await lock.ask("read", await idOf("alice"));
    // Bob's hold is dead, and beyond the fifty that one script takes out: he is refused as any other, not for an
    // upgrade.
    for (let left = 0; left < 5; left++) {
      expect((await lock.ask("write", await idOf("bob"), 1)).status).toBe("held");
    }
    expect((await lock.ask("write", await idOf("alice"))).status).toBe("upgrade_refused");
  });

  it("a hold is identified by ID and token: with another token it belongs to somebody else (R3d)", async () => {
    for (const mode of ["read", "write"]) {
      const lock = raw(freshName());
      const former = await idOf("alice");
      const old = tokenOf(await lock.ask(mode, former));
      await lock.close(former, old);
      const id = await idOf("alice");
      const token = tokenOf(await lock.ask(mode, id));
      for (const other of [old, token - 1, token + 1]) {
        expect(await lock.extend(id, other, LEASE_MS)).toMatchObject({ status: "lost" });
        expect(await lock.close(id, other)).toMatchObject({ status: "lost" });
      }
      expect((await lock.extend(id, token, LEASE_MS)).status).toBe("extended");
      expect((await lock.close(id, token)).status).toBe("closed");
    }
  });

  it("data that is lost ends every hold, and what comes late is not granted under an old token", async () => {
    const rw = client().readWriteLock(freshName());
    const { crowd } = raw(rw.name);
    const reader = await rw.read.acquire({ reentryKey: "alice" });
    await stack.redis.command("DEL", crowd, crowd.replace("%crowd", ""));
    await expect(reader.extend()).rejects.toMatchObject({ code: "lease_lost", reason: "gone" });
    const other = await rw.read.acquire();
    // Only the record is gone: the readers in the crowd still count.
    await stack.redis.command("DEL", crowd.replace("%crowd", ""));
    expect(await rw.write.tryAcquire()).toBeNull();
    expect((await rw.read.acquire()).token).toBeGreaterThan(other.token);
  });
});

describe("tokens and places", () => {
  /** The same under a server's clock that can be set. */
  const shifted = () => {
    const server = shiftableClock();
    const settings = { url: stack.url, token: stack.token, fetch: server.fetch };
    const name = freshName();
    return { server, lock: raw(name, connect(settings)), rw: createLocks(settings).readWriteLock(name) };
  };

  it("a reader without a hold under a writer's token reads under the phase's, and a retry returns the same", async () => {
    const { server, lock } = shifted();
    const writer = await idOf("x");
    const wrote = tokenOf(await lock.ask("write", writer));
    expect(tokenOf(await lock.ask("read", await idOf("x"), 0, 1_000))).toBe(wrote);
    await lock.close(writer, wrote);
    const phase = tokenOf(await lock.ask("read", await idOf("y"), 0, 60_000));
    expect(phase).toBeGreaterThan(wrote);
    server.shiftMs += 5_000;
    for (const id of [await idOf("x"), await idOf("x")]) {
      expect(tokenOf(await lock.ask("read", id))).toBe(phase);
      expect(tokenOf(await lock.ask("read", id))).toBe(phase);
      expect((await lock.extend(id, phase, 0)).status).toBe("extended");
    }
  });

  it("writers that were announced before a steal or a forced release hold nobody back after it", async () => {
    for (const stolen of [true, false]) {
      const lock = raw(freshName());
      const waiting = await idOf();
      tokenOf(await lock.ask(stolen ? "write" : "read", await idOf()));
      expect((await lock.ask("write", waiting, 20_000)).status).toBe("held");
      const thief = await idOf();
      const token = stolen ? tokenOf(await lock.ask("steal", thief)) : 0;
      if (!stolen) expect(await lock.force("read")).toMatchObject({ status: "forced", had: 1 });
      await lock.close(waiting, 0);
      if (stolen) expect((await lock.close(thief, token)).status).toBe("closed");
      expect((await lock.ask("read", await idOf())).status, stolen ? "stolen" : "forced").toBe("granted");
    }
  });

  it("who polls after its deadline keeps the place that it renews", async () => {
    const { server, lock, rw } = shifted();
    const holder = await idOf();
    const token = tokenOf(await lock.ask("write", holder));
    const reader = await idOf();
    const writer = await idOf();
    for (const back of [100, 20_000]) {
      expect((await lock.ask("write", writer, back)).status).toBe("held");
      expect((await lock.ask("read", reader, back)).status).toBe("held");
      if (back === 100) server.shiftMs += 5_000;
    }
    expect(await rw.inspect()).toMatchObject({ waitingReaders: 1, waitingWriters: 1 });
    await lock.close(holder, token);
    expect((await lock.ask("write", writer, 20_000)).status).toBe("held");
    const read = tokenOf(await lock.ask("read", reader));
    await lock.close(reader, read);
    expect((await lock.ask("read", await idOf())).status).toBe("held");
    tokenOf(await lock.ask("write", writer));
  });

  it("a reader whose record is lost and whose name another kind has is lost too", async () => {
    const locks = client();
    const rw = locks.readWriteLock(freshName());
    const [first, second] = [await rw.read.acquire(), await rw.read.acquire()];
    await stack.redis.command("DEL", raw(rw.name).crowd.replace("%crowd", ""));
    const lock = await locks.lock(rw.name).acquire();
    expect(await first.verify()).toBe(false);
    await expect(second.extend()).rejects.toMatchObject({ code: "lease_lost" });
    expect(await lock.verify()).toBe(true);
  });
});
