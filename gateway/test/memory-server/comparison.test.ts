import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type GatewayServer, serveGateway } from "../../src/index.ts";
import { call, stage, TOKEN, until } from "../support/harness.ts";
import { type Heard, listen } from "../support/listen.ts";

const real = stage({ readOnlyToken: "reader" });
let memory: GatewayServer;
beforeAll(async () => {
  memory = await serveGateway({ memory: true, token: TOKEN, readOnlyToken: "reader", port: 0 });
  await until(
    () => call(memory.url, ["PING"]),
    ({ status }) => status === 200,
  );
}, 60_000);
afterAll(() => memory?.close());

const urls = (): string[] => [real.gateway.url, memory.url];

type Request = readonly [
  path: string,
  body?: readonly unknown[] | undefined,
  headers?: Readonly<Record<string, string>>,
];
const resp2 = { "upstash-response-format": "resp2" };
const base64 = { "upstash-encoding": "base64" };
const reader = { authorization: "Bearer reader" };

/** Requests in their order, which a gateway in front of a real Redis answers in the same way. */
const REQUESTS: readonly Request[] = [
  ["/", ["SET", "a", "é\r\n\0"]],
  ["/", ["GET", "a"]],
  ["/", ["GET", "a"], base64],
  ["/", ["GET", "a"], resp2],
  ["/", ["GET", "none"], resp2],
  ["/", ["LPOP", "none"], resp2],
  ["/", ["LPOP", "none", "2"], resp2],
  ["/", ["RPUSH", "l", "1", "2", "3"], resp2],
  ["/", ["rpop", "l", "2"], resp2],
  ["/", ["PING"], resp2],
  ["/", ["NOPE"], resp2],
  ["/", ["EVAL", "return {1, 'a', {ok='FINE'}, {err='ERR no'}, false, {}}", "0"], resp2],
  ["/", ["PING", "hello"]],
  ["/", ["GET"]],
  ["/", ["PUBLISH", "c"]],
  ["/", ["PUBLISH", "c", "m"]],
  ["/", ["COMMAND", "NOPE", "x"]],
  ["/", ["SUBSCRIBE", "c"]],
  ["/", ["MULTI"]],
  ["/", ["WAIT", "0", "0"]],
  ["/pipeline", [["INCR", "n"], ["WAIT", "0", "0"], ["GET"], ["SET", "n"]]],
  [
    "/multi-exec",
    [
      ["INCR", "n"],
      ["LPUSH", "n", "1"],
      ["PUBLISH", "c", "m"],
    ],
  ],
  [
    "/multi-exec",
    [
      ["INCR", "n"],
      ["MGET", "n", "none"],
    ],
    resp2,
  ],
  ["/multi-exec", [["INCR", "n"], ["GET"]]],
  ["/multi-exec", [["INCR", "n"], ["NOPE"]]],
  ["/", ["GET", "n"]],
  ["/", ["EVAL", "return redis.call('PUBLISH', 'c')", "0"]],
  ["/", ["EVAL", "return redis.call('PUBLISH', 'c', 'm')", "0"]],
  ["/", ["EVAL", "return redis.call('SUBSCRIBE', 'c')", "0"]],
  ["/", ["EVAL", "return redis.call('MULTI')", "0"]],
  ["/", ["GET", "a"], reader],
  ["/", ["ZRANGE", "none", "0", "-1"], reader],
  ["/", ["SET", "a", "1"], reader],
  ["/", ["EVAL", "return 1", "0"], reader],
  ["/", ["EVAL_RO", "return redis.call('SET', 'a', '1')", "0"], reader],
  ["/", ["SCRIPT", "EXISTS", "x"], reader],
  ["/", ["PUBLISH", "c", "m"], reader],
  ["/subscribe/c", undefined, reader],
  ["/subscribe", undefined],
];

it.each<Request>(REQUESTS)("%s %j is answered as by a real Redis", async (path, body, headers = {}) => {
  const [theirs, ours] = await Promise.all(
    urls().map(async (url) => {
      const init = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
      const response = await fetch(url + path, {
        ...init,
        headers: { authorization: `Bearer ${TOKEN}`, ...(headers as Record<string, string>) },
      });
      return [response.status, await response.text()];
    }),
  );
  expect(ours).toEqual(theirs);
});

describe("streams", () => {
  /** Opens a stream on both, sends the requests, and gives the events of both. */
  async function both(path: string, requests: readonly Request[], count: number): Promise<string[][]> {
    return Promise.all(
      urls().map(async (url) => {
        const heard: Heard = await listen(url + path);
        await heard.first(1);
        for (const [target, body] of requests) await call(url + target, body);
        const events = await heard.first(count);
        heard.leave();
        // Marks of the gateway come among the commands; times and addresses differ.
        return events
          .filter((event) => !/\] "ECHO" "[\da-f-]{36}-\d+"$/.test(event))
          .map((event) => event.replace(/^\d+\.\d{6} \[0 (lua)?[^\]]*\]/, "[$1]"));
      }),
    );
  }

  it("of messages are those of a real Redis", async () => {
    const [theirs, ours] = await both(
      "/subscribe/a/b/a",
      [
        ["/", ["PUBLISH", "a", "1"]],
        ["/", ["PUBLISH", "x", "2"]],
        [
          "/multi-exec",
          [
            ["PUBLISH", "b", "3"],
            ["PUBLISH", "a", "é\n"],
          ],
        ],
      ],
      6,
    );
    expect(ours).toEqual(theirs);
  });

  it("of patterns are those of a real Redis", async () => {
    const published = ["news", "n", "nws", "n[", "news.x"].map(
      (channel): Request => ["/", ["PUBLISH", channel, channel]],
    );
    const [theirs, ours] = await both("/psubscribe/n*/n%3Fws/n[ew]ws/n%5C[", published, 12);
    // The order of patterns is that of a hash table.
    expect(ours?.sort()).toEqual(theirs?.sort());
  });

  it("of a monitor are those of a real Redis", async () => {
    const [theirs, ours] = await both(
      "/monitor",
      [
        ["/", ["SET", "k", 'a"\\\t\x07\b\x7fé']],
        ["/", ["NOPE"]],
        ["/", ["LPUSH", "k", "1"]],
        ["/", ["EVAL", "redis.call('GET', 'k') redis.pcall('LPUSH', 'k', '1') return redis.call('TIME')", "0"]],
        [
          "/multi-exec",
          [
            ["GET", "k"],
            ["EVAL", "return redis.call('GET', 'k')", "0"],
          ],
        ],
        ["/", ["PUBLISH", "c", "m"]],
        // The last one, since the gateway asks a real Redis for its role after it.
        ["/multi-exec", [["GET", "k"], ["NOPE"]]],
      ],
      15,
    );
    expect(ours).toEqual(theirs);
  });
});
