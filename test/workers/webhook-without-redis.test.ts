import { afterAll, beforeAll, expect, it } from "vitest";
import { signDelivery } from "../../demo/deliveries.ts";
import { type ExampleWorker, startWorker } from "./worker.ts";

const SECRET = "a-secret-of-github";
let worker: ExampleWorker;
beforeAll(async () => {
  const none = { url: "http://127.0.0.1:1", token: "no-redis" };
  const vars = { GITHUB_WEBHOOK_SECRET: SECRET, LEASE: "5s" };
  worker = await startWorker("webhook-without-redis", none, { vars, database: "DB" });
});
afterAll(() => worker?.stop());

it("processes a delivery once, however often it comes, without a Redis", async () => {
  const id = crypto.randomUUID();
  const body = JSON.stringify({ action: "opened" });
  const { headers } = await signDelivery(SECRET, id, "issues", body);
  const send = (): Promise<Response> => worker.fetch("/", { method: "POST", headers, body });
  const answers = await Promise.all(Array.from({ length: 5 }, send));
  const statuses = [...answers, await send()].map(({ headers }) => headers.get("Leasehold-Status"));
  expect(statuses.filter((status) => status === "processed")).toHaveLength(1);
  expect(statuses.filter((status) => !/^(processed|running|duplicate)$/.test(status ?? ""))).toEqual([]);
  expect(statuses.at(-1)).toBe("duplicate");

  const db = await worker.mf.getD1Database("DB");
  const { results } = await db.prepare("SELECT * FROM deliveries").all();
  expect(results).toEqual([expect.objectContaining({ id, attempt: 1, event: "issues" })]);
});

it("refuses a delivery that nobody signed", async () => {
  const { headers } = await signDelivery("another secret", crypto.randomUUID(), "issues", "{}");
  expect((await worker.fetch("/", { method: "POST", headers, body: "{}" })).status).toBe(401);
});
