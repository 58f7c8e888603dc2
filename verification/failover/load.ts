/** The load of a run: locks, fair locks and `once`, in constant use, and the facts that it leaves for the judge. */
import { setTimeout as pause } from "node:timers/promises";
import {
  type Acquirable,
  fairLock,
  group,
  type Lease,
  LeaseholdError,
  lock,
  once,
  quorumLock,
} from "../../src/index.ts";
import type { Random } from "../histories/random.ts";
import type { Grant, Tenure, WorkRun } from "./ledger.ts";
import type { Client } from "./stage.ts";
import { type Tap, tap } from "./tap.ts";

/** How long one call waits. Its caller then calls again. */
const WAIT_MS = 30_000;
const RETRY_MS = 50;
/** Most tenures are short. */
const SHORT_MS = { min: 10, max: 50 };
const IDLE_MS = { min: 20, max: 120 };
/** Some last through a fault, but not longer than this share of their lease. */
const LONG_SHARE = { min: 0.1, max: 0.4 };
/** How many of the newest results are asked for again. */
const ASKED_AGAIN = 20;

/** The names with short tenures: each must be granted again soon after a fault. */
export const HOT = ["lock a", "lock b", "fair"] as const;
const LONG = ["long a", "long b"] as const;
const HOT_WORKERS = 3;
const LONG_WORKERS = 2;

export interface LoadOptions {
  readonly clients: readonly Client[];
  readonly random: Random;
  readonly leaseMs: number;
  /** The replicas that must have a grant. */
  readonly replicas: number;
  /** The group of all names. */
  readonly group: string | undefined;
}

/** Somebody who waits for a turn. */
export interface Waiter {
  readonly name: string;
}

export interface Load {
  readonly tenures: readonly Tenure[];
  readonly runs: readonly WorkRun[];
  /** Those who wait for a turn now. Each turn has another waiter, even of the same worker. */
  readonly waiting: ReadonlySet<Waiter>;
  /** Calls that were rejected, by code. */
  readonly rejected: ReadonlyMap<string, number>;
  /** @throws what a worker threw, which ends the load. */
  check(): void;
  stop(): Promise<void>;
}

/** This machine's time in µs. */
export const nowUs = (): number => Date.now() * 1000;

interface State {
  readonly options: LoadOptions;
  readonly over: AbortController;
  readonly tenures: Tenure[];
  readonly runs: WorkRun[];
  readonly rejected: Map<string, number>;
  readonly waiting: Set<Waiter>;
  /** What a worker threw. */
  failure?: unknown;
}

type Between = { readonly min: number; readonly max: number };
const sleep = ({ options: { random } }: State, { min, max }: Between): Promise<void> => pause(random.between(min, max));

/** A worker's own view of a client, through taps. */
function tapsOf({ options }: State, { connections }: Client): readonly Tap[] {
  return connections.map((connection) =>
    tap(options.group === undefined ? connection : group(connection, options.group)),
  );
}

/** A grant by a majority: the lease that a majority of the servers gave, and the token that they agreed on. */
function grantOf(taps: readonly Tap[], name: string, { token }: Pick<Lease, "token">): Grant {
  const [only] = taps;
  if (taps.length === 1) {
    const grant = only?.grantOf(name, token);
    if (!grant) throw new Error(`no reply granted ${token} of ${name}`);
    return grant;
  }
  const longest = taps.flatMap((each) => each.grantOf(name) ?? []).sort((a, b) => b.until - a.until);
  const majority = longest.slice(0, 1 + (taps.length >> 1));
  return {
    token,
    at: Math.max(...majority.map(({ at }) => at)),
    until: Math.min(...majority.map(({ until }) => until)),
  };
}

/** When a majority of the servers said that a tenure is not held any more. */
function lossOf(taps: readonly Tap[], { name, token }: Tenure): number | undefined {
  const losses = taps.flatMap((each) => each.lossOf(name, token) ?? []);
  return losses.sort((a, b) => a - b)[taps.length >> 1];
}

function lockOf(taps: readonly Tap[], name: string, { leaseMs }: LoadOptions): Acquirable {
  const connections = taps.map(({ connection }) => connection);
  const [connection] = connections;
  if (connection === undefined || connections.length > 1) return quorumLock(connections, name, { lease: leaseMs });
  return (name === "fair" ? fairLock : lock)(connection, name, { lease: leaseMs });
}

