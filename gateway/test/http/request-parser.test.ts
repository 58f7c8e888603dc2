import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { END, type Part, type RequestHead } from "../../src/http/client-request.ts";
import { LLHTTP, LLHTTP_SHA256 } from "../../src/http/llhttp.gen.ts";
import { createRequestParser, type RequestParser } from "../../src/http/request-parser.ts";

const MAX_HEADER_BYTES = 16_384;

const isHead = (part: Part): part is RequestHead => part !== END && !Buffer.isBuffer(part);

/** Requests as texts: heads with their headers, and the bytes of their bodies put together. */
function told(parts: readonly Part[]): string[] {
  const requests: string[] = [];
  for (const part of parts) {
    if (isHead(part)) {
      const { method, target, isOld, isKeptAlive } = part;
      const headers = ["host", "authorization", "content-length", "x-request-id"].map((name) => part.header(name));
      requests.push(JSON.stringify([method, target, isOld, isKeptAlive, ...headers, part.count("host")]));
    } else requests.push(`${requests.pop()}${part === END ? " end" : `|${part.toString("latin1")}`}`);
  }
  return requests.map((request) => request.replaceAll("|", ""));
}

/** Reads chunks by one parser. Parts are views of a memory that may change, so they are told after each chunk. */
function read(parser: RequestParser, chunks: readonly Buffer[]): { requests: string[]; repeated: number } {
  const all: Part[] = [];
  for (const chunk of chunks) {
    const parts: Part[] = [];
    expect(parser.read(chunk, parts)).toBeUndefined();
    all.push(...parts);
  }
  return { requests: told(all), repeated: all.filter((part) => isHead(part) && part.isRepeated).length };
}

function withParser<T>(use: (parser: RequestParser) => T): T {
  const parser = createRequestParser(MAX_HEADER_BYTES);
  try {
    return use(parser);
  } finally {
    parser.free();
  }
}

const HOST = "Host: h\r\nAuthorization: Bearer t\r\n";
const post = (body: string, more = ""): string =>
  `POST / HTTP/1.1\r\n${HOST}${more}Content-Length: ${body.length}\r\n\r\n${body}`;
