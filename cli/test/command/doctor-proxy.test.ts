/** `leasehold doctor` behind a proxy and with wrong clocks, against a real server. */
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type GatewayServer, serveGateway } from "../../../gateway/src/index.ts";
import { type RedisServer, startRedis } from "../../../tools/redis.ts";
import { command } from "../../../tools/run-command.ts";
import { faultOf } from "../../src/operations/doctor/vulnerabilities.ts";

const TOKEN = "doctor-token-0123456789";
const closing: (() => unknown)[] = [];
let redis: RedisServer;
let gateway: GatewayServer;
beforeAll(async () => {
  redis = await startRedis();
  gateway = await serveGateway({ redis: redis.url, token: TOKEN, port: 0 });
});
afterAll(async () => {
  for (const close of closing) close();
  await gateway?.close();
  await redis?.stop();
});

interface Behaviour {
  /** How often a request is sent on. */
  readonly times?: (request: IncomingMessage) => number;
  /** How long the gateway may take before the proxy answers 504. */
  readonly patienceMs?: number;
  readonly rewrite?: (asked: string, answer: string) => string;
}

/** A proxy in front of the gateway. @returns its address */
async function proxy({ times = () => 1, patienceMs = 60_000, rewrite = (_, answer) => answer }: Behaviour) {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    const { host: _host, connection: _connection, "content-length": _length, ...headers } = request.headers;
    const init = {
      method: request.method ?? "GET",
      headers: headers as Record<string, string>,
      ...(body.length > 0 && { body }),
    };
    try {
      let answer: Response | undefined;
      for (let n = times(request); n > 0; n--)
        answer = await fetch(new URL(request.url ?? "/", gateway.url), {
          ...init,
          signal: AbortSignal.timeout(patienceMs),
        });
      const passed = [...(answer?.headers ?? [])].filter(
        ([name]) => !/^(content-length|connection|keep-alive)$/.test(name),
      );
      const text = rewrite(body.toString(), (await answer?.text()) ?? "");
      response.writeHead(answer?.status ?? 502, Object.fromEntries(passed)).end(text);
    } catch {
      response.writeHead(504).end("upstream timed out");
    }
  });
  closing.push(() => {
    server.close();
    server.closeAllConnections();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

interface Line {
  readonly check: string;
  readonly verdict: string;
  readonly says: string;
  readonly advice?: string;
}

async function examine(url: string): Promise<Record<string, Line>> {
  const { out, err } = await command(["doctor", "--json", "--timeout", "2s", "--url", url, "--token", TOKEN]);
  expect(err).toBe("");
  expect(out).not.toContain(TOKEN);
  const lines = out
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Line);
  return Object.fromEntries(lines.map((line) => [line.check, line]));
}

describe.concurrent("leasehold doctor behind a proxy", { timeout: 120_000 }, () => {
  it("has nothing to say of one that passes everything on", async () => {
    const found = await examine(await proxy({}));
    expect(found["repeats"]).toMatchObject({ verdict: "ok", says: "20 requests ran 20 times" });
    expect(found["held requests"]).toMatchObject({ verdict: "ok", says: expect.stringContaining("is held for") });
    expect(found["clean-up"]).toMatchObject({ verdict: "ok" });
  });

  it("warns of one that repeats requests, even if it repeats only GET", async () => {
    const found = await examine(await proxy({ times: ({ method }) => (method === "GET" ? 2 : 1) }));
    expect(found["repeats"]).toMatchObject({
      verdict: "warn",
      says: expect.stringContaining("20 requests ran 30 times"),
      advice: expect.stringContaining("retries"),
    });
    expect(found["exclusion"]).toMatchObject({ verdict: "ok" });
  });

  it("warns of one that does not wait as long as a request is held", async () => {
    const found = await examine(await proxy({ patienceMs: 700 }));
    expect(found["held requests"]).toMatchObject({
      verdict: "warn",
      says: expect.stringMatching(/may be held for 1\.\d s ended after 0\.\d s: .*504/),
      advice: expect.stringContaining("requestTimeout"),
    });
    expect(found["verdict"]?.says).toMatch(/^fit for locks/);
  });

  it("warns of a clock that is off", async () => {
    const ahead = (asked: string, answer: string): string =>
      asked.includes('"TIME"') ? answer.replace(/\d{10}/, (seconds) => String(Number(seconds) + 90)) : answer;
    const found = await examine(await proxy({ rewrite: ahead }));
    expect(found["clock"]).toMatchObject({
      verdict: "warn",
      says: expect.stringMatching(/ahead of this machine's/),
      advice: expect.stringContaining("NTP"),
    });
  });
});

describe("a server with a known fault", () => {
  const facts = (fields: Readonly<Record<string, string>>) => new Map(Object.entries(fields));

  it("is named by its version, with what to update to", async () => {
    const found = await examine(gateway.url);
    const info = await redis.command("INFO", "server");
    const version = (field: string): string | undefined => new RegExp(`${field}:(\\S+)`).exec(info)?.[1];
    const told = Object.entries({ redis_version: version("redis_version"), valkey_version: version("valkey_version") });
    const fault = faultOf(new Map(told.filter((entry): entry is [string, string] => entry[1] !== undefined)));
    expect(found["security"]?.verdict).toBe(fault === undefined ? "ok" : "warn");
    if (fault !== undefined)
      expect(found["security"]).toMatchObject({ says: fault, advice: expect.stringContaining("8.6.3") });
  });

  it.each([
    ["6.2.22", false],
    ["7.0.15", true],
    ["7.2.13", true],
    ["7.2.14", false],
    ["7.4.9", false],
    ["8.0.6", true],
    ["8.2.5", true],
    ["8.2.10", false],
    ["8.6.3", false],
    ["8.8.0", false],
    ["9.0.0", false],
  ])("is Redis %s: %s", (version, expected) => {
    expect(faultOf(facts({ redis_version: version })) !== undefined).toBe(expected);
  });

  it.each([
    ["7.2.12", true],
    ["7.2.13", false],
    ["8.0.7", true],
    ["8.1.7", false],
    ["9.0.3", true],
    ["9.1.0", false],
  ])("is Valkey %s, whatever Redis it says it is: %s", (version, expected) => {
    expect(faultOf(facts({ redis_version: "7.2.4", valkey_version: version })) !== undefined).toBe(expected);
  });
});
