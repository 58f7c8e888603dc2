import { describe, expect, it } from "vitest";
import { type ConnectionSettings, constantBackoff, createLocks, type Latch, type Locks } from "../../../src/index.ts";
import { shiftableClock } from "../../support/server-clock.ts";
import { freshName, pause, useStack } from "../../support/use-stack.ts";

const stack = useStack();

const make = (settings: ConnectionSettings & { fetch?: typeof fetch } = {}): Locks =>
  createLocks({ url: stack.url, token: stack.token, fetch: stack.fetch, ...settings });
const fresh = (settings?: ConnectionSettings): Latch => make(settings).latch(freshName());
const record = ({ name }: Latch): string => `leasehold:{${name}}`;
const crowd = (latch: Latch): string => `${record(latch)}%crowd`;
const redis = (...command: string[]): Promise<string> => stack.redis.command(...command);
const numberOf = async (...command: string[]): Promise<number> => Number((await redis(...command)).slice(1));

/** Waits as another client, which has looked once when this resolves. */
function looked({ name }: Latch, delayMs: number): Promise<{ done: Promise<boolean> }> {
  return new Promise((resolve) => {
    const locks = make({ onEvent: ({ type }) => type === "polled" && resolve({ done }) });
    const done = locks.latch(name).wait({ wait: "20s", backoff: () => delayMs });
    done.catch(() => {});
  });
}

/** Puts so many parties beside the latch as if they had been counted. */
const addParties = (latch: Latch, many: number): Promise<string> =>
  redis(
    "EVAL",
    "for n = 1, ARGV[1] do redis.call('ZADD', KEYS[1], 0, string.format('z%036d', n)) end return redis.call('ZCARD', KEYS[1])",
    "1",
    crowd(latch),
    `${many}`,
  );

