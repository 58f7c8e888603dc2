import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import { createLocks } from "../../src/index.ts";
import { decodeReply } from "../../src/redis/script.ts";
import { lockAcquire } from "../../src/redis/scripts/lock-acquire.gen.ts";
import { recordInspect } from "../../src/redis/scripts/record-inspect.gen.ts";

/** An endpoint that answers everything with the same. */
const answering = (body: string, status = 200, headers: Record<string, string> = {}, more: object = {}) =>
  createLocks({
    url: "http://127.0.0.1:9",
    token: "t",
    fetch: async () => new Response(body, { status, headers }),
    ...more,
  });

const now = 1_795_245_806_351_390;

describe("a reply is believed only in the shape that its script declares", () => {
  it.each<[string, unknown]>([
    ["null", null],
    ["a string", "OK"],
    ["a number", 1],
    ["an object", { status: "granted" }],
    ["nothing", []],
    ["a status alone", ["granted"]],
    ["an unknown status", ["stolen", now, 1, 2, 3]],
    ["a field too few", ["granted", now, 1, 2]],
    ["a field too many", ["granted", now, 1, 2, 3, 4]],
    ["a number that came as text", ["granted", now, "1", 2, 3]],
    ["a clock that came as text", ["granted", String(now), 1, 2, 3]],
    ["a fraction", ["granted", now, 1.5, 2, 3]],
    ["more than 2^53", ["granted", now, 2 ** 60, 2, 3]],
    ["a hole", ["granted", now, undefined, 2, 3]],
    ["text that came as a number", ["kind", now, 5]],
    ["text that came parsed", ["kind", now, { a: 1 }]],
  ])("%s is malformed", (_what, value) => {
    expect(() => decodeReply(lockAcquire, value)).toThrow(expect.objectContaining({ code: "malformed_answer" }));
  });

  it("and is named by field then", () => {
    expect(decodeReply(lockAcquire, ["granted", now, 1, 2, 3])).toEqual({
      status: "granted",
      now,
      token: 1,
      remaining: 2,
      holds: 3,
    });
    expect(decodeReply(lockAcquire, ["late", now])).toEqual({ status: "late", now });
    expect(decodeReply(recordInspect, ["kind", now, "once"])).toEqual({ status: "kind", now, kind: "once" });
  });
});

describe("an endpoint that is none", () => {
  it.each([
    ['{"result":null}', 200],
    ['{"result":"OK"}', 200],
    ["{}", 200],
    ["null", 200],
    ["[]", 200],
    ['"hello"', 200],
  ])("answering %s with %i is said to be malformed, and nothing is believed", async (body, status) => {
    const locks = answering(body, status);
    const error = await locks
      .lock("a")
      .inspect()
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: "malformed_answer" });
    // It may have run, and so may what would have taken it back.
    const acquired = await locks
      .lock("a")
      .tryAcquire()
      .catch((thrown: unknown) => thrown);
    expect(acquired).toMatchObject({ code: "outcome_unknown", cause: { code: "malformed_answer" } });
    expect((acquired as Error).message).toContain("127.0.0.1:9 returned an answer that the script cannot return");
  });

  it.each([
    ['{"error":"not found"}', 404, "not found"],
    ['{"error":"internal error"}', 500, "internal error"],
  ])("%s with %i is an error at once", async (body, status, message) => {
    await expect(answering(body, status).lock("a").inspect()).rejects.toMatchObject({ code: "redis_error", message });
  });

  it.each([
    ['{"message":"not found"}', "HTTP 404"],
    ["<html>not found</html>", "HTTP 404 without JSON"],
  ])("%s with 404 says that the url is wrong, at once, and that nothing was granted", async (body, says) => {
    const message = `127.0.0.1:9 answered ${says}: check the url and its path`;
    const wrong = { code: "malformed_answer", message };
    await expect(answering(body, 404).lock("a").inspect()).rejects.toMatchObject(wrong);
    await expect(answering(body, 404).lock("a").acquire()).rejects.toMatchObject(wrong);
  });

  it.each([
    [401, "<html>secret-of-the-page</html>"],
    [403, "<html>secret-of-the-page</html>"],
    [403, '{"error":"secret-of-the-page"}'],
  ])("%i says that the API token was refused, whatever its page says: %s", async (status, body) => {
    const refused = { code: "unauthorized", message: expect.stringContaining("the API token was refused by ") };
    await expect(answering(body, status).lock("a").inspect()).rejects.toMatchObject(refused);
  });

  it("429 asks for patience, whatever its page says", async () => {
    const locks = answering("<html>secret-of-the-page</html>", 429, { "retry-after": "60" });
    await expect(locks.lock("a").inspect()).rejects.toMatchObject({ code: "rate_limited", retryAfterMs: 60_000 });
  });

  it("a page in the place of an answer leaves the outcome unknown, and no error quotes it", async () => {
    const error = await answering("secret-of-the-page", 200, {}, { requestTimeout: 200 })
      .lock("a")
      .inspect()
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: "outcome_unknown" });
    expect((error as Error).message).toContain("without JSON");
    expect(inspect(error, { depth: 9, showHidden: true })).not.toContain("secret-of");
  });

  it.each([
    [408, '{"error":"request timeout"}'],
    [499, "<html>client closed request</html>"],
  ])("%i says that it stopped waiting: the outcome is unknown", async (status, body) => {
    const error = await answering(body, status, {}, { requestTimeout: 200 })
      .lock("a")
      .tryAcquire()
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: "outcome_unknown" });
  });

  it("a request that is too late again and again is given up after some attempts", async () => {
    let requests = 0;
    const locks = createLocks({
      url: "http://127.0.0.1:9",
      token: "t",
      requestTimeout: 500,
      async fetch() {
        if (++requests > 1000) throw new Error("it would go on for ever");
        return Response.json({ result: ["late", Date.now() * 1000] });
      },
    });
    await expect(locks.lock("a").tryAcquire()).rejects.toMatchObject({ code: "outcome_unknown" });
    expect(requests).toBeLessThan(30);
  });

  it("a value of another type under the key is named, and no type of Redis's own", async () => {
    const body = '{"error":"WRONGTYPE Operation against a key holding the wrong kind of value"}';
    const error = {
      code: "wrong_kind",
      message: expect.stringContaining("has a value under its key that is not leasehold's"),
    };
    await expect(answering(body, 400).lock("a").inspect()).rejects.toMatchObject(error);
  });

  it("asks for patience that there is no time for: rate limited, with the time it wants", async () => {
    for (const header of ["60", new Date(Date.now() + 60_000).toUTCString()]) {
      const locks = answering('{"error":"slow down"}', 429, { "retry-after": header });
      const error = await locks
        .lock("a")
        .tryAcquire()
        .catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ code: "rate_limited", name: "RateLimitedError" });
      const { retryAfterMs } = error as { retryAfterMs: number };
      expect(Math.abs(retryAfterMs - 60_000)).toBeLessThan(3_000);
    }
  });
});
