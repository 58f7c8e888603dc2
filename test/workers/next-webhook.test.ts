import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import Stripe from "stripe";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { freshName, useStack } from "../support/use-stack.ts";
import { bundle, ROOT } from "./bundle.ts";
import { startUpstream, type Upstream } from "./upstream.ts";

const SECRET = "whsec_of_the_test";
const stack = useStack();
const client = new Stripe("sk_test");
let shop: Upstream;
let dir: string;
let POST: (request: Request) => Promise<Response>;
const afterwards: Promise<unknown>[] = [];
beforeAll(async () => {
  shop = await startUpstream();
  dir = mkdtempSync(join(ROOT, "test/workers/.examples-"));
  const file = join(dir, "route.mjs");
  // In the place of Next.js, which would await it behind the response.
  vi.stubGlobal("after", (promise: Promise<unknown>) => void afterwards.push(promise));
  const route = (await bundle("next-webhook.ts", "node")).replace(/import \{ after \} from "next\/server";/, "");
  writeFileSync(file, route);
  // Loaded without an environment, as by a build.
  ({ POST } = (await import(pathToFileURL(file).href)) as { POST: typeof POST });
  vi.stubEnv("UPSTASH_REDIS_REST_URL", stack.url);
  vi.stubEnv("UPSTASH_REDIS_REST_TOKEN", stack.token);
  vi.stubEnv("STRIPE_KEY", "sk_test");
  vi.stubEnv("STRIPE_SECRET", SECRET);
  vi.stubEnv("SHOP_URL", shop.url);
});
afterAll(async () => {
  await Promise.all(afterwards);
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
  await shop?.stop();
  rmSync(dir, { recursive: true, force: true });
});

async function deliver(id: string, session: string, secret = SECRET): Promise<string> {
  const object = { id: session, amount_total: 1200 };
  const payload = JSON.stringify({ id, type: "checkout.session.completed", data: { object } });
  const signature = await client.webhooks.generateTestHeaderStringAsync({ payload, secret });
  const headers = { "Stripe-Signature": signature };
  const answer = await POST(
    new Request("https://app.example/webhooks/stripe", { method: "POST", body: payload, headers }),
  );
  return `${answer.status} ${answer.headers.get("Leasehold-Status")}`;
}

it("ships once for an event, whoever sends it again, and tries again after a failure", async () => {
  const [id, session] = [freshName(), freshName()];
  const path = `/ship/${session}`;
  expect(await deliver(id, session, "whsec_somebody_else")).toBe("401 unverified");
  shop.reply(path, "closed", 503);
  expect(await deliver(id, session)).toBe("502 failed");
  const held = shop.hold(path);
  const first = deliver(id, session);
  await held.arrived;
  expect(await deliver(id, session)).toBe("409 running");
  held.answer("{}");
  expect(await first).toBe("204 processed");
  expect(await deliver(id, session)).toBe("204 duplicate");
  expect([shop.asked(path).length, afterwards.length > 0]).toEqual([2, true]);
});

it("puts an event aside that failed five times", async () => {
  const said = vi.spyOn(console, "error").mockImplementation(() => {});
  const [id, session] = [freshName(), freshName()];
  shop.reply(`/ship/${session}`, "closed", 503);
  for (let attempt = 1; attempt <= 5; attempt++) expect(await deliver(id, session)).toBe("502 failed");
  expect(await deliver(id, session)).toBe("202 null");
  expect(said.mock.calls).toEqual([[expect.stringMatching(`put aside after 5 attempts: .*${session}`)]]);
  said.mockRestore();
});
