import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { cronExpression, lastRun, slotOf } from "../../src/cron/index.ts";
import { redisFence } from "../../src/fence/index.ts";
import { createLocks, type Locks } from "../../src/index.ts";
import { type Stack, startStack } from "../support/stack.ts";
import { bundle } from "./bundle.ts";
import { startUpstream, type Upstream } from "./upstream.ts";

interface Route {
  readonly maxDuration: number;
  readonly GET: (request: Request) => Promise<Response>;
}
const SECRET = "the-secret-of-the-cron";

let stack: Stack;
let shop: Upstream;
let locks: Locks;
let dir: string;
let route: Route;
beforeAll(async () => {
  [stack, shop] = await Promise.all([startStack(), startUpstream()]);
  locks = createLocks({ url: stack.url, token: stack.token });
  dir = mkdtempSync(join(tmpdir(), "leasehold-vercel-"));
  const file = join(dir, "route.mjs");
  writeFileSync(file, await bundle("vercel-cron.ts", "node"));
  // Loaded without an environment, as by a build.
  route = (await import(pathToFileURL(file).href)) as Route;
  vi.stubEnv("UPSTASH_REDIS_REST_URL", stack.url);
  vi.stubEnv("UPSTASH_REDIS_REST_TOKEN", stack.token);
  vi.stubEnv("SHOP_URL", shop.url);
  vi.stubEnv("CRON_SECRET", SECRET);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await Promise.all([shop?.stop(), stack?.stop()]);
  rmSync(dir, { recursive: true, force: true });
});

async function call(secret = SECRET): Promise<{ code: number; status: string; token?: number; attempt?: number }> {
  const headers = { Authorization: `Bearer ${secret}` };
  const response = await route.GET(new Request("https://app.example/api/report", { headers }));
  return { code: response.status, ...((await response.json()) as { status: string }) };
}

it("makes one report for a night, whoever calls, and tries again after a failure", async () => {
  const slot = slotOf({ schedule: cronExpression("0 3 * * *") }).toISOString();
  const path = `/orders?until=${slot}`;
  expect(route.maxDuration).toBe(60);
  expect(await call("somebody else's")).toMatchObject({ code: 401 });

  shop.reply(path, "closed", 503);
  await expect(call()).rejects.toThrow("the shop answered 503");
  expect(await lastRun(locks, "report")).toMatchObject({ outcome: "failed", slot });

  const held = shop.hold(path);
  const first = call();
  await held.arrived;
  const others = await Promise.all(Array.from({ length: 10 }, () => call()));
  expect(new Set(others.map(({ code, status }) => `${code} ${status}`))).toEqual(
    new Set(["200 skipped: still running"]),
  );
  held.answer('{"total":3}');
  const ran = await first;
  expect(ran).toMatchObject({ code: 200, status: "ran", attempt: 2 });
  expect(await call()).toMatchObject({ code: 200, status: "skipped: already ran", token: ran.token });
  expect(shop.asked(path)).toHaveLength(2);

  const report = await redisFence(locks).read("cron:report");
  expect(report).toEqual({ token: ran.token, value: JSON.stringify({ slot, total: 3 }) });
  expect(await lastRun(locks, "report")).toMatchObject({ outcome: "ran", token: ran.token });
});
