import { once } from "node:events";
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type GatewayServer, serveGateway } from "../../src/index.ts";
import { TOKEN } from "../support/harness.ts";

let server: GatewayServer;
beforeAll(async () => {
  server = await serveGateway({ memory: true, token: TOKEN, port: 0, maxHeaderBytes: 2_000 });
});
afterAll(() => server.close());

const HOST = "Host: h\r\n";
const AUTH = `Authorization: Bearer ${TOKEN}\r\n`;
const get = (path: string, more = ""): string => `GET ${path} HTTP/1.1\r\n${HOST}${AUTH}${more}\r\n`;
const post = (more: string, body = "", host = HOST): string => `POST / HTTP/1.1\r\n${host}${AUTH}${more}\r\n${body}`;
const PING = '["PING"]';
const LENGTH = `Content-Length: ${PING.length}\r\n`;
const CHUNKED = "Transfer-Encoding: chunked\r\n";

/** Sends bytes, ends this side of the connection, and gives all that comes until the other side ends too. */
async function talk(...pieces: readonly (string | Buffer)[]): Promise<string> {
  const socket = connect({ port: server.port, host: "127.0.0.1", allowHalfOpen: true });
  let text = "";
  socket.on("data", (chunk) => (text += chunk.toString("latin1")));
  socket.on("error", () => {});
  const closed = once(socket, "close");
  for (const piece of pieces) {
    socket.write(typeof piece === "string" ? Buffer.from(piece, "latin1") : piece);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  socket.end();
  await closed;
  return text;
}

const statuses = (text: string): string[] => [...text.matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, status]) => status ?? "");

/** A second request, which must not run: its answer would be an echo. */
const SMUGGLED = get("/echo/smuggled");

describe("a request that could be read in two ways", () => {
  it.each([
    ["two lengths", post(`Content-Length: 8\r\nContent-Length: 9\r\n`, PING)],
    ["the same length twice", post(LENGTH + LENGTH, PING)],
    ["a length and chunks", post(LENGTH + CHUNKED, "0\r\n\r\n")],
    ["chunks and a length", post(CHUNKED + LENGTH, "0\r\n\r\n")],
    ["chunks that are not the last coding", post("Transfer-Encoding: chunked, gzip\r\n", "0\r\n\r\n")],
    ["a length with a sign", post("Content-Length: +8\r\n", PING)],
    ["a length in hexadecimal", post("Content-Length: 0x8\r\n", PING)],
    ["a list of lengths", post("Content-Length: 8, 8\r\n", PING)],
    ["a length without end", post("Content-Length: 18446744073709551617\r\n", PING)],
    ["a space before the colon", post(`Transfer-Encoding : chunked\r\n`, "0\r\n\r\n")],
    ["a folded header", post(`X-A: b\r\n c\r\n${LENGTH}`, PING)],
    ["a folded header with a tab", post(`X-A: b\r\n\tc\r\n${LENGTH}`, PING)],
    ["a bare LF after the request line", `GET /ping HTTP/1.1\n${HOST}${AUTH}\r\n`],
    ["a bare LF after a header", `GET /ping HTTP/1.1\r\nHost: h\n${AUTH}\r\n`],
    ["a bare CR in a header", get("/ping", "X-A: b\rc\r\n")],
    ["a bare LF at the end of the headers", `GET /ping HTTP/1.1\r\n${HOST}${AUTH}\n`],
    ["a NUL in a header", get("/ping", "X-A: b\0c\r\n")],
    ["a header without a name", get("/ping", ": c\r\n")],
    ["no Host", post(LENGTH, PING, "")],
    ["a byte beyond ASCII in the target", get("/echo/\xff")],
    ["a size of a chunk with a prefix", post(CHUNKED, `0x8\r\n${PING}\r\n0\r\n\r\n`)],
    ["a size of a chunk with a space", post(CHUNKED, `8 \r\n${PING}\r\n0\r\n\r\n`)],
    ["a chunk that ends with a bare LF", post(CHUNKED, `8\n${PING}\n0\n\n`)],
    ["a chunk that is longer than it says", post(CHUNKED, `3\r\n${PING}\r\n0\r\n\r\n`)],
    ["a size of a chunk without end", post(CHUNKED, `${"f".repeat(17)}\r\n${PING}`)],
    ["the preface of HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"],
    ["no HTTP", "*1\r\n$4\r\nPING\r\n"],
  ])("has %s: 400, and nothing behind it is run", async (_, bytes) => {
    const text = await talk(bytes + SMUGGLED);
    expect(statuses(text)).toEqual(["400"]);
    expect(text).toMatch(/\r\nconnection: close\r\n/i);
    expect(text).not.toContain("smuggled");
  });

  it("is in another version: 505, and nothing behind it is run", async () => {
    expect(statuses(await talk(`GET /ping HTTP/2.0\r\n${HOST}${AUTH}\r\n${SMUGGLED}`))).toEqual(["505"]);
  });

  it("is refused after the answers to those before it", async () => {
    expect(statuses(await talk(`${get("/ping")}${post(LENGTH + LENGTH, PING)}${SMUGGLED}`))).toEqual(["200", "400"]);
  });
});

