import {
  type Commit,
  type Connection,
  type Duration,
  type Lease,
  LeaseLostError,
  type Once,
  type Started,
} from "leasehold";
import {
  attempts,
  bytesOf,
  commitUnder,
  createAsyncContext,
  digest,
  type Former,
  HeldLease,
  heldBegin,
  inCall,
  inspectFormer,
  MAX_NAME_BYTES,
  noop,
  noResult,
  type OnlyJson,
  onceOf,
  runScript,
  type StoredResult,
  sharedRoutes,
  shown,
  targetOf,
  toIdentity,
  toTtl,
  toWork,
  viewOf,
} from "leasehold/internal";

/** The argument of a step's work. */
export interface StepContext {
  /** The fencing token of the turn. */
  readonly token: number;
  /** The signal of the turn. */
  readonly signal: AbortSignal;
  /**
   * Does the work of the step exactly once in one database: in a transaction that also stores its result. See
   * {@link Commit}.
   */
  readonly commit: Commit;
}

/** See `step` of a turn. */
export type Step = <T>(
  name: string,
  work: ((step: StepContext) => Promise<T> | T) & OnlyJson<T>,
) => Promise<StoredResult<T>>;

/** The turn that steps belong to. */
interface Turn {
  readonly connection: Connection;
  readonly lease: Lease;
  /** What distinguishes the steps of this turn from those of other turns of the conversation. */
  readonly id: string | number;
  /** Whether the turn was given that ID, so that an earlier one may have had its steps. */
  readonly isNamed: boolean;
  readonly ended: AbortSignal;
  readonly leaseMs: number;
  readonly ttl: Duration;
}

/** A step waits for another call of the same step until the end of the turn. */
const STEP_WAIT = "365d";

/** A step whose work is running, and the steps that this work waits for. */
interface Running {
  readonly name: string;
  readonly waitsFor: string[];
}

/** The step whose work is running here. Without a context, no step is refused for waiting for itself. */
const current = createAsyncContext<Running>();

/** The key of a step's result: readable, or hashed if it would be too long. No two steps have the same. */
async function keyOf(conversation: string, id: string | number, name: string): Promise<string> {
  const key = `${conversation}/step/${encodeURIComponent(id)}/${encodeURIComponent(name)}`;
  if (bytesOf(key).length <= MAX_NAME_BYTES) return key;
  // A readable key contains no "#" after "step/".
  return `step/#${await digest(JSON.stringify([conversation, id, name]))}`;
}

/** Makes the function `step` of a turn. */
export function createStep({ connection, lease, id, isNamed, ended, leaseMs, ttl }: Turn): Step {
  const running = new Map<string, Running>();
  const ttlMs = toTtl(ttl);

  const waitsFor = (waiting: string, name: string): boolean =>
    waiting === name || (running.get(waiting)?.waitsFor.some((next) => waitsFor(next, name)) ?? false);

  /** The step of this turn whose work calls; undefined for a call by the turn itself. */
  function callerOf(): Running | undefined {
    const caller = current?.getStore();
    return caller && running.get(caller.name) === caller ? caller : undefined;
  }

  /** @throws TypeError if the step would wait for the work that calls it. */
  function checkWait(name: string, caller: Running): void {
    if (!waitsFor(name, caller.name)) return;
    const shownName = shown(name);
    const why =
      name === caller.name
        ? `${shownName} was called by its own work, which it would wait for: choose another name`
        : `${shownName} was called by the work of ${shown(caller.name)}, which it waits for`;
    throw new TypeError(`step: ${why}`);
  }

  function throwIfOver(): void {
    lease.throwIfEnded();
    ended.throwIfAborted();
  }

  /** The once of a step. Its attempt begins under the lease of the turn, by one request, or not at all. */
  function attemptsOf(key: string, former: { read?: Promise<Former> }): Once {
    const [record = ""] = targetOf(connection, "fair", [lease.name]).keys;
    // The step shares the slot of the conversation.
    const view = connection.group === undefined ? viewOf(connection, lease.name) : connection;
    const target = targetOf(view, "once", [key]);
    const both = { ...target, keys: [...target.keys, record] };
    const hold = HeldLease.holdOf(lease)?.id ?? "";
    const { retentionMs, holder } = connection;
    return onceOf(
      key,
      attempts(view, key, { lease: `${leaseMs}ms`, ttl }, async (attempt, polledAt, request) => {
        const args = [attempt, leaseMs, ttlMs, retentionMs, polledAt, holder, hold, lease.token, 0] as const;
        // An earlier release stored the result under a key of its own: it is read by the first request.
        const reads = isNamed && connection.group === undefined && !former.read;
        const routes = reads ? sharedRoutes() : undefined;
        const answered = runScript(both, heldBegin, args, { ...request, routes });
        if (reads) {
          former.read = inspectFormer(targetOf(connection, "once", [key]), { routes });
          former.read.catch(noop);
        }
        const reply = await answered;
        if (reply.status !== "lost" && reply.status !== "held") return reply;
        // The lease learns of its loss, and so does the signal of the turn.
        await lease.verify();
        throwIfOver();
        throw new LeaseLostError(lease.name, "gone");
      }),
    );
  }

  async function call<T>(name: string, work: (step: StepContext) => Promise<T> | T): Promise<StoredResult<T>> {
    const key = await keyOf(lease.name, id, name);
    const options = { wait: STEP_WAIT, signal: ended, keepAlive: true } as const;
    const former: { read?: Promise<Former> } = {};
    async function run({ attempt, lease: begun }: Started): Promise<T> {
      const before = await former.read;
      if (before?.result !== undefined) return JSON.parse(before.result || "null") as T;
      throwIfOver();
      const own: Running = { name, waitsFor: [] };
      const commit = commitUnder(connection, key, { attempt, token: begun.token }, lease);
      // Awaited here, so that a rejected promise is handled in the same turn.
      const begin = async (): Promise<T> => await work({ token: lease.token, signal: ended, commit });
      running.set(name, own);
      try {
        return await (current ? current.run(own, begin) : begin());
      } finally {
        running.delete(name);
      }
    }
    // The type of the work says that its result is JSON.
    const turned = await attemptsOf(key, former).run<T>(options, run as typeof run & OnlyJson<T>);
    throwIfOver();
    // A step has no limit of attempts and no fingerprint.
    if (turned.status !== "done") throw new Error(`a step ended as ${turned.status}`);
    if (!turned.stored && !turned.fresh) throw noResult(key);
    return turned.result as StoredResult<T>;
  }

  return async (name, work) => {
    toWork(work, "step", "step(name, work)", name);
    inCall("step", () => toIdentity(name, "name"));
    throwIfOver();
    const caller = callerOf();
    if (!caller) return await call(name, work);
    checkWait(name, caller);
    caller.waitsFor.push(name);
    try {
      return await call(name, work);
    } finally {
      caller.waitsFor.splice(caller.waitsFor.indexOf(name), 1);
    }
  };
}
