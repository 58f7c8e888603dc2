/** The questions that every row of the table is asked, over the wire. */
import { createHash } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { freshName } from "../support/names.ts";
import { type Echo, sign } from "./application.ts";
import { type Answer, type Sent, send } from "./send.ts";
import { type Outcome, PROXY, type Running, type SentBody, type Shape } from "./shape.ts";

const text = (from: string): Uint8Array<ArrayBuffer> => new Uint8Array(Buffer.from(from));
const MEGABYTE = 1_000_000;
const bytes = (length: number, seed = 1): Uint8Array<ArrayBuffer> =>
  Uint8Array.from({ length }, (_, at) => (at * 31 + (at >> 8) * seed) % 256);

/** A form with a file of bytes, as a browser sends it. */
function multipart(file: Uint8Array): Uint8Array<ArrayBuffer> {
  const head = '--b1\r\nContent-Disposition: form-data; name="amount"\r\n\r\n10\r\n';
  const part =
    '--b1\r\nContent-Disposition: form-data; name="file"; filename="f.bin"\r\nContent-Type: application/pdf\r\n\r\n';
  return new Uint8Array(Buffer.concat([Buffer.from(head + part), file, Buffer.from("\r\n--b1--\r\n")]));
}

/** No JSON writes it like this, so that only the bytes themselves have the right signature. */
const ODD_JSON = text('{ "a":1,  "b": "\\u00fc \u0142" }');
const MULTIPART = "multipart/form-data; boundary=b1";

const BODIES: readonly SentBody[] = [
  { name: "no body", type: "", bytes: text("") },
  { name: "JSON", type: "application/json", bytes: ODD_JSON },
  { name: "an empty body that calls itself JSON", type: "application/json", bytes: text("") },
  { name: "text with a byte order mark", type: "text/plain", bytes: text("\ufeffGr\u00fc\u00dfe") },
  { name: "a form", type: "application/x-www-form-urlencoded", bytes: text("a=%31&b=2&b=3") },
  { name: "every byte", type: "application/octet-stream", bytes: bytes(256) },
  { name: "a megabyte", type: "application/octet-stream", bytes: bytes(MEGABYTE) },
  { name: "a form with a file", type: MULTIPART, bytes: multipart(bytes(900)) },
  { name: "a form with a large file", type: MULTIPART, bytes: multipart(bytes(900_000)) },
  { name: "JSON in gzip", type: "application/json", bytes: new Uint8Array(gzipSync(ODD_JSON)), decoded: ODD_JSON },
];

/** A city as Cloudflare names it in a header. */
const CITY = "\u0141\u00f3d\u017a";

const headersOf = ({ type, decoded }: SentBody): NonNullable<Sent["headers"]> => [
  ...(type ? [["Content-Type", type] as const] : []),
  ...(decoded ? [["Content-Encoding", "gzip"] as const] : []),
];

const sha256 = (body: Uint8Array): string => createHash("sha256").update(body).digest("hex");

/** Whether a refusal is the one that was expected. It comes before the handler, which would have answered in JSON. */
function expectRefusal({ status, text: said }: Answer, outcome: number | RegExp): void {
  if (typeof outcome === "number") expect(status, said).toBe(outcome);
  else expect([status, said]).toEqual([500, expect.stringMatching(outcome)]);
}

