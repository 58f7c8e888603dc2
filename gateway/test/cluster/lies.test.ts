import { afterEach, expect, it } from "vitest";
import { type GatewayServer, serveGateway } from "../../src/index.ts";
import { call, TOKEN } from "../support/harness.ts";
import { type RawServer, startRawServer } from "../support/raw-server.ts";

let gateway: GatewayServer | undefined;
let server: RawServer | undefined;
afterEach(async () => {
  await gateway?.close();
  await server?.close();
});

const bulk = (text: string): string => `$${Buffer.byteLength(text)}\r\n${text}\r\n`;
const slots = (first: number | string, last: number | string, host: string, port: number | string): string =>
  `*1\r\n*3\r\n:${first}\r\n:${last}\r\n*2\r\n${bulk(host)}:${port}\r\n`;

const HOST = "127.0.0.1";
const PLACES: readonly (readonly [what: string, host: string, port: number | string])[] = [
  ["a port beyond all ports", HOST, 99_999],
  ["a negative port", HOST, -1],
  ["no port", HOST, 0],
  ["a port of twenty digits", HOST, "18446744073709551617"],
  ["a host with a NUL", "127.0.0.1\0.example", 6379],
  ["a host with a line break", "a\r\nb", 6379],
  ["a host that is too long", "h".repeat(100_000), 6379],
];
const RANGES: readonly (readonly [what: string, first: number | string, last: number | string])[] = [
  ["a thousand million slots", 0, 1_000_000_000],
  ["2^62 slots", 0, "4611686018427387904"],
  ["slots from below zero", -1_000_000_000_000, 16_383],
];

/** Serves a cluster whose only node says this about itself, and checks that the gateway lives and answers. */
async function survive(reply: (words: readonly string[], port: number) => string): Promise<void> {
  server = await startRawServer();
  const { port } = new URL(server.url);
  server.answer("cluster", (words) => reply(words, Number(port)));
  gateway = await serveGateway({ redis: `redis+cluster://${HOST}:${port}`, token: TOKEN, port: 0, timeoutMs: 500 });
  const since = performance.now();
  for (let n = 0; n < 5; n++) expect([200, 503, 504]).toContain((await call(gateway.url, ["GET", "a"])).status);
  expect((await fetch(`${gateway.url}/health`)).status).toBe(200);
  expect(performance.now() - since).toBeLessThan(10_000);
}

it.each(PLACES)("a cluster that names %s ends nothing (W5)", async (_, host, port) => {
  await survive(([, question], own) =>
    question === "SLOTS"
      ? slots(0, 16_383, host, port)
      : bulk(
          `${"0".repeat(40)} ${host}:${port}@1 master - 0 0 1 connected\n${"1".repeat(40)} ${HOST}:${own}@1 master - 0 0 1 connected\n`,
        ),
  );
});

it.each(RANGES)("a cluster that names %s stalls nothing (W5)", async (_, first, last) => {
  await survive(([, question], own) =>
    question === "SLOTS"
      ? slots(first, last, HOST, own)
      : bulk(`${"1".repeat(40)} ${HOST}:${own}@1 master - 0 0 1 connected\n`),
  );
});

it("a cluster of ten thousand nodes opens no connection to them (W5)", async () => {
  const names = Array.from({ length: 10_000 }, (_, at) => `127.1.${at >> 8}.${at & 255}`);
  await survive(([, question], own) =>
    question === "SLOTS"
      ? slots(0, 16_383, HOST, own)
      : bulk(names.map((name) => `${name} ${name}:6379@1 master - 0 0 1 connected\n`).join("")),
  );
});

it.each(PLACES)("a Sentinel that names %s ends nothing (W5)", async (_, host, port) => {
  server = await startRawServer();
  server.answer("sentinel", ([, question]) => {
    if (question === "GET-MASTER-ADDR-BY-NAME") return `*2\r\n${bulk(host)}${bulk(String(port))}`;
    const fields = ["ip", host, "port", String(port), "config-epoch", "1"].map(bulk).join("");
    return question === "MASTER" ? `*6\r\n${fields}` : `*1\r\n*6\r\n${fields}`;
  });
  const redis = `redis+sentinel://${HOST}:${new URL(server.url).port}/main`;
  gateway = await serveGateway({ redis, token: TOKEN, port: 0, timeoutMs: 500 });
  for (let n = 0; n < 3; n++) expect((await call(gateway.url, ["GET", "a"])).status).toBe(503);
  expect((await fetch(`${gateway.url}/health`)).status).toBe(200);
});
