import { AggregatorRegistry } from "prom-client";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type GatewayServer, serveGateway } from "../../src/index.ts";
import { createMetrics } from "../../src/metrics/metrics.ts";
import { type Backend, repliesOf } from "../../src/redis/backend.ts";
import { type Answer, call, stage, TOKEN, until } from "../support/harness.ts";

const it_ = stage({ readOnlyToken: "reads", maxPipeline: 10 });

/** Samples by their name and labels. */
async function metrics(url = it_.gateway.url): Promise<ReadonlyMap<string, number>> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return new Map(
    lines.map((line) => [line.slice(0, line.lastIndexOf(" ")), Number(line.slice(line.lastIndexOf(" ")))]),
  );
}
const gained = async (run: () => Promise<unknown>): Promise<Record<string, number>> => {
  const before = await metrics();
  await run();
  const after = await metrics();
  const entries = [...after].map(([name, value]) => [name, value - (before.get(name) ?? 0)] as const);
  return Object.fromEntries(entries.filter(([name, value]) => value !== 0 && !/_(sum|bucket)/.test(name)));
};
const named = (name: string) => `leasehold_gateway_${name}`;

describe("/metrics", () => {
  it("is in Prometheus's format", async () => {
    const response = await fetch(`${it_.gateway.url}/metrics`);
    expect(response.headers.get("content-type")).toMatch(/^text\/plain; version=0\.0\.4/);
    const text = await response.text();
    for (const line of text.trim().split("\n"))
      expect(line).toMatch(
        /^(# (HELP|TYPE) [a-z_]+ .+|[a-z_]+(\{([a-z_]+="[^"\\]*",?)+\})? (\d+(\.\d+)?(e-?\d+)?|\+Inf))?$/,
      );
    expect((await metrics()).get(named('redis_up{database="default"}'))).toBe(1);
    expect((await metrics()).get(named("requests_in_flight"))).toBe(0);
  });

  it("counts requests by shape and status, and commands by name", async () => {
    expect(
      await gained(async () => {
        await it_.run("set", "k", "v");
        await it_.post("/pipeline", [
          ["GET", "k"],
          ["Get", "k"],
          ["LPUSH", "k", "1"],
          ["SUBSCRIBE", "x"],
        ]);
        await it_.post("/multi-exec", [["GET", "k"]]);
        await call(`${it_.gateway.url}/get/k`);
      }),
    ).toEqual({
      [named('requests_total{route="command",status="200"}')]: 1,
      [named('requests_total{route="pipeline",status="200"}')]: 1,
      [named('requests_total{route="transaction",status="200"}')]: 1,
      [named('requests_total{route="path",status="200"}')]: 1,
      [named('request_duration_seconds_count{route="command"}')]: 1,
      [named('request_duration_seconds_count{route="pipeline"}')]: 1,
      [named('request_duration_seconds_count{route="transaction"}')]: 1,
      [named('request_duration_seconds_count{route="path"}')]: 1,
      [named('commands_total{database="default",command="set"}')]: 1,
      [named('commands_total{database="default",command="get"}')]: 4,
      [named('commands_total{database="default",command="lpush"}')]: 1,
      [named('redis_errors_total{database="default",code="WRONGTYPE"}')]: 1,
      [named('redis_duration_seconds_count{database="default"}')]: 4,
      [named('token_requests_total{database="default",token="token-1"}')]: 4,
      [named('token_seconds_total{database="default",token="token-1"}')]: expect.any(Number),
      [named('token_received_bytes_total{database="default",token="token-1"}')]: expect.any(Number),
      [named('token_sent_bytes_total{database="default",token="token-1"}')]: expect.any(Number),
    });
  });

  it("counts errors by kind", async () => {
    expect(
      await gained(async () => {
        await fetch(it_.gateway.url);
        await call(it_.gateway.url, "no JSON");
        await call(it_.gateway.url, undefined, { method: "DELETE" });
        await it_.post(
          "/pipeline",
          Array.from({ length: 11 }, () => ["PING"]),
        );
      }),
    ).toMatchObject({
      [named('errors_total{kind="unauthorized"}')]: 1,
      [named('errors_total{kind="refused"}')]: 1,
      [named('errors_total{kind="method"}')]: 1,
      [named('errors_total{kind="too_large"}')]: 1,
    });
  });

  it("has no series that a caller could make up, and shows nothing of what passes through", async () => {
    await it_.run("GET", "first");
    await it_.run("no-such-first");
    await it_.run("EVAL", "return redis.error_reply('MADEUP it')", "0");
    const series = (await metrics()).size;
    for (let i = 0; i < 50; i++) {
      await it_.run(`no-such-${i}`, "secret-key");
      await it_.run("EVAL", `return redis.error_reply('MADEUP${i} secret-value')`, "0");
      await call(`${it_.gateway.url}/no-such-${i}/secret-key`);
      await call(`${it_.gateway.url}/get/secret-key-${i}`);
      await call(it_.gateway.url, ["constructor"]);
    }
    const text = await (await fetch(`${it_.gateway.url}/metrics`)).text();
    expect((await metrics()).size).toBeLessThanOrEqual(series + 1);
    expect(text).toContain('command="other"');
    expect(text).toContain('code="other"');
    expect(text).not.toMatch(/secret|no-such|MADEUP|first/i);
    expect(text).not.toContain(TOKEN);
  });

  it("tells when Redis is gone, and what that did to requests", async () => {
    await it_.redis.kill();
    const gone = await until(
      () => it_.run("PING"),
      ({ status }) => status === 503,
    );
    expect(gone.status).toBe(503);
    await until(
      () => metrics(),
      (found) => found.get(named('redis_up{database="default"}')) === 0,
    );
    expect((await metrics()).get(named('errors_total{kind="not_sent"}'))).toBeGreaterThan(0);
    await it_.redis.start();
    await until(
      () => metrics(),
      (found) => found.get(named('redis_up{database="default"}')) === 1,
    );
  });
});

it("continues with the same numbers for a database that is reached in another way", async () => {
  const metrics = createMetrics({
    inFlight: () => 0,
    heldBytes: () => ({}),
    streams: () => 0,
    waiting: () => 0,
    redis: async () => new Map(),
  });
  const backend: Backend = {
    ...{ opened: Promise.resolve(), isReady: true, close: () => {} },
    send: (commands, to) => to.receive(commands.map(() => null)),
    transact: async () => [],
    feed: () => new Error("no"),
    at: () => undefined,
  };
  // The library would add up those of the same name, so that only what it is given tells whether there is one more of
  // each.
  const library = vi.spyOn(AggregatorRegistry, "aggregate");
  const sizes: number[] = [];
  for (let reload = 0; reload < 3; reload++) {
    const measured = metrics.measured(backend, "default");
    await repliesOf(measured, [
      ["GET", "a"],
      ["SET", "a", "1"],
    ]);
    await metrics.text();
    const [given = []] = library.mock.lastCall ?? [];
    sizes.push((given as { values: unknown[] }[][]).flat().reduce((sum, { values }) => sum + values.length, 0));
  }
  library.mockRestore();
  expect(new Set(sizes).size).toBe(1);
  expect(await metrics.text()).toContain('commands_total{database="default",command="get"} 3');
});

it("has the numbers of the process where that is asked for", async () => {
  const of = (withProcess: boolean) => {
    const none = createMetrics({
      inFlight: () => 0,
      heldBytes: () => ({}),
      streams: () => 0,
      waiting: () => 0,
      redis: async () => new Map(),
    });
    if (withProcess) none.withProcess();
    return none.text();
  };
  expect(await of(true)).toContain("process_resident_memory_bytes");
  expect(await of(false)).not.toContain("process_");
});

describe("/health, /ready and /metrics", () => {
  let apart: GatewayServer;
  beforeAll(async () => {
    const tokens = { adminToken: "sees", adminTokenSha256: [] };
    apart = await serveGateway({ redis: it_.redis.url, token: TOKEN, port: 0, adminPort: 0, ...tokens });
  });
  afterAll(() => apart.close());
  const PAGES = ["/health", "/ready", "/metrics"];

  it("need no token, and are no commands", async () => {
    for (const page of PAGES) {
      expect((await fetch(it_.gateway.url + page)).status).toBe(200);
      expect((await fetch(it_.gateway.url + page, { method: "HEAD" })).status).toBe(200);
      // Another method, or another path, is a command, which needs a token.
      for (const init of [{ method: "POST" }, { method: "PUT" }])
        expect((await fetch(it_.gateway.url + page, init)).status).toBe(401);
      for (const path of [`${page}/`, `${page}/x`, `/${page}`, page.toUpperCase(), `/get${page}`])
        expect((await fetch(it_.gateway.url + path)).status).toBe(401);
      expect((await call(it_.gateway.url + page, "x")).body).toEqual({
        error: expect.stringContaining("unknown command"),
      });
    }
    expect(await (await fetch(`${it_.gateway.url}/health`)).json()).toEqual({ status: "ok" });
    expect(await (await fetch(`${it_.gateway.url}/ready`)).json()).toEqual({ status: "ready" });
  });

  it("can have a port and a token of their own", async () => {
    const ask = (path: string, token?: string): Promise<Answer | number> =>
      fetch(path, token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } }).then(
        ({ status }) => status,
      );
    for (const page of PAGES) {
      expect(await ask(apart.adminUrl + page)).toBe(401);
      expect(await ask(apart.adminUrl + page, TOKEN)).toBe(401);
      expect(await ask(apart.adminUrl + page, "sees")).toBe(200);
      expect(await ask(apart.url + page)).toBe(401);
      expect(await ask(apart.url + page, "sees")).toBe(401);
      expect(await ask(apart.url + page, TOKEN)).toBe(400);
    }
    for (const path of ["/", "/get/a", "/pipeline"]) expect(await ask(apart.adminUrl + path, TOKEN)).toBe(404);
    expect(await ask(apart.adminUrl + PAGES[0], "see")).toBe(401);
  });
});
