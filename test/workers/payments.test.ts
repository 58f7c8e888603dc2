import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { dedupeKey } from "../../src/hono/index.ts";
import { connect, once } from "../../src/index.ts";
import { freshName, useStack } from "../support/use-stack.ts";
import { startUpstream, type Upstream } from "./upstream.ts";
import { type ExampleWorker, startWorker } from "./worker.ts";

const stack = useStack();
let acquirer: Upstream;
let worker: ExampleWorker;
beforeAll(async () => {
  acquirer = await startUpstream();
  worker = await startWorker("payments", stack, { vars: { ACQUIRER_URL: acquirer.url }, database: "DB" });
});
afterAll(async () => {
  await worker?.stop();
  await acquirer?.stop();
});

const database = () => worker.mf.getD1Database("DB");
const hex = (bytes: ArrayBuffer): string => Buffer.from(bytes).toString("hex");

/** A customer, who pays under an API key of its own. */
async function customer() {
  const [name, apiKey] = [freshName("customer"), `sk_${crypto.randomUUID()}`];
  const sha256 = hex(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(apiKey)));
  const db = await database();
  await db.prepare("INSERT INTO api_keys VALUES (?, ?)").bind(sha256, name).run();
  const pay = (key: string | undefined, body: unknown = { amount: 1000, currency: "eur" }): Promise<Response> =>
    worker.fetch("/v1/charges", {
      method: "POST",
      headers: {
        "Content-Type": "application/json",
        Authorization: `Bearer ${apiKey}`,
        ...(key !== undefined && { "Idempotency-Key": key }),
      },
      body: JSON.stringify(body),
    });
  const charges = async () =>
    (await db.prepare("SELECT * FROM charges WHERE customer = ?").bind(name).all()).results as Record<
      string,
      unknown
    >[];
  return { name, pay, charges };
}

const statusOf = (response: Response): string => `${response.status} ${response.headers.get("Leasehold-Status")}`;
interface Charge {
  readonly id: string;
  readonly status: string;
}
/** The acquirer's requests for this charge: they tell charges apart by their key. */
const askedFor = (id: string) => acquirer.asked("/").filter(({ headers }) => headers["idempotency-key"] === id);
/** The next request to the acquirer is one path for all, so tests that hold one go one after the other. */
const hold = () => acquirer.hold("/");

it("the same key gives the same answer, marked, and one charge", async () => {
  const { pay, charges } = await customer();
  const key = freshName();
  const first = await pay(key);
  expect(statusOf(first)).toBe("201 processed");
  expect(first.headers.get("Idempotent-Replayed")).toBeNull();
  const text = await first.text();
  const charge = JSON.parse(text) as Charge;
  expect(charge).toMatchObject({ object: "charge", amount: 1000, currency: "eur", status: "succeeded" });

  const again = await pay(key);
  expect(statusOf(again)).toBe("201 duplicate");
  expect(again.headers.get("Idempotent-Replayed")).toBe("true");
  expect(again.headers.get("Content-Type")).toBe(first.headers.get("Content-Type"));
  expect(await again.text()).toBe(text);
  expect(await charges()).toMatchObject([{ id: charge.id, amount: 1000 }]);
  expect(askedFor(charge.id)).toHaveLength(1);

  expect(statusOf(await pay(freshName()))).toBe("201 processed");
  expect(await charges()).toHaveLength(2);
});

it("another payload under the same key is 422, and one with a mistake does not use up its key", async () => {
  const { pay, charges } = await customer();
  const key = freshName();
  for (const wrong of [{ amount: -1, currency: "eur" }, { amount: 1 }, null]) {
    expect((await pay(key, wrong)).status).toBe(400);
  }
  expect(statusOf(await pay(key))).toBe("201 processed");
  expect(statusOf(await pay(key, { amount: 2000, currency: "eur" }))).toBe("422 mismatch");
  expect(statusOf(await pay(undefined))).toBe("400 malformed");
  expect(await charges()).toMatchObject([{ amount: 1000 }]);
});

it("two customers with the same key are apart, and a stranger gets in with none", async () => {
  const [one, two] = [await customer(), await customer()];
  const key = freshName();
  const [first, second] = await Promise.all([one.pay(key), two.pay(key, { amount: 5, currency: "usd" })]);
  expect([statusOf(first), statusOf(second)]).toEqual(["201 processed", "201 processed"]);
  expect(((await first.json()) as Charge).id).not.toBe(((await second.json()) as Charge).id);
  expect(await two.charges()).toMatchObject([{ amount: 5, currency: "usd" }]);
  const stranger = await worker.fetch("/v1/charges", {
    method: "POST",
    headers: { Authorization: "Bearer sk_stranger", "Idempotency-Key": key },
  });
  expect(stranger.status).toBe(401);
});

it("a declined card is an answer like any other", async () => {
  const { pay } = await customer();
  const key = freshName();
  const held = hold();
  const first = pay(key);
  await held.arrived;
  held.answer("{}", 402);
  expect(statusOf(await first)).toBe("402 processed");
  const again = await pay(key);
  expect([statusOf(again), await again.json()]).toMatchObject(["402 duplicate", { status: "declined" }]);
});

describe("when things go wrong", () => {
  it("while the first runs the key is 409", async () => {
    const { pay } = await customer();
    const key = freshName();
    const held = hold();
    const first = pay(key);
    await held.arrived;
    const second = await pay(key);
    expect(statusOf(second)).toBe("409 running");
    expect(Number(second.headers.get("Retry-After"))).toBeGreaterThan(0);
    held.answer("{}");
    expect(statusOf(await first)).toBe("201 processed");
    expect(statusOf(await pay(key))).toBe("201 duplicate");
  });

  it("a charge that failed is made with the next try, as the same one", async () => {
    const { pay, charges } = await customer();
    const key = freshName();
    const held = hold();
    const first = pay(key);
    const { headers } = await held.arrived;
    held.answer("busy", 503);
    expect(statusOf(await first)).toBe("502 failed");
    const second = await pay(key);
    expect(statusOf(second)).toBe("201 processed");
    const { id } = (await second.json()) as Charge;
    expect(headers["idempotency-key"]).toBe(id);
    expect(askedFor(id)).toHaveLength(2);
    expect(await charges()).toMatchObject([{ id, status: "succeeded" }]);
  });

  it("a charge that was made, and whose answer nobody remembers, is not made again", async () => {
    const { name, pay } = await customer();
    const key = freshName();
    const made = (await (await pay(key)).json()) as Charge;
    const forgotten = await dedupeKey({ sender: "idempotency-key", scope: name, id: key });
    expect(await once(connect({ url: stack.url, token: stack.token }), forgotten).forceRelease()).toBe(true);
    const again = await pay(key);
    expect([statusOf(again), await again.json()]).toEqual(["201 processed", made]);
    expect(askedFor(made.id)).toHaveLength(1);
  });

  it("an attempt that was overtaken cannot say what its charge came to", async () => {
    const { pay, charges } = await customer();
    const key = freshName();
    const held = hold();
    const first = pay(key);
    const { headers } = await held.arrived;
    // A later attempt's first act, and nothing more yet.
    const id = `${headers["idempotency-key"]}`;
    await (await database()).prepare("UPDATE charges SET token = token + 1 WHERE id = ?").bind(id).run();
    held.answer("{}", 402);
    expect((await first).ok).toBe(false);
    expect(await charges()).toMatchObject([{ id, status: null }]);
    expect(statusOf(await pay(key))).toBe("201 processed");
    expect(await charges()).toMatchObject([{ id, status: "succeeded" }]);
  });
});
