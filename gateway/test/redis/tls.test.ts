import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { createServer } from "node:tls";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { freePort, type RedisServer, startRedis } from "../../../tools/redis.ts";
import { type Sentinels, startSentinels } from "../../../tools/redis-sentinels.ts";
import { startNode } from "../../../tools/redis-topologies.ts";
import type { TlsOptions } from "../../src/index.ts";
import { createGateway, type GatewayServer, serveGateway } from "../../src/index.ts";
import { type Authority, createAuthority, type Pair } from "../support/certificates.ts";
import { type Answer, call, TOKEN, until } from "../support/harness.ts";

const NOT_SENT = { status: 503, body: { error: "Redis is not reachable: nothing was sent" } };

let authority: Authority;
let client: Pair;
let redis: RedisServer;
let port: number;
const open: GatewayServer[] = [];

/** Options of a server whose TLS clients must show a certificate of the authority. */
const tlsOptions = (pair: Pair, tlsPort: number): string[] => [
  ...["--tls-port", String(tlsPort), "--tls-ca-cert-file", authority.certFile],
  ...["--tls-cert-file", pair.certFile, "--tls-key-file", pair.keyFile, "--tls-auth-clients", "yes"],
];

async function ping(url: string, tls: TlsOptions | undefined, options: object = {}): Promise<Answer> {
  const server = {
    redis: url,
    token: TOKEN,
    port: 0,
    timeoutMs: 700,
    ...(tls === undefined ? {} : { tls }),
    ...options,
  };
  const gateway = await serveGateway(server);
  open.push(gateway);
  return call(gateway.url, ["PING"]);
}

const all = (): Required<TlsOptions> => ({
  ca: authority.cert,
  cert: client.cert,
  key: client.key,
  servername: "redis.test",
});

beforeAll(async () => {
  authority = createAuthority();
  client = authority.sign("client", "DNS:client.test");
  port = await freePort();
  redis = await startRedis(tlsOptions(authority.sign("redis", "DNS:redis.test"), port));
});
afterAll(async () => {
  await redis?.stop();
  authority?.remove();
});
afterEach(async () => {
  await Promise.all(open.splice(0).map((gateway) => gateway.close()));
});

describe("one server with TLS", () => {
  it("is reached with the authority's and the client's certificate, and comes back by itself", async () => {
    expect(await ping(`rediss://127.0.0.1:${port}`, all())).toMatchObject({ status: 200, body: { result: "PONG" } });
    const [gateway] = open;
    const ask = (...command: string[]): Promise<Answer> => call(gateway?.url ?? "", command);
    expect((await ask("CLIENT", "INFO")).text).toContain(`laddr=127.0.0.1:${port}`);
    await redis.restart();
    await until(
      () => ask("SET", "k", "ü".repeat(200_000)),
      ({ status }) => status === 200,
    );
    expect((await ask("STRLEN", "k")).body).toEqual({ result: 400_000 });
  });

  it.each([
    ["a server whose authority is unknown", () => ({ ...all(), ca: undefined })],
    ["a certificate for another name", () => ({ ...all(), servername: "other.test" })],
    ["a certificate that is not for the host of the URL", () => ({ ...all(), servername: undefined })],
    ["no certificate for a server that asks for one", () => ({ ...all(), cert: undefined, key: undefined })],
  ])("nothing is sent with %s", async (_, options) => {
    const tls = Object.fromEntries(Object.entries(options()).filter(([, value]) => value !== undefined));
    expect(await ping(`rediss://127.0.0.1:${port}`, tls)).toMatchObject(NOT_SENT);
  });

  it("nor with TLS to a port without, nor without to a port with it", async () => {
    expect(await ping(`rediss://127.0.0.1:${redis.port}`, all())).toMatchObject(NOT_SENT);
    expect(await ping(`redis://127.0.0.1:${port}`, undefined)).toMatchObject(NOT_SENT);
  });

  it("the host of the URL is the name to expect, where none is given", async () => {
    const named = await freePort();
    const server = await startRedis(tlsOptions(authority.sign("localhost", "DNS:localhost"), named));
    const { servername: _, ...tls } = all();
    expect((await ping(`rediss://localhost:${named}`, tls)).status).toBe(200);
    expect(await ping(`rediss://127.0.0.1:${named}`, tls)).toMatchObject(NOT_SENT);
    await server.stop();
  });

  it.each([
    ["localhost", "localhost"],
    ["127.0.0.1", false],
  ])("SNI has the name of a host, but no IP address: for %s it is %s", async (host, name) => {
    const { cert, key } = authority.sign("names", "DNS:localhost,IP:127.0.0.1");
    const server = createServer({ cert, key }, (socket) => socket.destroy());
    const connected = once(server, "secureConnection");
    await once(server.listen(0), "listening");
    const { port: at } = server.address() as AddressInfo;
    const { servername: _, ...tls } = all();
    await ping(`rediss://${host}:${at}`, tls);
    const [socket] = await connected;
    expect(socket.servername).toBe(name);
    server.close();
  });
});

