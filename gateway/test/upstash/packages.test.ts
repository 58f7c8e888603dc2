/** Upstash's packages that build on its client, unchanged. */
import { createHash } from "node:crypto";
import { Lock } from "@upstash/lock";
import { MultiRegionRatelimit, Ratelimit } from "@upstash/ratelimit";
import { Redis } from "@upstash/redis";
import { describe, expect, it } from "vitest";
import { base64, call, stage, TOKEN, until } from "../support/harness.ts";

const it_ = stage();

// The same class for these packages, from the same file, in the eyes of the compiler another one (CommonJS).
type LockRedis = ConstructorParameters<typeof Lock>[0]["redis"];
type RegionRedis = ConstructorParameters<typeof MultiRegionRatelimit>[0]["redis"][number];

const { run, post } = it_;
const openFor = <T>(): T => open() as unknown as T;
const open = (): Redis => new Redis({ url: it_.gateway.url, token: TOKEN, enableTelemetry: false, retry: false });

/** How often Redis has run a command, and how often in vain. */
async function calls(name: string): Promise<{ calls: number; failed: number }> {
  const line = await it_.redis.command("INFO", "commandstats");
  const match = new RegExp(`cmdstat_${name}:calls=(\\d+),.*failed_calls=(\\d+)`).exec(line);
  return { calls: Number(match?.[1] ?? 0), failed: Number(match?.[2] ?? 0) };
}

describe("@upstash/lock", () => {
  it("acquires, keeps others out, extends and releases", async () => {
    const [mine, other] = [0, 1].map(() => new Lock({ id: "door", redis: openFor<LockRedis>(), lease: 5_000 }));
    if (mine === undefined || other === undefined) throw new Error("two locks");
    expect(await mine.acquire()).toBe(true);
    expect(await mine.getStatus()).toBe("ACQUIRED");
    expect(await other.acquire({ retry: { attempts: 1, delay: 1 } })).toBe(false);
    expect(await mine.extend(10_000)).toBe(true);
    expect((await run("PTTL", "door")).body).toEqual({ result: expect.toSatisfy((ms: number) => ms > 5_000) });
    expect(await other.release()).toBe(false);
    expect(await mine.release()).toBe(true);
    expect(await mine.getStatus()).toBe("FREE");
    expect(await other.acquire()).toBe(true);
    expect(await other.release()).toBe(true);
  });
});

describe("@upstash/ratelimit", () => {
  const algorithms = {
    fixedWindow: Ratelimit.fixedWindow(3, "1 d"),
    slidingWindow: Ratelimit.slidingWindow(3, "1 d"),
    tokenBucket: Ratelimit.tokenBucket(3, "1 d", 3),
    cachedFixedWindow: Ratelimit.cachedFixedWindow(3, "1 d"),
  };

  it.each(Object.entries(algorithms))("%s lets three through, and then nobody", async (prefix, limiter) => {
    const cache = prefix === "cachedFixedWindow" ? {} : { ephemeralCache: false as const };
    const ratelimit = new Ratelimit({ redis: open(), limiter, prefix, ...cache });
    const before = await calls("eval");
    for (const remaining of [2, 1, 0]) {
      const { success, limit, remaining: left, pending } = await ratelimit.limit("user");
      await pending;
      expect({ success, limit, left }).toEqual({ success: true, limit: 3, left: remaining });
    }
    expect((await ratelimit.limit("user")).success).toBe(false);
    expect((await ratelimit.limit("another")).success).toBe(true);
    expect((await ratelimit.getRemaining("user")).remaining).toBe(0);
    await ratelimit.resetUsedTokens("user");
    expect((await ratelimit.limit("user")).success).toBe(true);
    // Each script is sent once at most as a whole, and then found by the SHA-1 of what the package wrote.
    expect((await calls("eval")).calls - before.calls).toBeLessThanOrEqual(3);
  });

  it("blocks until there is room, takes dynamic limits and counts what it did", async () => {
    const limiter = Ratelimit.fixedWindow(1, "1 s");
    const ratelimit = new Ratelimit({
      redis: open(),
      limiter,
      prefix: "block",
      ephemeralCache: false,
      dynamicLimits: true,
    });
    expect((await ratelimit.limit("user")).success).toBe(true);
    expect((await ratelimit.blockUntilReady("user", 5_000)).success).toBe(true);
    await ratelimit.setDynamicLimit({ limit: 5 });
    expect(await ratelimit.getDynamicLimit()).toEqual({ dynamicLimit: 5 });
    expect((await ratelimit.limit("third")).limit).toBe(5);
  });

  it("with analytics writes them", async () => {
    const limiter = Ratelimit.slidingWindow(1, "1 d");
    const ratelimit = new Ratelimit({ redis: open(), limiter, prefix: "seen", ephemeralCache: false, analytics: true });
    const { pending } = await ratelimit.limit("user");
    await pending;
    const found = await until(
      () => run("KEYS", "seen:events:*"),
      ({ body }) => (body as { result: unknown[] }).result.length > 0,
    );
    expect(found.status).toBe(200);
  });

  it("over several databases", async () => {
    for (const limiter of [MultiRegionRatelimit.fixedWindow(2, "1 d"), MultiRegionRatelimit.slidingWindow(2, "1 d")]) {
      const prefix = `multi:${Math.random()}`;
      const ratelimit = new MultiRegionRatelimit({
        redis: [openFor<RegionRedis>(), openFor<RegionRedis>()],
        limiter,
        prefix,
        ephemeralCache: false,
      });
      const { success, pending } = await ratelimit.limit("user");
      await pending;
      expect(success).toBe(true);
    }
  });
});

