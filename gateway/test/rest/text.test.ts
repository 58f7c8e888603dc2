import { Redis } from "@upstash/redis";
import { describe, expect, it } from "vitest";
import { call, exchange, stage, TOKEN, until } from "../support/harness.ts";
import { listen } from "../support/listen.ts";

const it_ = stage();
const keys = () => it_.redis.command("DBSIZE");

/** `["SET","k<bytes>","1"]`, which is no UTF-8 by what is in the middle. */
const withBytes = (...bytes: number[]): Uint8Array =>
  Buffer.concat([Buffer.from('["SET","k'), Buffer.from(bytes), Buffer.from('","1"]')]);

describe("a body", () => {
  it.each([
    ["a byte that begins nothing", withBytes(0xff)],
    ["a surrogate in UTF-8", withBytes(0xed, 0xa0, 0x80)],
    ["more bytes than needed", withBytes(0xc0, 0x80)],
    ["a character that is cut off", withBytes(0xe6, 0xbc)],
    ["UTF-16", Buffer.from('\ufeff["SET","k","1"]', "utf16le")],
  ])("30: that is no UTF-8 is refused, and nothing is sent: %s", async (_, body) => {
    const error = "ERR failed to parse command: the body is not valid UTF-8";
    expect(await call(it_.gateway.url, body)).toMatchObject({ status: 400, body: { error } });
    expect(await keys()).toContain(":0");
  });

  it.each(["\\ud800", "\\udfff", "\\udc00\\ud800", "\\ud800x", "\\uD83D"])(
    "30: with a lone surrogate is refused, and nothing is sent: %s",
    async (escaped) => {
      const error = "ERR command arguments must be well-formed text: a surrogate has to be one of a pair";
      expect(await call(it_.gateway.url, `["SET","k${escaped}","1"]`)).toMatchObject({ status: 400, body: { error } });
      const list = `[["SET","a","1"],["SET","b","${escaped}"]]`;
      for (const path of ["/pipeline", "/multi-exec"])
        expect(await it_.post(path, list)).toMatchObject({ status: 400, body: { error } });
      expect(await keys()).toContain(":0");
    },
  );

  it("with pairs, escaped or not, and what replaces others, arrives as it is", async () => {
    await call(it_.gateway.url, '["SET","\\ud83d\\ude00😀\ufffd","1"]');
    expect((await it_.run("KEYS", "*")).body).toEqual({ result: ["😀😀\ufffd"] });
    await it_.run("FLUSHALL");
  });

  it("of the path form is any bytes, and so is a path: they arrive as they are, and collide with nothing", async () => {
    await call(`${it_.gateway.url}/set/%ff/1`);
    await call(`${it_.gateway.url}/set/%ed%a0%80/2`);
    await call(`${it_.gateway.url}/set/%ef%bf%bd`, Uint8Array.of(0xff));
    expect(await keys()).toContain(":3");
    await it_.run("FLUSHALL");
  });
});

describe("a message with line breaks", () => {
  const MESSAGES = [
    "one\ntwo",
    "one\rtwo\r\nthree",
    "\n",
    "x\ndata: message,lines,evil\n\ndata: y",
    "a\nid: 7\nevent: b\n: c",
  ];

  it("is one event for those who read as the format says", async () => {
    const heard = await listen(`${it_.gateway.url}/subscribe/lines`);
    await heard.first(1);
    for (const message of MESSAGES) await it_.run("PUBLISH", "lines", message);
    const expected = MESSAGES.map((message) => `message,lines,${message.replaceAll(/\r\n?/g, "\n")}`);
    expect((await heard.first(1 + MESSAGES.length)).slice(1)).toEqual(expected);
    heard.leave();
  });

  it("is what was published for Upstash's client, whatever it is, and for one with a pattern", async () => {
    const redis = new Redis({ url: it_.gateway.url, token: TOKEN });
    const [channel, pattern] = [redis.subscribe<unknown>("lines"), redis.psubscribe<unknown>("lin*")];
    const heard: unknown[] = [];
    const matched: unknown[] = [];
    channel.on("message", ({ message }) => heard.push(message));
    pattern.on("pmessage", ({ message }) => matched.push(message));
    await until(
      () => it_.redis.command("PUBSUB", "NUMPAT"),
      (text) => text.includes(":1"),
    );
    await until(
      () => it_.redis.command("PUBSUB", "NUMSUB", "lines"),
      (text) => text.includes(":1"),
    );
    const texts = [...MESSAGES, JSON.stringify({ a: ["b\n", 1] }, undefined, 2)];
    for (const text of texts) await it_.run("PUBLISH", "lines", text);
    const expected = [...MESSAGES, { a: ["b\n", 1] }];
    for (const list of [heard, matched])
      await until(
        async () => list,
        ({ length }) => length >= expected.length,
      );
    expect([heard, matched]).toEqual([expected, expected]);
    await Promise.all([channel.unsubscribe(), pattern.unsubscribe()]);
  });
});

describe("before the token is looked at", () => {
  const AUTHORIZATION = `Authorization: Bearer ${TOKEN}\r\n`;
  const post = (headers: string): string =>
    `POST / HTTP/1.1\r\nHost: h\r\n${headers}Expect: 100-continue\r\nContent-Length: 8\r\n\r\n`;

  it("nobody gets a 100 Continue for a body", async () => {
    const refused = await exchange(it_.gateway.port, post(""));
    expect(refused).toMatch(/^HTTP\/1\.1 401 /);
    // A body that may come or not would be taken for the next request.
    expect(refused).toMatch(/^connection: close\r$/im);
    expect(await exchange(it_.gateway.port, post("Authorization: Bearer wrong\r\n"))).toMatch(/^HTTP\/1\.1 401 /);
    const large = post(AUTHORIZATION).replace("Length: 8", "Length: 99999999");
    expect(await exchange(it_.gateway.port, large)).toMatch(/^HTTP\/1\.1 413 /);
    const health = post("").replace("POST /", "GET /health");
    expect(await exchange(it_.gateway.port, health)).toMatch(/^HTTP\/1\.1 200 /);
  });

  it("whoever may ask gets 100 Continue, and the answer", async () => {
    const answers = await exchange(it_.gateway.port, `${post(AUTHORIZATION)}["PING"]`);
    expect(answers).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK\r\n/);
    expect(answers).toContain('{"result":"PONG"}');
    expect(answers).toMatch(/^connection: keep-alive\r$/im);
  });

  it.each(["Host: h\r\nHost: g\r\n", "Host: h\r\nHost: h\r\n", "Host: h\r\nhost: \r\n"])(
    "30: two Host headers are refused: %j",
    async (hosts) => {
      for (const target of ["/ping", "/health"])
        for (const token of ["", AUTHORIZATION]) {
          const answer = await exchange(it_.gateway.port, `GET ${target} HTTP/1.1\r\n${hosts}${token}\r\n`);
          expect(answer).toMatch(/^HTTP\/1\.1 400 /);
          expect(answer).toContain('{"error":"ERR more than one Host header"}');
        }
    },
  );
});