describe("a request that is a burden", () => {
  it.each([
    ["a long header", get("/ping", `X-A: ${"x".repeat(3_000)}\r\n`), "431"],
    ["a long name of a header", get("/ping", `${"x".repeat(3_000)}: a\r\n`), "431"],
    ["a long target", get(`/echo/${"x".repeat(3_000)}`), "431"],
    ["many headers", get("/ping", "a:\r\n".repeat(1_100)), "431"],
    ["long trailers", post(CHUNKED, `8\r\n${PING}\r\n0\r\nX-A: ${"x".repeat(3_000)}\r\n\r\n`), "431"],
    ["a long extension of a chunk", post(CHUNKED, `8;${"x".repeat(200_000)}\r\n${PING}\r\n0\r\n\r\n`), "413"],
  ])("has %s", async (_, bytes, status) => {
    const text = await talk(bytes + SMUGGLED);
    expect(statuses(text)).toEqual([status]);
    expect(text).not.toContain("smuggled");
  });

  it("is fine with extensions of chunks and trailers of a sane length", async () => {
    const text = await talk(post(CHUNKED, `8;a=b;c="d"\r\n${PING}\r\n0\r\nX-A: b\r\n\r\n`) + get("/echo/next"));
    expect(text).toMatch(/PONG[\s\S]*"next"/);
  });
});

describe("a connection", () => {
  it("gets Connection: close at its end, and nothing after its last request runs", async () => {
    const text = await talk(get("/echo/last", "Connection: close\r\n") + SMUGGLED);
    expect(text).toContain('"last"');
    expect(text).toMatch(/\r\nconnection: close\r\n/i);
    expect(text).not.toContain("smuggled");
  });

  it("in HTTP/1.0 ends with the answer unless the client asks for more", async () => {
    const old = (more: string): string => `GET /ping HTTP/1.0\r\n${AUTH}${more}\r\n`;
    expect(statuses(await talk(old("") + old("")))).toEqual(["200"]);
    const kept = await talk(old("Connection: keep-alive\r\n") + old("Connection: keep-alive\r\n"));
    expect(statuses(kept)).toEqual(["200", "200"]);
  });

  it("of a client that has ended its side gets its answers, and then ends", async () => {
    expect(await talk(post(LENGTH, PING) + get("/echo/second"))).toMatch(/PONG[\s\S]*"second"/);
    expect(await talk("")).toBe("");
  });

  it("whose request is not whole when the client ends its side gets 400", async () => {
    expect(statuses(await talk(post(LENGTH, PING.slice(0, 3))))).toEqual(["400"]);
    expect(statuses(await talk("GET /ping HT"))).toEqual(["400"]);
  });

  it("continues after a request for another protocol, which is answered in this one", async () => {
    const upgrade =
      "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAoAAAAAIAAAAA\r\n";
    expect(await talk(get("/echo/first", upgrade), get("/echo/second"))).toMatch(/"first"[\s\S]*"second"/);
    expect(await talk(post(upgrade + LENGTH, PING), get("/echo/second"))).toMatch(/PONG[\s\S]*"second"/);
    expect(await talk(get("/ping", "Connection: Upgrade\r\nUpgrade: websocket\r\n"))).not.toContain(" 101 ");
  });

  it("ends with a CONNECT, whose bytes are no request", async () => {
    expect(statuses(await talk(`CONNECT h:1 HTTP/1.1\r\n${HOST}${AUTH}\r\n${SMUGGLED}`))).toEqual(["400"]);
  });
});

describe("a client that waits for 100 Continue", () => {
  const EXPECT = `Expect: 100-continue\r\n${LENGTH}`;

  it("gets 100 Continue, in the order of its requests", async () => {
    const text = await talk(get("/echo/first") + post(EXPECT), PING);
    expect(statuses(text)).toEqual(["200", "100", "200"]);
    expect(text).toMatch(/"first"[\s\S]*100 Continue[\s\S]*PONG/);
  });

  it("gets its answer instead, as the last one, if its token is wrong or its body too large", async () => {
    const wrong = `POST / HTTP/1.1\r\n${HOST}Authorization: Bearer no\r\n${EXPECT}\r\n`;
    expect(statuses(await talk(wrong, SMUGGLED))).toEqual(["401"]);
    const large = post("Expect: 100-continue\r\nContent-Length: 99999999\r\n");
    expect(statuses(await talk(large, SMUGGLED))).toEqual(["413"]);
  });

  it("for anything else gets 417", async () => {
    expect(statuses(await talk(post(`Expect: 200-ok\r\n${LENGTH}`), PING))).toEqual(["417"]);
  });
});
