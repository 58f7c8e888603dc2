import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  connect,
  createLocks,
  group,
  type Joinable,
  type Lease,
  type LeaseholdEvent,
  type Locks,
  multiLock,
} from "../../../src/index.ts";
import { targetOf } from "../../../src/redis/target.ts";
import { shiftableClock } from "../../support/server-clock.ts";
import { freshName, pause, type Stack, startStack } from "../../support/stack.ts";

let stacks: readonly Stack[];
let stack: Stack;
let locks: Locks;
let requests = 0;
const counting: typeof fetch = (...args) => {
  requests++;
  return fetch(...args);
};
const some = (count: number): string[] => Array.from({ length: count }, () => freshName());
const to = ({ url, token }: Stack, more = {}) => ({ url, token, ...more });
const command = (...args: string[]) => stack.redis.command(...args);
const keyOf = (name: string): string => `leasehold:{g}/${name}`;
const only = (name: string, reentryKey?: string) =>
  locks.group("g").lock(name, reentryKey === undefined ? {} : { reentryKey });

beforeAll(async () => {
  stacks = await Promise.all([startStack(), startStack(), startStack()]);
  stack = stacks[0] as Stack;
  locks = createLocks(to(stack, { fetch: counting }));
});
afterAll(() => Promise.all(stacks.map((each) => each.stop())));

async function cost(operation: () => Promise<unknown>): Promise<{ requests: number; commands: number }> {
  requests = 0;
  const commands = await stack.commandsOf(operation);
  return { requests, commands };
}

describe("one slot: one request, and 3 + n commands for n names", () => {
  it.each([1, 2, 16, 64])("n = %i", async (n) => {
    const names = some(n);
    const multi = locks.group("g").multiLock(names);
    const warm = await multi.acquire();
    await warm.extend();
    await warm.release();
    const within = async (commands: number, operation: () => Promise<unknown>): Promise<void> => {
      const spent = await cost(operation);
      expect(spent.requests).toBe(1);
      expect(spent.commands).toBeGreaterThan(2);
      expect(spent.commands).toBeLessThanOrEqual(commands);
    };
    let lease: Lease | undefined;
    await within(3 + n, async () => (lease = await multi.acquire()));
    await within(3 + n, async () => lease?.extend());
    await within(3, async () => lease?.verify());
    await within(3, () => multi.tryAcquire());
    await within(3 + n, async () => lease?.release());
    const fresh = locks.group("g").multiLock(some(n));
    await within(3 + n, async () => (lease = await fresh.acquire()));
    for (const name of names.slice(-1)) await only(name).acquire();
    await within(3, () => multi.tryAcquire());
  });

  it("leaves no key behind", async () => {
    await command("FLUSHALL");
    const brief = createLocks(to(stack, { retention: "3s", requestTimeout: 1_500, lease: "1s" }));
    await brief.group("g").multiLock(some(3)).acquire();
    await (await brief.group("g").multiLock(some(3)).acquire()).release();
    await brief.multiLock(some(3)).acquire();
    expect(await command("DBSIZE")).toContain(":9");
    await expect.poll(() => command("DBSIZE")).toContain(":0");
  });
});

