import {
  type ConnectionSettings,
  type ConnectOptions,
  createLocks,
  type Lease,
  LeaseholdError,
  type Locks,
} from "../../src/index.ts";
import { fetchPort } from "../../src/redis/fetch.ts";
import type { History, Op } from "./history/index.ts";
import type { Host } from "./host.ts";
import type { Messages } from "./messages.ts";
import type { Network, Route } from "./network.ts";
import type { Plan } from "./plan.ts";
import type { Random } from "./random.ts";
import type { Server } from "./server.ts";
import { type World, within } from "./world.ts";

/** The outcome of a call. */
export type Outcome<T> =
  | { readonly value: T; readonly error?: undefined; readonly op: Op }
  | { readonly value?: undefined; readonly error: unknown; readonly op: Op };

interface About {
  /** The errors that may also happen without faults. */
  readonly expected?: RegExp;
  /** The acquisition whose lease the call refers to. */
  readonly of?: Op;
  /** Whether it acquires and releases several leases. */
  readonly isComposite?: boolean;
  /** The maximum number of requests without faults, besides the texts of scripts. */
  readonly mostRequests?: number | undefined;
  /** Whether it returns only after a replica has its hold. */
  readonly isReplicated?: boolean;
}

/** A part of the waiters that is broken on purpose. */
export type WaitBreak =
  /** They trust that no message is lost. */
  "never polls";

export interface Worker {
  readonly id: string;
  readonly world: World;
  /** All workers of the run. */
  readonly peers: readonly Worker[];
  /** The worker on whose host a call of this one is running. */
  as?: Worker | undefined;
  readonly host: Host;
  readonly plan: Plan;
  readonly random: Random;
  readonly history: History;
  readonly servers: readonly Server[];
  readonly brokenWait: WaitBreak | undefined;
  /** One client for each server. */
  readonly clients: readonly Locks[];
  readonly locks: Locks;
  /** The key of a name on the first server, as used by the history. */
  keyOf(name: string, group?: string): string;
  /** Another connection to the first server. */
  another(): Locks;
  /** Makes a call that must end within `mostMs` of the host's time. */
  call<T>(what: string, mostMs: number, code: () => Promise<T>, more?: About): Promise<Outcome<T>>;
  sleep(ms: number): Promise<void>;
  /** Relies on a lease until its release. */
  believe(op: Op, lease: BelievedLease, names: readonly string[]): void;
  /** A controller of a signal for the SDK. */
  controller(): AbortController;
  /** The lease of an operation has ended. */
  finish(op: Op): void;
}

type BelievedLease = Pick<Lease, "remaining" | "signal"> & { readonly token?: number };

export interface Counts {
  calls: number;
  /** Signals passed to the SDK: none of its listeners may remain. Undefined if they are not kept. */
  readonly signals: AbortSignal[] | undefined;
}

export interface WorkerOptions {
  readonly id: string;
  readonly host: Host;
  readonly world: World;
  readonly plan: Plan;
  readonly random: Random;
  readonly history: History;
  readonly network: Network<Op>;
  readonly servers: readonly Server[];
  /** The messages that wake waiters; undefined if they poll. */
  readonly messages?: Messages | undefined;
  readonly brokenWait?: WaitBreak | undefined;
  readonly counts: Counts;
  readonly peers: readonly Worker[];
}

function outcomeOf(value: unknown): string {
  if (value === null || value === false) return "null";
  if (typeof value !== "object") return String(value);
  // An attempt of `once` and a report of a cron have a lease only if they say so.
  const { status = "started" } = value as { status?: unknown };
  return status === "started" ? "lease" : "null";
}

/** The name of an error in the log: its code, or `aborted` for one of the simulation. */
function codeOf(error: unknown): string {
  if (error instanceof LeaseholdError) return error.code;
  return error === ABORTED ? "aborted" : `${error}`;
}
export const ABORTED: Error = new Error("aborted by the workload");

