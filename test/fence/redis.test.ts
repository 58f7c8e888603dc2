import { describe, expect, it } from "vitest";
import { redisFence, StaleTokenError } from "../../src/fence/index.ts";
import { connect, createLocks, group } from "../../src/index.ts";
import { startProxy } from "../support/proxy.ts";
import { startStack } from "../support/stack.ts";
import { freshName, pause, useStack } from "../support/use-stack.ts";
import { attacks } from "./attacks.ts";

const stack = useStack();
const open = (url = stack.url) => connect({ url, token: stack.token, requestTimeout: "10s" });

const get = async (key: string): Promise<string> => (await stack.redis.command("GET", key)).trim();

attacks("redisFence, its calls", async () => {
  const fence = redisFence(open());
  const key = freshName("log");
  return {
    claim: (lease) => fence.claim(lease),
    write: (lease, value) => fence.call(lease, "RPUSH", key, value),
    values: async () =>
      [...(await stack.redis.command("LRANGE", key, "0", "-1")).matchAll(/^\d+:.*(?=\r$)/gm)].map(([value]) => value),
  };
});

attacks(
  "redisFence, its value",
  async () => {
    const fence = redisFence(open());
    let name = "";
    return {
      claim: (lease) => fence.claim(lease),
      write(lease, value) {
        name = lease.name;
        return fence.write(lease, value);
      },
      values: async () => (name ? [(await fence.read(name))?.value].filter((value) => value) : []) as string[],
    };
  },
  { single: true },
);