describe("one slot: all or none, whatever stands there", () => {
  const records = async (names: readonly string[]): Promise<string> => {
    const all = await Promise.all(names.map((name) => command("DUMP", keyOf(name))));
    return all.join();
  };

  it.each(["HSET f v", "RPUSH v", "SADD v", "ZADD 1 v", "SET v"])(
    "a foreign value among them (%s) refuses all, and what was written before is undone",
    async (write) => {
      const [verb = "", ...args] = write.split(" ");
      for (let at = 0; at < 4; at++) {
        const names = some(4);
        // Among new names, a tombstone with its token, and a hold of the same reentry key.
        const [, tombstone = "", held = ""] = names;
        const before = await only(tombstone).acquire();
        await before.release();
        if (at !== 2) await only(held, "alice").acquire();
        await command("DEL", keyOf(names[at] ?? ""));
        await command(verb, keyOf(names[at] ?? ""), ...args);
        const was = await records(names);
        for (const reentryKey of [undefined, "bob"]) {
          const refused = locks.group("g").multiLock(names).tryAcquire({ reentryKey });
          if (at === 2) await expect(refused).rejects.toMatchObject({ code: "wrong_kind", kind: "foreign" });
          // The answer names the hold or the value, whichever is found first: either way nothing is changed.
          else await refused.catch((error: unknown) => expect(error).toMatchObject({ code: "wrong_kind" }));
          expect(await records(names)).toBe(was);
        }
        await expect(locks.group("g").multiLock(names).tryAcquire({ reentryKey: "alice" })).rejects.toMatchObject({
          code: at === 2 || verb === "SET" ? "wrong_kind" : "not_reentrant",
        });
        expect(await records(names)).toBe(was);
      }
    },
  );

  it("a name in use as another kind refuses all", async () => {
    const names = some(3);
    await locks
      .group("g")
      .once(names[2] ?? "")
      .begin();
    const multi = locks.group("g").multiLock(names);
    await expect(multi.acquire()).rejects.toMatchObject({ code: "wrong_kind", kind: "once" });
    for (const name of names.slice(0, 2)) expect(await command("EXISTS", keyOf(name))).toContain(":0");
  });

  it("a name that was evicted is lost, and only that; the same reentry key cannot re-enter what is not of one tenure", async () => {
    const names = some(3);
    const [one = "", two = "", three = ""] = names;
    const multi = locks.group("g").multiLock(names, { reentryKey: "alice" });
    const lease = await multi.acquire();
    await command("DEL", keyOf(two));
    await expect(multi.tryAcquire()).rejects.toMatchObject({ code: "not_reentrant" });
    expect(await command("EXISTS", keyOf(two))).toContain(":0");
    await expect(lease.extend()).rejects.toMatchObject({ reason: "gone", names: [two] });
    // Somebody else has it now: not ours to end.
    const other = await only(two, "bob").acquire();
    expect(await lease.release()).toBe(false);
    expect(await other.verify()).toBe(true);
    for (const name of [one, three]) expect(await only(name).tryAcquire()).not.toBeNull();
  });

  it("all that were lost are named, beyond the ninth too", async () => {
    const names = some(64);
    const lease = await locks.group("g").multiLock(names).acquire();
    const gone = names.filter((_, n) => n % 7 === 3 || n > 60);
    for (const name of gone) await only(name).forceRelease();
    expect(await lease.verify()).toBe(false);
    expect(lease.signal.reason).toMatchObject({ reason: "forced", names: gone });
    expect(await lease.release()).toBe(false);
    expect(await locks.group("g").multiLock(names).tryAcquire()).not.toBeNull();
  });

  it("64 names as long as names may be are handed over by ticket", async () => {
    const names = some(64).map((name) => name.padEnd(512, "x"));
    const lease = await locks.group("g").multiLock(names).acquire();
    const resumed = await locks.resume(lease.ticket());
    expect(await resumed.verify()).toBe(true);
    expect(resumed.tokens).toEqual(lease.tokens);
    expect(await resumed.release()).toBe(true);
  });

  it("one that the same reentry key holds longer does not end with the others, nor makes them last longer", async () => {
    const names = some(2);
    const [one = "", two = ""] = names;
    const multi = locks.group("g").multiLock(names, { reentryKey: "alice" });
    const lease = await multi.acquire({ lease: 2_000 });
    const longer = await only(one, "alice").acquire({ lease: "20s" });
    expect(longer.token).toBe(lease.token);
    expect(await lease.verify()).toBe(true);
    expect(lease.holds).toBe(2);
    await pause(2_050);
    expect(lease.remaining).toBe(0);
    expect(await only(two).tryAcquire()).not.toBeNull();
    expect(await only(one).tryAcquire()).toBeNull();
    await expect(multi.tryAcquire()).rejects.toMatchObject({ code: "not_reentrant" });
    expect(await longer.release()).toBe(true);
  });

  it("the clock runs past the lease of all at once, and tokens rise over every name (also one that is ahead)", async () => {
    const server = shiftableClock();
    const shifted = createLocks(to(stack, { fetch: server.fetch }));
    const names = some(3);
    server.shiftMs = 3_600_000;
    const ahead = await shifted
      .group("g")
      .lock(names[1] ?? "")
      .acquire({ lease: "1s" });
    server.shiftMs = 3_610_000;
    const lease = await shifted.group("g").multiLock(names).acquire({ lease: "10s" });
    expect(lease.token).toBeGreaterThan(ahead.token);
    server.shiftMs = 0;
    // Set back: still held, by what was promised then.
    expect(await shifted.group("g").multiLock(names).tryAcquire()).toBeNull();
    expect(await lease.release()).toBe(true);
    for (const name of names) {
      const next = await shifted.group("g").lock(name).acquire();
      expect(next.token).toBeGreaterThan(lease.token);
    }
    // Nor does a reentry key enter by a token that is ahead what it holds only in part.
    const [one = "", two = ""] = some(2);
    server.shiftMs = 3_600_000;
    await shifted.group("g").lock(two).acquire({ reentryKey: "alice" });
    server.shiftMs = 0;
    const mixed = shifted.group("g").multiLock([one, two]).tryAcquire({ reentryKey: "alice" });
    await expect(mixed).rejects.toMatchObject({ code: "not_reentrant" });
  });

  it("memory is full: an acquisition is refused as a whole, a release lets all go", async () => {
    const names = some(5);
    const [kept = ""] = names;
    const lease = await locks.group("g").multiLock(names, { reentryKey: "alice" }).acquire();
    // A hold is left on the first: its record cannot go, and is written although memory is full.
    await only(kept, "alice").acquire();
    const others = some(3);
    await command("CONFIG", "SET", "maxmemory", "1");
    try {
      await expect(locks.group("g").multiLock(others).acquire()).rejects.toMatchObject({ code: "redis_error" });
      await expect(lease.extend("1h")).rejects.toMatchObject({ code: "redis_error" });
      expect(await lease.release()).toBe(true);
    } finally {
      await command("CONFIG", "SET", "maxmemory", "0");
    }
    for (const name of others) expect(await command("EXISTS", keyOf(name))).toContain(":0");
    for (const name of names.slice(1)) expect(await only(name).tryAcquire()).not.toBeNull();
    expect(await only(kept).tryAcquire()).toBeNull();
  });

  it("a late duplicate is void, and one of an ended lease is never granted again", async () => {
    const names = some(3);
    const sent: string[] = [];
    const recording: typeof fetch = (input, init) => {
      sent.push(String(init?.body));
      return fetch(input, init);
    };
    const replay = async (body: string): Promise<string> => {
      const headers = { authorization: `Bearer ${stack.token}` };
      const response = await fetch(stack.url, { method: "POST", headers, body });
      return ((await response.json()) as { result: string[] }).result[0] ?? "";
    };
    const recorded = createLocks(to(stack, { fetch: recording }));
    const lease = await recorded.group("g").multiLock(names).acquire({ lease: 1_500 });
    const acquire = sent.at(-1) ?? "";
    expect(await replay(acquire)).toBe("granted");
    await lease.extend(2_000);
    const extend = sent.at(-1) ?? "";
    await pause(2_050);
    expect(await replay(acquire)).toBe("closed");
    expect(await replay(extend)).toMatch(/^(lost|late)$/);
    expect(await locks.group("g").multiLock(names).tryAcquire()).not.toBeNull();
    expect(await replay(acquire)).not.toBe("granted");
  });
});

