import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { createGateway } from "../../src/index.ts";
import { call, exchange, stage, TOKEN } from "../support/harness.ts";

const it_ = stage();

describe("a body that would have to be decoded", () => {
  it.each(["gzip", "br", "GZIP", "deflate, gzip", "x-unknown"])(
    "with Content-Encoding: %s is refused, and nothing is sent",
    async (encoding) => {
      const headers = { "content-encoding": encoding };
      // In the path form, the body would be the value as it is.
      for (const path of ["/", "/pipeline", "/multi-exec", "/set/zipped"]) {
        const answer = await call(it_.gateway.url + path, gzipSync('["SET","zipped","1"]'), { headers });
        expect([answer.status, answer.body]).toEqual([415, { error: "ERR a body must not have a Content-Encoding" }]);
        expect(answer.headers.get("accept-encoding")).toBe("identity");
      }
      expect((await it_.run("EXISTS", "zipped")).body).toEqual({ result: 0 });
    },
  );

  it("is refused by a gateway without a port, too", async () => {
    const gateway = createGateway({ redis: it_.redis.url, token: TOKEN });
    const headers = { authorization: `Bearer ${TOKEN}`, "content-encoding": "gzip" };
    const request = new Request("http://gateway/", { method: "POST", headers, body: '["PING"]' });
    expect((await gateway.fetch(request)).status).toBe(415);
    gateway.close();
  });

  it("is not one with Content-Encoding: identity, and a GET has none", async () => {
    const identity = { headers: { "content-encoding": "identity" } };
    expect(await call(it_.gateway.url, ["ECHO", "a"], identity)).toMatchObject({ status: 200, body: { result: "a" } });
    const gzip = { headers: { "content-encoding": "gzip" } };
    expect(await call(`${it_.gateway.url}/echo/a`, undefined, gzip)).toMatchObject({ status: 200 });
  });

  it.each([
    "gzip, chunked",
    "chunked, chunked",
    "Transfer-Encoding: gzip\r\nTransfer-Encoding: chunked",
    "identity, chunked",
  ])("with Transfer-Encoding: %s is refused, and its connection ends", async (coding) => {
    const line = coding.startsWith("Transfer") ? coding : `Transfer-Encoding: ${coding}`;
    const head = `POST / HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer ${TOKEN}\r\n${line}\r\n\r\n`;
    const body = '["SET","coded","1"]';
    const sent = `${head}${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
    const text = await exchange(it_.gateway.port, sent);
    expect(text).toMatch(/^HTTP\/1\.1 (501|400) /);
    expect(text.match(/HTTP\/1\.1/g)).toHaveLength(1);
    if (coding === "gzip, chunked") expect(text).toMatch(/^HTTP\/1\.1 501 /);
    expect((await it_.run("EXISTS", "coded")).body).toEqual({ result: 0 });
  });

  it("is not one with Transfer-Encoding: chunked, in whatever case", async () => {
    const head = `POST / HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer ${TOKEN}\r\nTransfer-Encoding: Chunked\r\n\r\n`;
    const text = await exchange(it_.gateway.port, `${head}8\r\n["PING"]\r\n0\r\n\r\n`);
    expect(text).toContain('{"result":"PONG"}');
  });
});