describe.concurrent("redisFence", () => {
  it("refuses who comes after a newer claim, and nothing is written", async () => {
    const locks = createLocks({ url: stack.url, token: stack.token });
    const fence = redisFence(locks);
    const name = freshName();
    const old = await locks.lock(name).acquire();
    await old.release();
    const lease = await locks.lock(name).acquire();
    await fence.claim(lease);
    const stale = fence.call(old, "SET", `${name}:row`, "stale");
    await expect(stale).rejects.toBeInstanceOf(StaleTokenError);
    await expect(stale).rejects.toMatchObject({
      message: `the token ${old.token} of "${name}" is stale: ${lease.token} was seen`,
      code: "stale_token",
      lockName: name,
      token: old.token,
      seen: lease.token,
    });
    await expect(fence.write(old, "stale")).rejects.toMatchObject({ code: "stale_token" });
    await expect(fence.claim(old)).rejects.toMatchObject({ code: "stale_token" });
    expect(await get(`${name}:row`)).toBe("$-1");
    expect(await fence.read(name)).toEqual({ token: lease.token, value: "" });
  });

  it("takes equal and higher tokens, keeps the value through a claim, and keeps names apart", async () => {
    const fence = redisFence(open());
    const name = freshName("a{b}%");
    expect(await fence.read(name)).toBeNull();
    const value = '"quoted" 🔒 \n\u0000 42';
    await fence.write({ name, token: 5 }, "first");
    await fence.write({ name, token: 5 }, value);
    await fence.claim({ name, token: 5 });
    expect(await fence.read(name)).toEqual({ token: 5, value });
    await fence.claim({ name, token: 9_007_199_254_740_991 });
    expect(await fence.read(name)).toEqual({ token: 9_007_199_254_740_991, value });
    await fence.write({ name: `${name}2`, token: 1 }, "1");
    expect(await fence.read(`${name}2`)).toEqual({ token: 1, value: "1" });
    // Compared as numbers, not as text.
    await fence.claim({ name: `${name}2`, token: 9 });
    await fence.claim({ name: `${name}2`, token: 10 });
    await expect(fence.claim({ name: `${name}2`, token: 9 })).rejects.toMatchObject({ seen: 10 });
  });

  it("a call raises the token too, and gives the reply of any command", async () => {
    const fence = redisFence(open());
    const name = freshName();
    const key = (what: string): string => `{${name}}:${what}`;
    const lease = { name, token: 7 };
    expect(await fence.call(lease, "SET", key("s"), '"quoted" \u0001\\ 🔒')).toBe("OK");
    expect(await fence.call(lease, "GETSET", key("s"), 12)).toBe('"quoted" \u0001\\ 🔒');
    expect(await fence.call(lease, "incrby", key("i"), "9007199254740990")).toBe(9_007_199_254_740_990);
    expect(await fence.call(lease, "SPOP", key("none"))).toBeNull();
    expect(await fence.call(lease, "HSET", key("h"), "a", 1, "b", "x")).toBe(2);
    expect(await fence.call(lease, "HMGET", key("h"), "a", "none", "b")).toEqual(["1", null, "x"]);
    expect(await fence.call(lease, "ZADD", key("z"), 1.5, "m")).toBe(1);
    expect(await fence.call(lease, "ZPOPMIN", key("z"))).toEqual(["m", "1.5"]);
    expect(await fence.call(lease, "DEL", key("h"))).toBe(1);
    expect(await fence.call(lease, "RPUSH", key("l"), ...Array.from({ length: 4000 }, (_, at) => at))).toBe(4000);
    expect(await fence.read(name)).toMatchObject({ token: 7 });
    await expect(fence.call({ name, token: 6 }, "DEL", key("s"))).rejects.toMatchObject({ seen: 7 });
    expect(await get(key("s"))).toContain("12");
  });

  it("an error of the command leaves the token as it was, and nothing half done", async () => {
    const fence = redisFence(open());
    const name = freshName();
    await fence.claim({ name, token: 1 });
    await stack.redis.command("SET", `${name}:text`, "hello");
    const lease = { name, token: 2 };
    for (const [command, ...args] of [["INCRBY", 1], ["LPUSH", "x"], ["NOSUCH", 1], ["NO.SUCH", 1], ["SET"]] as const) {
      const failed = fence.call(lease, command, `${name}:text`, ...args);
      await expect(failed, command).rejects.toMatchObject({ code: "redis_error" });
    }
    expect(await get(`${name}:text`)).toContain("hello");
    expect(await fence.read(name)).toMatchObject({ token: 1 });
  });

  it("touches no value of another application", async () => {
    const name = freshName();
    await stack.redis.command("SET", `leasehold:{${name}}%fence`, "mine");
    const fence = redisFence(open());
    await expect(fence.claim({ name, token: 1 })).rejects.toMatchObject({ code: "wrong_kind", kind: "foreign" });
    await expect(fence.call({ name, token: 1 }, "SET", "x", 1)).rejects.toMatchObject({ code: "wrong_kind" });
    await expect(fence.read(name)).rejects.toMatchObject({ code: "wrong_kind" });
    await expect(fence.call({ name: "n", token: 1 }, "DEL", "leasehold:{n}%fence")).rejects.toThrow(/fence's own/);
  });

  it("is remembered for its ttl from its last write, in the slot of its group", async () => {
    const name = freshName();
    const fence = redisFence(group(open(), "g"), { ttl: "10m" });
    const key = `leasehold:{g}/${name}%fence`;
    const ttl = async (): Promise<number> => Number((await stack.redis.command("PTTL", key)).slice(1));
    await fence.claim({ name, token: 1 });
    expect(await ttl()).toBeGreaterThan(590_000);
    await stack.redis.command("PEXPIRE", key, "1000");
    await fence.call({ name, token: 1 }, "SET", `{g}${name}`, 1);
    expect(await ttl()).toBeGreaterThan(590_000);
    await stack.redis.command("PEXPIRE", key, "1000");
    await fence.claim({ name, token: 1 });
    expect(await ttl()).toBeGreaterThan(590_000);
  });

  it.each([
    ["a name that is none", { name: "", token: 1 }, RangeError],
    ["a name with half a character", { name: "a\ud800", token: 1 }, TypeError],
    ["no name", { token: 1 }, TypeError],
    ["no token", { name: "n" }, TypeError],
    ["a token of text", { name: "n", token: "1" }, TypeError],
    ["a token of 0", { name: "n", token: 0 }, RangeError],
    ["a broken token", { name: "n", token: 1.5 }, RangeError],
    ["a token too large", { name: "n", token: 2 ** 53 }, RangeError],
    ["a token without end", { name: "n", token: 1 / 0 }, RangeError],
    ["nothing", undefined, TypeError],
  ])("sends nothing for %s", async (_, lease, error) => {
    let sent = 0;
    const fetch = (): never => {
      throw new Error(`sent ${++sent}`);
    };
    const fence = redisFence(connect({ url: stack.url, token: "t", fetch }));
    await expect(fence.claim(lease as never)).rejects.toBeInstanceOf(error);
    await expect(fence.write(lease as never, "")).rejects.toBeInstanceOf(error);
    await expect(fence.call(lease as never, "SET", "k", "v")).rejects.toBeInstanceOf(error);
    await expect(fence.write({ name: "n", token: 1 }, 5 as never)).rejects.toBeInstanceOf(TypeError);
    await expect(fence.write({ name: "n", token: 1 }, "x".repeat(262_145))).rejects.toBeInstanceOf(RangeError);
    await expect(fence.call({ name: "n", token: 1 }, "SET", "k", null as never)).rejects.toBeInstanceOf(TypeError);
    for (const [command, key, ...args] of [
      ["", "k"],
      ["SET k", "k"],
      ["JSON.", "k"],
      ["JSON.SET.X", "k"],
      ["SET", ""],
      ["SET", "a\ud800", "v"],
      ["SET", "k", "v\udc00"],
      ["SET", "k", Number.NaN],
    ] as const) {
      const bad = fence.call({ name: "n", token: 1 }, command, key, ...args);
      await expect(bad, JSON.stringify([command, key, ...args])).rejects.toBeInstanceOf(TypeError);
    }
    expect(sent).toBe(0);
  });
});

it("refuses at once an option that cannot be", () => {
  expect(() => redisFence(open(), { ttl: "59s" })).toThrow(RangeError);
  expect(() => redisFence(open(), { ttl: "60s" })).not.toThrow();
  expect(() => redisFence(group(open(), "a\ud800"))).toThrow(TypeError);
  expect(() => redisFence(group(open(), ""))).toThrow(RangeError);
  expect(() => redisFence({} as never)).toThrow(TypeError);
});

it("costs one request and at most 4 commands, and the caller's one", async () => {
  const proxy = await startProxy(stack.url);
  const fence = redisFence(open(proxy.url));
  const lease = { name: freshName(), token: 1 };
  const operations = [
    [4, () => fence.claim(lease)],
    [4, () => fence.write(lease, "v")],
    [3, () => fence.read(lease.name)],
    [5, () => fence.call(lease, "INCRBY", "n", 1)],
  ] as const;
  for (const [, warm] of operations) await warm();
  for (const [commands, operation] of operations) {
    const before = proxy.count();
    const spent = await stack.commandsOf(operation);
    expect(spent).toBeLessThanOrEqual(commands);
    expect(spent).toBeGreaterThan(1);
    expect(proxy.count() - before).toBe(1);
  }
  await proxy.close();
});

it("on a cluster the key must be in the slot of the lock", async () => {
  const cluster = await startStack({ args: ["--cluster-enabled", "yes"] });
  await cluster.redis.command("CLUSTER", "ADDSLOTSRANGE", "0", "16383");
  while (!(await cluster.redis.command("CLUSTER", "INFO")).includes("cluster_state:ok")) await pause(20);
  const connection = connect({ url: cluster.url, token: cluster.token });
  const lease = { name: "invoice:42", token: 1 };
  expect(await redisFence(connection).call(lease, "INCR", "{invoice:42}:n")).toBe(1);
  expect(await redisFence(group(connection, "g")).call(lease, "INCR", "{g}:n")).toBe(1);
  const elsewhere = redisFence(connection).call(lease, "INCR", "n");
  await expect(elsewhere).rejects.toMatchObject({ code: "redis_error", message: expect.stringMatching(/^CROSSSLOT/) });
  await cluster.stop();
});

it("of 40 holders that write at random, none is accepted after a newer one was", async () => {
  const name = freshName();
  const log: { token: number; at: number }[] = [];
  const fence = redisFence(open());
  await Promise.all(
    Array.from({ length: 40 }, async (_, token) => {
      for (let round = 0; round < 5; round++) {
        await pause(Math.random() * 60);
        const pushed = await fence.call({ name, token: token + 1 }, "RPUSH", `${name}:l`, token + 1).catch((error) => {
          expect(error).toBeInstanceOf(StaleTokenError);
        });
        if (pushed) log.push({ token: token + 1, at: Number(pushed) });
      }
    }),
  );
  const order = log.sort((a, b) => a.at - b.at).map(({ token }) => token);
  expect(order).toEqual([...order].sort((a, b) => a - b));
  expect(order.length).toBeGreaterThan(1);
});