describe("several slots", () => {
  it("of three servers: all or none, one lost, one down", async () => {
    const [a, b, c] = stacks.map((each) => createLocks(to(each, { requestTimeout: 2_000 }))) as [Locks, Locks, Locks];
    const names = some(3);
    const three = () => c.multiLock([a.lock(names[0] ?? ""), b.lock(names[1] ?? ""), names[2] ?? ""]);
    const lease = await three().acquire({ lease: "20s" });
    expect(Object.keys(lease.tokens).sort()).toEqual([...names].sort());
    expect(await three().tryAcquire()).toBeNull();
    expect(await lease.verify()).toBe(true);
    await lease.extend("30s");
    expect(lease.remaining).toBeGreaterThan(25_000);
    await b.lock(names[1] ?? "").forceRelease();
    await expect(lease.extend()).rejects.toMatchObject({ reason: "forced", names: [names[1]] });
    expect(await lease.release()).toBe(false);

    // Ten at a time, again and again: never two of them, and one of them in the end.
    let inside = 0;
    let max = 0;
    await Promise.all(
      Array.from({ length: 10 }, async () => {
        await three().run({ wait: "20s" }, async () => {
          max = Math.max(max, ++inside);
          await pause(5);
          inside--;
        });
      }),
    );
    expect(max).toBe(1);

    // The last server is silent: those before are given back.
    const [, , last] = stacks;
    const held = await c.lock("warm").acquire();
    await held.release();
    last?.redis.freeze();
    try {
      await expect(three().tryAcquire()).rejects.toMatchObject({ code: "outcome_unknown" });
      for (const [client, name] of [
        [a, names[0]],
        [b, names[1]],
      ] as const) {
        const free = await client.lock(name ?? "").tryAcquire();
        expect(await free?.release()).toBe(true);
      }
    } finally {
      last?.redis.thaw();
    }
  });

  it.each([
    ["by default", undefined],
    ["by a back-off that would sleep on", () => 60_000],
  ])(
    "holds the first while it waits for the last, longer than its lease, and multiplies no lease: %s",
    async (_, backoff) => {
      const names = some(3).sort();
      const [first = "", , last = ""] = names;
      const holder = await locks.lock(last).acquire({ lease: "20s" });
      const waiting = locks.multiLock(names).acquire({ lease: 2_500, wait: "20s", backoff });
      const end = performance.now() + 5_500;
      await pause(100);
      while (performance.now() < end) {
        const state = await locks.lock(first).inspect();
        expect(state).toMatchObject({ state: "held", holds: 1 });
        expect(state.state === "held" && state.remaining).toBeLessThanOrEqual(2_500);
        await pause(50);
      }
      await holder.release();
      const lease = await waiting;
      expect(lease.remaining).toBeGreaterThan(1_600);
      for (const name of names) {
        const state = await locks.lock(name).inspect();
        expect(state.state === "held" && state.remaining).toBeLessThanOrEqual(2_500);
      }
      await lease.release();
    },
  );

  it("begins anew when a part was lost while it waited for another", async () => {
    const names = some(2).sort();
    const [first = "", last = ""] = names;
    const holder = await locks.lock(last).acquire({ lease: "20s" });
    const waiting = locks.multiLock(names).acquire({ lease: "3s", wait: "20s" });
    await pause(200);
    const token = await locks.lock(first).inspect();
    await locks.lock(first).forceRelease();
    await pause(300);
    await holder.release();
    const lease = await waiting;
    expect(lease.tokens[first]).toBeGreaterThan(token.token);
    expect(await lease.verify()).toBe(true);
    expect(await lease.release()).toBe(true);
  });

  it("extends the parts that it holds after a third of the lease while it waits, and after a twentieth at the end", async () => {
    const names = some(2).sort();
    const holder = await locks.lock(names[1] as string).acquire();
    let extensions = 0;
    const onEvent = (event: LeaseholdEvent): void => {
      if (event.type === "request" && event.operation === "extend" && event.status === "extended") extensions++;
    };
    const waiting = createLocks(to(stack, { onEvent })).multiLock(names).acquire({ lease: "30s", wait: "30s" });
    await pause(3500);
    const before = extensions;
    await holder.release();
    const lease = await waiting;
    expect([before, extensions]).toEqual([0, 1]);
    await lease.release();
  });

  it("acquires by one request for each part, and sends one to extend, release, read or cancel them all", async () => {
    const names = some(4).sort();
    const multi = locks.multiLock(names);
    let lease = await multi.acquire();
    await lease.release();
    requests = 0;
    lease = await multi.acquire();
    expect(requests).toBe(4);
    await lease.extend();
    expect(requests).toBe(5);
    await lease.release();
    expect(requests).toBe(6);
    await multi.inspect();
    expect(requests).toBe(7);
    await multi.forceRelease();
    expect(requests).toBe(8);
    const holder = await locks.lock(names[2] ?? "").acquire();
    requests = 0;
    // Two granted, one refused, two given back together.
    expect(await multi.tryAcquire()).toBeNull();
    expect(requests).toBe(4);
    await holder.release();
  });

  it("orders by keys first, and not by servers", async () => {
    const sent: string[] = [];
    const [last, first] = ["1", "2"].map((serverId, index) =>
      createLocks(
        to(stacks[index] as Stack, {
          serverId,
          fetch: (...request: Parameters<typeof fetch>) => {
            sent.push(serverId);
            return fetch(...request);
          },
        }),
      ),
    ) as [Locks, Locks];
    const [low, high] = [freshName("a"), freshName("b")];
    const parts = [first.lock(low), last.lock(high)];
    await (await multiLock(connect(to(stack)), parts).acquire()).release();
    for (const order of [parts, [...parts].reverse()]) {
      sent.length = 0;
      const lease = await multiLock(connect(to(stack)), order).acquire();
      expect(sent).toEqual(["2", "1"]);
      await lease.release();
    }
  });

  it("orders by keys, not by what is said first, also with locks of groups and of another kind", async () => {
    const connection = connect(to(stack));
    const names = some(6);
    const sent: string[] = [];
    const recording: typeof fetch = (input, init) => {
      sent.push(String((JSON.parse(String(init?.body)) as unknown[])[3]));
      return fetch(input, init);
    };
    const recorded = createLocks(to(stack, { fetch: recording }));
    const rw = recorded.readWriteLock(names[5] ?? "");
    const parts: (string | Joinable)[] = [
      ...names.slice(0, 3),
      recorded.group("x").lock(names[3] ?? ""),
      recorded.group("y").multiLock([names[4] ?? "", "z"]),
      rw.write,
    ];
    const expected = [
      ...names.slice(0, 3).map((name) => targetOf(connection, "lock", [name]).keys[0]),
      targetOf(group(connection, "x"), "lock", [names[3] ?? ""]).keys[0],
      targetOf(group(connection, "y"), "lock", [names[4] ?? ""]).keys[0],
      targetOf(connection, "rw", [names[5] ?? ""]).keys[0],
    ].sort();
    for (const order of [parts, [...parts].reverse()]) {
      sent.length = 0;
      const lease = await recorded.multiLock(order).acquire();
      expect(sent.filter((key, n) => sent.indexOf(key) === n)).toEqual(expected);
      expect(await rw.read.tryAcquire()).toBeNull();
      expect(await lease.release()).toBe(true);
    }
    expect(await multiLock(connection, [names[0] ?? ""]).tryAcquire()).not.toBeNull();
  });
});

