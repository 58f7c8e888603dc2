import { Redis } from "@upstash/redis";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { useStack } from "../../test/support/use-stack.ts";
import { createMemoryRedis, type MemoryRedis } from "../src/index.ts";

const stack = useStack();

type Ask = readonly [path: string, init?: RequestInit & { readonly token?: string | null }];

const post = (body: unknown, headers: Record<string, string> = {}): RequestInit => ({
  method: "POST",
  headers,
  body: typeof body === "string" ? body : JSON.stringify(body),
});
const base64 = { "Upstash-Encoding": "base64" };
const readable = "a£€😀";

/** Requests in their order, which both endpoints must answer in the same way. */
const asks: readonly Ask[] = [
  ["/", post(["SET", "a", readable])],
  ["/", post(["GET", "a"])],
  ["/", post(["GET", "a"], base64)],
  ["/", post(["SET", "a", "x"], base64)],
  ["/", post(["GET", "nothing"])],
  ["/", post(["INCR", "n"])],
  ["/", post(["SET", "n", 9007199254740991])],
  ["/", post(["INCRBY", "n", "10"])],
  ["/", post(["INCRBY", "n", "10"], base64)],
  ["/", post(["SET", "b", true])],
  ["/", post(["SET", "c", null])],
  ["/", post(["MGET", "a", "b", "c", "d"], base64)],
  ["/", post(["LPUSH", "a", "x"])],
  ["/", post(["GET"])],
  ["/", post(["NOPE", "x"])],
  ["/", post([])],
  ["/", post({})],
  ["/", post("nope")],
  ["/", post([{}])],
  ["/", post([["GET", "a"]])],
  ["/", post(["EVALSHA", "0".repeat(40), "0"])],
  ["/", post(["EVAL", "return {1,'a',{ok='OK'},{err='MY error'},false}", "0"], base64)],
  ["/", post(["EVAL", "return redis.status_reply('OK')", "0"], base64)],
  ["/", post(["EVAL", "#!lua flags=allow-key-locking\nreturn 5", "0"])],
  ["/", post(["EVAL", "return nope", "0"])],
  ["/pipeline", post([["SET", "p", "1"], ["GET"], ["LPUSH", "p", "1"], ["GET", "p"]])],
  ["/pipeline/", post([["GET", "p"]])],
  ["/pipeline", post([["GET", "p"], ["PING"]], base64)],
  ["/pipeline", post([])],
  ["/pipeline", post(["GET", "p"])],
  [
    "/multi-exec",
    post([
      ["SET", "m", "1"],
      ["LPUSH", "m", "1"],
      ["INCR", "m"],
    ]),
  ],
  ["/multi-exec", post([["SET", "m", "2"], ["GET"]])],
  ["/multi-exec", post([["GET", "m"]], base64)],
  ["/get/a"],
  ["/set/foo/bar%20baz?EX=100"],
  ["/get/foo"],
  ["/get/foo/"],
  ["/ttl/foo"],
  ["/set/raw", { method: "POST", body: "a body = a value" }],
  ["/set/raw?NX", { method: "POST", body: "another" }],
  ["/get/raw", { method: "PUT" }],
  ["/get/raw", { method: "HEAD" }],
  ["/get/raw", { method: "DELETE" }],
  ["/get/%E2%82%AC+%2F"],
  ["/echo/%zz"],
  ["/nope/x"],
  ["/get/raw?_token=wrong", { token: null }],
  [`/get/raw?_token=${stack ? "TOKEN" : ""}`, { token: null }],
  ["/get/raw", { token: null }],
  ["/get/raw", { token: "wrong" }],
];

async function told(response: Response): Promise<unknown> {
  const text = await response.text();
  const body: unknown = text === "" ? "" : JSON.parse(text);
  return { status: response.status, allow: response.headers.get("allow"), body };
}

