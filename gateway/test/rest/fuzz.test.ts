import { connect } from "node:net";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { base64, call, stage, TOKEN } from "../support/harness.ts";

/** How many cases each property is tried with: `LEASEHOLD_FUZZ=5000` for a long run. */
const { LEASEHOLD_FUZZ: RUNS_WANTED = "150" } = process.env;
const numRuns = Number(RUNS_WANTED);
const TIME_MS = 30_000 + numRuns * 50;

const it_ = stage({ timeoutMs: 2_000, maxBodyBytes: 200_000 });

/** Whatever is sent, the answer is one of these, and JSON: a 500 would be a mistake of the gateway. */
const STATUSES = new Set([200, 400, 401, 404, 405, 413, 414, 431]);

/** Half a character has no UTF-8. */
const wellFormed = (value: string): string => value.replace(/\p{Surrogate}/gu, "\ufffd");

let asked = 0;

/** Somebody else, meanwhile: with a right answer each, as one and in a pipeline. */
async function bystander(): Promise<void> {
  const id = `bystander-${++asked}`;
  expect((await it_.run("ECHO", id)).body).toEqual({ result: id });
  expect(
    (
      await it_.post("/pipeline", [
        ["ECHO", id],
        ["ECHO", `${id}!`],
      ])
    ).body,
  ).toEqual([{ result: id }, { result: `${id}!` }]);
}

const names = fc.constantFrom(
  "ECHO",
  "GET",
  "SET",
  "HSET",
  "HGETALL",
  "MSET",
  "constructor",
  "__proto__",
  "toString",
  "",
  "EVAL",
  "INFO",
);
const hostile = fc.constantFrom(
  "\r\n",
  "*1\r\n$4\r\nPING\r\n",
  "$-1\r\n",
  "+OK\r\n",
  "\0",
  "\u2028",
  "\ud800",
  "%",
  "%0d%0a",
  "?",
  "..",
  "//",
);
const text = fc.oneof(fc.string({ unit: "binary", maxLength: 40 }), fc.string({ maxLength: 40 }), hostile);
const command = fc
  .tuple(names, fc.array(fc.oneof(text, fc.integer(), fc.double(), fc.boolean(), fc.constant(null)), { maxLength: 6 }))
  .map(([name, args]) => [name, ...args]);
const json = fc.oneof(
  command,
  fc.array(command, { maxLength: 5 }),
  fc.array(fc.jsonValue({ maxDepth: 3 }), { maxLength: 5 }),
  fc.jsonValue(),
);
const body = fc.oneof(
  { weight: 6, arbitrary: json.map((value) => JSON.stringify(value)) },
  { weight: 1, arbitrary: json.map((value) => JSON.stringify(value).slice(0, -1)) },
  { weight: 1, arbitrary: fc.string() },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)) },
);
const place = fc.oneof(
  fc.constantFrom("/", "/pipeline", "/multi-exec", "/pipeline/", "//", "/PIPELINE"),
  fc
    .array(text, { maxLength: 5 })
    .map((parts) => `/echo/${parts.map((part) => encodeURIComponent(wellFormed(part))).join("/")}`),
);
const query = fc.oneof(
  fc.array(fc.tuple(text, text), { maxLength: 3 }).map((pairs) => {
    const escaped = pairs.map((pair) => pair.map((part) => encodeURIComponent(wellFormed(part))).join("="));
    return escaped.length === 0 ? "" : `?${escaped.join("&")}`;
  }),
  fc.constantFrom("?", "?&&=", "?_token=x", "?%", "?a=%zz&b", "?EX=100&NX"),
);
const path = fc.tuple(place, query).map((parts) => parts.join(""));
const headerValue = fc.string({ maxLength: 30 }).map((value) => value.replace(/[^\x20-\x7e]/g, "").trim());
const headers = fc.record(
  {
    "upstash-encoding": fc.oneof(fc.constantFrom("base64", "BASE64"), headerValue),
    "upstash-response-format": fc.oneof(fc.constantFrom("resp2", "json"), headerValue),
    "upstash-sync-token": headerValue,
    "content-type": headerValue,
    "x-request-id": headerValue,
  },
  { requiredKeys: [] },
);

