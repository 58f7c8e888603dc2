import { describe, expect, it } from "vitest";
import { call, stage } from "../support/harness.ts";

const it_ = stage({ maxBodyBytes: 1_000_000 });
const { run, post } = it_;

describe("POST /", () => {
  it("runs a command and answers with its result", async () => {
    expect(await run("SET", "one", "1")).toMatchObject({ status: 200, text: '{"result":"OK"}' });
    const { status, text, headers } = await run("GET", "one");
    expect([status, text, headers.get("content-type")]).toEqual([200, '{"result":"1"}', "application/json"]);
  });

  it("answers with null, integers, empty and nested arrays in their own JSON types", async () => {
    const script = "return {1, 'two', {3, {}, false}}";
    expect((await run("GET", "none")).text).toBe('{"result":null}');
    expect((await run("EXISTS", "none")).text).toBe('{"result":0}');
    expect((await run("DECR", "below-zero")).text).toBe('{"result":-1}');
    expect((await run("EVAL", script, "0")).text).toBe('{"result":[1,"two",[3,[],null]]}');
  });

  it("does not change the shape of replies: a hash stays a flat array", async () => {
    await run("HSET", "hash", "a", "1", "b", "2");
    expect((await run("hgetall", "hash")).body).toEqual({ result: ["a", "1", "b", "2"] });
  });

  it("takes numbers, booleans and null as arguments", async () => {
    await run("RPUSH", "list", 1, -2.5, true, false, null, "");
    expect((await run("LRANGE", "list", 0, -1)).body).toEqual({ result: ["1", "-2.5", "true", "false", "null", ""] });
  });

  it("keeps numbers that JavaScript would round or rewrite", async () => {
    await post("/", '["RPUSH","numbers",9007199254740993,-9223372036854775808,1.10,1e400]');
    const { body } = await run("LRANGE", "numbers", "0", "-1");
    expect(body).toEqual({ result: ["9007199254740993", "-9223372036854775808", "1.10", "1e400"] });
    const pipeline = await post("/pipeline", '[["SET","p",12345678901234567890],["GET","p"]]');
    expect(pipeline.body).toEqual([{ result: "OK" }, { result: "12345678901234567890" }]);
  });

  it("gives integers up to 2^53 - 1 as numbers and larger ones, exactly, as strings", async () => {
    const asNumber = [0, 1, -1, 1795212480709707, 9007199254740991, -9007199254740991];
    for (const value of asNumber) expect((await run("INCRBY", `n${value}`, value)).text).toBe(`{"result":${value}}`);
    for (const value of ["9007199254740992", "-9007199254740993", "9223372036854775807"]) {
      expect((await run("INCRBY", `n${value}`, value)).text).toBe(`{"result":"${value}"}`);
    }
  });

  it("answers 400 with the text of Redis for a command that fails", async () => {
    await run("SET", "text", "x");
    const failing: [unknown[], string][] = [
      [["GET"], "ERR wrong number of arguments for 'get' command"],
      [["NoSuch", "a"], "ERR unknown command 'NoSuch', with args beginning with: 'a' "],
      [["LPUSH", "text", "y"], "WRONGTYPE Operation against a key holding the wrong kind of value"],
      [["EVALSHA", "f".repeat(40), 0], "NOSCRIPT No matching script. Please use EVAL."],
      [["INCR", "text"], "ERR value is not an integer or out of range"],
    ];
    for (const [command, error] of failing)
      expect(await run(...command)).toMatchObject({ status: 400, body: { error } });
    const script = await run("EVAL", "return redis.error_reply('MYERR of mine')", 0);
    expect(script).toMatchObject({ status: 400, body: { error: "MYERR of mine" } });
  });

  it("lets commands for scripts, statistics and administration through", async () => {
    const { body } = await run("SCRIPT", "LOAD", "return KEYS[1]");
    const sha = (body as { result: string }).result;
    expect((await run("EVALSHA", sha, 1, "k")).body).toEqual({ result: "k" });
    expect((await run("INFO", "commandstats")).text).toContain("cmdstat_evalsha");
    expect((await run("CLUSTER", "INFO")).text).toMatch(/cluster_enabled|cluster support disabled/);
    expect((await run("CONFIG", "SET", "maxmemory", "0")).text).toBe('{"result":"OK"}');
    expect((await run("CLIENT", "ID")).status).toBe(200);
    expect((await run("SCRIPT", "FLUSH")).text).toBe('{"result":"OK"}');
    expect((await run("EVALSHA", sha, 1, "k")).status).toBe(400);
    expect((await run("FLUSHALL")).text).toBe('{"result":"OK"}');
  });

  it("survives command names that are properties of every object", async () => {
    for (const name of ["constructor", "__proto__", "toString", "hasOwnProperty", "valueOf", ""]) {
      expect((await run(name)).text).toContain("ERR unknown command");
    }
    expect((await run("PING")).text).toBe('{"result":"PONG"}');
  });

  it("keeps text of any script, and control characters apart", async () => {
    const text = 'é 漢字 🔒 "\\ \n\r\n\0\u2028';
    await run("SET", "unicode", text);
    expect((await run("GET", "unicode")).body).toEqual({ result: text });
    expect((await run("STRLEN", "unicode")).body).toEqual({ result: Buffer.byteLength(text) });
  });

  it("also answers PUT, and HEAD without a body", async () => {
    const url = it_.gateway.url;
    expect((await call(url, ["PING"], { method: "PUT" })).body).toEqual({ result: "PONG" });
    expect(await call(`${url}/ping`, undefined, { method: "HEAD" })).toMatchObject({ status: 200, text: "" });
  });
});

