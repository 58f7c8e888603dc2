/** The README's Caddy and nginx, as they stand there but for ports and certificates, where they are installed. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { Agent, request } from "node:http";
import { Agent as SecureAgent, request as secureRequest } from "node:https";
import { type AddressInfo, createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { freePort, type RedisServer, startRedis } from "../../tools/redis.ts";
import { type GatewayServer, serveGateway } from "../src/index.ts";
import { type Authority, createAuthority } from "./support/certificates.ts";
import { TOKEN, until } from "./support/harness.ts";

const README = readFileSync(new URL("../README.md", import.meta.url), "utf8");
const blockOf = (language: string): string =>
  new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``).exec(README)?.[1] ?? "";

const isInstalled = (name: string): boolean =>
  spawnSync(name, [name === "nginx" ? "-v" : "version"]).error === undefined;

let redis: RedisServer;
let gateway: GatewayServer;
let authority: Authority;
const folder: string = mkdtempSync(join(tmpdir(), "leasehold-proxies-"));
const running: ChildProcess[] = [];

/** Replaces texts that must be there. */
function replaced(config: string, texts: Readonly<Record<string, string>>): string {
  return Object.entries(texts).reduce((all, [from, to]) => {
    expect(all).toContain(from);
    return all.replaceAll(from, to);
  }, config);
}

function caddy(upstream: number, port: number): string[] {
  const site = replaced(blockOf("caddyfile"), {
    "redis.example.com": `http://127.0.0.1:${port}`,
    "127.0.0.1:8080": `127.0.0.1:${upstream}`,
  });
  const file = join(folder, `Caddyfile-${port}`);
  writeFileSync(file, `{\n  admin off\n}\n${site}`);
  return ["caddy", "run", "--config", file, "--adapter", "caddyfile"];
}

function nginx(upstream: number, port: number): string[] {
  const pair = authority.sign(`nginx-${port}`, "IP:127.0.0.1");
  const site = replaced(blockOf("nginx"), {
    "127.0.0.1:8080": `127.0.0.1:${upstream}`,
    "listen 443 ssl": `listen 127.0.0.1:${port} ssl`,
    "/etc/ssl/redis.pem": pair.certFile,
    "/etc/ssl/redis.key": pair.keyFile,
  });
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
  const paths = temporary.map((name) => `${name}_temp_path ${folder}/${name};`).join("\n");
  const file = join(folder, `nginx-${port}.conf`);
  const user = process.getuid?.() === 0 ? "user root;" : "";
  writeFileSync(
    file,
    `${user}\ndaemon off;\npid ${file}.pid;\nevents {}\nhttp {\naccess_log off;\n${paths}\n${site}}\n`,
  );
  return ["nginx", "-e", join(folder, "nginx.log"), "-c", file];
}

const PROXIES = { caddy, nginx } as const;
type Name = keyof typeof PROXIES;

const agents = { caddy: new Agent({ keepAlive: true }), nginx: new SecureAgent({ keepAlive: true }) };

interface Proxy {
  get(path: string): Promise<{ status: number; body: string }>;
  post(path: string, body: string): Promise<{ status: number; body: string }>;
  /** The answer as a stream. */
  open(path: string): ReturnType<typeof request>;
}

function clientOf(name: Name, port: number): Proxy {
  const headers = { authorization: `Bearer ${TOKEN}` };
  const at = { host: "127.0.0.1", port, headers };
  const ask = (path: string, method: string) =>
    name === "caddy"
      ? request({ ...at, path, method, agent: agents.caddy })
      : secureRequest({ ...at, path, method, agent: agents.nginx, ca: authority.cert });
  async function answer(asked: ReturnType<typeof request>, body?: string) {
    asked.end(body);
    const [response] = await once(asked, "response");
    return { status: response.statusCode as number, body: await text(response) };
  }
  return {
    get: (path) => answer(ask(path, "GET")),
    post: (path, body) => answer(ask(path, "POST"), body),
    open: (path) => ask(path, "GET"),
  };
}