describe("whatever is sent, it answers, and no other caller's answer is touched", () => {
  it(
    "bodies, headers and paths",
    async () => {
      await fc.assert(
        fc.asyncProperty(path, body, headers, async (to, what, with_) => {
          const asking = fetch(it_.gateway.url + to, {
            method: "POST",
            body: what as BodyInit,
            headers: { ...with_, authorization: `Bearer ${TOKEN}` },
          });
          const [response] = await Promise.all([asking, bystander()]);
          expect(STATUSES).toContain(response.status);
          const answer = await response.text();
          if (response.headers.get("content-type") === "application/json") JSON.parse(answer);
          else expect(response.headers.get("content-type")).toBe("application/octet-stream");
        }),
        { numRuns },
      );
    },
    TIME_MS,
  );

  it(
    "without the token nothing but 401",
    async () => {
      const token = headerValue.filter((value) => !value.includes(TOKEN));
      await fc.assert(
        fc.asyncProperty(path, body, token, fc.boolean(), async (to, what, wrong, inHeader) => {
          const url = it_.gateway.url + to.replace(/\?.*$/s, "");
          const response = await fetch(inHeader ? url : `${url}?_token=${encodeURIComponent(wrong)}`, {
            method: "POST",
            body: what as BodyInit,
            ...(inHeader ? { headers: { authorization: `Bearer ${wrong}` } } : {}),
          });
          expect(response.status).toBe(401);
          await response.text();
        }),
        { numRuns },
      );
    },
    TIME_MS,
  );

  it(
    "bytes that are hardly HTTP",
    async () => {
      const line = fc.oneof(
        fc.string({ maxLength: 60 }),
        fc.constantFrom(
          "POST / HTTP/1.1",
          "GET /ping HTTP/1.1",
          "Host: h",
          "Content-Length: 5",
          "Transfer-Encoding: chunked",
          "Expect: 100-continue",
          "Upgrade: websocket",
          `Authorization: Bearer ${TOKEN}`,
          "0",
          "",
          '["PING"]',
        ),
      );
      await fc.assert(
        fc.asyncProperty(fc.array(line, { maxLength: 12 }), fc.boolean(), async (lines, isWhole) => {
          const request = Buffer.from(lines.join("\r\n") + (isWhole ? "\r\n\r\n" : ""), "latin1");
          const [received] = await Promise.all([sendRaw(request), bystander()]);
          expect(received).not.toMatch(/bystander|HTTP\/1\.1 500/);
        }),
        { numRuns },
      );
      await bystander();
    },
    TIME_MS,
  );

  /** Everything that comes back within a moment. */
  function sendRaw(bytes: Buffer): Promise<string> {
    return new Promise((resolve) => {
      const socket = connect(it_.gateway.port, "127.0.0.1");
      let received = "";
      socket.on("error", () => {});
      socket.once("close", () => resolve(received));
      socket.on("data", (chunk) => {
        received += chunk.toString("latin1");
      });
      socket.write(bytes);
      setTimeout(() => socket.destroy(), 15);
    });
  }
});

describe("what is sent arrives as it was, and comes back so", () => {
  it(
    "texts in a body, one command or many",
    async () => {
      const texts = fc.array(
        text.map((value) => wellFormed(value)),
        { minLength: 1, maxLength: 8 },
      );
      await fc.assert(
        fc.asyncProperty(texts, async (values) => {
          const many = it_.post(
            "/pipeline",
            values.map((value) => ["ECHO", value]),
          );
          const atOnce = it_.post(
            "/multi-exec",
            values.map((value) => ["ECHO", value]),
            { "upstash-encoding": "base64" },
          );
          const ones = values.map((value) => it_.run("ECHO", value));
          expect((await many).body).toEqual(values.map((result) => ({ result })));
          expect((await atOnce).body).toEqual(
            values.map((value) => ({ result: value === "OK" ? "OK" : base64(value) })),
          );
          expect((await Promise.all(ones)).map((answer) => answer.body)).toEqual(values.map((result) => ({ result })));
        }),
        { numRuns },
      );
    },
    TIME_MS,
  );

  it(
    "bytes in a path and in a body",
    async () => {
      // Not "." or "..", which fetch takes away itself.
      const bytes = fc
        .uint8Array({ minLength: 1, maxLength: 300 })
        .map((value) => Buffer.from(value))
        .filter((value) => !/^\.{1,2}$/.test(value.toString()));
      const escaped = (value: Buffer): string =>
        [...value].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join("");
      await fc.assert(
        fc.asyncProperty(bytes, bytes, async (key, value) => {
          const url = `${it_.gateway.url}/hset/h/${escaped(key)}`;
          expect((await call(url, value)).status).toBe(200);
          const get = (path: string) =>
            call(`${it_.gateway.url}${path}/${escaped(key)}`, undefined, { headers: { "upstash-encoding": "base64" } });
          const wanted = (bytes: Buffer) => ({ result: bytes.toString() === "OK" ? "OK" : base64(bytes) });
          expect((await get("/hget/h")).body).toEqual(wanted(value));
          expect((await get("/echo")).body).toEqual(wanted(key));
        }),
        { numRuns },
      );
    },
    TIME_MS,
  );
});