/** Resources that are written under a lock only, and clients that take some of them in an order of their own. */
describe("no deadlock: random overlaps in random order", () => {
  const forms: Record<string, (client: Locks, names: readonly string[]) => Pick<ReturnType<Locks["lock"]>, "run">> = {
    "one slot": (client, names) => client.group("g").multiLock(names),
    "several slots": (client, names) => client.multiLock(names) as never,
    "several slots and groups": (client, names) =>
      client.multiLock([
        ...names.slice(2),
        client.group("g").lock(names[0] ?? ""),
        client.group("g").lock(names[1] ?? ""),
      ]) as never,
  };
  const rounds = Number(process.env["MULTI_ROUNDS"] ?? 2);

  it.concurrent.each(Object.entries(forms))(
    "%s: 20 clients",
    async (_, form) => {
      const names = some(6);
      const counters = new Map<string, number>();
      let written = 0;
      const start = performance.now();
      await Promise.all(
        Array.from({ length: 20 }, async () => {
          const client = createLocks(to(stack));
          for (let round = 0; round < rounds; round++) {
            const shuffled = names
              .map((name) => [Math.random(), name] as const)
              .sort(([a], [b]) => a - b)
              .map(([, name]) => name);
            // A name is locked in one way only: with the group or without.
            const mine =
              form === forms["several slots and groups"]
                ? [
                    ...names.slice(0, 2).sort(() => Math.random() - 0.5),
                    ...shuffled.filter((name) => names.indexOf(name) > 1).slice(0, 2),
                  ]
                : shuffled.slice(0, 2 + Math.floor(Math.random() * 3));
            await form(client, mine).run({ wait: "60s", lease: "30s" }, async () => {
              const read = mine.map((name) => counters.get(name) ?? 0);
              await pause(1);
              for (const [n, name] of mine.entries()) counters.set(name, (read[n] ?? 0) + 1);
              written += mine.length;
            });
          }
        }),
      );
      expect([...counters.values()].reduce((sum, count) => sum + count, 0)).toBe(written);
      expect(performance.now() - start).toBeLessThan(60_000);
    },
    90_000,
  );
});
