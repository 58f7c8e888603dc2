/**
 * An API of Express, on any server of your own. A POST with an `Idempotency-Key` places one order, and the same key
 * gets the same answer; while the first runs it is 409, with another payload 422, and two customers who choose the same
 * key do not meet. An attempt that froze past its lease can write nothing when it wakes up.
 */
import express, { type Response as Answer, type Request as Asked, type Express, type NextFunction } from "express";
import { fromEnv } from "leasehold";
import { redisFence } from "leasehold/fence";
import { dedupe, idempotencyKey } from "leasehold/http";
import { toExpress } from "leasehold/node";

/** As the middleware below leaves it. */
interface Known extends Asked {
  customer?: string;
}
interface Order {
  readonly item: string;
  readonly amount: number;
}

const locks = fromEnv();
const orders = redisFence(locks);

function authenticate(req: Known, res: Answer, next: NextFunction): void {
  const [, name] = /^Bearer (\w+)$/.exec(req.get("Authorization") ?? "") ?? [];
  if (name === undefined) return void res.status(401).json({ error: "who?" });
  req.customer = name;
  next();
}

const place = dedupe<[req: Known]>(
  { locks, key: idempotencyKey(), scope: (_, { customer = "" }) => customer, replay: true },
  async (request, { lease }, { customer }) => {
    const { item, amount } = (await request.json()) as Partial<Order>;
    if (!item || !Number.isSafeInteger(amount))
      return Response.json({ error: "an order needs an item and an amount" }, { status: 400 });
    // First, so that an earlier attempt that still continues can no longer write.
    await orders.claim(lease);
    const headers = { "Content-Type": "application/json", "Idempotency-Key": lease.name };
    const body = JSON.stringify({ item, amount });
    const { signal } = lease;
    const reserved = await fetch(`${process.env.STOCK_URL}/reserve`, { method: "POST", headers, body, signal });
    // Not stored, so that the client's next try continues here.
    if (!reserved.ok) return Response.json({ error: "try again with the same key" }, { status: 502 });
    const order = { id: lease.name.replace(/^.*:/, "or_"), customer, item, amount };
    await orders.write(lease, JSON.stringify(order));
    return Response.json(order, { status: 201 });
  },
);

export const app: Express = express();
// The bytes as they came, since a key is bound to them. Before `express.json()`, which keeps none.
app.post("/orders", authenticate, express.raw({ type: "*/*", limit: "100kb" }), toExpress(place));