/** Makes a call of the SDK, and checks how it ends. */
async function makeCall<T>(
  { host, world, plan, history, counts }: WorkerOptions,
  id: string,
  what: string,
  mostMs: number,
  code: () => Promise<T>,
  { expected, of, mostRequests, isComposite = false, isReplicated }: About = {},
): Promise<Outcome<T>> {
  const op: Op = {
    id,
    what,
    startedAt: world.now(),
    asked: new Set(),
    requests: 0,
    late: 0,
    copied: false,
    of,
    isComposite,
    isReplicated,
  };
  counts.calls++;
  world.log(`${op.id} ${what}`);
  world.note({ type: "call", call: id, what });
  const began = host.monotonic();
  const frozen = host.frozenMs;
  let outcome: Outcome<T>;
  try {
    const value = await within({ host, op }, code);
    outcome = { value, op };
    op.outcome = outcomeOf(value);
  } catch (error) {
    outcome = { error, op };
    op.outcome = codeOf(error);
    const isKnown = error instanceof LeaseholdError || error === ABORTED || expected?.test(op.outcome);
    if (!isKnown || (plan.isCalm && !expected?.test(op.outcome)))
      history.report("errors", `${op.id} ${what} ended with ${error instanceof Error ? error.stack : error}`);
  }
  op.endedAt = world.now();
  // A timer that a call sets for its lease may remain for the duration of the lease.
  if (op.outcome !== "lease" && !of) op.overAt = world.now();
  world.log(`${op.id} ${what} ended: ${op.outcome}`);
  world.note({ type: "ended", call: id, outcome: op.outcome });
  history.ended(op);
  const took = host.monotonic() - began - (host.frozenMs - frozen);
  // The answer to a late request reports the server's time, so the next one is in time.
  const retries = op.isStale ? Math.min(op.late, 1) : 0;
  if (plan.isCalm && mostRequests !== undefined && op.requests > mostRequests + retries)
    history.report("costs", `${op.id} ${what} sent ${op.requests} requests of ${mostRequests}`);
  if (took > mostMs) history.report("settles", `${op.id} ${what} took ${took.toFixed(0)} ms of ${mostMs}`);
  return outcome;
}

/** Relies on a lease, in half of the cases also by its signal. */
function believe(
  { host, random, history }: WorkerOptions,
  op: Op,
  lease: BelievedLease,
  names: readonly string[],
): void {
  const { token = 0 } = lease;
  const signal = random.chance(0.5) ? lease.signal : undefined;
  history.believe({
    op,
    token,
    names,
    holds: () => !host.isDead && lease.remaining > 0 && !signal?.aborted,
    stands: () => host.really(() => lease.remaining) <= 0,
  });
}

export function createWorker(options: WorkerOptions): Worker {
  const { id, host, world, plan, random, history, network, servers, messages, brokenWait, counts, peers } = options;
  const isCluster = plan.kind === "cluster";
  let calls = 0;
  /** The node of a cluster that stores a key, chosen by one character, which is as good as any hash. */
  const nodeOf = (key: string): Server => servers[key.charCodeAt(key.indexOf("}") - 1) % servers.length] as Server;
  const route: Route = ([command]) => nodeOf(command?.[3] ?? "");
  function connect(name: string, to: Route): Locks {
    const url = `https://${name}.invalid`;
    const fetch = network.fetchOf(host, to, id, name) as never;
    const wakeUps = messages?.wakeUpsOf(host);
    const settings: ConnectionSettings = {
      clock: { now: host.wall, monotonic: host.monotonic, timers: host },
      random,
      requestTimeout: plan.requestTimeoutMs,
      retention: plan.retentionMs,
      lease: "10s",
      ...(plan.seed % 2 === 1 && { holder: `${host.name} ${id}` }),
      ...(plan.seed % 3 === 1 && { ticketKey: "a secret that all hosts have" }),
    };
    // Only a client over TCP brings wake-ups of its own.
    const options: ConnectOptions = wakeUps
      ? { ...settings, redis: { port: fetchPort(url, "token", fetch), server: `${name}.invalid`, wakeUps } }
      : { ...settings, url, token: "token", fetch };
    return createLocks(options);
  }
  const clients = isCluster ? [connect("nodes", route)] : servers.map((server) => connect(server.name, () => server));
  let others = 0;

  return {
    id,
    world,
    peers,
    host,
    plan,
    random,
    history,
    servers,
    brokenWait,
    clients,
    locks: clients[0] as Locks,
    keyOf(name, group) {
      const key = `leasehold:{${group ?? name}}${group === undefined ? "" : `/${name}`}`;
      return `${(isCluster ? nodeOf(key) : servers[0])?.name}/${key}`;
    },
    another: () => connect(`${servers[0]?.name}.${++others}`, () => servers[0] as Server),
    call: (what, mostMs, code, more) => makeCall(options, `${id}:${++calls}`, what, mostMs, code, more),
    sleep: (ms) => new Promise((resolve) => within({ host, op: undefined }, () => host.setTimeout(resolve, ms))),
    believe: (op, lease, names) => believe(options, op, lease, names),
    controller() {
      const controller = new AbortController();
      counts.signals?.push(controller.signal);
      return controller;
    },
    finish(op) {
      op.overAt = world.now();
      history.disbelieve(op);
    },
  };
}