/** Calls until there is an answer. Undefined if the run has ended. */
async function insist<T>(state: State, name: string, call: () => Promise<T>): Promise<T | undefined> {
  const { over, rejected, waiting } = state;
  const waiter = { name };
  waiting.add(waiter);
  while (!over.signal.aborted) {
    try {
      const answer = await call();
      waiting.delete(waiter);
      return answer;
    } catch (error) {
      if (over.signal.aborted) return undefined;
      if (!(error instanceof LeaseholdError)) throw error;
      rejected.set(error.code, (rejected.get(error.code) ?? 0) + 1);
    }
    await pause(RETRY_MS);
  }
  return undefined;
}

/** One worker of a name: acquires it, works and releases it, again and again. */
async function workOn(state: State, name: string, client: Client, tenureMs: Between, idleMs: Between): Promise<void> {
  const { options, over, tenures } = state;
  const taps = tapsOf(state, client);
  const source = lockOf(taps, name, options);
  const replicas = options.replicas > 0 ? { replicas: { min: options.replicas } } : {};
  const acquire = (): Promise<Lease> => source.acquire({ ...replicas, wait: WAIT_MS, signal: over.signal });
  while (!over.signal.aborted) {
    const lease = await insist(state, name, acquire);
    if (!lease) continue;
    const tenure: Tenure = { ...grantOf(taps, name, lease), name, beganAt: nowUs() };
    tenures.push(tenure);
    await sleep(state, tenureMs);
    tenure.stoppedAt = nowUs();
    // Without an answer, the lease ends on its own.
    await lease.release().catch(() => {});
    const goneAt = lossOf(taps, tenure);
    if (goneAt !== undefined) tenure.goneAt = goneAt;
    await sleep(state, idleMs);
  }
}

/** Runs the work of a key once, if it has not run. */
async function runOnce(state: State, [taps]: readonly [Tap], name: string): Promise<WorkRun | undefined> {
  const { options, over, runs } = state;
  let run: WorkRun | undefined;
  const source = once(taps.connection, name, { lease: options.leaseMs, ttl: "10m" });
  const ended = await insist(state, name, () =>
    source.run({ wait: WAIT_MS, signal: over.signal }, async ({ lease }) => {
      run = { ...grantOf([taps], name, lease), name, beganAt: nowUs() };
      runs.push(run);
      await sleep(state, SHORT_MS);
      return 1;
    }),
  );
  if (run && ended?.status === "done" && ended.fresh && !("stored" in ended && ended.stored === false))
    run.isStored = true;
  return run?.isStored ? run : undefined;
}

/** One of two workers that deliver the same keys, and ask for earlier results again. */
async function deliver(state: State, client: Client, done: WorkRun[]): Promise<void> {
  const { options, over } = state;
  const taps = tapsOf(state, client) as readonly [Tap];
  for (let count = 0; !over.signal.aborted; count++) {
    const run = await runOnce(state, taps, `once ${count}`);
    if (run) done.push(run);
    const earlier = done.slice(-ASKED_AGAIN);
    if (earlier.length > 0) await runOnce(state, taps, options.random.pick(earlier).name);
    await sleep(state, IDLE_MS);
  }
}

export function startLoad(options: LoadOptions): Load {
  const { clients, leaseMs } = options;
  const over = new AbortController();
  const state: State = { options, over, tenures: [], runs: [], rejected: new Map(), waiting: new Set() };
  const client = (index: number): Client => clients[index % clients.length] as Client;
  const longMs = { min: LONG_SHARE.min * leaseMs, max: LONG_SHARE.max * leaseMs };
  // A lock is not fair: a worker that came back at once after a long tenure would keep the other one out.
  const working = [
    ...HOT.flatMap((kind) =>
      Array.from({ length: HOT_WORKERS }, (_, n) => workOn(state, kind, client(n), SHORT_MS, IDLE_MS)),
    ),
    ...LONG.flatMap((kind) =>
      Array.from({ length: LONG_WORKERS }, (_, n) => workOn(state, kind, client(n), longMs, longMs)),
    ),
  ];
  // A quorum has no `once`.
  const isSingle = client(0).connections.length === 1;
  const done: WorkRun[] = [];
  if (isSingle) working.push(deliver(state, client(0), done), deliver(state, client(1), done));
  const all = Promise.all(working).catch((error: unknown) => {
    state.failure = error;
    over.abort(error);
  });
  return {
    tenures: state.tenures,
    runs: state.runs,
    rejected: state.rejected,
    waiting: state.waiting,
    check() {
      if (state.failure !== undefined) throw state.failure;
    },
    async stop() {
      over.abort(new Error("the run has ended"));
      await all;
    },
  };
}