describe("a body that is no command", () => {
  const cases: [path: string, body: string, error: RegExp][] = [
    ["/", "", /^ERR failed to parse command: .*JSON/],
    ["/", '["GET"', /^ERR failed to parse command: .*JSON/],
    ["/", '{"GET":1}', /^ERR failed to parse command: .*array/],
    ["/", '"GET"', /^ERR failed to parse command: .*array/],
    ["/", "null", /^ERR failed to parse command: .*array/],
    ["/", "[]", /^ERR empty command/],
    ["/", '["GET",{"a":1}]', /^ERR command arguments must be/],
    ["/", '["GET",["a"]]', /^ERR command arguments must be/],
    ["/pipeline", "nonsense", /^ERR failed to parse pipeline request/],
    ["/pipeline", "{}", /^ERR failed to parse pipeline request/],
    ["/pipeline", "[]", /^ERR empty pipeline request/],
    ["/pipeline", '["GET","a"]', /^ERR failed to parse pipeline request/],
    ["/pipeline", '[["SET","never","1"],[]]', /^ERR empty command/],
    ["/multi-exec", "[", /^ERR failed to parse transaction/],
    ["/multi-exec", "[]", /^ERR empty transaction/],
    ["/multi-exec", '[["SET","never","1"],[{}]]', /^ERR command arguments must be/],
  ];

  it.each(cases)("is refused: %s %s", async (path, body, error) => {
    const answer = await post(path, body);
    expect(answer).toMatchObject({ status: 400, body: { error: expect.stringMatching(error) } });
    expect((await run("EXISTS", "never")).body).toEqual({ result: 0 });
  });

  it("is refused when it is nested beyond what a parser can take", async () => {
    expect((await post("/", "[".repeat(400_000))).status).toBe(400);
    expect((await post("/", `${"[".repeat(100_000)}1.5${"]".repeat(100_000)}`)).status).toBe(400);
  });

  it("is refused with 413 when it is too large, its length declared or not, and nothing runs", async () => {
    const url = it_.gateway.url;
    const command = JSON.stringify(["SET", "large", "x".repeat(1_100_000)]);
    const error = "ERR request body is larger than 1000000 bytes";
    expect(await call(url, command)).toMatchObject({ status: 413, body: { error } });
    const stream = (): ReadableStream => new Blob([command]).stream();
    const chunked = (path: string): Promise<Response> => {
      const headers = { authorization: "Bearer a-token-of-the-tests" };
      return fetch(url + path, { method: "POST", body: stream(), duplex: "half", headers } as RequestInit);
    };
    expect((await chunked("/")).status).toBe(413);
    expect((await chunked("/set/large")).status).toBe(413);
    expect((await run("EXISTS", "large")).body).toEqual({ result: 0 });
    const fits = JSON.stringify(["STRLEN", "x".repeat(900_000)]);
    expect((await call(url, fits)).body).toEqual({ result: 0 });
  });

  it("may begin with a byte order mark, its length declared or not", async () => {
    const bytes = Buffer.from('\ufeff["PING"]');
    expect((await call(it_.gateway.url, bytes)).body).toEqual({ result: "PONG" });
    const body = new Blob([bytes]).stream();
    const init = { method: "POST", body, duplex: "half" } as RequestInit;
    expect((await call(it_.gateway.url, undefined, init)).body).toEqual({ result: "PONG" });
  });

  it("of unknown length is read as well", async () => {
    const init = { method: "POST", duplex: "half", body: new Blob(['["PING"]']).stream() } as RequestInit;
    expect((await call(it_.gateway.url, undefined, init)).body).toEqual({ result: "PONG" });
  });
});