describe("a script for Upstash's Redis", () => {
  const sha1 = (text: string): string => createHash("sha1").update(text).digest("hex");
  const script = (n: number, flags = "allow-key-locking"): string => `#!lua flags=${flags}\nreturn ${n}`;

  it("is run, by its text and then by the SHA-1 of its text", async () => {
    const text = script(1);
    expect((await run("EVALSHA", sha1(text), 0)).text).toContain("NOSCRIPT");
    expect((await run("EVAL", text, 0)).body).toEqual({ result: 1 });
    expect((await run("EVALSHA", sha1(text), 0)).body).toEqual({ result: 1 });
    expect((await run("evalsha", sha1(text).toUpperCase(), 0)).body).toEqual({ result: 1 });
    expect((await post("/pipeline", [["EVALSHA", sha1(text), 0]])).body).toEqual([{ result: 1 }]);
    expect((await post("/multi-exec", [["EVALSHA_RO", sha1(text), 0]])).body).toEqual([{ result: 1 }]);
    expect((await run("SCRIPT", "EXISTS", sha1(text), "0".repeat(40))).body).toEqual({ result: [1, 0] });
    await run("SCRIPT", "FLUSH");
    expect((await run("EVALSHA", sha1(text), 0)).text).toContain("NOSCRIPT");
    expect((await run("EVAL_RO", text, 0)).body).toEqual({ result: 1 });
    expect((await run("EVALSHA", sha1(text), 0)).body).toEqual({ result: 1 });
  });

  it("is loaded, and found by what it was sent as", async () => {
    expect((await run("SCRIPT", "LOAD", script(2))).body).toEqual({ result: sha1(script(2)) });
    expect(
      (await post("/pipeline", [["PING"], ["script", "load", script(3)], ["SCRIPT", "LOAD", "return 3"]])).body,
    ).toEqual([{ result: "PONG" }, { result: sha1(script(3)) }, { result: sha1("return 3") }]);
    expect((await post("/multi-exec", [["SCRIPT", "LOAD", script(4)]])).body).toEqual([{ result: sha1(script(4)) }]);
    const raw = { method: "POST", headers: { authorization: `Bearer ${TOKEN}`, "upstash-response-format": "resp2" } };
    const response = await fetch(it_.gateway.url, { ...raw, body: JSON.stringify(["SCRIPT", "LOAD", script(5)]) });
    expect(await response.text()).toBe(`$40\r\n${sha1(script(5))}\r\n`);
    expect((await run("EVALSHA", sha1(script(2)), 0)).body).toEqual({ result: 2 });
  });

  it("keeps its other flags, its line numbers and its bytes", async () => {
    const writing = `#!lua flags=no-writes,allow-key-locking\nreturn redis.call('SET', KEYS[1], 1)`;
    expect((await run("EVAL", writing, 1, "k")).text).toContain("Write commands are not allowed");
    expect((await run("EVAL", "#!lua flags=allow-key-locking\n\nerror('here')", 0)).text).toContain(
      "user_script:3: here",
    );
    const text = "#!lua flags=allow-key-locking\nreturn {1, 'é 漢'}";
    const { body } = await post("/", ["EVAL", text, 0], { "upstash-encoding": "base64" });
    expect(body).toEqual({ result: [1, base64("é 漢")] });
    const bytes = "%23!lua%20flags=allow-key-locking%0Areturn%20'%ff漢'";
    const raw = await call(`${it_.gateway.url}/eval/${bytes}/0`, undefined, {
      headers: { "upstash-encoding": "base64" },
    });
    expect(raw.body).toEqual({ result: base64(Buffer.concat([Buffer.of(0xff), Buffer.from("漢")])) });
  });

  it("is left alone without that flag", async () => {
    expect((await run("EVAL", script(1, "no-such-flag"), 0)).text).toContain(
      "Unexpected flag in script shebang: no-such-flag",
    );
    expect((await run("EVAL", "return '#!lua flags=allow-key-locking'", 0)).body).toEqual({
      result: "#!lua flags=allow-key-locking",
    });
    expect((await run("EVAL")).status).toBe(400);
    expect((await run("SCRIPT")).status).toBe(400);
    expect((await run("ECHO", script(1))).body).toEqual({ result: script(1) });
  });

  it("is forgotten when there are too many, and then sent once more", async () => {
    const commands = Array.from({ length: 1_001 }, (_, i) => ["EVAL", script(1_000 + i), 0]);
    const { body } = await post("/pipeline", commands);
    expect((body as { result: number }[]).map(({ result }) => result)).toEqual(commands.map((_, i) => 1_000 + i));
    expect((await run("EVALSHA", sha1(script(1_000)), 0)).text).toContain("NOSCRIPT");
    expect((await run("EVALSHA", sha1(script(2_000)), 0)).body).toEqual({ result: 2_000 });
    expect((await run("EVAL", script(1_000), 0)).body).toEqual({ result: 1_000 });
  });
});
