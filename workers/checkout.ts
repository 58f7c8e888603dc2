/**
 * A checkout that sells no article twice. `PUT /orders/<id>` with `{ "plum": 2, "pear": 1 }` reserves the articles, has
 * the card checked, spends the reservation, and takes the money. The same request, retried after any failure,
 * continues where the order is. Who leaves, and a Worker that dies, return their articles when the lease ends.
 */
import { createLocks, type Duration, fromEnv, LeaseLostError, type PermitsByName } from "leasehold";

export interface Env {
  readonly DB: D1Database;
  readonly UPSTASH_REDIS_REST_URL: string;
  readonly UPSTASH_REDIS_REST_TOKEN: string;
  /** Authorizes, captures and voids payments. It takes an `Idempotency-Key`, and answers 402 when a card is declined. */
  readonly ACQUIRER_URL: string;
  /** How long an article stays reserved. */
  readonly LEASE: Duration;
}
type Status = "reserved" | "spent" | "paid" | "declined" | "expired";
type Order = { items: string; status: Status; tickets: string };

/** The stock of these articles. All are of one group, so that they are spent together or not at all. */
function stockOf(env: Env, items: PermitsByName) {
  // A spend is remembered for the retention: for as long as a request may be retried.
  const locks = createLocks(fromEnv(env, { lease: env.LEASE, retention: "1h" }));
  const stock = locks.group("stock");
  return locks.multiLock(Object.keys(items).map((article) => stock.semaphore(article, { ttl: "365d" })));
}

async function ask(env: Env, what: "authorize" | "capture" | "void", id: string): Promise<"done" | "declined"> {
  const headers = { "Idempotency-Key": `${what} ${id}` };
  const { ok, status } = await fetch(`${env.ACQUIRER_URL}/${what}`, { method: "POST", headers });
  if (!ok && status !== 402) throw new Error(`the acquirer answered ${status}`);
  return ok ? "done" : "declined";
}

/** Reserves the articles of a new order, unless too few are left. */
async function reserve(env: Env, id: string, items: PermitsByName): Promise<void> {
  const lease = await stockOf(env, items).tryAcquire({ permits: items });
  if (!lease) return;
  const insert = env.DB.prepare("INSERT OR IGNORE INTO orders (id, items, tickets) VALUES (?, ?, ?)");
  const { meta } = await insert.bind(id, JSON.stringify(items), JSON.stringify(lease.tickets())).run();
  // The same request was sent twice at once, and the other one was faster.
  if (meta.changes === 0) await lease.release();
}

/** Continues a reserved order. Every step may be repeated. */
async function advance(env: Env, id: string, { items: text, status, tickets }: Order): Promise<Status> {
  const move = async (to: Status): Promise<Status> => {
    await env.DB.prepare("UPDATE orders SET status = ? WHERE id = ?").bind(to, id).run();
    return to;
  };
  if (status === "reserved") {
    const items: PermitsByName = JSON.parse(text);
    const lease = await stockOf(env, items).resume(JSON.parse(tickets));
    if ((await ask(env, "authorize", id)) === "declined") {
      await lease.release();
      return move("declined");
    }
    try {
      await lease.spend(items);
    } catch (error) {
      // After any other failure nobody knows yet, and the request is retried.
      if (!(error instanceof LeaseLostError)) throw error;
      await ask(env, "void", id);
      return move("expired");
    }
    await move("spent");
  } else if (status !== "spent") return status;
  await ask(env, "capture", id);
  return move("paid");
}

export default {
  async fetch(request, env) {
    const [, id] = /^\/orders\/([\w-]{8,64})$/.exec(new URL(request.url).pathname) ?? [];
    if (id === undefined || request.method !== "PUT") return new Response("not found\n", { status: 404 });
    const items = await request.json<PermitsByName>().catch(() => ({}));
    const counts = Object.values(Object(items));
    if (counts.length === 0 || !counts.every((count) => Number.isSafeInteger(count) && Number(count) > 0))
      return new Response("an order needs articles, each with a number\n", { status: 400 });
    const find = () => env.DB.prepare("SELECT * FROM orders WHERE id = ?").bind(id).first<Order>();
    const order = (await find()) ?? (await reserve(env, id, items).then(find));
    if (!order) return Response.json({ id, error: "sold out" }, { status: 409 });
    const status = await advance(env, id, order);
    return Response.json({ id, status }, { status: status === "paid" ? 201 : 402 });
  },
} satisfies ExportedHandler<Env>;