describe("many", () => {
  it("a hundred waiters all see the final state", async () => {
    const latch = fresh();
    await latch.trySetCount(10);
    const waiters = Array.from({ length: 100 }, () => looked(latch, 60));
    const done = (await Promise.all(waiters)).map((waiter) => waiter.done);
    const left = await Promise.all(
      Array.from({ length: 10 }, (_, n) => make().latch(latch.name).countDown(`party ${n}`)),
    );
    expect(left.sort((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(await Promise.all(done)).toEqual(Array(100).fill(true));
  });

  it("of fifty who set it at once one does, and fifty parties who count twice each count once", async () => {
    const latch = fresh();
    const handles = Array.from({ length: 50 }, () => make().latch(latch.name));
    const set = await Promise.all(handles.map((handle) => handle.trySetCount(60)));
    expect(set.filter(Boolean).length).toBe(1);
    await Promise.all(handles.flatMap((handle, n) => [handle.countDown(`party ${n}`), handle.countDown(`party ${n}`)]));
    expect(await latch.count()).toBe(10);
  });

  it("a barrier of rounds: waiters and counters meet in each generation", async () => {
    const latch = fresh();
    for (let round = 1; round <= 5; round++) {
      expect(await latch.trySetCount(4)).toBe(true);
      const { generation } = await latch.inspect();
      const met = await Promise.all(
        [1, 2, 3, 4].map(async (party) => {
          const own = make().latch(latch.name);
          await own.countDown(`party ${party}`, { generation });
          return own.wait({ wait: "10s", backoff: constantBackoff(10) });
        }),
      );
      expect(met).toEqual([true, true, true, true]);
    }
  });
});

describe("lost data", () => {
  it.each([
    ["FLUSHALL", async () => redis("FLUSHALL")],
    ["the record evicted, and its parties not", async (latch: Latch) => redis("DEL", record(latch))],
  ])("%s: a waiter is told, also when it was set and reached since; the generation rises", async (_, lose) => {
    for (const anew of [false, true]) {
      const latch = fresh();
      await latch.trySetCount(2);
      await latch.countDown("alice");
      const before = await latch.inspect();
      const { done } = await looked(latch, 300);
      await lose(latch);
      expect(await latch.inspect()).toMatchObject({ state: "free" });
      await expect(latch.countDown("bob", { generation: before.generation })).rejects.toMatchObject({
        code: "state_lost",
      });
      if (anew) {
        expect(await latch.trySetCount(1)).toBe(true);
        expect((await latch.inspect()).generation).toBeGreaterThan(before.generation);
        expect(await latch.countDown("alice")).toBe(0);
      }
      await expect(done).rejects.toMatchObject({ code: "state_lost" });
    }
  });

  it("the clock set back an hour: generations still rise, and waiters see them", async () => {
    const clock = shiftableClock();
    const locks = make({ fetch: clock.fetch });
    const latch = locks.latch(freshName());
    clock.shiftMs = 3_600_000;
    await latch.trySetCount(1);
    const first = await latch.inspect();
    await latch.countDown("alice");
    clock.shiftMs = 0;
    expect(await latch.trySetCount(1)).toBe(true);
    const second = await latch.inspect();
    expect(second.generation).toBeGreaterThan(first.generation);
    expect(await latch.countDown("alice", { generation: first.generation })).toBe(0);
    expect(await latch.count()).toBe(1);
    expect(await latch.countDown("alice")).toBe(0);
  });
});

describe("keys", () => {
  it("both have a TTL that counting renews, and none is left after ttl and retention (R8)", async () => {
    await redis("FLUSHALL");
    const brief = make({ retention: 1_500, requestTimeout: 750 });
    const briefly = async (): Promise<Latch> => {
      const latch = brief.latch(freshName(), { ttl: 1_000 });
      await latch.trySetCount(3);
      return latch;
    };
    const counted = await briefly();
    await pause(500);
    await counted.countDown("alice");
    for (const key of [record(counted), crowd(counted)]) {
      const ttl = await numberOf("PTTL", key);
      expect(ttl).toBeGreaterThan(2_050);
      expect(ttl).toBeLessThanOrEqual(2_500);
    }
    const open = await briefly();
    for (const party of ["a", "b", "c"]) await open.countDown(party);
    const refused = await briefly();
    await refused.trySetCount(1);
    const forced = await briefly();
    await forced.countDown();
    await forced.forceRelease();
    const anew = await briefly();
    for (const party of ["a", "b", "c"]) await anew.countDown(party);
    await anew.trySetCount(2);
    // Nothing is made of what is not there.
    const absent = brief.latch(freshName());
    await absent.countDown("alice");
    await expect(absent.countDown("alice", { generation: 1 })).rejects.toMatchObject({ code: "state_lost" });
    await absent.wait({ wait: 0 });
    await absent.count();
    const keys = (await redis("SCAN", "0", "COUNT", "1000")).match(/leasehold:\S*/g) ?? [];
    expect(keys.sort()).toEqual(
      [counted, open, refused, forced, anew].map(record).concat([counted, open].map(crowd)).sort(),
    );
    for (const key of keys) expect(await numberOf("PTTL", key), key).toBeGreaterThan(0);
    await pause(2_700);
    expect(await redis("SCAN", "0", "COUNT", "1000")).not.toContain("leasehold:");
  });

  it("a count down does not shorten what was to be remembered longer", async () => {
    const latch = make().latch(freshName(), { ttl: "2h" });
    await latch.trySetCount(2);
    await make().latch(latch.name, { ttl: "1s" }).countDown("alice");
    expect((await latch.inspect()).remaining).toBeGreaterThan(7_000_000);
    for (const key of [record(latch), crowd(latch)]) expect(await numberOf("PTTL", key)).toBeGreaterThan(7_000_000);
  });

  it("what stands in the place of the parties is left as it is", async () => {
    const latch = fresh();
    await latch.trySetCount(2);
    await redis("SET", crowd(latch), "theirs");
    const before = await redis("DUMP", record(latch));
    await expect(latch.countDown("alice")).rejects.toMatchObject({ code: "wrong_kind", kind: "foreign" });
    expect(await redis("DUMP", record(latch))).toBe(before);
    expect(await redis("GET", crowd(latch))).toContain("theirs");
  });
});

describe("nothing half done", () => {
  const refusals = {
    "memory is full": [
      ["CONFIG", "SET", "maxmemory", "1"],
      ["CONFIG", "SET", "maxmemory", "0"],
    ],
    // So that the parties can be written, and the record cannot.
    "SET is forbidden": [
      ["ACL", "SETUSER", "default", "-set"],
      ["ACL", "SETUSER", "default", "+set"],
    ],
  } as const;

  it.each(Object.entries(refusals))(
    "%s: what cannot be counted was not, and letting go works",
    async (_, [full, roomy]) => {
      const latch = fresh();
      const open = fresh();
      const other = fresh();
      await latch.trySetCount(2);
      await latch.countDown("alice");
      await open.trySetCount(1);
      await open.countDown("alice");
      await redis(...full);
      try {
        const refused = { code: "redis_error" };
        await expect(latch.countDown("bob")).rejects.toMatchObject(refused);
        await expect(latch.trySetCount(5)).rejects.toMatchObject(refused);
        await expect(open.trySetCount(5)).rejects.toMatchObject(refused);
        await expect(other.trySetCount(5)).rejects.toMatchObject(refused);
        expect(await latch.count()).toBe(1);
        expect(await open.wait()).toBe(true);
        expect(await open.countDown("alice")).toBe(0);
        expect(await numberOf("ZCARD", crowd(latch))).toBe(1);
        expect(await numberOf("ZCARD", crowd(open))).toBe(1);
        expect(await numberOf("EXISTS", record(other), crowd(other))).toBe(0);
        expect(await open.forceRelease()).toBe(true);
      } finally {
        await redis(...roomy);
      }
      expect(await open.inspect()).toMatchObject({ state: "free" });
      expect(await latch.countDown("bob")).toBe(0);
      expect(await latch.trySetCount(5)).toBe(true);
    },
  );
});

describe("cost", () => {
  /** Requests and Redis commands of one operation, those inside its script included. */
  async function cost(operation: (latch: Latch) => Promise<unknown>, name: string) {
    let requests = 0;
    const counting: typeof fetch = (...args) => {
      requests++;
      return stack.fetch(...args);
    };
    const latch = make({ fetch: counting }).latch(name);
    const commands = await stack.commandsOf(() => operation(latch));
    return { requests, commands };
  }

  it.each([1, 10_000])("every request is at most 6 commands with %d parties", async (parties) => {
    // So that every script is known.
    const warm = fresh();
    await warm.trySetCount(1);
    await warm.countDown();
    await warm.forceRelease();

    const latch = fresh();
    const { name } = latch;
    const set = () => cost((one) => one.trySetCount(1e6), name);
    expect(await set()).toEqual({ requests: 1, commands: 5 });
    await addParties(latch, parties);
    const { generation } = await latch.inspect();
    expect(await set()).toEqual({ requests: 1, commands: 4 });
    expect(await cost((one) => one.countDown("alice", { generation }), name)).toEqual({ requests: 1, commands: 6 });
    expect(await cost((one) => one.countDown("alice", { generation }), name)).toEqual({ requests: 1, commands: 4 });
    expect(await cost((one) => one.countDown(undefined, { generation }), name)).toEqual({ requests: 1, commands: 6 });
    // A question of 3 commands, and the count.
    expect(await cost((one) => one.countDown("bob"), name)).toEqual({ requests: 2, commands: 9 });
    expect(await cost((one) => one.count(), name)).toEqual({ requests: 1, commands: 3 });
    expect(await cost((one) => one.inspect(), name)).toEqual({ requests: 1, commands: 3 });
    expect(await cost((one) => one.wait({ wait: 0 }), name)).toEqual({ requests: 1, commands: 3 });
    expect(await cost((one) => one.forceRelease(), name)).toEqual({ requests: 1, commands: 6 });
    expect(await cost((one) => one.countDown("bob"), name)).toEqual({ requests: 1, commands: 3 });
    await latch.trySetCount(1);
    await addParties(latch, parties);
    await latch.countDown();
    expect(await cost((one) => one.countDown("bob"), name)).toEqual({ requests: 1, commands: 3 });
    expect(await set()).toEqual({ requests: 1, commands: 6 });
  });

  it("takes the server no longer with 10 000 parties than with ten", async () => {
    const few = fresh();
    const many = fresh();
    for (const latch of [few, many]) await latch.trySetCount(1e6);
    await addParties(few, 10);
    await addParties(many, 10_000);
    /** µs of server time a script takes, as the mean of a batch. */
    async function batch(call: () => Promise<unknown>): Promise<number> {
      await redis("CONFIG", "RESETSTAT");
      for (let n = 0; n < 50; n++) await call();
      const info = await redis("INFO", "commandstats");
      return Number(/cmdstat_evalsha:\S*usec_per_call=([\d.]+)/.exec(info)?.[1]);
    }
    const median = (values: number[]): number => values.sort((a, b) => a - b)[values.length >> 1] as number;
    const times: Record<string, Record<string, number[]>> = {};
    for (let round = 0; round < 5; round++) {
      for (const [size, latch] of Object.entries({ few, many })) {
        const { generation } = await latch.inspect();
        const calls = {
          countDown: () => latch.countDown(undefined, { generation }),
          again: () => latch.countDown("alice", { generation }),
          look: () => latch.count(),
          refused: () => latch.trySetCount(1),
        };
        for (const [what, call] of Object.entries(calls)) {
          times[what] ??= { few: [], many: [] };
          times[what][size]?.push(await batch(call));
        }
      }
    }
    for (const [what, { few: low = [], many: high = [] }] of Object.entries(times)) {
      const [min, max] = [median(low), median(high)];
      expect(max, what).toBeLessThan(3 * min + 20);
    }
  });

  it("a wait with nothing said asks seldom", async () => {
    let requests = 0;
    const counting: typeof fetch = (...args) => {
      requests++;
      return stack.fetch(...args);
    };
    const latch = make({ fetch: counting, random: () => 0.5 }).latch(freshName());
    await latch.trySetCount(1);
    requests = 0;
    expect(await latch.wait({ wait: "3s" })).toBe(false);
    expect(requests).toBeGreaterThan(4);
    expect(requests).toBeLessThan(10);
  });
});

describe("beside a key of another program", () => {
  it("it is not set, and the key stays as it is", async () => {
    const latch = fresh();
    await redis("HSET", crowd(latch), "mine", "1");
    await expect(latch.trySetCount(3)).rejects.toMatchObject({ code: "wrong_kind", kind: "foreign" });
    expect(await redis("HGET", crowd(latch), "mine")).toContain("1");
    expect(await numberOf("EXISTS", record(latch))).toBe(0);
  });
});

describe("what others may see", () => {
  it("is no party's name", async () => {
    const latch = fresh();
    await latch.trySetCount(2);
    await latch.countDown("alice@example.com");
    const stored = (await redis("GET", record(latch))) + (await redis("ZRANGEBYSCORE", crowd(latch), "-inf", "+inf"));
    expect(stored).not.toContain("alice");
    expect(JSON.stringify(await latch.inspect())).not.toContain("alice");
  });
});
