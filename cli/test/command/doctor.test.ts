import { createServer } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { afterAll, describe, expect, it, vi } from "vitest";
import { serveGateway } from "../../../gateway/src/index.ts";
import { createAuthority } from "../../../gateway/test/support/certificates.ts";
import { useStack } from "../../../test/support/use-stack.ts";
import { freePort, startRedis } from "../../../tools/redis.ts";
import { command, type Ended } from "../../../tools/run-command.ts";
import { until } from "./support.ts";

const stack = useStack({ args: ["--maxmemory", "100mb", "--maxmemory-policy", "noeviction"] });
const closing: (() => Promise<unknown>)[] = [];
afterAll(() => Promise.all(closing.map((close) => close())));

interface Line {
  readonly check: string;
  readonly verdict: string;
  readonly says: string;
  readonly advice?: string;
}

/** The findings of an examination by check. */
function findings({ out }: Ended): Record<string, Line> {
  const lines = out
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Line);
  return Object.fromEntries(lines.map((line) => [line.check, line]));
}
const examine = (...args: string[]): Promise<Ended> => command(["doctor", "--json", ...args]);
const PROTOCOL = ["exclusion", "lost answer", "duplicate", "takeover", "once", "clean-up"];

describe.concurrent("leasehold doctor", () => {
  it("finds a server fit for locks, and leaves no key", async () => {
    const ended = await examine("--url", stack.url, "--token", stack.token);
    expect(ended).toMatchObject({ code: 0, err: "" });
    const found = findings(ended);
    const ok = { verdict: "ok" };
    for (const check of [
      "name",
      "connection",
      "token",
      "clock",
      "server",
      "memory",
      "dialect",
      "script cache",
      ...PROTOCOL,
    ])
      expect(found[check], check).toMatchObject(ok);
    expect(found["round trip"]?.says).toMatch(/^50 requests: p50 [\d.]+ ms, p99 [\d.]+ ms$/);
    expect(found["persistence"]).toMatchObject({ verdict: "warn", says: "no append-only file" });
    expect(found["verdict"]).toMatchObject({ says: expect.stringMatching(/^fit for locks/) });
    // Those of the other tests, which run at the same time, leave none either.
    const keys = () => stack.redis.command("KEYS", "leasehold-doctor*");
    await vi.waitFor(async () => expect(await keys()).toBe("*0\r\n"), { timeout: 20_000, interval: 100 });
    expect(ended.out).not.toContain(stack.token);
  });

  it("shows the same to people, with advice where something is amiss", async () => {
    const { out } = await command(["doctor", "--redis", stack.redis.url, "--flush"]);
    expect(out).toMatch(/^ok {4}script cache +flushed; /m);
    expect(out).toMatch(/^warn {2}persistence +no append-only file\n +→ /m);
    expect(out).not.toContain("\u001b");
  });

  it("runs over a Redis in memory, which tells less of itself", async () => {
    const server = await serveGateway({ memory: true, token: "memory-token-0123456789", port: 0 });
    closing.push(() => server.close());
    // It answers 503 while it loads.
    const given = ["--url", server.url, "--token", "memory-token-0123456789"];
    await until(async () => (await command(["ls", ...given])).code === 1);
    const ended = await examine(...given);
    const found = findings(ended);
    expect(ended.code, ended.out + ended.err).toBe(0);
    for (const check of ["server", "memory", "replicas", "persistence"]) expect(found[check]?.verdict).toBe("skip");
    for (const check of PROTOCOL) expect(found[check], check).toMatchObject({ verdict: "ok" });
  });

  it.each<[string, () => Promise<string[]>, string, RegExp]>([
    [
      "a token that is refused",
      async () => ["--url", stack.url, "--token", "wrong-token-1234567890"],
      "token",
      /refused \(401\)/,
    ],
    [
      "a port where nothing listens",
      async () => ["--url", `http://127.0.0.1:${await freePort()}`, "--token", "t"],
      "connection",
      /ECONNREFUSED/,
    ],
    [
      "a host that does not exist",
      async () => ["--url", "https://no-such-host.invalid", "--token", "t"],
      "name",
      /is not found/,
    ],
    [
      "a server that does not speak TLS",
      async () => ["--url", stack.url.replace("http", "https"), "--token", "t"],
      "connection",
      /port \d+: E?/,
    ],
    [
      "a Redis that is away",
      async () => ["--redis", `redis://127.0.0.1:${await freePort()}`],
      "connection",
      /ECONNREFUSED/,
    ],
    [
      "a password that is refused",
      async () => ["--redis", stack.redis.url.replace("//", "//eve:hunter2-hunter2@")],
      "token",
      /login is refused: WRONGPASS/,
    ],
  ])("tells %s from other failures, with exit code 3", async (_, args, check, says) => {
    const given = await args();
    const ended = await examine(...given);
    expect(ended.code).toBe(3);
    const found = findings(ended);
    expect(found[check]).toMatchObject({
      verdict: "fail",
      says: expect.stringMatching(says),
      advice: expect.any(String),
    });
    expect(Object.values(found).filter(({ verdict }) => verdict === "fail")).toHaveLength(2);
    expect(ended.out + ended.err).not.toMatch(/wrong-token|hunter2/);
  });

  it("tells a certificate that is not to be trusted", async () => {
    const authority = createAuthority();
    const { cert, key } = authority.sign("doctor", "IP:127.0.0.1");
    const server = createTlsServer({ cert, key }).listen(0, "127.0.0.1");
    closing.push(async () => server.close());
    await new Promise((resolve) => server.once("listening", resolve));
    authority.remove();
    const { port } = server.address() as AddressInfo;
    const ended = await examine("--url", `https://127.0.0.1:${port}`, "--token", "t");
    expect(findings(ended)["connection"]).toMatchObject({
      verdict: "fail",
      says: expect.stringMatching(/SIGN|ISSUER|VERIFY/),
      advice: expect.stringContaining("certificate"),
    });
  });

  it("counts the replicas that had a write, and refuses to take one for a primary", async () => {
    const primary = await startRedis(["--repl-diskless-sync-delay", "0"]);
    const replica = await startRedis([
      "--replicaof",
      "127.0.0.1",
      String(primary.port),
      "--repl-diskless-sync-delay",
      "0",
    ]);
    closing.push(() => Promise.all([primary.stop(), replica.stop()]));
    await until(async () => (await replica.command("INFO", "replication")).includes("master_link_status:up"));
    const [good, bad] = [await examine("--redis", primary.url), await examine("--redis", replica.url)];
    expect(findings(good)["replicas"]).toMatchObject({ verdict: "ok", says: expect.stringContaining("1 of 1") });
    expect(findings(bad)["replicas"]).toMatchObject({ verdict: "fail", advice: expect.stringContaining("primary") });
    expect([good.code, bad.code]).toEqual([0, 1]);
  });

  it("says that a page is no REST endpoint", async () => {
    const page = createServer((_, response) => response.end("<html>console</html>")).listen(0, "127.0.0.1");
    closing.push(async () => page.close());
    await new Promise((resolve) => page.once("listening", resolve));
    const { port } = page.address() as AddressInfo;
    const ended = await examine("--url", `http://127.0.0.1:${port}`, "--token", "t");
    expect(findings(ended)["token"]).toMatchObject({ verdict: "fail", says: expect.stringContaining("not JSON") });
  });

  it("refuses a token that may only read", async () => {
    const server = await serveGateway({
      redis: stack.redis.url,
      token: "all-0123456789",
      readOnlyToken: "read-0123456789",
      port: 0,
    });
    closing.push(() => server.close());
    const ended = await examine("--url", server.url, "--token", "read-0123456789");
    expect(ended.code).toBe(1);
    expect(findings(ended)["dialect"]).toMatchObject({ verdict: "fail", advice: expect.stringContaining("may write") });
  });
});

describe("a server with other settings", () => {
  it("fails where locks can be evicted, and warns of that where there is no limit yet", async () => {
    await stack.redis.command("CONFIG", "SET", "maxmemory-policy", "volatile-lru");
    const limited = await examine("--url", stack.url, "--token", stack.token);
    await stack.redis.command("CONFIG", "SET", "maxmemory", "0");
    const unlimited = await examine("--url", stack.url, "--token", stack.token);
    await stack.redis.command("CONFIG", "SET", "maxmemory-policy", "noeviction");
    expect(findings(limited)["memory"]).toMatchObject({
      verdict: "fail",
      advice: expect.stringContaining("noeviction"),
    });
    expect(findings(limited)["verdict"]?.says).toMatch(/^not fit for locks: 1 failed/);
    expect([limited.code, unlimited.code]).toEqual([1, 0]);
    expect(findings(unlimited)["memory"]).toMatchObject({ verdict: "warn" });
  });
});
