import { once } from "node:events";
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { Agent, request } from "node:https";
import { connect as connectPlain } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { connect, type TLSSocket } from "node:tls";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { type GatewayServer, serveGateway } from "../../src/index.ts";
import { type Authority, createAuthority, type Pair } from "../support/certificates.ts";
import { TOKEN, until } from "../support/harness.ts";
import { start } from "../support/process.ts";

let authority: Authority;
let first: Pair;
let second: Pair;
let server: GatewayServer;
const agent = new Agent({ keepAlive: true });

beforeAll(async () => {
  authority = createAuthority();
  first = authority.sign("first", "IP:127.0.0.1");
  second = authority.sign("second", "IP:127.0.0.1");
  const tls = { tlsCert: first.cert, tlsKey: first.key };
  server = await serveGateway({ memory: true, token: TOKEN, port: 0, adminPort: 0, ...tls });
  await until(
    () => ask(server.url, ["PING"]),
    ({ body }) => body.includes("PONG"),
  );
});
afterAll(async () => {
  agent.destroy();
  await server.close();
  authority.remove();
});

/** One command over TLS, and the name in the certificate of the server. */
async function ask(url: string, command: readonly string[], by: Agent | false = false) {
  const headers = { authorization: `Bearer ${TOKEN}` };
  const asked = request(url, { method: "POST", headers, ca: authority.cert, agent: by });
  asked.end(JSON.stringify(command));
  const [response] = await once(asked, "response");
  const socket = response.socket as TLSSocket;
  return { name: socket.getPeerCertificate().subject.CN, port: socket.localPort, body: await text(response) };
}

const metrics = async (): Promise<string> => (await fetch(`${server.adminUrl}/metrics`)).text();

it("with a certificate the port speaks TLS and nothing else, and the admin port stays plain", async () => {
  expect(server.url).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);
  expect(await ask(server.url, ["PING"])).toMatchObject({ name: "first", body: '{"result":"PONG"}' });
  const large = "x".repeat(3_000_000);
  expect((await ask(server.url, ["ECHO", large])).body).toBe(`{"result":"${large}"}`);
  await expect(fetch(server.url.replace("https", "http"))).rejects.toThrow();
  expect((await fetch(`${server.adminUrl}/health`)).status).toBe(200);
  await until(metrics, (said) => said.includes("leasehold_gateway_connections_open 0"));
});

it("a renewed certificate is for the next connections, and open ones continue", async () => {
  const before = await ask(server.url, ["SET", "kept", "1"], agent);
  server.reload({ memory: true, token: TOKEN, tlsCert: second.cert, tlsKey: second.key });
  expect((await ask(server.url, ["GET", "kept"])).name).toBe("second");
  expect(await ask(server.url, ["GET", "kept"], agent)).toMatchObject({ port: before.port, body: '{"result":"1"}' });
  const mismatch = { tlsCert: first.cert, tlsKey: second.key };
  expect(() => server.reload({ memory: true, token: "other", ...mismatch })).toThrow(/^tlsCert and tlsKey must be/);
  expect((await ask(server.url, ["GET", "kept"])).name).toBe("second");
  for (const wrong of [{ tlsCert: first.cert }, { tlsKey: first.key }, { tlsCert: "hunter2", tlsKey: "hunter2" }])
    await expect(serveGateway({ memory: true, token: TOKEN, port: 0, ...wrong })).rejects.toThrow(
      /^tlsCert and tlsKey must be/,
    );
});

it("a client that never agrees on TLS is cut off, and does not hold up the end", async () => {
  const tls = { tlsCert: first.cert, tlsKey: first.key };
  const own = await serveGateway({ memory: true, token: TOKEN, port: 0, headersTimeoutMs: 300, ...tls });
  onTestFinished(() => own.close());
  const silent = connectPlain(own.port, "127.0.0.1");
  silent.on("error", () => {}).resume();
  await once(silent, "close");
  const halted = await serveGateway({ memory: true, token: TOKEN, port: 0, drainTimeoutMs: 300, ...tls });
  const other = connectPlain(halted.port, "127.0.0.1");
  other.on("error", () => {}).resume();
  await once(other, "connect");
  const agreed = connect({ port: halted.port, host: "127.0.0.1", ca: authority.cert });
  agreed.on("error", () => {}).resume();
  await once(agreed, "secureConnect");
  const ends = Promise.all([once(other, "close"), once(agreed, "close")]);
  await halted.close();
  await ends;
});

it("the command reads its certificate again on SIGHUP, and finds itself healthy over TLS", async () => {
  const folder = mkdtempSync(join(tmpdir(), "leasehold-tls-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const [cert, key] = [join(folder, "server.crt"), join(folder, "server.key")];
  const take = (pair: Pair): void => {
    copyFileSync(pair.certFile, cert);
    copyFileSync(pair.keyFile, key);
  };
  take(first);
  const env = { LEASEHOLD_TOKEN: TOKEN };
  const { child, firstLine, ended } = start(["--memory", "--port", "0", "--tls-cert", cert, "--tls-key", key], env);
  let said = "";
  child.stderr?.on("data", (chunk) => (said += chunk));
  const url = /https:\/\/\S+/.exec(await firstLine)?.[0] ?? "";
  expect((await ask(url, ["PING"])).name).toBe("first");
  const health = start(["health", "--memory", "--port", new URL(url).port, "--tls-cert", cert, "--tls-key", key], env);
  expect(await health.ended).toMatchObject({ code: 0, err: "" });
  take(second);
  child.kill("SIGHUP");
  await until(
    async () => said,
    (lines) => lines.includes("read the settings again"),
  );
  expect((await ask(url, ["PING"])).name).toBe("second");
  copyFileSync(first.keyFile, key);
  child.kill("SIGHUP");
  await until(
    async () => said,
    (lines) => lines.includes("the settings stay as they were"),
  );
  expect((await ask(url, ["PING"])).name).toBe("second");
  expect(said).not.toContain(readFileSync(key, "utf8").slice(40, 80));
  child.kill("SIGTERM");
  expect((await ended).code).toBe(0);
});