describe("/pipeline", () => {
  it("answers in order, each command for itself", async () => {
    const { status, body } = await post("/pipeline", [
      ["SET", "a", 1],
      ["NOPE"],
      ["INCR", "a"],
      ["LPUSH", "a", 1],
      ["GET", "a"],
    ]);
    expect(status).toBe(200);
    expect(body).toEqual([
      { result: "OK" },
      { error: "ERR unknown command 'NOPE', with args beginning with: " },
      { result: 2 },
      { error: "WRONGTYPE Operation against a key holding the wrong kind of value" },
      { result: "2" },
    ]);
  });

  it("takes a slash at the end of its path", async () => {
    expect((await post("/pipeline/", [["PING"]])).body).toEqual([{ result: "PONG" }]);
  });

  it("keeps the order over a thousand commands with replies of all sizes", async () => {
    const commands = Array.from({ length: 1_000 }, (_, i) => ["ECHO", `${i}:${"x".repeat((i * 37) % 500)}`]);
    const { body } = await post("/pipeline", commands);
    expect(body).toEqual(commands.map(([, text]) => ({ result: text })));
  });
});

describe("/multi-exec", () => {
  it("answers with the results of all its commands", async () => {
    await run("DEL", "t");
    const { status, body } = await post("/multi-exec", [
      ["SET", "t", 1],
      ["INCR", "t"],
      ["LPUSH", "t", 1],
      ["GET", "t"],
    ]);
    expect(status).toBe(200);
    expect(body).toEqual([
      { result: "OK" },
      { result: 2 },
      { error: "WRONGTYPE Operation against a key holding the wrong kind of value" },
      { result: "2" },
    ]);
  });

  it("is one error when Redis discards it, and changes nothing", async () => {
    const error = "EXECABORT Transaction discarded because of previous errors.";
    const answer = await post("/multi-exec", [["SET", "discarded", 1], ["NOPE"]]);
    expect(answer).toMatchObject({ status: 400, body: { error } });
    expect((await run("EXISTS", "discarded")).body).toEqual({ result: 0 });
    expect((await run("PING")).text).toBe('{"result":"PONG"}');
  });

  it("says 504 and not that it was discarded when Redis did not begin a transaction", async () => {
    await run("ACL", "SETUSER", "default", "-multi");
    const answer = await post("/multi-exec", [["SET", "outside", 1]]);
    await run("ACL", "SETUSER", "default", "+multi");
    expect(answer.status).toBe(504);
  });

  it("is not interleaved with the commands of others", async () => {
    const rounds = Array.from({ length: 60 }, async (_, i) => {
      const [transaction] = await Promise.all([
        post("/multi-exec", [
          ["SET", "mine", i],
          ["GET", "mine"],
          ["APPEND", "mine", "!"],
          ["GET", "mine"],
        ]),
        run("SET", "mine", "of another"),
        post("/pipeline", [["SET", "mine", "of a third"]]),
      ]);
      const results = (transaction.body as { result: unknown }[]).map(({ result }) => result);
      expect(results).toEqual(["OK", `${i}`, `${i}`.length + 1, `${i}!`]);
    });
    await Promise.all(rounds);
  });
});

it("gives each of many callers at once the answer to its own question", async () => {
  const rounds = Array.from({ length: 300 }, async (_, i) => {
    const commands = [
      ["ECHO", `${i}a`],
      ["ECHO", `${i}b`],
    ];
    if (i % 3 === 0) expect((await run("ECHO", `${i}`)).body).toEqual({ result: `${i}` });
    else if (i % 3 === 1)
      expect((await post("/pipeline", commands)).body).toEqual([{ result: `${i}a` }, { result: `${i}b` }]);
    else expect((await post("/multi-exec", commands)).body).toEqual([{ result: `${i}a` }, { result: `${i}b` }]);
  });
  await Promise.all(rounds);
});