/** A server whose answers are compressed. */
async function startCompressed(): Promise<Running> {
  const server = createServer((_req, res) => {
    const body = gzipSync(ODD_JSON);
    res.writeHead(201, {
      "Content-Type": "application/json",
      "Content-Encoding": "gzip",
      "Content-Length": body.length,
    });
    res.end(body);
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}

/** The body that each question below uses: the first kind that the shape passes on. */
function bodiesFor(
  outcomeOf: NonNullable<Shape["outcomeOf"]>,
): { readonly one: SentBody; readonly other: SentBody } | undefined {
  const kinds: readonly (readonly [type: string, one: Uint8Array<ArrayBuffer>, other: Uint8Array<ArrayBuffer>])[] = [
    [MULTIPART, multipart(bytes(300_000)), multipart(bytes(300_000, 2))],
    ["application/json", text('{ "amount": 10 }'), text('{ "amount": 99 }')],
  ];
  for (const [type, one, other] of kinds) {
    const body: SentBody = { name: "one", type, bytes: one };
    if (outcomeOf(body, false) === "whole") return { one: body, other: { ...body, bytes: other } };
  }
  return undefined;
}

/** Asks the shape that `started` gives all questions. */
export function ask(shape: Omit<Shape, "start">, started: () => Promise<Running>): void {
  const {
    outcomeOf = (): Outcome => "whole",
    origin,
    base = "",
    stage = "",
    repeated,
    secondCookie,
    leavesOut = [],
  } = shape;
  let running: Running;
  beforeAll(async () => {
    running = await started();
  });
  afterAll(() => running?.close());
  const sent = (request: Sent): Promise<Answer> => send(running.url, { ...request, path: base + request.path });

  it.each(BODIES)("the whole body arrives, or is refused: $name (B12, B13, B16, B18)", async (body) => {
    for (const chunked of [false, true]) {
      if (chunked && leavesOut.includes("chunked")) continue;
      const answer = await sent({ path: "/echo", headers: headersOf(body), bytes: body.bytes, chunked });
      const outcome = outcomeOf(body, chunked);
      if (typeof outcome !== "string") {
        expectRefusal(answer, outcome);
        continue;
      }
      expect(answer.status, answer.text).toBe(200);
      const { length, sha256: digest } = JSON.parse(answer.text) as Echo;
      const whole = outcome === "decoded" ? (body.decoded ?? body.bytes) : body.bytes;
      expect([length, digest]).toEqual([whole.length, sha256(whole)]);
    }
  });

  it("every header arrives, whatever its bytes and however often (B14, B15)", async () => {
    const city = Buffer.from(CITY, "utf8").toString("latin1");
    const headers = [
      ["X-City", city],
      ["X-Twice", "1"],
      ["X-Twice", "2"],
      ["Cookie", "a=1; b=2"],
      ["X-Hub-Signature-256", "sha256=0"],
    ] as const;
    const answer = await sent({ path: "/echo", headers });
    expect(answer.status, answer.text).toBe(200);
    const { headers: seen } = JSON.parse(answer.text) as Echo;
    const find = (name: string): string | undefined => seen.find(([each]) => each === name)?.[1];
    expect(find("x-twice")?.replace(/\s/g, "")).toBe(repeated === "last" ? "2" : "1,2");
    expect([find("cookie"), find("x-hub-signature-256")]).toEqual(["a=1; b=2", "sha256=0"]);
    expect(find("x-city")).toBe({ bytes: city, text: CITY, percent: encodeURIComponent(CITY) }[shape.city ?? "bytes"]);
    if (!leavesOut.includes("city of the answer")) expect(answer.header("x-city-out")).toBe(city);
  });

  it("every cookie of an answer is sent", async () => {
    const cookies = ({ lines }: Answer): string[] =>
      lines.filter(([name]) => name === "set-cookie").map(([, value]) => value);
    expect(cookies(await sent({ path: "/cookie" }))).toEqual(["one=1"]);
    const answer = await sent({ path: "/cookies" });
    if (secondCookie) expectRefusal(answer, secondCookie);
    else expect(cookies(answer)).toEqual(["one=1; Path=/", "two=2; Expires=Wed, 09 Jun 2032 10:18:14 GMT"]);
  });

  const forwarded = [
    ["X-Forwarded-Proto", PROXY.proto],
    ["X-Forwarded-Host", PROXY.host],
  ] as const;
  const publicOrigin = (): string => {
    if (origin === "own") return running.url;
    if (origin === "https localhost") return running.url.replace("http://127.0.0.1", "https://localhost");
    if (origin === "https own") return running.url.replace("http:", "https:");
    return origin ?? `${PROXY.proto}://${PROXY.host}`;
  };

  it("the URL is the one that the host itself would name (B19)", async () => {
    const answer = await sent({ path: "/deep/echo?a=%2F&b=2", headers: forwarded });
    expect((JSON.parse(answer.text) as Echo).url).toBe(`${publicOrigin()}${stage}${base}/deep/echo?a=%2F&b=2`);
  });

  const bodies = bodiesFor(outcomeOf);
  it("a signature over the URL is right, as Twilio makes it (B19)", async () => {
    const { one } = bodies ?? { one: { name: "none", type: "", bytes: text("") } };
    const signed = await sign(`${publicOrigin()}${stage}${base}/called`, Buffer.from(one.bytes).toString());
    const headers = [
      ...headersOf(one),
      ...forwarded,
      ["X-Twilio-Signature", signed] as const,
      ["I-Twilio-Idempotency-Token", freshName()] as const,
    ];
    expect((await sent({ path: "/called", headers, bytes: one.bytes })).status).toBe(201);
  });

  it("a signed delivery is accepted, and a forged one is not (B13, B14)", async () => {
    const { one } = bodies ?? { one: { name: "none", type: "", bytes: text("") } };
    const signature = await sign(Buffer.from(one.bytes).toString());
    for (const [given, status] of [
      [signature, 201],
      ["0", 401],
    ] as const) {
      const id = ["X-GitHub-Delivery", freshName()] as const;
      const headers = [...headersOf(one), id, ["X-Hub-Signature-256", `sha256=${given}`] as const];
      expect((await sent({ path: "/signed", headers, bytes: one.bytes })).status).toBe(status);
    }
  });

  if (bodies)
    it("a key that comes again with another body is not answered with the first (B12, B13)", async () => {
      const key = ["Idempotency-Key", freshName()] as const;
      const seen: unknown[] = [];
      for (const body of [bodies.one, bodies.one, bodies.other]) {
        const answer = await sent({ path: "/paid", headers: [...headersOf(body), key], bytes: body.bytes });
        seen.push([answer.status, answer.header("leasehold-status"), answer.status === 201 && answer.text]);
      }
      const said = `${bodies.one.bytes.length}`;
      expect(seen).toEqual([
        [201, "processed", said],
        [201, "duplicate", said],
        [422, "mismatch", false],
      ]);
    });

  it("an answer of fetch that was compressed can be passed on (B35)", async () => {
    const compressed = await startCompressed();
    try {
      const key = ["Idempotency-Key", freshName()] as const;
      const from = ["X-From", compressed.url] as const;
      for (const path of [...(leavesOut.includes("passed") ? [] : ["/passed"]), "/once", "/once"]) {
        const answer = await sent({ path, headers: [from, key] });
        expect([answer.status, answer.header("content-encoding")], path).toEqual([201, undefined]);
        expect(answer.bytes.equals(ODD_JSON), path).toBe(true);
        expect(answer.header("content-length") ?? `${ODD_JSON.length}`).toBe(`${ODD_JSON.length}`);
      }
    } finally {
      await compressed.close();
    }
  });
}

/** Asks every shape of a table. */
export function askAll(shapes: readonly (Omit<Shape, "start"> & { readonly start: () => Promise<Running> })[]): void {
  for (const shape of shapes) describe(shape.name, () => ask(shape, shape.start));
}
