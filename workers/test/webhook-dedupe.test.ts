import { sign } from "@octokit/webhooks-methods";
import { dedupeKey } from "leasehold/hono";
import { createTestRedis, type TestRedis } from "leasehold-testing";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import worker from "../webhook-dedupe.ts";
import { d1Of, frozen } from "./d1.ts";

const SECRET = "the-secret-of-the-hook";
let redis: TestRedis;
let DB: D1Database;
beforeEach(() => {
  vi.useFakeTimers();
  redis = createTestRedis();
  DB = d1Of("migrations/0001_deliveries.sql");
  vi.stubGlobal("fetch", redis.options.fetch);
});
afterEach(() => vi.unstubAllGlobals());
afterEach(() => vi.useRealTimers());

async function deliver(id: string, database: D1Database = DB, hook?: string): Promise<string> {
  const { url, token } = redis.options;
  const vars = { UPSTASH_REDIS_REST_URL: url, UPSTASH_REDIS_REST_TOKEN: token, GITHUB_WEBHOOK_SECRET: SECRET };
  const body = '{"action":"opened"}';
  const headers = {
    "X-GitHub-Delivery": id,
    "X-GitHub-Event": "issues",
    "X-Hub-Signature-256": await sign(SECRET, body),
    ...(hook && { "X-GitHub-Hook-ID": hook }),
  };
  const request = new Request("https://example.com/webhooks/github", { method: "POST", headers, body });
  const answer = await worker.fetch(request, { ...vars, DB: database, LEASE: "30s" });
  return `${answer.status} ${answer.headers.get("Leasehold-Status")}`;
}
const keyOf = (id: string) => dedupeKey({ sender: "github", scope: "/webhooks/github", id });
const rows = async () => (await DB.prepare("SELECT id, attempt FROM deliveries").all()).results;

test("a duplicate is answered without doing the work again", async () => {
  expect(await deliver("one")).toBe("200 processed");
  expect(await deliver("one")).toBe("200 duplicate");
  expect(await deliver("two")).toBe("200 processed");
  expect(await rows()).toEqual([
    { id: "one", attempt: 1 },
    { id: "two", attempt: 1 },
  ]);
});

test("one event for two hooks is done for each (B20)", async () => {
  for (const status of ["200 processed", "200 duplicate"])
    for (const hook of ["101", "102"]) expect(await deliver("one", DB, hook)).toBe(status);
  expect(await rows()).toEqual([
    { id: "101 one", attempt: 1 },
    { id: "102 one", attempt: 1 },
  ]);
});

test("a crash: the redelivery gets a retry response, and takes over after the end of the lease", async () => {
  await redis.hold(await keyOf("one"), { kind: "once", lease: "30s" }); // by an instance that dies
  expect(await deliver("one")).toBe("409 running");
  await redis.advance("31s");
  expect(await deliver("one")).toBe("200 processed");
  expect(await rows()).toEqual([{ id: "one", attempt: 2 }]);
});

test("a machine that freezes past its lease writes nothing when it wakes up", async () => {
  const instance = frozen(DB);
  const first = deliver("one", instance.database);
  await redis.advance("1s");
  await redis.lose(await keyOf("one"), "expired");
  expect(await deliver("one")).toBe("200 processed");
  instance.wake();
  expect(await first).toBe("409 stale");
  expect(await rows()).toEqual([{ id: "one", attempt: 2 }]);
});

test("Redis unavailable: the sender gets a Retry-After, and nothing is written", async () => {
  redis.fault({ kind: "away", times: Infinity });
  const answer = deliver("one");
  await redis.advance("1m");
  expect(await answer).toMatch(/^503 /);
  expect(await rows()).toEqual([]);
});
