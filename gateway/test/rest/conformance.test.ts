/** The points of Upstash's documentation of its REST API, one by one and with its own examples. */
import { beforeEach, describe, expect, it } from "vitest";
import { call, stage, TOKEN } from "../support/harness.ts";

const it_ = stage();
const { run, post } = it_;
const url = (path: string): string => it_.gateway.url + path;
const get = (path: string, headers: Record<string, string> = {}) => call(url(path), undefined, { headers });
const RESP2 = { "Upstash-Response-Format": "resp2" };
const BASE64 = { "Upstash-Encoding": "base64" };

/** The bytes of an answer, one character for each. */
async function bytes(path: string, body?: unknown, headers: Record<string, string> = RESP2) {
  const response = await fetch(url(path), {
    method: body === undefined ? "GET" : "POST",
    headers: { authorization: `Bearer ${TOKEN}`, ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = Buffer.from(await response.arrayBuffer()).toString("latin1");
  return { status: response.status, type: response.headers.get("content-type"), text };
}

beforeEach(async () => {
  await run("FLUSHALL");
});

describe("API semantics", () => {
  it.each([
    ["/set/foo/bar", '{"result":"OK"}', ["GET", "foo"], "bar"],
    ["/set/foo/bar/EX/100", '{"result":"OK"}', ["TTL", "foo"], 100],
    ["/get/foo", '{"result":null}', ["EXISTS", "foo"], 0],
    ["/mget/foo1/foo2/foo3", '{"result":[null,null,null]}', ["DBSIZE"], 0],
    ["/hget/employee:23381/salary", '{"result":null}', ["DBSIZE"], 0],
    ["/zadd/teams/100/team-x/90/team-y", '{"result":2}', ["ZSCORE", "teams", "team-x"], "100"],
  ])("%s", async (path, text, check, found) => {
    expect(await get(path)).toMatchObject({ status: 200, text });
    expect((await run(...check)).body).toEqual({ result: found });
  });

  it("a body is the last argument, and query parameters come after it", async () => {
    expect((await call(url("/set/foo"), "$VALUE")).text).toBe('{"result":"OK"}');
    expect((await run("GET", "foo")).body).toEqual({ result: "$VALUE" });
    expect((await call(url("/set/foo?EX=100"), "$VALUE")).text).toBe('{"result":"OK"}');
    expect((await run("TTL", "foo")).body).toEqual({ result: 100 });
  });

  it("a command as a JSON array in the body", async () => {
    expect((await post("/", ["SET", "foo", "bar", "EX", 100])).text).toBe('{"result":"OK"}');
    expect((await run("TTL", "foo")).body).toEqual({ result: 100 });
  });
});

describe("HTTP codes", () => {
  it("200, 400 and 401", async () => {
    expect((await get("/ping")).status).toBe(200);
    expect((await get("/get")).status).toBe(400);
    expect((await get("/no-such-command")).status).toBe(400);
    expect((await get("/incr/a/b/c")).status).toBe(400);
    expect((await fetch(url("/ping"))).status).toBe(401);
    expect((await get("/ping", { authorization: "Bearer wrong" })).status).toBe(401);
  });

  it.each(["HEAD", "GET", "POST", "PUT"])("%s is a method", async (method) => {
    expect((await call(url("/ping"), undefined, { method })).status).toBe(200);
  });

  it.each(["DELETE", "PATCH", "OPTIONS", "PROPFIND"])("%s is none: 405", async (method) => {
    for (const path of ["/", "/set/by-another/1", "/pipeline", "/multi-exec", "/subscribe/c"]) {
      const answer = await call(url(path), undefined, { method });
      expect([answer.status, answer.headers.get("allow")]).toEqual([405, "HEAD, GET, POST, PUT"]);
    }
    expect((await run("EXISTS", "by-another")).body).toEqual({ result: 0 });
  });

  it("HEAD of a stream ends at once, and opens none", async () => {
    const answer = await call(url("/subscribe/c"), undefined, { method: "HEAD" });
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "text/event-stream"]);
    expect((await run("PUBSUB", "NUMSUB", "c")).body).toEqual({ result: ["c", 0] });
  });
});

describe("responses", () => {
  it("null, an integer, a string and an array", async () => {
    await post("/pipeline", [
      ["SET", "n", 136],
      ["RPUSH", "l", "value1", "value2"],
    ]);
    expect((await get("/get/none")).text).toBe('{"result":null}');
    expect((await get("/incr/n")).text).toBe('{"result":137}');
    expect((await get("/lindex/l/0")).text).toBe('{"result":"value1"}');
    expect((await run("EVAL", "return {'value1', false, 'value2'}", 0)).text).toBe(
      '{"result":["value1",null,"value2"]}',
    );
  });

  it("an error is a field of its own", async () => {
    const { status, text } = await get("/get");
    expect([status, text]).toEqual([400, `{"error":"ERR wrong number of arguments for 'get' command"}`]);
  });

  it("what is no UTF-8 is replaced, and whole in base64", async () => {
    await run("SET", "foo", "A");
    await run("BITOP", "NOT", "bits", "foo");
    expect((await get("/get/bits")).body).toEqual({ result: "\ufffd" });
    expect((await get("/get/bits", BASE64)).body).toEqual({ result: Buffer.from([0xbe]).toString("base64") });
  });

  it("base64: all strings but OK", async () => {
    expect((await get("/SET/foo/bar", BASE64)).text).toBe('{"result":"OK"}');
    expect((await get("/GET/foo", BASE64)).text).toBe('{"result":"YmFy"}');
  });

  it("replies that RESP3 has types for come in their RESP2 shape", async () => {
    await post("/pipeline", [
      ["HSET", "h", "a", 1],
      ["SADD", "s", "m"],
      ["ZADD", "z", 1.5, "m"],
      ["XADD", "x", "1-1", "f", "v"],
    ]);
    expect((await run("HGETALL", "h")).body).toEqual({ result: ["a", "1"] });
    expect((await run("SMEMBERS", "s")).body).toEqual({ result: ["m"] });
    expect((await run("ZRANGE", "z", 0, -1, "WITHSCORES")).body).toEqual({ result: ["m", "1.5"] });
    expect((await run("ZADD", "z", "INCR", 1, "m")).body).toEqual({ result: "2.5" });
    expect((await run("XRANGE", "x", "-", "+")).body).toEqual({ result: [["1-1", ["f", "v"]]] });
    expect((await run("CONFIG", "GET", "maxmemory")).body).toEqual({ result: ["maxmemory", "0"] });
    const script = (returned: string) => run("EVAL", `redis.setresp(3); return ${returned}`, 0);
    expect((await script("{map = {a = 1}}")).body).toEqual({ result: ["a", 1] });
    expect((await script("{double = 1.5}")).body).toEqual({ result: "1.5" });
    expect((await script("true")).body).toEqual({ result: 1 });
    expect((await script("{big_number = '123456789012345678901234567890'}")).body).toEqual({
      result: "123456789012345678901234567890",
    });
  });
});

describe("Upstash-Response-Format", () => {
  it("resp2 is the raw reply as application/octet-stream", async () => {
    const type = "application/octet-stream";
    expect(await bytes("/SET/foo/bar")).toEqual({ status: 200, type, text: "+OK\r\n" });
    expect(await bytes("/GET/foo")).toEqual({ status: 200, type, text: "$3\r\nbar\r\n" });
  });

  it("tells a status from a string, and one null from the other", async () => {
    await run("SET", "status", "OK");
    expect((await bytes("/get/status")).text).toBe("$2\r\nOK\r\n");
    expect((await bytes("/ping")).text).toBe("+PONG\r\n");
    expect((await bytes("/type/status")).text).toBe("+string\r\n");
    expect((await bytes("/get/none")).text).toBe("$-1\r\n");
    expect((await bytes("/", ["LPOP", "none", 2])).text).toBe("*-1\r\n");
    expect((await bytes("/", ["INCRBY", "n", "9223372036854775807"])).text).toBe(":9223372036854775807\r\n");
    const script = "return {1, {ok = 'fine'}, {err = 'E in'}, {false, {}}, ''}";
    expect((await bytes("/", ["EVAL", script, 0])).text).toBe(
      "*5\r\n:1\r\n+fine\r\n-E in\r\n*2\r\n$-1\r\n*0\r\n$0\r\n\r\n",
    );
  });

  it("carries every byte, and what looks like a reply", async () => {
    const value = Buffer.concat([
      Buffer.from(Uint8Array.from({ length: 256 }, (_, i) => i)),
      Buffer.from("\r\n+OK\r\n"),
    ]);
    await call(url("/set/bytes"), value);
    expect((await bytes("/get/bytes")).text).toBe(`$${value.length}\r\n${value.toString("latin1")}\r\n`);
  });

  it("an error keeps its status", async () => {
    const type = "application/octet-stream";
    const text = "-ERR wrong number of arguments for 'get' command\r\n";
    expect(await bytes("/get")).toEqual({ status: 400, type, text });
    expect(await bytes("/blpop/k/0")).toMatchObject({
      status: 400,
      type,
      text: expect.stringMatching(/^-ERR .*\r\n$/),
    });
  });

  it("is there for pipelines: one reply after the other", async () => {
    const commands = [
      ["SET", "n", "1"],
      ["INCR", "n"],
      ["BLPOP", "n", 0],
      ["LPUSH", "n", 1],
      ["WAIT", 0, 0],
      ["GET", "n"],
    ];
    const { status, type, text } = await bytes("/pipeline", commands);
    expect([status, type]).toEqual([200, "application/octet-stream"]);
    expect(text).toMatch(/^\+OK\r\n:2\r\n-ERR BLPOP [^\r]*\r\n-WRONGTYPE [^\r]*\r\n:0\r\n\$1\r\n2\r\n$/);
    expect((await bytes("/pipeline", [["QUIT"]])).text).toMatch(/^-ERR QUIT [^\r]*\r\n$/);
  });

  it("is right for large replies, and for many at once", async () => {
    const large = "x".repeat(300_000);
    const asked = Array.from({ length: 40 }, async (_, i) => {
      const { text } = await bytes("/pipeline", [
        ["ECHO", `${i}`],
        ["ECHO", i % 8 === 0 ? large : "small"],
      ]);
      const second = i % 8 === 0 ? large : "small";
      expect(text).toBe(`$${`${i}`.length}\r\n${i}\r\n$${second.length}\r\n${second}\r\n`);
    });
    await Promise.all(asked);
  });

  it("json is the default, and any other format is refused", async () => {
    expect((await get("/ping", { "Upstash-Response-Format": "json" })).text).toBe('{"result":"PONG"}');
    expect((await get("/ping", { "Upstash-Response-Format": "JSON", ...BASE64 })).text).toBe('{"result":"UE9ORw=="}');
    for (const path of ["/ping", "/incr/never"]) {
      expect((await get(path, { "Upstash-Response-Format": "resp3" })).status).toBe(400);
      expect((await get(path, { ...RESP2, ...BASE64 })).status).toBe(400);
    }
    expect((await post("/", ["INCR", "never"], { "Upstash-Response-Format": "xml" })).status).toBe(400);
    expect((await post("/pipeline", [["INCR", "never"]], { ...RESP2, ...BASE64 })).status).toBe(400);
    expect((await run("EXISTS", "never")).body).toEqual({ result: 0 });
  });

  it("is not applicable to transactions", async () => {
    expect((await post("/multi-exec", [["INCR", "never"]], RESP2)).status).toBe(400);
    expect((await run("EXISTS", "never")).body).toEqual({ result: 0 });
  });
});

const EXAMPLE = [
  ["SET", "key1", "valuex"],
  ["SETEX", "key2", 13, "valuez"],
  ["INCR", "key1"],
  ["ZADD", "myset", 11, "item1", 22, "item2"],
];
const RESULT = [
  { result: "OK" },
  { result: "OK" },
  { error: "ERR value is not an integer or out of range" },
  { result: 2 },
];

describe("pipelining and transactions", () => {
  it.each(["/pipeline", "/multi-exec"])("%s: the example", async (path) => {
    expect(await post(path, EXAMPLE)).toMatchObject({ status: 200, body: RESULT });
  });

  it("a transaction is discarded as a whole: a syntax error, an unsupported command, an unknown one", async () => {
    for (const body of [
      '[["SET","no",1]',
      '[["SET","no",1],["WATCH","k"]]',
      '[["SET","no",1],["NOPE"]]',
      '[["SET","no"]]',
    ]) {
      const { status, body: answer } = await post("/multi-exec", body);
      expect([status, answer]).toEqual([400, { error: expect.stringMatching(/^(ERR|EXECABORT) /) }]);
    }
    expect((await run("EXISTS", "no")).body).toEqual({ result: 0 });
  });
});

describe("what is not supported", () => {
  it.each([
    ["BLPOP", "k", 0],
    ["BRPOP", "k", 0],
    ["BRPOPLPUSH", "a", "b", 0],
    ["BZPOPMAX", "z", 0],
    ["BZPOPMIN", "z", 0],
    ["XREAD", "BLOCK", 1, "STREAMS", "x", "$"],
    ["XREADGROUP", "GROUP", "g", "c", "BLOCK", 1, "STREAMS", "x", ">"],
    ["WATCH", "k"],
    ["UNWATCH"],
    ["DISCARD"],
    ["SELECT", 1],
    ["AUTH", "x"],
  ])("%s is refused with 400", async (...command) => {
    expect(await run(...command)).toMatchObject({ status: 400, body: { error: expect.stringMatching(/^ERR /) } });
  });

  it("of connections, PING and ECHO are", async () => {
    expect((await run("PING", "x")).body).toEqual({ result: "x" });
    expect((await run("ECHO", "x")).body).toEqual({ result: "x" });
  });
});

describe("authentication", () => {
  it("by header or by parameter, with each endpoint", async () => {
    const post_ = (path: string, body?: string) => fetch(url(path), { method: "POST", ...(body ? { body } : {}) });
    expect((await post_(`/info?_token=${TOKEN}`)).status).toBe(200);
    expect(await (await post_(`/?_token=${TOKEN}`, '["PING"]')).text()).toBe('{"result":"PONG"}');
    expect(await (await post_(`/pipeline?_token=${TOKEN}`, '[["PING"]]')).text()).toBe('[{"result":"PONG"}]');
    expect(await (await post_(`/multi-exec?_token=${TOKEN}`, '[["PING"]]')).text()).toBe('[{"result":"PONG"}]');
    expect((await post_("/info?_token=wrong")).status).toBe(401);
  });
});

describe("upstash-sync-token", () => {
  it("is another one in each answer, and rises, whatever is asked and in which form", async () => {
    const tokenOf = ({ headers }: { headers: Headers }): number => Number(headers.get("upstash-sync-token"));
    const command = JSON.stringify(["PING"]);
    const answers = [
      await run("SET", "k", "v"),
      await get("/get/k"),
      await get("/get"),
      await get("/get/k", BASE64),
      await post("/pipeline", [["PING"], ["NOPE"]]),
      await post("/multi-exec", [["PING"]]),
    ].map(tokenOf);
    const raw = await fetch(url("/"), {
      method: "POST",
      body: command,
      headers: { authorization: `Bearer ${TOKEN}`, "upstash-response-format": "resp2" },
    });
    const head = await fetch(url("/get/k"), { method: "HEAD", headers: { authorization: `Bearer ${TOKEN}` } });
    answers.push(tokenOf(raw), tokenOf(head));
    expect(answers.every(Number.isSafeInteger)).toBe(true);
    expect(answers).toEqual([...new Set(answers)].sort((a, b) => a - b));
    const many = await Promise.all(Array.from({ length: 100 }, () => run("PING")));
    expect(new Set(many.map(tokenOf)).size).toBe(100);
    expect((await fetch(url("/"), { method: "POST", body: command })).headers.get("upstash-sync-token")).toBeNull();
  });

  it("is in each answer of Redis, and is taken back", async () => {
    const first = await run("SET", "k", "v");
    const token = first.headers.get("upstash-sync-token");
    expect(token).toBeTruthy();
    const headers = { "upstash-sync-token": token ?? "" };
    expect((await get("/get/k", headers)).body).toEqual({ result: "v" });
    for (const answer of [
      await get("/get"),
      await post("/pipeline", [["PING"]]),
      await post("/multi-exec", [["PING"]]),
    ])
      expect(answer.headers.get("upstash-sync-token")).toBeTruthy();
    for (const other of ["", "of another time"])
      expect((await get("/ping", { "upstash-sync-token": other })).status).toBe(200);
  });
});
