import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Express } from "express";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { redisFence } from "../../src/fence/index.ts";
import { connect } from "../../src/index.ts";
import { freshName, useStack } from "../support/use-stack.ts";
import { bundle, ROOT } from "./bundle.ts";
import { startUpstream, type Upstream } from "./upstream.ts";

const stack = useStack();
let stock: Upstream;
let dir: string;
let url: string;
let stop: () => Promise<unknown>;
beforeAll(async () => {
  stock = await startUpstream();
  // Within the project, so that express resolves.
  dir = mkdtempSync(join(ROOT, "test/workers/.examples-"));
  const file = join(dir, "app.mjs");
  writeFileSync(file, await bundle("express-api.ts", "node"));
  vi.stubEnv("KV_REST_API_URL", stack.url);
  vi.stubEnv("KV_REST_API_TOKEN", stack.token);
  vi.stubEnv("STOCK_URL", stock.url);
  const { app } = (await import(pathToFileURL(file).href)) as { app: Express };
  const server = app.listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/orders`;
  stop = () => new Promise((resolve) => server.close(resolve));
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await stop?.();
  await stock?.stop();
  rmSync(dir, { recursive: true, force: true });
});

const ORDER = '{"item":"chair","amount":2}';
const post = (key: string, customer = "ann", body = ORDER): Promise<Response> =>
  fetch(url, {
    method: "POST",
    body,
    headers: { "Content-Type": "application/json", "Idempotency-Key": key, Authorization: `Bearer ${customer}` },
  });

it("places one order for a key, whatever the network does, and one for each customer", async () => {
  const key = freshName();
  expect((await fetch(url, { method: "POST", body: ORDER })).status).toBe(401);
  const held = stock.hold("/reserve");
  const first = post(key);
  const { headers } = await held.arrived;
  expect((await post(key)).status).toBe(409);
  held.answer("{}");
  const order = (await (await first).json()) as { id: string };
  const again = await post(key);
  expect([again.status, await again.json(), again.headers.get("Idempotent-Replayed")]).toEqual([201, order, "true"]);
  expect(stock.asked("/reserve")).toHaveLength(1);
  const name = `${headers["idempotency-key"]}`;
  expect(await redisFence(connect({ url: stack.url, token: stack.token })).read(name)).toMatchObject({
    value: JSON.stringify(order),
  });

  expect((await post(key, "ann", '{"item":"table","amount":1}')).status).toBe(422);
  const other = (await (await post(key, "bob")).json()) as { id: string };
  expect(other).toMatchObject({ customer: "bob", item: "chair" });
  expect(other.id).not.toBe(order.id);
});

it("continues under the same key when the stock could not be checked, and remembers a mistake", async () => {
  const key = freshName();
  stock.reply("/reserve", "closed", 503);
  expect((await post(key)).status).toBe(502);
  stock.reply("/reserve", "{}");
  expect((await post(key)).status).toBe(201);
  const wrong = freshName();
  for (const status of ["processed", "duplicate"]) {
    const answer = await post(wrong, "ann", "{}");
    expect([answer.status, answer.headers.get("Leasehold-Status")]).toEqual([400, status]);
  }
});
