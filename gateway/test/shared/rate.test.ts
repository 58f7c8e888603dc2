import { connect, type Socket } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { TooManyRequests } from "../../src/shared/error-answers.ts";
import { createRate } from "../../src/shared/rate.ts";
import { call, stage, TOKEN, until } from "../support/harness.ts";

const limited = stage({ token: [TOKEN, "other"], maxRequestsPerSecond: 1 });
const crowded = stage({ maxConnections: 3, adminPort: 0 });

it("a token that makes too many requests a second gets 429 with Retry-After, and no other token does", async () => {
  // A slow machine may take more than a second for two requests, so there are enough to be too many.
  const answers = await Promise.all(Array.from({ length: 50 }, () => limited.run("INCR", "rated")));
  const served = answers.filter(({ status }) => status === 200);
  const refused = answers.filter(({ status }) => status === 429);
  expect(served.length).toBeGreaterThan(0);
  expect(refused.length).toBeGreaterThan(0);
  expect(served.length + refused.length).toBe(50);
  for (const { headers, body } of refused) {
    expect(headers.get("retry-after")).toBe("1");
    expect(body).toEqual({ error: "ERR more than 1 requests a second: nothing was sent" });
  }
  const other = await call(limited.gateway.url, ["GET", "rated"], { headers: { authorization: "Bearer other" } });
  expect([other.status, other.body]).toEqual([200, { result: String(served.length) }]);
  const metrics = await (await fetch(`${limited.gateway.url}/metrics`)).text();
  expect(metrics).toContain(`leasehold_gateway_errors_total{kind="rate_limited"} ${refused.length}`);
  expect(metrics).toContain(
    `leasehold_gateway_token_refusals_total{database="default",token="token-1",status="429"} ${refused.length}`,
  );
  await until(
    () => limited.run("GET", "rated"),
    ({ status }) => status === 200,
  );
});

it("a bucket holds the requests of one second, and fills evenly", () => {
  let now = 0;
  const rate = createRate(10, () => now);
  const takes = (): number => {
    for (let taken = 0; ; taken++)
      try {
        rate.take();
      } catch (error) {
        expect(error).toBeInstanceOf(TooManyRequests);
        return taken;
      }
  };
  expect(takes()).toBe(10);
  now += 250;
  expect(takes()).toBe(2);
  now += 50;
  expect(takes()).toBe(1);
  now += 60_000;
  expect(takes()).toBe(10);
});

it("above the limit of connections a new one is closed at once, and the admin port still answers", async () => {
  const open: Socket[] = [];
  onTestFinished(() => {
    for (const socket of open) socket.destroy();
  });
  const connectOne = (): Promise<Socket> =>
    new Promise((resolve) => {
      const socket = connect(crowded.gateway.port, "127.0.0.1", () => resolve(socket));
      socket.on("error", () => {}).resume();
      open.push(socket);
    });
  const metrics = async (): Promise<string> => (await fetch(`${crowded.gateway.adminUrl}/metrics`)).text();
  for (let at = 0; at < 3; at++) await connectOne();
  await until(metrics, (text) => text.includes("leasehold_gateway_connections_open 3"));
  const fourth = await connectOne();
  await new Promise((resolve) => fourth.once("close", resolve));
  expect(await metrics()).toContain("leasehold_gateway_connections_refused_total 1");
  for (const socket of open) socket.destroy();
  await until(metrics, (text) => text.includes("leasehold_gateway_connections_open 0"));
  expect((await crowded.run("PING")).status).toBe(200);
});