describe("the REST protocol", () => {
  it("is answered as the gateway in front of a real Redis answers it", async () => {
    await stack.redis.command("FLUSHALL");
    const memory = createMemoryRedis({ token: stack.token });
    for (const [path, { token = stack.token, ...init } = {}] of asks) {
      const headers = {
        ...(init.headers as Record<string, string>),
        ...(token !== null && { authorization: `Bearer ${token}` }),
      };
      const target = path.replace("TOKEN", stack.token);
      const theirs = await told(await fetch(stack.url + target, { ...init, headers }));
      const ours = await told(await memory.fetch(memory.url + target, { ...init, headers }));
      expect(ours, `${init.method ?? "GET"} ${path} ${init.body ?? ""}`).toEqual(theirs);
    }
  });

  it("takes what fetch takes: a Request, a URL, headers of all kinds, bytes", async () => {
    const memory = createMemoryRedis();
    const authorization = `Bearer ${memory.token}`;
    const result = async (response: Promise<Response>): Promise<unknown> => (await (await response).json()).result;
    const body = JSON.stringify(["ECHO", readable]);
    const { url } = memory;
    expect(await result(memory.fetch(new Request(url, { method: "POST", body, headers: { authorization } })))).toBe(
      readable,
    );
    expect(
      await result(memory.fetch(new URL(url), { method: "post", body, headers: new Headers({ authorization }) })),
    ).toBe(readable);
    expect(await result(memory.fetch(url, { method: "POST", body, headers: [["Authorization", authorization]] }))).toBe(
      readable,
    );
    expect(
      await result(
        memory.fetch(url, { method: "POST", body: new TextEncoder().encode(body), headers: { authorization } }),
      ),
    ).toBe(readable);
    const bytes = new Uint8Array([0, 255, 128, 10]);
    await memory.fetch(`${url}/set/bytes`, { method: "POST", body: bytes, headers: { authorization } });
    expect(await result(memory.fetch(`${url}/get/bytes`, { headers: { authorization, ...base64 } }))).toBe(
      btoa("\0\xff\x80\n"),
    );
  });

  it("rejects an aborted request, and changes nothing", async () => {
    const memory = createMemoryRedis();
    const signal = AbortSignal.abort(new Error("gone"));
    const sent = memory.fetch(`${memory.url}/set/a/1?_token=${memory.token}`, { signal });
    await expect(sent).rejects.toThrow("gone");
    expect(memory.command("GET", "a")).toBeNull();
  });

  it("gives another sync token with every answer, and says what it does not do", async () => {
    const memory = createMemoryRedis();
    const ask = (path: string, headers = {}): Promise<Response> =>
      memory.fetch(memory.url + path, { headers: { authorization: `Bearer ${memory.token}`, ...headers } });
    const tokens = [await ask("/ping"), await ask("/ping")].map(({ headers }) => headers.get("upstash-sync-token"));
    expect(new Set(tokens).size).toBe(2);
    for (const response of [await ask("/monitor"), await ask("/get/x", { "upstash-response-format": "resp2" })])
      expect(response.status).toBe(400);
  });
});

describe("@upstash/redis over it", () => {
  let memory: MemoryRedis;
  let redis: Redis;
  beforeEach(() => {
    memory = createMemoryRedis();
    vi.stubGlobal("fetch", memory.fetch);
    redis = new Redis({ url: memory.url, token: memory.token });
  });
  afterEach(() => vi.unstubAllGlobals());

  it("reads and writes values of all types, in pipelines and transactions", async () => {
    expect(await redis.set("user", { name: "Zoë" }, { ex: 100, nx: true })).toBe("OK");
    expect(await redis.set("user", "other", { nx: true })).toBeNull();
    expect(await redis.get("user")).toEqual({ name: "Zoë" });
    expect(await redis.ttl("user")).toBe(100);
    expect(await redis.hset("hash", { a: 1, b: "two" })).toBe(2);
    expect(await redis.hgetall("hash")).toEqual({ a: 1, b: "two" });
    expect(await redis.zadd("scores", { score: 2, member: "b" }, { score: 1, member: "a" })).toBe(2);
    expect(await redis.zrange("scores", 0, -1, { withScores: true })).toEqual(["a", 1, "b", 2]);
    expect(await redis.pipeline().lpush("list", "x", "y").lrange("list", 0, -1).exec()).toEqual([2, ["y", "x"]]);
    expect(await redis.multi().incr("count").incr("count").exec()).toEqual([1, 2]);
    const [, keys] = await redis.scan(0, { match: "*s*", count: 100 });
    expect(keys.sort()).toEqual(["hash", "list", "scores", "user"]);
    const script = redis.createScript<string>("return ARGV[1] .. KEYS[1]");
    expect(await script.exec(["k"], ["a"])).toBe("ak");
    await expect(redis.lpush("user", "x")).rejects.toThrow("WRONGTYPE");
  });
});
