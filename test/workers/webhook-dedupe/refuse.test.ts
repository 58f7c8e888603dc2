import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { answerOf, type Harness, startHarness } from "./harness.ts";

let harness: Harness;
beforeAll(async () => {
  harness = await startHarness();
});
afterAll(() => harness.stop());

describe("a delivery that cannot be trusted or read is refused before anything is asked of Redis or D1", () => {
  const hex = "0".repeat(64);
  const signatures = ["", "sha256=", hex, `sha256=${hex}`, `sha1=${hex}`, "sha256=zz", `sha256=${hex}00`, "nonsense"];
  test.each(signatures)("401 for the signature %j", async (signature) => {
    await harness.askedRedis();
    const delivery = await harness.delivery();
    const response = await harness.send(delivery, { "X-Hub-Signature-256": signature });
    expect(response.status).toBe(401);
    expect(await harness.askedRedis()).toBe(false);
    expect(await harness.row(delivery)).toBeUndefined();
  });

  test("401 without a signature", async () => {
    await harness.askedRedis();
    const { headers, ...rest } = await harness.delivery();
    const { "X-Hub-Signature-256": _, ...unsigned } = headers;
    expect((await harness.send({ ...rest, headers: unsigned })).status).toBe(401);
    expect(await harness.askedRedis()).toBe(false);
  });

  test("401 for a body that was changed, and for an empty one", async () => {
    const delivery = await harness.delivery();
    expect((await harness.send({ ...delivery, body: '{"action":"closed"}' })).status).toBe(401);
    expect((await harness.send({ ...delivery, body: "" })).status).toBe(401);
  });

  test.each(["", "a b", "x".repeat(257)])("400 for the delivery id %j", async (id) => {
    await harness.askedRedis();
    expect((await harness.send(await harness.delivery("{}", id))).status).toBe(400);
    expect(await harness.askedRedis()).toBe(false);
  });

  test("400 without a delivery id", async () => {
    const { headers, ...rest } = await harness.delivery();
    const { "X-GitHub-Delivery": _, ...anonymous } = headers;
    expect((await harness.send({ ...rest, headers: anonymous })).status).toBe(400);
  });
});

test.each(["not json", "{", "null", "payload=%7B%7D"])("400 for the signed body %j, again and again", async (body) => {
  const delivery = await harness.delivery(body);
  expect(answerOf(await harness.send(delivery))).toBe("400 processed");
  expect(answerOf(await harness.send(delivery))).toBe("400 duplicate");
  expect(await harness.row(delivery)).toBeUndefined();
});

test("422 for a known delivery id with another body, and the first stays as it was", async () => {
  const delivery = await harness.delivery();
  expect(answerOf(await harness.send(delivery))).toBe("200 processed");
  const other = await harness.delivery('{"action":"closed"}', delivery.id);
  expect(answerOf(await harness.send(other))).toBe("422 mismatch");
  expect(answerOf(await harness.send(delivery))).toBe("200 duplicate");
  expect(await harness.row(delivery)).toMatchObject({ action: "opened", writes: 1 });
});

test("500 with a log for people when Redis refuses the token, and D1 is not touched", async () => {
  const cut = await startHarness({ UPSTASH_REDIS_REST_TOKEN: "not-the-token" });
  try {
    const delivery = await cut.delivery();
    expect(answerOf(await cut.send(delivery))).toBe("500 -");
    expect(await cut.row(delivery)).toBeUndefined();
    expect(cut.logs.join()).toContain("UnauthorizedError");
    expect(cut.logs.join()).not.toContain("not-the-token");
  } finally {
    await cut.stop();
  }
});

test("503 with Retry-After while Redis is gone, and D1 is not touched", async () => {
  await harness.redis.kill();
  const delivery = await harness.delivery();
  const response = await harness.send(delivery);
  expect(answerOf(response)).toBe("503 unavailable");
  expect(response.headers.get("Retry-After")).toBe("1");
  expect(await harness.row(delivery)).toBeUndefined();
  await harness.redis.start();
  while (answerOf(await harness.send(delivery)) !== "200 processed");
});
