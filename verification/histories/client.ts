/** A client: executes orders with the SDK, keeps the leases and reports the outcomes. Runs in every runtime. */
import { redisFence, StaleTokenError } from "../../src/fence/index.ts";
import {
  type ConnectOptions,
  createLocks,
  type Lease,
  LeaseholdError,
  type Locks,
  type Started,
} from "../../src/index.ts";
import { NOT_STORED, type Status } from "./history.ts";
import type { Answer, Order } from "./orders.ts";

type Outcome = Omit<Answer, "id">;

/** Short enough that freezes and failovers lead to retries and cancelled ids. */
const REQUEST_TIMEOUT = "2s";
/** Longer than any clock step of a server: a token may decrease only where the record is lost. */
const RETENTION = "3h";

/** Executes one kind of order for other libraries, where there are any. */
export type Others = (order: Order) => Promise<Outcome>;

function outcomeOf(error: unknown, { action }: Order): Outcome {
  if (error instanceof StaleTokenError) return { status: "refused" };
  if (!(error instanceof LeaseholdError)) return { status: "unknown", error: String(error) };
  // The last response was a refusal. Without one, the current holder is unknown.
  if (error.code === "lock_timeout" && error.remainingMs !== undefined) return { status: "refused" };
  const starts = action === "acquire" || action === "begin";
  const codes: Partial<Record<typeof error.code, Status>> = {
    lease_lost: "lost",
    not_reentrant: "own",
    lock_timeout: starts ? "failed" : "unknown",
    redis_error: starts ? "failed" : "unknown",
    outcome_unknown: "unknown",
    unreachable: "unknown",
  };
  const status = codes[error.code];
  if (status === "failed") return { status, isError: true };
  return status ? { status } : { status: "unknown", error: `${error.code}: ${error.message}` };
}

/** A client, with its leases by order number. */
interface State {
  readonly locks: Locks;
  readonly fence: ReturnType<typeof redisFence>;
  readonly leases: Map<number, Lease>;
  readonly turns: Map<number, Started>;
  readonly others: Others | undefined;
}

function acquirableOf({ locks }: State, { kind, name, side, max, reentrant }: Order) {
  if (kind === "lock") return locks.lock(name, { reentrant });
  if (kind === "fairLock") return locks.fairLock(name, { reentrant });
  if (kind === "readWriteLock") return locks.readWriteLock(name)[side];
  return locks.semaphore(name, { permits: max });
}

async function acquire(state: State, order: Order): Promise<Outcome> {
  const { leases } = state;
  const { id, kind, reentryKey, lease, wait, permits } = order;
  const options = {
    lease: `${lease}ms` as const,
    ...(reentryKey && { reentryKey }),
    ...(kind === "semaphore" && { permits }),
  };
  const source = acquirableOf(state, order);
  // With -1 it tries once: null then means that nothing is held, without a reason.
  const given = await (wait < 0 ? source.tryAcquire(options) : source.acquire({ ...options, wait }));
  if (!given) return { status: "failed" };
  leases.set(id, given);
  return { status: "ok", token: given.token };
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

async function begin({ locks, turns }: State, { id, name, lease }: Order): Promise<Outcome> {
  const turn = await locks.once(name, { lease: `${lease}ms`, ttl: "10m" }).begin();
  if (turn.status === "done") return { status: "ok", token: turn.token, value: String(turn.result), done: true };
  if (turn.status !== "started") return { status: "refused" };
  turns.set(id, turn);
  return { status: "ok", token: turn.lease.token, attempt: turn.attempt };
}

async function onTurn({ turns }: State, turn: Started, { action, value, hold }: Order): Promise<Outcome> {
  if (action === "fail") return { status: (await turn.fail()) ? "ok" : "lost" };
  const { stored } = await turn.complete(value);
  turns.delete(hold);
  return { status: "ok", value: stored ? value : NOT_STORED };
}

async function act(state: State, order: Order): Promise<Outcome> {
  const { leases, turns, others } = state;
  const { action, kind, hold } = order;
  if (kind === "naive" || kind === "upstash") {
    if (!others) throw new TypeError(`no ${kind} here`);
    return others(order);
  }
  if (action === "acquire") return acquire(state, order);
  if (action === "begin") return begin(state, order);
  const lease = leases.get(hold);
  if (lease) return onLease(state, lease, order);
  const turn = turns.get(hold);
  if (turn) return onTurn(state, turn, order);
  throw new TypeError(`no hold #${hold} here`);
}

export function createClient(options: ConnectOptions, others?: Others): (order: Order) => Promise<Answer> {
  const locks = createLocks({ ...options, requestTimeout: REQUEST_TIMEOUT, retention: RETENTION });
  const state: State = { locks, fence: redisFence(locks), leases: new Map(), turns: new Map(), others };
  return async (order) => {
    const outcome = await act(state, order).catch((error: unknown) => outcomeOf(error, order));
    return { id: order.id, ...outcome };
  };
}
