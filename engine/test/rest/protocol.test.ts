import { afterAll, beforeAll, expect, it } from "vitest";
import { createGateway, type Gateway } from "../../../gateway/src/index.ts";
import { createMemoryRedis } from "../../../testing/src/index.ts";

const TOKEN = "a-token-of-sixteen";
const memory = createMemoryRedis({ token: TOKEN, dialect: "redis" });
let gateway: Gateway;
beforeAll(async () => {
  gateway = createGateway({ memory: true, token: TOKEN });
  await gateway.opened;
});
afterAll(() => gateway.close());

type Request = readonly [what: string, path: string, init: RequestInit, status: number, body: unknown];

const post = (body: BodyInit, headers: Readonly<Record<string, string>> = {}): RequestInit => ({
  method: "POST",
  body,
  headers,
});
const bytes = (...parts: (string | number)[]): Uint8Array<ArrayBuffer> =>
  new Uint8Array(parts.flatMap((part) => (typeof part === "number" ? [part] : [...new TextEncoder().encode(part)])));
const error = (message: string): object => ({ error: `ERR ${message}` });

const REQUESTS: readonly Request[] = [
  ["a number beyond 2^53", "/", post('["SET","n",9007199254740993]'), 200, { result: "OK" }],
  ["the same number", "/", post('["GET","n"]'), 200, { result: "9007199254740993" }],
  ["an integer that JSON would round", "/", post('["INCR","n"]'), 200, { result: "9007199254740994" }],
  [
    "the same in base64",
    "/",
    post('["INCR","n"]', { "upstash-encoding": "BASE64" }),
    200,
    { result: btoa("9007199254740995") },
  ],
  ["OK in base64", "/", post('["SET","a","1"]', { "upstash-encoding": "base64" }), 200, { result: "OK" }],
  ["other spellings of numbers", "/", post('["ECHO",1.10]'), 200, { result: "1.10" }],
  [
    "a lone surrogate",
    "/",
    post('["ECHO","\\ud800"]'),
    400,
    error("command arguments must be well-formed text: a surrogate has to be one of a pair"),
  ],
  [
    "bytes that are not UTF-8 in a body of JSON",
    "/",
    post(bytes('["ECHO","', 0xff, '"]')),
    400,
    error("failed to parse command: the body is not valid UTF-8"),
  ],
  ["bytes that are not UTF-8 as a value", "/set/bytes", post(bytes(0xff, 0)), 200, { result: "OK" }],
  ["these bytes", "/get/bytes", { headers: { "upstash-encoding": "base64" } }, 200, { result: btoa("\xff\0") }],
  ["bytes in a path", "/set/%ff%/é%FE?EX=100", {}, 200, { result: "OK" }],
  ["their key", "/", post('["EVAL","return redis.call(\'TTL\', \'\\\\255%\')","0"]'), 200, { result: 100 }],
  ["a mark of the byte order", "/pipeline", post(bytes(0xef, 0xbb, 0xbf, '[["PING"]]')), 200, [{ result: "PONG" }]],
  [
    "an encoded body",
    "/",
    post('["PING"]', { "content-encoding": "gzip" }),
    415,
    error("a body must not have a Content-Encoding"),
  ],
  ["a method", "/", { method: "DELETE" }, 405, { error: "Method Not Allowed" }],
  [
    "a format",
    "/",
    post('["PING"]', { "upstash-response-format": "xml" }),
    400,
    error("the response format must be json or resp2"),
  ],
  ["a route with an escape and a slash", "/%70ipeline/", post('[["PING"],["NOPE"]]'), 200, expect.any(Array)],
  ["no name", "//a", {}, 400, error("empty command")],
  ["an object", "/", post('["ECHO",{}]'), 400, error("command arguments must be strings, numbers, booleans or null")],
  ["an empty pipeline", "/pipeline", post("[]"), 400, error("empty pipeline request")],
  [
    "a list in no list",
    "/multi-exec",
    post('["PING"]'),
    400,
    error("failed to parse transaction: a command is a JSON array"),
  ],
  ["text that is not JSON", "/", post("PING"), 400, error("failed to parse command: the body is not valid JSON")],
  ["a fragment", "/echo/a#b", {}, 200, { result: "a" }],
  [
    "a token in the query",
    `/echo/a?_token=${TOKEN}&`,
    { headers: { authorization: "" } },
    401,
    { error: "Unauthorized" },
  ],
];

it.each<Request>(REQUESTS)(
  "%s is answered alike by the engine and the gateway",
  async (_, path, init, status, body) => {
    const headers = { authorization: `Bearer ${TOKEN}`, ...(init.headers as Readonly<Record<string, string>>) };
    const answers = await Promise.all(
      [
        memory.fetch(memory.url + path, { ...init, headers }),
        gateway.fetch(`http://gateway${path}`, { ...init, headers }),
      ].map(async (answer) => {
        const response = await answer;
        return [response.status, await response.json(), response.headers.get("content-type")];
      }),
    );
    expect(answers[0]).toEqual([status, body, "application/json"]);
    expect(answers[1]).toEqual(answers[0]);
  },
);

it("sends a token of the state that rises, with each answer", async () => {
  const next = async (fetch: typeof memory.fetch): Promise<number> => {
    const response = await fetch("http://memory.invalid/ping", { headers: { authorization: `Bearer ${TOKEN}` } });
    return Number(response.headers.get("upstash-sync-token"));
  };
  for (const { fetch } of [memory, gateway]) {
    const first = await next(fetch);
    expect(first).toBeGreaterThan(Date.UTC(2020) * 1_000);
    expect(await next(fetch)).toBeGreaterThan(first);
  }
});
