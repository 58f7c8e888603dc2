import { Redis } from "@upstash/redis";
import { describe, expect, it } from "vitest";
import { stage, TOKEN } from "./harness.ts";

const it_ = stage();

const settings = [true, false].flatMap((enableAutoPipelining) =>
  [true, false].flatMap((automaticDeserialization) =>
    (["base64", false] as const).map((responseEncoding) => ({
      enableAutoPipelining,
      automaticDeserialization,
      responseEncoding,
    })),
  ),
);

describe.each(settings)("@upstash/redis with %o works unchanged", (options) => {
  const prefix = Object.values(options).join(":");
  const key = (name: string): string => `${prefix}:${name}`;
  const client = (): Redis =>
    new Redis({ url: it_.gateway.url, token: TOKEN, enableTelemetry: false, retry: false, ...options });
  const parsed = options.automaticDeserialization;

  it("strings, numbers, objects, null and OK", async () => {
    const redis = client();
    expect(await redis.set(key("s"), "text é 漢")).toBe("OK");
    expect(await redis.get(key("s"))).toBe("text é 漢");
    expect(await redis.get(key("none"))).toBeNull();
    expect(await redis.incrby(key("n"), 41)).toBe(41);
    expect(await redis.get(key("n"))).toBe(parsed ? 41 : "41");
    await redis.set(key("o"), { a: [1, null] });
    expect(await redis.get(key("o"))).toEqual(parsed ? { a: [1, null] } : '{"a":[1,null]}');
    expect(await redis.ping()).toBe("PONG");
    expect(await redis.set(key("ok"), "OK")).toBe("OK");
    expect(await redis.mget(key("ok"), key("none"))).toEqual(["OK", null]);
  });

  it("hashes, lists, sorted sets and scans", async () => {
    const redis = client();
    await redis.hset(key("h"), { field: "x", other: "y" });
    expect(await redis.hgetall(key("h"))).toEqual(parsed ? { field: "x", other: "y" } : expect.anything());
    await redis.rpush(key("l"), "a", "b");
    expect(await redis.lrange(key("l"), 0, -1)).toEqual(["a", "b"]);
    await redis.zadd(key("z"), { score: 1.5, member: "m" });
    expect(await redis.zscore(key("z"), "m")).toEqual(parsed ? 1.5 : "1.5");
    const [cursor, found] = await redis.scan(0, { match: key("h"), count: 10_000 });
    expect([String(cursor), found]).toEqual(["0", [key("h")]]);
  });

  it("scripts, with NOSCRIPT as the message begins", async () => {
    const redis = client();
    const script = `return {KEYS[1], ARGV[1], 7, {'${prefix}'}}`;
    await expect(redis.evalsha("0".repeat(40), [], [])).rejects.toThrow(/NOSCRIPT No matching script/);
    expect(await redis.eval(script, ["k"], ["v"])).toEqual(["k", "v", 7, [prefix]]);
    const sha = await redis.scriptLoad(script);
    expect(await redis.evalsha(sha, ["k"], ["v"])).toEqual(["k", "v", 7, [prefix]]);
  });

  it("integers beyond 2^53 without a rounding", async () => {
    const redis = client();
    await redis.set(key("large"), "9007199254740992");
    // The client hands out what it got: our exact text, which it leaves alone since it knows that it would round it.
    expect(String(await redis.incr(key("large")))).toBe("9007199254740993");
  });

  it("pipelines and transactions", async () => {
    const redis = client();
    const results = await redis.pipeline().set(key("p"), "v").get(key("p")).incr(key("c")).exec();
    expect(results).toEqual(["OK", "v", 1]);
    expect(await redis.multi().set(key("t"), "v").get(key("t")).incr(key("c")).exec()).toEqual(["OK", "v", 2]);
    const broken = redis.pipeline().incr(key("p")).get(key("p"));
    expect(await broken.exec({ keepErrors: true })).toEqual([
      { error: expect.stringContaining("not an integer") },
      { result: "v" },
    ]);
  });

  it("commands of one tick", async () => {
    const redis = client();
    const values = await Promise.all(Array.from({ length: 50 }, (_, i) => redis.eval("return ARGV[1]", [], [`v${i}`])));
    expect(values).toEqual(Array.from({ length: 50 }, (_, i) => `v${i}`));
  });

  it("errors and a wrong token", async () => {
    await expect(client().lpush(key("s"), "x")).rejects.toThrow(/WRONGTYPE/);
    const stranger = new Redis({ url: it_.gateway.url, token: "wrong", retry: false, ...options });
    await expect(stranger.get("k")).rejects.toThrow(/Unauthorized/);
  });
});
