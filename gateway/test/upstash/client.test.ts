import { Redis, type RedisConfigNodejs } from "@upstash/redis";
import { describe, expect, it, vi } from "vitest";
import { stage, TOKEN, until } from "../support/harness.ts";

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

describe("@upstash/redis", () => {
  const client = (options: Partial<RedisConfigNodejs> = {}): Redis =>
    new Redis({ url: it_.gateway.url, token: TOKEN, enableTelemetry: false, retry: false, ...options });

  it("can be aborted, and what was asked before and after is answered", async () => {
    await it_.redis.command("CLIENT", "PAUSE", "300", "WRITE");
    const controller = new AbortController();
    const aborted = client({ signal: () => controller.signal });
    const answer = aborted.set("aborted", "x");
    setTimeout(() => controller.abort(), 30);
    await expect(answer).rejects.toThrow(/abort/i);
    const plain = new AbortController();
    const resolved = client({
      signal: plain.signal,
      enableAutoPipelining: false,
      responseEncoding: false,
    }).incr("aborted-too");
    setTimeout(() => plain.abort("given up"), 30);
    // So it is with Upstash as well: a plain signal makes the call resolve.
    expect(await resolved).toBe("given up");
    expect(await client().set("after", 1)).toBe("OK");
    expect(await client().get("after")).toBe(1);
  });

  it("reads its writes by the token that it was given", async () => {
    const redis = client({ readYourWrites: true });
    await redis.set("sync", 1);
    const token = redis.readYourWritesSyncToken;
    expect(token).toBeTruthy();
    const other = client();
    other.readYourWritesSyncToken = token;
    expect(await other.get("sync")).toBe(1);
    expect(await client({ readYourWrites: false }).get("sync")).toBe(1);
  });

  it("takes its other options: keepAlive, latencyLogging, telemetry, retry and cache", async () => {
    const printed = vi.spyOn(console, "log").mockImplementation(() => {});
    const redis = client({
      latencyLogging: true,
      keepAlive: false,
      enableTelemetry: true,
      retry: { retries: 0 },
      cache: "no-store",
    });
    expect(await redis.set("option", { a: 1 })).toBe("OK");
    expect(printed).toHaveBeenCalledWith(expect.stringContaining("Latency for"));
    printed.mockRestore();
  });

  it("runs what createScript makes, for the first time and again", async () => {
    const redis = client();
    const script = redis.createScript<string[]>(`return {KEYS[1], ARGV[1], '${Math.random()}'}`);
    const first = await script.exec(["k"], ["v"]);
    expect(first.slice(0, 2)).toEqual(["k", "v"]);
    expect(await script.exec(["k"], ["v"])).toEqual(first);
    expect(await script.eval(["k"], ["v"])).toEqual(first);
    const reading = redis.createScript<number, true>("return 7", { readonly: true });
    expect([await reading.exec([], []), await reading.exec([], [])]).toEqual([7, 7]);
  });

  it("gets an error that it may not block", async () => {
    await client().xadd("stream", "*", { f: 1 });
    await expect(client().exec(["XREAD", "BLOCK", 10, "STREAMS", "stream", "$"])).rejects.toThrow(
      /XREAD is not supported/,
    );
  });

  it("carries text and bytes of any kind unaltered", async () => {
    const redis = client({ automaticDeserialization: false });
    for (const value of ["", "OK", "null", "1.10", "0x10", "\0\r\n", "\ud83d\udd12 é", '{"a":', "9007199254740993"]) {
      await redis.set("any", value);
      expect(await redis.get("any")).toBe(value);
      expect(await redis.pipeline().get("any").exec()).toEqual([value]);
    }
  });
});

describe("@upstash/redis subscribes", () => {
  const client = (): Redis => new Redis({ url: it_.gateway.url, token: TOKEN, enableTelemetry: false, retry: false });

  it("to channels, gets messages as they were sent, and leaves", async () => {
    const redis = client();
    const subscriber = redis.subscribe(["news", "weather"]);
    const counts: unknown[] = [];
    const heard: unknown[] = [];
    const news: unknown[] = [];
    subscriber.on("subscribe", (count) => counts.push(count));
    subscriber.on("message", (event) => heard.push(event));
    subscriber.on("message:news", (event) => news.push(event));
    await until(
      async () => counts.length,
      (count) => count === 2,
    );
    expect(subscriber.getSubscribedChannels()).toEqual(["news", "weather"]);
    expect(await redis.publish("news", { a: [1, "é"] })).toBe(1);
    expect(await redis.publish("weather", "rain, and more")).toBe(1);
    expect(await redis.publish("news", "line one\nmessage,weather,line two")).toBe(1);
    expect(await redis.publish("news", 42)).toBe(1);
    await until(
      async () => heard.length,
      (count) => count === 4,
    );
    expect(news).toEqual([
      { channel: "news", message: { a: [1, "é"] } },
      { channel: "news", message: expect.stringContaining("line two") },
      { channel: "news", message: 42 },
    ]);
    expect(heard).toContainEqual({ channel: "weather", message: "rain, and more" });
    await subscriber.unsubscribe(["news"]);
    await until(
      () => redis.publish("news", "x"),
      (receivers) => receivers === 0,
    );
    expect(await redis.publish("weather", "x")).toBe(1);
    await subscriber.unsubscribe();
    await until(
      () => redis.publish("weather", "x"),
      (receivers) => receivers === 0,
    );
  });

  it("to patterns", async () => {
    const redis = client();
    const subscriber = redis.psubscribe<unknown>("ch*");
    const counts: unknown[] = [];
    const heard: unknown[] = [];
    subscriber.on("psubscribe", (count) => counts.push(count));
    subscriber.on("pmessage", (event) => heard.push(event));
    await until(
      async () => counts.length,
      (count) => count === 1,
    );
    await redis.publish("chat", { n: 1 });
    await until(
      async () => heard.length,
      (count) => count === 1,
    );
    expect(heard).toEqual([{ pattern: "ch*", channel: "chat", message: { n: 1 } }]);
    await subscriber.unsubscribe();
  });

  it("and gets the reason", async () => {
    const stranger = new Redis({ url: it_.gateway.url, token: "wrong", retry: false });
    const subscriber = stranger.subscribe("news");
    const error = await new Promise((resolve) => subscriber.on("error", resolve));
    expect(String(error)).toContain("Unauthorized");
  });
});