describe("several servers with TLS", () => {
  it("a cluster", async () => {
    const [tlsPort, pair] = [await freePort(), authority.sign("node", "IP:127.0.0.1")];
    const node = await startNode([...tlsOptions(pair, tlsPort), "--tls-cluster", "yes"]);
    await node.command("CLUSTER", "ADDSLOTSRANGE", "0", "16383");
    await until(
      () => node.command("CLUSTER", "INFO"),
      (text) => text.includes("cluster_state:ok"),
    );
    const { servername: _, ...tls } = all();
    expect((await ping(`rediss+cluster://127.0.0.1:${tlsPort}`, tls)).status).toBe(200);
    expect(await ping(`rediss+cluster://127.0.0.1:${tlsPort}`, { ...tls, servername: "x.test" })).toMatchObject(
      NOT_SENT,
    );
    await node.stop();
  });

  it("Sentinels and what they name; or the servers with it and the Sentinels without", async () => {
    const pair = authority.sign("watched", "IP:127.0.0.1");
    const tlsPort = await freePort();
    const { servername: _, ...tls } = all();
    const primary = await startRedis(tlsOptions(pair, tlsPort));
    const sentinelPort = await freePort();
    const sentinels = await startTlsSentinel(pair, tlsPort, sentinelPort);
    const [plain] = sentinels.sentinels;
    try {
      expect((await ping(`rediss+sentinel://127.0.0.1:${sentinelPort}/${sentinels.name}`, tls)).status).toBe(200);
      const url = `rediss+sentinel://127.0.0.1:${plain?.port}/${sentinels.name}`;
      expect((await ping(url, tls, { sentinelTls: false })).status).toBe(200);
      expect(await ping(url, tls)).toMatchObject(NOT_SENT);
    } finally {
      await sentinels.stop();
      await primary.stop();
    }
  });
});

/** One Sentinel with TLS and without, which is told that the primary is at a port with TLS. */
async function startTlsSentinel(pair: Pair, primaryPort: number, sentinelPort: number): Promise<Sentinels> {
  const lines = tlsOptions(pair, sentinelPort)
    .join(" ")
    .split("--")
    .filter((line) => line !== "");
  const sentinels = await startSentinels({ count: 1, lines });
  const [sentinel] = sentinels.sentinels;
  await sentinel?.command("SENTINEL", "REMOVE", sentinels.name);
  await sentinel?.command("SENTINEL", "MONITOR", sentinels.name, "127.0.0.1", String(primaryPort), "1");
  return sentinels;
}

describe("certificates and keys that are none", () => {
  const refused =
    (tls: TlsOptions): (() => unknown) =>
    () =>
      createGateway({ redis: "rediss://h", tls, token: TOKEN });

  it("are refused at the start, and not repeated", () => {
    const { cert, key } = client;
    for (const tls of [
      { ca: "hunter2" },
      { cert: "hunter2", key },
      { cert, key: "hunter2" },
      { cert },
      { key },
      { cert, key: authority.key },
    ]) {
      expect(refused(tls)).toThrow(/tls: /);
      expect(refused(tls)).not.toThrow(/hunter2|BEGIN/);
    }
    expect(() => createGateway({ redis: "redis://h", tls: {}, token: TOKEN })).toThrow("tls needs a rediss:// URL");
    createGateway({
      redis: "rediss://127.0.0.1:1",
      tls: { cert, key, ca: authority.cert + cert },
      token: TOKEN,
    }).close();
  });
});
