import { createHash } from "node:crypto";
import { dedupeKey } from "leasehold/hono";
import { createTestRedis, type TestRedis } from "leasehold-testing";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import worker from "../payments.ts";
import { d1Of } from "./d1.ts";

const ACQUIRER_URL = "https://acquirer.example";
let redis: TestRedis;
let DB: D1Database;
let acquirer: (request: Request) => Promise<Response>;
/** The charges that the acquirer was asked for. */
let asked: (string | null)[];
beforeEach(async () => {
  vi.useFakeTimers();
  redis = createTestRedis();
  DB = d1Of("payments.sql");
  await DB.prepare("INSERT INTO api_keys VALUES (?, 'ann')")
    .bind(createHash("sha256").update("sk").digest("hex"))
    .run();
  asked = [];
  acquirer = async () => new Response("{}");
  const { url, fetch } = redis.options;
  vi.stubGlobal("fetch", async (input: string, init: RequestInit) => {
    if (input.startsWith(url)) return fetch(input, init);
    const request = new Request(input, init);
    asked.push(request.headers.get("Idempotency-Key"));
    return acquirer(request);
  });
});
afterEach(() => vi.unstubAllGlobals());
afterEach(() => vi.useRealTimers());

async function pay(key: string, amount = 1000, database: D1Database = DB): Promise<Response> {
  const { url, token } = redis.options;
  const env = { UPSTASH_REDIS_REST_URL: url, UPSTASH_REDIS_REST_TOKEN: token, ACQUIRER_URL, DB: database };
  const headers = { Authorization: "Bearer sk", "Content-Type": "application/json", "Idempotency-Key": key };
  const body = JSON.stringify({ amount, currency: "eur" });
  return worker.fetch(new Request("https://example.com/v1/charges", { method: "POST", headers, body }), env);
}
const keyOf = (id: string) => dedupeKey({ sender: "idempotency-key", scope: "ann", id });
const told = ({ status, headers }: Response): string => `${status} ${headers.get("Leasehold-Status")}`;

test("a duplicate gets the answer of the first, another payload is refused, and one charge is made", async () => {
  const first = await pay("key-1");
  const again = await pay("key-1");
  expect([told(first), told(again)]).toEqual(["201 processed", "201 duplicate"]);
  expect(await again.text()).toBe(await first.text());
  expect(told(await pay("key-1", 2000))).toBe("422 mismatch");
  expect(asked).toHaveLength(1);
});

test("a crash before the charge: the next try makes it", async () => {
  await redis.hold(await keyOf("key-1"), { kind: "once", lease: "30s" }); // by an instance that dies
  expect(told(await pay("key-1"))).toBe("409 running");
  await redis.advance("31s");
  expect(told(await pay("key-1"))).toBe("201 processed");
  expect(asked).toHaveLength(1);
});

test("a crash after the charge: the next try asks the acquirer for the same charge again", async () => {
  acquirer = () => new Promise(() => {});
  void pay("key-1");
  await redis.advance("1s");
  await redis.lose(await keyOf("key-1"), "expired");
  acquirer = async () => new Response("{}");
  const { id } = (await (await pay("key-1")).json()) as { id: string };
  expect(asked).toEqual([id, id]);
});

test("a machine that freezes past its lease cannot say what the charge came to", async () => {
  let decline = (): void => {};
  acquirer = () => new Promise((resolve) => (decline = () => resolve(new Response("{}", { status: 402 }))));
  const first = pay("key-1");
  await redis.advance("1s");
  await redis.lose(await keyOf("key-1"), "expired");
  acquirer = async () => new Response("{}");
  expect(told(await pay("key-1"))).toBe("201 processed");
  decline();
  expect((await first).ok).toBe(false);
  expect(await (await pay("key-1")).json()).toMatchObject({ status: "succeeded" });
});
