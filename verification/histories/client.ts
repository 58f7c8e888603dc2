/** A client: executes orders with the SDK, keeps the leases and reports the outcomes. Runs in every runtime. */
import { redisFence } from "../../src/fence/index.ts";
import { type ConnectOptions, createLocks, type Lease, type Locks } from "../../src/index.ts";
import { type Attempt, type Begun, beginCron, beginHandOver, beginOnce, type Turns } from "./attempts.ts";
import type { Answer, Order } from "./orders.ts";
import { type Outcome, outcomeOf } from "./outcomes.ts";

/** Short enough that freezes and failovers lead to retries and cancelled ids. */
const REQUEST_TIMEOUT = "2s";
/** Longer than any clock step of a server: a token may decrease only where the record is lost. */
const RETENTION = "3h";

/** Executes one kind of order for other libraries, where there are any. */
export type Others = (order: Order) => Promise<Outcome>;

/** A client, with its leases and attempts by order number. */
interface State {
  readonly locks: Locks;
  readonly fence: ReturnType<typeof redisFence>;
  readonly leases: Map<number, Lease>;
  readonly attempts: Map<number, Attempt>;
  readonly turns: Turns;
  readonly others: Others | undefined;
}

function acquirableOf({ locks }: State, { kind, name, side, max, reentrant }: Order) {
  if (kind === "lock" || kind === "handOver") return locks.lock(name, { reentrant });
  if (kind === "fairLock") return locks.fairLock(name, { reentrant });
  if (kind === "readWriteLock") return locks.readWriteLock(name)[side];
  return locks.semaphore(name, { permits: max });
}

async function acquire(state: State, order: Order): Promise<Outcome> {
  const { leases } = state;
  const { id, kind, reentryKey, lease, wait, permits } = order;
  const isHandedOver = kind === "handOver";
  const options = {
    lease: `${lease}ms` as const,
    ...(reentryKey && !isHandedOver && { reentryKey }),
    ...(kind === "semaphore" && { permits }),
  };
  const source = acquirableOf(state, order);
  // With -1 it tries once: null then means that nothing is held, without a reason.
  const given = await (wait < 0 ? source.tryAcquire(options) : source.acquire({ ...options, wait }));
  if (!given) return { status: "failed" };
  leases.set(id, given);
  return { status: "ok", token: given.token, ...(isHandedOver && { ticket: given.ticket() }) };
}

async function onLease({ fence, leases }: State, lease: Lease, { action, lease: ms, hold }: Order): Promise<Outcome> {
  if (action === "extend") {
    await lease.extend(`${ms}ms`);
    return { status: "ok" };
  }
  if (action === "verify") return { status: (await lease.verify()) ? "ok" : "lost" };
  if (action === "write") {
    await fence.claim(lease);
    return { status: "ok" };
  }
  const isReleased = await lease.release();
  leases.delete(hold);
  return { status: isReleased ? "ok" : "lost" };
}

function beginAttempt({ locks, turns }: State, order: Order): Promise<Begun> {
  if (order.kind === "cron") return beginCron(locks, order);
  if (order.kind === "handOver") return beginHandOver(locks, order, turns);
  return beginOnce(locks, order);
}

async function begin(state: State, order: Order): Promise<Outcome> {
  const { outcome, attempt } = await beginAttempt(state, order);
  if (attempt) state.attempts.set(order.id, attempt);
  return outcome;
}

async function onAttempt({ attempts }: State, attempt: Attempt, order: Order): Promise<Outcome> {
  const { action, value, hold, lease } = order;
  if (action === "extend") return attempt.extend(lease);
  const outcome = await (action === "fail" ? attempt.fail() : attempt.complete(value));
  attempts.delete(hold);
  return outcome;
}

async function act(state: State, order: Order): Promise<Outcome> {
  const { leases, attempts, others } = state;
  const { action, kind, hold } = order;
  if (kind === "naive" || kind === "upstash") {
    if (!others) throw new TypeError(`no ${kind} here`);
    return others(order);
  }
  if (action === "acquire") return acquire(state, order);
  if (action === "begin") return begin(state, order);
  const lease = leases.get(hold);
  if (lease) return onLease(state, lease, order);
  const attempt = attempts.get(hold);
  if (attempt) return onAttempt(state, attempt, order);
  throw new TypeError(`no hold #${hold} here`);
}

/** What a host adds to a client. */
export interface Extras {
  readonly others?: Others | undefined;
  /** The number of messages heard since the last call. */
  readonly heard?: () => number;
}

export function createClient(
  options: ConnectOptions,
  { others, heard = () => 0 }: Extras = {},
): (order: Order) => Promise<Answer> {
  const turns: Turns = new Map();
  const locks = createLocks({
    ...options,
    requestTimeout: REQUEST_TIMEOUT,
    retention: RETENTION,
    onEvent(event) {
      if (event.type === "turn" && event.attempt !== undefined)
        turns.set(`${event.name} ${event.attempt}`, event.status);
    },
  });
  const state: State = { locks, fence: redisFence(locks), leases: new Map(), attempts: new Map(), turns, others };
  return async (order) => {
    const outcome = await act(state, order).catch((error: unknown) => outcomeOf(error, order));
    const messages = heard();
    return { id: order.id, ...outcome, ...(messages > 0 && { heard: messages }) };
  };
}
