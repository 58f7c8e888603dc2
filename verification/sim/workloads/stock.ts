import type { MultiSemaphoreLease, PermitsByName, SemaphoreLease } from "../../../src/index.ts";
import type { Op } from "../history/index.ts";
import type { Worker } from "../worker.ts";
import { SLACK_MS } from "./lock.ts";

const START = 6;
const MOST = 3;
/** How often a spend without an answer is repeated. */
const REPEATS = 4;

type Reserved = SemaphoreLease | MultiSemaphoreLease;

/** A reservation, by its holder or by another process that has its tickets. */
interface Reservation {
  readonly by: Worker;
  readonly lease: Reserved;
}

/** The articles of a round, each with the number of permits. */
function drawCart({ random }: Worker): PermitsByName {
  const names = random.chance(0.6) ? [random.pick(["a", "b"])] : ["a", "b"];
  return Object.fromEntries(names.map((name) => [name, 1 + random.below(MOST)]));
}

/** How the articles of a cart are reserved, and resumed by a worker on its own host. */
function kindOf({ locks }: Worker, cart: PermitsByName) {
  const stock = locks.group("stock");
  const [first, ...others] = Object.entries(cart).map(([name]) => stock.semaphore(name, { ttl: "1d" }));
  if (!first) throw new Error("a cart has an article");
  if (others.length > 0) {
    const several = locks.multiLock([first, ...others]);
    return {
      tryAcquire: (options: object) => several.tryAcquire({ ...options, permits: cart }),
      acquire: (options: object) => several.acquire({ ...options, permits: cart }),
      resume: (tickets: readonly string[]): Promise<Reserved> => several.resume(tickets),
    };
  }
  const permits = cart[first.name] ?? 1;
  return {
    tryAcquire: (options: object) => first.tryAcquire({ ...options, permits }),
    acquire: (options: object) => first.acquire({ ...options, permits }),
    resume: ([ticket = ""]: readonly string[]): Promise<Reserved> => first.resume(ticket),
  };
}

const ticketsOf = (lease: Reserved): readonly string[] => ("tickets" in lease ? lease.tickets() : [lease.ticket()]);

/** Spends permits, and asks again while the outcome is unknown. */
async function spend(
  { by, lease }: Reservation,
  counts: PermitsByName,
  of: Op,
  names: readonly string[],
): Promise<void> {
  const mostMs = by.plan.requestTimeoutMs + SLACK_MS;
  const list = Object.values(counts);
  const [count = 0] = list;
  const send = () => ("tickets" in lease ? lease.spend(counts) : lease.spend(count));
  for (let tries = 0; tries < REPEATS; tries++) {
    await by.sleep(tries === 0 ? 0 : by.random.pick([0, 100, 1000]));
    const about = { of, expected: /lease_lost|state_lost/, mostRequests: 1 };
    const { op, error } = await by.call(`spends ${list}`, mostMs, send, about);
    for (const [n, name] of names.entries()) by.history.told(name, op, list[n] ?? 0, error);
    if (op.outcome !== "outcome_unknown") return;
  }
}

/** The same reservation on another host. */
async function handOver(
  worker: Worker,
  { lease }: Reservation,
  cart: PermitsByName,
  of: Op,
): Promise<Reservation | undefined> {
  const drawn = worker.random.pick(worker.peers);
  const by = drawn.host.isDead ? worker : drawn;
  const tickets = ticketsOf(lease);
  worker.as = by;
  // A frozen host resumes nothing.
  await by.sleep(0);
  const { value } = await by.call("resumes", by.plan.requestTimeoutMs, () => kindOf(by, cart).resume(tickets), { of });
  return value && { by, lease: value };
}

async function use(
  worker: Worker,
  own: Reservation,
  cart: PermitsByName,
  op: Op,
  names: readonly string[],
): Promise<void> {
  const { random, plan, history } = worker;
  const mostMs = plan.requestTimeoutMs + SLACK_MS;
  const { lease } = own;
  worker.believe(op, lease as SemaphoreLease, names);
  await worker.sleep(random.pick([0, 30, 300, 2000]));
  if (random.chance(0.3))
    await worker.call("extends", lease.remaining + 2 * mostMs, () => lease.extend(random.pick([300, 4000])), {
      of: op,
      expected: /lease_lost/,
    });
  const counts = Object.fromEntries(Object.entries(cart).map(([name, most]) => [name, random.below(most + 1)]));
  const drawn = random();
  history.disbelieve(op);
  if (drawn < 0.35) await spend(own, counts, op, names);
  else if (drawn < 0.75) {
    const twin = await handOver(worker, own, cart, op);
    const spends = twin ? [spend(twin, counts, op, names)] : [];
    // Both at once, or one after the other.
    if (random.chance(0.5)) await Promise.all([...spends, spend(own, counts, op, names)]);
    else await Promise.all(spends);
    if (random.chance(0.3)) await spend(own, counts, op, names);
  } else if (drawn < 0.9) await worker.call("releases", mostMs, () => lease.release());
  else await worker.sleep(lease.remaining + 1);
  worker.as = undefined;
  worker.finish(op);
}

/** Articles are reserved, and spent or given back. Others deliver. */
export async function stockRound(worker: Worker): Promise<void> {
  const { random, plan, locks } = worker;
  const mostMs = plan.requestTimeoutMs + SLACK_MS;
  const cart = drawCart(worker);
  const stock = locks.group("stock");
  for (const name of Object.keys(cart)) {
    const article = stock.semaphore(name, { ttl: "1d" });
    // The first, and one after a loss.
    await worker.call(`sets ${name}`, mostMs, () => article.trySetPermits(START));
    if (random.chance(0.35))
      await worker.call(`delivers ${name}`, mostMs, () => article.addPermits(1 + random.below(MOST)));
    if (random.chance(0.2)) await worker.call(`reads ${name}`, mostMs, () => article.inspect());
  }
  const options = { lease: random.pick([300, 1000, 4000, 15_000]) };
  const kind = kindOf(worker, cart);
  const wait = random.pick([100, 1000, 5000]);
  const waits = random.chance(0.5);
  // Too few permits in all are a RangeError.
  const { value, op } = await worker.call<Reserved | null>(
    `reserves ${JSON.stringify(cart)}`,
    (waits ? wait : 0) + mostMs,
    () => (waits ? kind.acquire({ ...options, wait }) : kind.tryAcquire(options)),
    { expected: /lock_timeout|RangeError/ },
  );
  const names = Object.keys(cart).map((name) => worker.keyOf(name, "stock"));
  if (value) await use(worker, { by: worker, lease: value }, cart, op, names);
  await worker.sleep(random.pick([0, 1, 20, 200, 1500]));
}