const get = (target: string): string => `GET ${target} HTTP/1.1\r\n${HOST}\r\n`;
const chunked = (body: string): string =>
  `POST / HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked\r\n\r\n${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;

describe("a head that comes again on its connection", () => {
  it("is the same object, with the body of its own request", () => {
    withParser((parser) => {
      const [first, second]: [Part[], Part[]] = [[], []];
      parser.read(Buffer.from(post('["GET","a"]')), first);
      parser.read(Buffer.from(post('["GET","b"]')), second);
      expect(second[0]).toBe(first[0]);
      expect(told(second)).toEqual([expect.stringContaining('["GET","b"] end')]);
      expect(first[0]).toMatchObject({ isRepeated: true });
    });
  });

  it.each([
    ["another token", post("[1]").replace("Bearer t", "Bearer u")],
    ["another length of the body", post("[12]")],
    ["another method of the same length", post("[1]").replace("POST", "COPY")],
    ["another request id", post("[1]", "X-Request-Id: a\r\n")],
  ])("is not taken for one with %s", (_, other) => {
    withParser((parser) => {
      const { requests, repeated } = read(parser, [Buffer.from(post("[1]")), Buffer.from(other)]);
      expect(repeated).toBe(0);
      expect(requests[1]).toEqual(withParser((fresh) => read(fresh, [Buffer.from(other)])).requests[0]);
    });
  });

  it.each([
    ["chunked", chunked("[1]")],
    ["with Expect", post("[1]", "Expect: 100-continue\r\n")],
    ["CONNECT", get("h:1").replace("GET", "CONNECT")],
    ["for another protocol", get("/").replace("\r\n\r\n", "\r\nConnection: upgrade\r\nUpgrade: other\r\n\r\n")],
    ["with a longer head than is remembered", get("/").replace("\r\n\r\n", `\r\nCookie: ${"c".repeat(2_048)}\r\n\r\n`)],
    ["behind a line break", `\r\n${post("[1]")}`],
    ["before a line break", `${post("[1]")}\r\n`],
  ])("is read anew, or read alike: %s", (_, text) => {
    const chunk = Buffer.from(text);
    const [one] = withParser((parser) => read(parser, [chunk])).requests;
    const again = withParser((parser) => read(parser, [chunk, chunk, chunk]));
    expect(again.requests).toEqual([one, one, one]);
    expect(again.repeated).toBe(text.startsWith("\r\n") ? 3 : 0);
  });

  it("is remembered for the four last ones", () => {
    const chunks = ["/a", "/b", "/c", "/d", "/e"].map((target) => Buffer.from(get(target)));
    const [a, b, c, d, e] = chunks as [Buffer, Buffer, Buffer, Buffer, Buffer];
    expect(withParser((parser) => read(parser, [a, b, c, d, a])).repeated).toBe(2);
    expect(withParser((parser) => read(parser, [a, b, c, d, e, a])).repeated).toBe(0);
  });

  it("is not accepted behind the last request of a connection", () => {
    const last = Buffer.from(get("/").replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n"));
    withParser((parser) => {
      expect(read(parser, [last]).requests).toHaveLength(1);
      expect(parser.read(last, [])).toBe(400);
    });
  });

  it("is not seen in the body of another request", () => {
    const one = post("[1]");
    const around = `POST / HTTP/1.1\r\n${HOST}Content-Length: ${one.length}\r\n\r\n`;
    withParser((parser) => {
      const { requests } = read(
        parser,
        [one, around, one].map((text) => Buffer.from(text)),
      );
      expect(requests).toHaveLength(2);
      expect(requests[1]).toContain("[1] end");
    });
  });

  it("is remembered with its beginning", () => {
    const [start, rest] = [Buffer.from(post("[1]").slice(0, 20)), Buffer.from(post("[1]").slice(20))];
    withParser((parser) => {
      expect(read(parser, [start, rest]).requests).toHaveLength(1);
      expect(parser.read(rest, [])).toBe(400);
    });
  });

  it.each([
    ["a whole request", get("/b")],
    ["the beginning of a request", get("/b").slice(0, -2)],
    ["a request without all of its body", post("[1]").slice(0, -1)],
  ])("is not remembered together with %s behind it", (_, behind) => {
    const chunk = Buffer.from(get("/a") + behind);
    const rest = Buffer.from(behind.endsWith("[1") ? "]" : behind.endsWith("\r\n\r\n") ? get("/c") : "\r\n");
    withParser((parser) => {
      const { requests, repeated } = read(parser, [chunk, rest, chunk, rest]);
      expect(requests.slice(requests.length / 2)).toEqual(requests.slice(0, requests.length / 2));
      expect(requests).toHaveLength(behind.endsWith("\r\n\r\n") ? 6 : 4);
      expect(repeated).toBe(behind.endsWith("\r\n\r\n") ? 2 : 0);
    });
  });

  it("keeps little memory, without the bodies and without others' bytes", async () => {
    const file = fileURLToPath(new URL("../support/parser-memory.ts", import.meta.url));
    const { stdout } = await promisify(execFile)(process.execPath, ["--expose-gc", file]);
    expect(Number(stdout)).toBeLessThan(12_000);
  });

  it("is not remembered with very many fields", () => {
    const many = Buffer.from(post("[1]", "a:\r\n".repeat(70)));
    expect(withParser((parser) => read(parser, [many, many])).repeated).toBe(0);
  });

  it("changes nothing, however the requests are cut", () => {
    const body = fc.constantFrom("", "[]", '["GET","a"]', '["GET","b"]', '["SET","a","1"]', post("[]"));
    const request = fc.oneof(
      body.map((text) => post(text)),
      body.map((text) => post(text, "X-Request-Id: mine\r\n")),
      fc.constantFrom("/", "/get/a", "/get/b").map(get),
      body.filter((text) => text !== "").map(chunked),
    );
    const cuts = fc.oneof({ weight: 3, arbitrary: fc.constant([]) }, fc.array(fc.nat(), { maxLength: 6 }));
    const isJoined = fc.oneof({ weight: 3, arbitrary: fc.constant(false) }, fc.constant(true));
    const isBroken = fc.oneof({ weight: 5, arbitrary: fc.constant(false) }, fc.constant(true));
    let repeated = 0;
    fc.assert(
      fc.property(fc.array(fc.tuple(request, cuts, isJoined, isBroken), { minLength: 8, maxLength: 16 }), (given) => {
        // Most chunks are whole requests. Others are cut anywhere, or go on with a line break or the next request.
        const ends = new Set<number>();
        let length = 0;
        for (const [text, at, joins, breaks] of given) {
          for (const place of at) ends.add(length + (place % text.length));
          length += text.length + (breaks ? 2 : 0);
          if (!joins) ends.add(length);
        }
        const bytes = Buffer.from(given.map(([text, , , breaks]) => (breaks ? `${text}\r\n` : text)).join(""));
        const places = [0, ...[...ends].sort((a, b) => a - b), bytes.length];
        const chunks = places.slice(1).map((end, n) => bytes.subarray(places[n], end));
        const cut = withParser((parser) => read(parser, chunks));
        // Bytes that come one by one are read without memory.
        const single = withParser((parser) =>
          read(
            parser,
            [...bytes].map((byte) => Buffer.from([byte])),
          ),
        );
        expect(cut.requests).toEqual(single.requests);
        expect(single.repeated).toBe(0);
        repeated += cut.repeated;
      }),
      { numRuns: 200 },
    );
    expect(repeated).toBeGreaterThan(100);
  });
});

it("a body that begins in the same piece as another one ends is no burden of chunks", () => {
  withParser((parser) => {
    const body = "x".repeat(100_000);
    const bytes = Buffer.from(post(body) + post(body));
    const half = bytes.length / 2;
    // The second piece has most of the first body, and a few bytes of the second one.
    const pieces = [
      bytes.subarray(0, half - 50_000),
      bytes.subarray(half - 50_000, half + 150),
      bytes.subarray(half + 150),
    ];
    expect(read(parser, pieces).requests).toHaveLength(2);
  });
});

it("the vendored llhttp is, byte for byte, the one that its file names", () => {
  expect(createHash("sha256").update(Buffer.from(LLHTTP, "base64")).digest("hex")).toBe(LLHTTP_SHA256);
});
