import { afterAll, describe, expect, it } from "vitest";
import { createLocks } from "../../src/index.ts";
import { freshName } from "../../test/support/names.ts";
import { durableObject } from "../src/port.ts";
import { createRestHandler } from "../src/rest.ts";
import { localNamespace } from "./support/namespace.ts";

const URL_OF_IT = "https://objects.example";
const token = "test-token-0123456789";
const reader = "read-token-0123456789";
const objects = localNamespace();
afterAll(() => objects.close());
const handler = createRestHandler({
  namespace: objects,
  tokens: [{ token }, { token: reader, readOnly: true }],
  maxBody: 50_000,
});
const post = (path: string, body: unknown, own = token): Promise<Response> =>
  handler(
    new Request(URL_OF_IT + path, {
      method: "POST",
      headers: { authorization: `Bearer ${own}` },
      body: JSON.stringify(body),
    }),
  );
const answer = async (path: string, body: unknown, own?: string): Promise<readonly [number, unknown]> => {
  const response = await post(path, body, own);
  return [response.status, await response.json()];
};
const crossed = [400, { error: "CROSSSLOT a transaction needs keys of one name, or of one group" }];

describe("the REST protocol over objects", () => {
  it("runs one command, and reports its error with 400", async () => {
    const name = freshName();
    expect(await answer("/", ["SET", name, "1"])).toEqual([200, { result: "OK" }]);
    expect(await answer("/", ["LPUSH", name, "1"])).toEqual([400, { error: expect.stringMatching(/^WRONGTYPE/) }]);
    expect(await answer("/", ["NOPE", name])).toEqual([400, { error: expect.stringMatching(/unknown command/) }]);
    expect(await answer("/", ["DEL", "a", "b"])).toEqual([400, { error: expect.stringMatching(/^CROSSSLOT/) }]);
    expect(await answer("/", ["DBSIZE"])).toEqual([400, { error: expect.stringMatching(/all names in one place/) }]);
    expect(await answer("/", ["PING"])).toEqual([200, { result: "PONG" }]);
    expect((await post("/", ["PING"], "wrong-token-012345678")).status).toBe(401);
  });

  it.each([
    ["/", { SET: "a" }],
    ["/", []],
    ["/pipeline", ["PING"]],
    ["/multi-exec", "PING"],
  ])("refuses a body that is not a request of its path: %s, %j", async (path, body) => {
    expect(await answer(path, body)).toEqual([400, { error: expect.stringMatching(/^ERR/) }]);
  });

  it("answers a pipeline in its order: of several objects, of none, and errors", async () => {
    const [one, two] = [freshName(), freshName()];
    const before = objects.requests;
    const commands = [["INCR", one], ["ECHO", "x"], ["INCR", two], ["NOPE"], ["INCR", one], ["LPUSH", two, "1"]];
    expect(await answer("/pipeline", commands)).toEqual([
      200,
      [
        { result: 1 },
        { result: "x" },
        { result: 1 },
        { error: expect.stringMatching(/unknown command/) },
        { result: 2 },
        { error: expect.stringMatching(/^WRONGTYPE/) },
      ],
    ]);
    expect(objects.requests - before).toBe(2);
  });

  it("runs a transaction of one name, or of one group, and no other", async () => {
    const name = freshName();
    const both = [
      ["SET", `{${name}}1`, "x"],
      ["INCR", `{${name}}1`],
      ["STRLEN", `{${name}}1`],
    ];
    expect(await answer("/multi-exec", both)).toEqual([
      200,
      [{ result: "OK" }, { error: expect.stringMatching(/not an integer/) }, { result: 1 }],
    ]);
    expect(await answer("/multi-exec", [["INCR", `{${name}}1`]])).toEqual([
      200,
      [{ error: expect.stringMatching(/not an integer/) }],
    ]);
    const [one, two] = [
      ["INCR", freshName()],
      ["INCR", freshName()],
    ] as const;
    expect(await answer("/multi-exec", [one, two])).toEqual(crossed);
    expect(await answer("/multi-exec", [one, ["PING"]])).toEqual(crossed);
    expect(await answer("/multi-exec", [["PING"]])).toEqual(crossed);
    expect(await answer("/multi-exec", [one, ["NOPE"]])).toEqual([400, { error: expect.stringMatching(/^EXECABORT/) }]);
    // None of those ran.
    expect(await answer("/", one)).toEqual([200, { result: 1 }]);
  });

  it("reports once what refuses a transaction as a whole", async () => {
    const name = freshName();
    await post("/", ["SET", name, "1"]);
    const { storage } = objects.object(name);
    storage.failAt(0);
    const commands = [
      ["INCR", name],
      ["INCR", name],
    ];
    expect(await answer("/multi-exec", commands)).toEqual([400, { error: expect.stringMatching(/^TRYAGAIN/) }]);
    storage.failAt(undefined);
    expect(await answer("/", ["GET", name])).toEqual([200, { result: "1" }]);
  });

  it("lets a token that may only read do that, also by scripts", async () => {
    const name = freshName();
    await post("/", ["SET", name, "1"]);
    expect(await answer("/", ["GET", name], reader)).toEqual([200, { result: "1" }]);
    expect(await answer("/", ["PING"], reader)).toEqual([200, { result: "PONG" }]);
    const denied = [400, { error: "NOPERM this token may only read" }];
    expect(await answer("/", ["SET", name, "2"], reader)).toEqual(denied);
    const script = (text: string): readonly string[] => ["EVAL", text, "1", name];
    expect(await answer("/", script("return redis.call('GET', KEYS[1])"), reader)).toEqual([200, { result: "1" }]);
    expect((await answer("/", script("return redis.call('DEL', KEYS[1])"), reader))[0]).toBe(400);
    expect(await answer("/", ["GET", name])).toEqual([200, { result: "1" }]);
  });

  it("refuses a body that is too large, whether its length is announced or not", async () => {
    expect((await post("/", ["SET", "a", "x".repeat(50_000)])).status).toBe(413);
    const announced = new Request(URL_OF_IT, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-length": "50001" },
      body: "[]",
    });
    expect((await handler(announced)).status).toBe(413);
  });

  it("holds a request that asks for it until the lock is free, and says so only then", async () => {
    const heads: (string | null)[] = [];
    const fetchIt = async (input: string, init: RequestInit): Promise<Response> => {
      const response = await handler(new Request(input, init));
      heads.push(response.headers.get("preference-applied"));
      return response;
    };
    const locks = createLocks({ url: URL_OF_IT, token, fetch: fetchIt as typeof fetch });
    const name = freshName();
    const first = await locks.lock(name).acquire();
    expect(heads).toEqual([...heads].fill(null));
    const second = locks.lock(name).acquire({ wait: "10s" });
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(await first.release()).toBe(true);
    expect((await second).token).toBeGreaterThan(first.token);
    expect(heads.filter((head) => head !== null)).toEqual(["wait"]);
  });
});

describe("the commands that no object is asked for", () => {
  it("are answered at once, and others that have no object are refused", async () => {
    const { port } = durableObject(objects);
    const { signal } = new AbortController();
    const before = objects.requests;
    expect(await port(["PING"], signal)).toEqual({ type: "answered", result: "PONG", answers: [{ result: "PONG" }] });
    expect(await port(["time"], signal)).toMatchObject({
      type: "answered",
      result: [expect.stringMatching(/^\d+$/), expect.stringMatching(/^\d+$/)],
    });
    expect(await port(["DBSIZE"], signal)).toMatchObject({ type: "refused", code: "redis_error" });
    expect(await port(["DEL", "a", "b"], signal)).toMatchObject({
      type: "refused",
      error: expect.stringMatching(/^CROSSSLOT/),
    });
    expect(objects.requests).toBe(before);
  });
});
