import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { qstashSignature } from "../dedupe/sender-cases.ts";
import { useStack } from "../support/use-stack.ts";
import { bundle } from "./bundle.ts";
import { startUpstream, type Upstream } from "./upstream.ts";

const URL_OF_ROUTE = "https://app.example/api/thumbnails";
const KEY = "sig_the-key-of-the-queue";

const stack = useStack();
let images: Upstream;
let dir: string;
let route: { readonly POST: (request: Request) => Promise<Response> };
beforeAll(async () => {
  images = await startUpstream();
  dir = mkdtempSync(join(tmpdir(), "leasehold-qstash-"));
  const file = join(dir, "route.mjs");
  writeFileSync(file, await bundle("qstash-consumer.ts", "node"));
  // Loaded without an environment, as by a build.
  route = (await import(pathToFileURL(file).href)) as typeof route;
  vi.stubEnv("UPSTASH_REDIS_REST_URL", stack.url);
  vi.stubEnv("UPSTASH_REDIS_REST_TOKEN", stack.token);
  vi.stubEnv("IMAGES_URL", images.url);
  vi.stubEnv("QSTASH_URL", URL_OF_ROUTE);
  vi.stubEnv("QSTASH_CURRENT_SIGNING_KEY", "sig_of-before");
  // The keys have just been rotated.
  vi.stubEnv("QSTASH_NEXT_SIGNING_KEY", KEY);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await images?.stop();
  rmSync(dir, { recursive: true, force: true });
});

/** Delivers a message as QStash does, and tells what it would look at. */
async function deliver(id: string, image: string, key = KEY): Promise<string> {
  const body = JSON.stringify({ image });
  const signature = qstashSignature(body, { secret: key, url: URL_OF_ROUTE });
  const headers = { "Upstash-Message-Id": id, "Upstash-Signature": signature };
  const response = await route.POST(new Request(URL_OF_ROUTE, { method: "POST", body, headers }));
  const told = ["Retry-After", "Upstash-NonRetryable-Error"].filter((name) => response.headers.has(name));
  return [response.status, response.headers.get("Leasehold-Status"), ...told].join(" ");
}

it("processes a message once, and lets QStash choose when a copy comes again", async () => {
  const path = "/thumbnail/a.png";
  expect(await deliver("msg_a", "a.png", "sig_of-somebody-else")).toBe("401 unverified");
  const held = images.hold(path);
  const first = deliver("msg_a", "a.png");
  await held.arrived;
  expect(await deliver("msg_a", "a.png")).toBe("409 running");
  held.answer('{"width":64}');
  expect(await first).toBe("200 processed");
  expect(await deliver("msg_a", "a.png")).toBe("200 duplicate");
  expect(images.asked(path)).toHaveLength(1);
  expect(await deliver("msg_a", "another.png")).toBe("489 mismatch Upstash-NonRetryable-Error");
});

it("tries again after a failure, five times in all, and then ends the retries", async () => {
  images.reply("/thumbnail/b.png", "busy", 503);
  for (let attempt = 1; attempt <= 5; attempt++) expect(await deliver("msg_b", "b.png")).toBe("502 failed");
  expect(await deliver("msg_b", "b.png")).toBe("489 exhausted Upstash-NonRetryable-Error");
  expect(images.asked("/thumbnail/b.png")).toHaveLength(5);
});
