/**
 * An API like Stripe's: a POST with an `Idempotency-Key` is made once, and the same key gives the same answer again.
 * While the first runs it is 409, with another payload 422, and two customers who choose the same key do not meet. A
 * charge that failed or died is taken up again under its key. What a frozen attempt writes when it wakes up is refused;
 * the acquirer knows both attempts by the charge's id.
 */
import { Hono } from "hono";
import { bearerAuth } from "hono/bearer-auth";
import { HTTPException } from "hono/http-exception";
import { sha256 } from "hono/utils/crypto";
import { validator } from "hono/validator";
import { fromEnv } from "leasehold";
import { d1Fence } from "leasehold/fence";
import { type DedupeVariables, dedupe, idempotencyKey } from "leasehold/hono";

export interface Env {
  readonly DB: D1Database;
  readonly UPSTASH_REDIS_REST_URL: string;
  readonly UPSTASH_REDIS_REST_TOKEN: string;
  /** The service that moves the money. It takes an `Idempotency-Key` too, and answers 402 when a card is declined. */
  readonly ACQUIRER_URL: string;
}
type Customer = { Bindings: Env; Variables: { customer: string } };
type App = { Bindings: Env; Variables: DedupeVariables & Customer["Variables"] };
type Charge = { amount: number; currency: string };

const app: Hono<App> = new Hono();

const authenticate = bearerAuth<Customer>({
  async verifyToken(key, c) {
    const found = c.env.DB.prepare("SELECT customer FROM api_keys WHERE sha256 = ?").bind(await sha256(key));
    const customer = await found.first<string>("customer");
    if (customer !== null) c.set("customer", customer);
    return customer !== null;
  },
});

// Before `dedupe`, so that a request with a mistake in it does not use up its key.
const valid = validator("json", (body: Partial<Charge> | null, c) => {
  const { amount = 0, currency = "" } = body ?? {};
  if (Number.isSafeInteger(amount) && amount > 0 && /^[a-z]{3}$/.test(currency)) return { amount, currency };
  return c.json({ error: "a charge needs an amount in cents, and a currency" }, 400);
});

const once = dedupe<Customer>({
  locks: (_, { env }) => fromEnv(env),
  key: idempotencyKey(),
  scope: (_, c) => c.var.customer,
  replay: true,
});

app.post("/v1/charges", authenticate, valid, once, async (c) => {
  const { customer, lease } = c.var;
  // A digest of customer and key: every attempt makes this same charge.
  const id = lease.name.replace(/^.*:/, "ch_");
  const fence = d1Fence(c.env.DB);
  const row = { table: "charges", key: { id } };
  // The first act of an attempt. From here on no earlier one writes any more, and what it has written can be seen.
  await fence.upsert(lease, { ...row, set: { customer } });
  const made = c.env.DB.prepare("SELECT amount, currency, status FROM charges WHERE id = ? AND status IS NOT NULL");
  const charge = (await made.bind(id).first<Charge & { status: string }>()) ?? (await make(c.req.valid("json")));
  return c.json({ id, object: "charge", ...charge }, charge.status === "declined" ? 402 : 201);

  async function make({ amount, currency }: Charge) {
    const headers = { "Content-Type": "application/json", "Idempotency-Key": id };
    const body = JSON.stringify({ amount, currency });
    const answer = await fetch(c.env.ACQUIRER_URL, { method: "POST", headers, body, signal: lease.signal });
    // Not stored, so that the client's next try continues here.
    if (!answer.ok && answer.status !== 402) throw new HTTPException(502, { message: "try again with the same key" });
    const status = answer.ok ? "succeeded" : "declined";
    await fence.update(lease, { ...row, set: { amount, currency, status } });
    return { amount, currency, status };
  }
});

export default app;
