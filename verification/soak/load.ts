/** The load of the demo on one server, at a steady rate: duplicate deliveries, and contended locks of each kind. */
import { setTimeout as pause } from "node:timers/promises";
import { LeaseholdError, type Locks } from "../../src/index.ts";
import type { SoakedServer } from "./servers.ts";

interface Tally {
  /** Calls that succeeded. */
  done: number;
  /** Calls that threw an error of the SDK, such as a wait that timed out. */
  refused: number;
  /** Work that ran at the same time as work that excludes it, and unexpected errors. */
  readonly faults: string[];
}

export interface Load {
  readonly tally: Tally;
  /** Starts no more visits, and closes the clients when the last one has ended. May be called again. */
  stop(): Promise<void>;
}

interface Visitor {
  readonly locks: Locks;
  readonly tally: Tally;
  /** The number of visitors that are working under each name. */
  readonly working: Map<string, number>;
  readonly number: number;
}

type Visit = (visitor: Visitor) => Promise<unknown>;

/** Names repeat, so that a server soon has as many keys as at the end. */
const NAMES = 8;
const DELIVERIES = 12;
/** The number of clients that visit the same name at once. */
const CLIENTS = 3;
const DELIVERY_TTL = "4s";
const WORK_MS = 3;
const WAIT = { wait: "2s", lease: "30s" } as const;
/** While more visits than this are open, none is started: the server is busy. */
const MAX_AT_ONCE = 60;
const PERMITS = 3;

/** Works for a moment. More than `max` at once under the same name is a fault. */
async function work({ working, tally }: Visitor, name: string, max: number): Promise<void> {
  const count = (working.get(name) ?? 0) + 1;
  working.set(name, count);
  if (count > max) tally.faults.push(`${count} worked under ${name} at once`);
  await pause(WORK_MS);
  working.set(name, (working.get(name) ?? 1) - 1);
}

/** A delivery arrives several times, as in the demo, and is processed once. */
function deliver(visitor: Visitor): Promise<unknown> {
  const key = `delivery ${visitor.number % DELIVERIES}`;
  const once = visitor.locks.once(key, { lease: "30s", ttl: DELIVERY_TTL });
  return once.run({ wait: "2s" }, () => work(visitor, key, 1));
}

const nameOf = (kind: string, { number }: Visitor): string => `${kind} ${number % NAMES}`;

/** A waiter that gives up while another client holds the lock. */
async function giveUp(visitor: Visitor): Promise<void> {
  const lock = visitor.locks.fairLock(nameOf("given up", visitor));
  const held = await lock.tryAcquire({ lease: "30s" });
  const signal = AbortSignal.timeout(20);
  await lock.acquire({ wait: "5s", signal }).then(
    (lease) => lease.release(),
    () => {},
  );
  await held?.release();
}

const VISITS: readonly Visit[] = [
  deliver,
  (visitor) => {
    const name = nameOf("lock", visitor);
    return visitor.locks.lock(name).run(WAIT, () => work(visitor, name, 1));
  },
  (visitor) => {
    const name = nameOf("fair", visitor);
    return visitor.locks.fairLock(name).run(WAIT, () => work(visitor, name, 1));
  },
  (visitor) => {
    const name = nameOf("rw", visitor);
    const { read, write } = visitor.locks.readWriteLock(name);
    const isWriter = Math.random() < 0.3;
    return (isWriter ? write : read).run(WAIT, () => work(visitor, name, isWriter ? 1 : Number.POSITIVE_INFINITY));
  },
  (visitor) => {
    const name = nameOf("semaphore", visitor);
    return visitor.locks.semaphore(name, { permits: PERMITS }).run(WAIT, () => work(visitor, name, PERMITS));
  },
  giveUp,
];

/** Starts visits at the given rate, by several clients at once. */
export async function startLoad(server: SoakedServer, visitsPerSecond: number): Promise<Load> {
  const tally: Tally = { done: 0, refused: 0, faults: [] };
  const clients = await Promise.all(Array.from({ length: CLIENTS }, (_, number) => server.open(number)));
  const working = new Map<string, number>();
  const open = new Set<Promise<void>>();
  let number = 0;

  async function visit(locks: Locks, turn: number): Promise<void> {
    try {
      const visitor = { locks, tally, working, number: Math.floor(turn / VISITS.length) };
      await (VISITS[turn % VISITS.length] as Visit)(visitor);
      tally.done++;
    } catch (error) {
      if (error instanceof LeaseholdError) tally.refused++;
      else tally.faults.push(String(error));
    }
  }

  const timer = setInterval(
    () => {
      if (open.size >= MAX_AT_ONCE) return;
      const turn = number++;
      for (const { locks } of clients) {
        const visiting = visit(locks, turn).finally(() => open.delete(visiting));
        open.add(visiting);
      }
    },
    (1000 * CLIENTS) / visitsPerSecond,
  );

  return {
    tally,
    async stop() {
      clearInterval(timer);
      await Promise.all(open);
      for (const client of clients.splice(0)) await client.close();
    },
  };
}
