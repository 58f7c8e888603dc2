import { setImmediate } from "node:timers/promises";
import type { Route } from "leasehold-engine/rest";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type RedisServer, startRedis } from "../../../tools/redis.ts";
import type { HttpRequest, HttpResponse } from "../../src/http/message.ts";
import type { ServerBackend } from "../../src/redis/backend.ts";
import { createRedisBackend } from "../../src/redis/server-backend.ts";
import { createApp, type Sending } from "../../src/rest/app.ts";
import { limitsOf } from "../../src/shared/limits.ts";
import { received } from "../../src/shared/receiver.ts";
import { createShares } from "../../src/shared/token-shares.ts";

let redis: RedisServer;
let backend: ServerBackend;
beforeAll(async () => {
  redis = await startRedis();
  backend = createRedisBackend({ host: "127.0.0.1", port: redis.port, db: 0 }, 20_000);
  await backend.opened;
});
afterAll(async () => {
  backend.close();
  await redis.stop();
});

const requestOf = (body: unknown): HttpRequest => {
  const bytes = Buffer.from(JSON.stringify(body));
  return {
    method: "POST",
    target: "/",
    header: () => undefined,
    body: async () => bytes,
    whenUnwanted: () => () => {},
  };
};

/** Parsing it takes several slices of 5 ms. */
const LARGE = ["DEL", ...Array.from({ length: 300_000 }, (_, at) => `key${at}`)];

it.each<[Route, unknown]>([
  ["command", LARGE],
  ["pipeline", [LARGE]],
  ["transaction", [LARGE]],
])("a small command that arrives during the parsing of a large %s is sent first", async (route, large) => {
  const app = createApp(backend, limitsOf({}), { answer: () => null });
  const shares = createShares(limitsOf({}), () => {});
  /** Runs a request, and returns when its commands were sent. */
  async function sentAt(to: Route, body: unknown): Promise<number | undefined> {
    const sending: Sending = {};
    const request = requestOf(body);
    const { status } = await received<HttpResponse>((take) => app(request, to, shares.of("a").enter(), sending, take));
    expect(status).toBe(200);
    return sending.sentAt;
  }
  const slow = sentAt(route, large);
  await setImmediate();
  const small = await sentAt("command", ["PING"]);
  expect(small).toBeLessThan((await slow) ?? 0);
});