async function start(name: Name, upstream: number): Promise<Proxy> {
  const port = await freePort();
  const [program = "", ...args] = PROXIES[name](upstream, port);
  const env = { ...process.env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
  running.push(spawn(program, args, { env, stdio: "ignore" }));
  const client = clientOf(name, port);
  await until(
    () => client.get("/ping").catch(() => ({ status: 0, body: "" })),
    ({ status }) => status === 200,
  );
  return client;
}

/**
 * An upstream that answers each connection's first request, and ends the connection once a second one has arrived, as a
 * gateway that is killed would.
 */
async function dyingServer(): Promise<{ server: Server; port: number; requests: string[] }> {
  const requests: string[] = [];
  const server = createServer((socket) => {
    let count = 0;
    socket.on("error", () => {});
    socket.on("data", (chunk) => {
      requests.push(chunk.toString("latin1").split(" HTTP/", 1)[0] ?? "");
      if (++count === 1) socket.write('HTTP/1.1 200 OK\r\nContent-Length: 15\r\n\r\n{"result":"OK"}');
      else socket.destroy();
    });
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return { server, port: (server.address() as AddressInfo).port, requests };
}

beforeAll(async () => {
  authority = createAuthority();
  redis = await startRedis();
  gateway = await serveGateway({ redis: redis.url, token: TOKEN, port: 0 });
});
afterAll(async () => {
  for (const agent of Object.values(agents)) agent.destroy();
  await Promise.all(
    running.map(async (child) => {
      const ended = once(child, "exit");
      // Not SIGKILL, which would leave the workers of nginx behind.
      child.kill("SIGTERM");
      await ended;
    }),
  );
  await gateway.close();
  await redis.stop();
  authority.remove();
  rmSync(folder, { recursive: true, force: true });
});

describe.each(Object.keys(PROXIES) as Name[])("%s in front, as the README has it, where it is installed", (name) => {
  if (!isInstalled(name)) {
    it("is not installed here", () => console.warn(`${name} is not installed, so its example was not run`));
    return;
  }
  let proxy: Proxy;
  beforeAll(async () => {
    proxy = await start(name, gateway.port);
  });

  it("passes paths on as they are", async () => {
    expect((await proxy.get("/set/a%2Fb/1%2B%20")).status).toBe(200);
    expect(await redis.command("GET", "a/b")).toContain("1+ ");
    expect((await proxy.get("/set/empty//")).status).toBe(400);
    expect((await proxy.get("/set//of-an-empty-key")).status).toBe(200);
    expect(await redis.command("GET", "")).toContain("of-an-empty-key");
    for (const dots of ["/set/%2e%2e/flushall", "/set/../flushall"])
      expect([dots, (await proxy.get(dots)).status]).toEqual([dots, 400]);
  });

  it("passes large bodies and replies on", async () => {
    const large = "x".repeat(5_000_000);
    expect((await proxy.post("/", JSON.stringify(["ECHO", large]))).body).toBe(`{"result":"${large}"}`);
  });

  it("passes each event of a stream on at once, and lets Redis know when the client goes", async () => {
    const stream = proxy.open("/subscribe/news");
    stream.end();
    const [response] = await once(stream, "response");
    const events: string[] = [];
    response.on("data", (chunk: Buffer) => void events.push(chunk.toString()));
    const seen = (wanted: string) =>
      until(
        async () => events.join(""),
        (all) => all.includes(wanted),
      );
    await seen("subscribe,news,1");
    await redis.command("PUBLISH", "news", "first");
    await seen("first");
    response.destroy();
    await until(
      () => redis.command("PUBLISH", "news", "x"),
      (receivers) => receivers.startsWith(":0"),
    );
  });

  it("never sends a request again whose connection breaks", async () => {
    const { server, port, requests } = await dyingServer();
    try {
      const client = await start(name, port);
      const statuses: number[] = [];
      for (let at = 1; at <= 6; at++) statuses.push((await client.get(`/incr/${at}`)).status);
      for (let at = 7; at <= 12; at++) statuses.push((await client.post(`/incr/${at}`, "")).status);
      const counts = Array.from(
        { length: 12 },
        (_, at) => requests.filter((line) => line.endsWith(`/incr/${at + 1}`)).length,
      );
      expect(counts).toEqual(new Array(12).fill(1));
      expect(statuses.every((status) => status === 200 || status === 502)).toBe(true);
    } finally {
      server.close();
    }
  });
});
