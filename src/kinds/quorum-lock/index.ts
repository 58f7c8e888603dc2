import { type Acquirable, type AcquirableKind, acquirable, partOf } from "../../lease/acquire.ts";
import { ACQUIRE_OPTIONS, type AcquireOptions, TRY_OPTIONS, withoutReplicas } from "../../lease/acquire-options.ts";
import type { Lease } from "../../lease/lease.ts";
import type { Look } from "../../lease/lock-timeout.ts";
import { decoded, type Joint } from "../../lease/record.ts";
import { resumeAs } from "../../lease/resume.ts";
import type { Call } from "../../redis/call.ts";
import type { ConnectionSource } from "../../redis/connect.ts";
import { runScript } from "../../redis/run.ts";
import { recordForce, recordInspect } from "../../redis/scripts.gen.ts";
import { callOf, toTarget } from "../../redis/target.ts";
import { type Duration, toMs } from "../../shared/checks.ts";
import { randomId } from "../../shared/crypto.ts";
import type { LeaseholdError, LeaseholdErrorCode } from "../../shared/errors.ts";
import { inCall, shown } from "../../shared/misuse.ts";
import { type LockState, lockState, occupantOf } from "../lock.ts";
import { majorityCalls } from "./majority-hold.ts";
import { acquireByRounds } from "./round.ts";
import { askAll, isAnswered, noQuorum, replies, type Server, type Servers } from "./servers.ts";

/** Defaults for the acquisitions of one quorum lock, and options of its own. */
export interface QuorumLockOptions extends Omit<AcquireOptions, "replicas"> {
  /**
   * How long one step waits for one server, in ms or like `"1s"`; at most a quarter of the lease. Once a majority has
   * answered, the other servers have the same time again, at least 100 ms, before the step ends without them. Default 1
   * s, or a quarter of `requestTimeout` if that is shorter, since an acquisition that does not wait has three steps:
   * acquire, agree on a token, cancel.
   */
  readonly serverTimeout?: Duration | undefined;
}

/** The state on one server, or the code of its error; neither if it did not answer in time. */
export type QuorumServerState =
  | LockState
  | { readonly state: "unknown"; readonly code?: LeaseholdErrorCode | undefined };

/**
 * The state on a majority of the servers. `held`: a majority holds it under one token, or would if the servers that did
 * not answer do. The token of a free lock is the largest that any server remembers.
 */
export type QuorumState = LockState & {
  /** In the order of the connections. */
  readonly servers: readonly QuorumServerState[];
};

/** A lock on a majority of servers. It holds nothing itself: every acquisition returns its own lease. */
export interface QuorumLock extends Acquirable<Lease, unknown, "replicas"> {
  readonly name: string;
  /** Reads the state on all servers. @throws LeaseholdError `no_quorum` if fewer than a majority answered. */
  inspect(): Promise<QuorumState>;
  /**
   * Releases the lock by force, and raises the token by a short tenure. Returns true if it was held on any server.
   *
   * @throws LeaseholdError `no_quorum` if fewer than a majority answered; it is safe to repeat the call.
   */
  forceRelease(): Promise<boolean>;
  /**
   * Makes the lease of a ticket of this lock, as `resume` does for other kinds.
   *
   * @throws TypeError for any other text.
   */
  resume(ticket: string): Promise<Lease>;
}

/** Finds the tenure that a majority has, or could have with the unanswered servers, and when that majority ends. */
async function inspectAll(servers: Servers, joint?: Joint, within?: Parameters<Look>[0]): Promise<QuorumState> {
  const [{ limitMs }] = servers;
  const budgetMs = Math.min(limitMs, within?.budgetMs ?? limitMs);
  const call = { operation: "inspect", ...within, budgetMs, routes: joint?.routes };
  const answers = await askAll(servers, servers, call, async (server, each) => {
    const record = await runScript(server, recordInspect, ["lock"], each);
    return { ...record, state: decoded({ name: server.name, kind: "lock" }, () => lockState(record)) };
  });
  if (!isAnswered(servers, answers)) throw noQuorum(servers, answers);
  const states = answers.map(
    ({ reply, error }): QuorumServerState =>
      reply ? reply.state : { state: "unknown", code: (error as LeaseholdError | undefined)?.code },
  );
  const known = states.filter((state) => state.state !== "unknown");
  const held = known.filter((state) => state.state === "held").sort((a, b) => b.remaining - a.remaining);
  const tenure = held.find(({ token }, index) => {
    const same = held.filter((state) => state.token === token);
    const enough = 2 * (same.length + states.length - known.length) > states.length;
    return enough && held[index] === same[Math.min(same.length - 1, states.length >> 1)];
  });
  const free = { state: "free" as const, token: Math.max(...known.map(({ token }) => token)) };
  return { ...(tenure ?? free), servers: states };
}

const inGroup = (group: string | undefined): string => (group === undefined ? "no group" : shown(group));

/** Frees the lock on all servers, and raises the token. */
async function forceAll(servers: Servers, lock: Acquirable, joint: Joint | undefined): Promise<boolean> {
  const [{ limitMs }] = servers;
  const id = randomId();
  const call = { operation: "forceRelease", budgetMs: limitMs, routes: joint?.routes };
  const force = (server: Server, each: Call) =>
    runScript(server, recordForce, [id, "lock", server.connection.retentionMs], each);
  const answers = await askAll(servers, servers, call, force, { patient: true });
  if (!isAnswered(servers, answers)) throw noQuorum(servers, answers);
  // Unreachable servers may know a larger token. A tenure raises a majority above it.
  await (await lock.tryAcquire({ lease: `${4 * limitMs}ms` }))?.release();
  return replies(answers).some(({ had }) => had === 1);
}

/**
 * Makes a lock on a majority of independent servers. It works while fewer than half of them are down. Nothing is sent
 * yet.
 *
 * Each connection must lead to a different server, identified by host and path; two host names of one server are not
 * detected. Use 3 or 5 servers, at most 9; an even number tolerates no more failures than one server less.
 *
 * - **Tokens**: an acquisition takes the largest token that a majority returned, and writes it to a majority before the
 *   lock counts as acquired. So tokens rise from tenure to tenure, although no server sees all tenures. A plain `lock`
 *   of the same name on one server blocks the quorum lock on that server only: lock such a name by a quorum lock
 *   everywhere.
 * - **Data loss**: servers must keep acknowledged writes. A server that lost its data (a restart without `appendfsync
 *   always`, a failover, an eviction) could help to form a second majority. Keep it out for the longest lease plus the
 *   largest clock difference.
 * - **Clocks** may differ by less than a day: each server counts the lease by its own clock, and only their rates must
 *   agree, to 1 %. `remaining` is the time left on a majority, counted from before each request.
 * - **Failures**: if a majority is down, the call retries until its time is up and throws `no_quorum`. If a minority is
 *   down, the lock works, and waits for missing answers for at most `serverTimeout`. Unanswered requests are cancelled
 *   on every server: in the background with a `waitUntil`, otherwise before the call ends, for at most `serverTimeout`.
 *   A server that no cancel reached is free when the lease ends. If a majority had answered, but so many servers could
 *   not be cancelled that the name stays blocked, the error is `outcome_unknown`.
 * - **Requests**: with n servers, an acquisition makes 2 n requests; a refused one makes n, and one more for each
 *   server that had granted it; an extension or a release makes n. If no contender has a majority, each retries after a
 *   random delay, which doubles. `maxPolls` counts the rounds.
 * - **Re-entry** is a `not_reentrant` error.
 * - **A group** is that of all connections: pass a view of each, `connections.map((each) => group(each, "g"))`.
 * - **Settings** of the whole lock (`lease`, `ticketKey`, `onEvent`, …) come from the first connection.
 *
 * @example
 * ```ts
 * const leader = quorumLock(connections, "leader", { lease: "10s" });
 * await leader.run({ wait: "5s" }, async ({ token, signal }) => {
 *   await charge({ invoice: 17, fencingToken: token, signal });
 * });
 * ```
 *
 * @throws TypeError or RangeError for invalid connections, names or options.
 * @see https://redis.io/docs/latest/develop/clients/patterns/distributed-locks/ for Redlock, which this extends with
 * rising tokens
 */
export function quorumLock(
  connections: readonly ConnectionSource[],
  name: string,
  options: QuorumLockOptions = {},
): QuorumLock {
  if (!Array.isArray(connections as unknown))
    throw new TypeError(`quorumLock: connections must be a list of 1 to 9, not ${shown(connections)}`);
  const known = `${withoutReplicas(ACQUIRE_OPTIONS)} serverTimeout`;
  const targets = connections.map((connection) => toTarget(connection, "quorum", name, options, known));
  const [target] = targets;
  if (!target || targets.length > 9)
    throw new RangeError(`quorumLock: connections must be a list of 1 to 9, not ${targets.length}`);
  // If the server's address is unknown, the connection identifies it.
  if (new Set(targets.map(({ connection }) => connection.server || connection.state)).size < targets.length)
    throw new TypeError(`${callOf(target)}: each connection must be to another server, whatever its prefix`);
  const { group } = target.connection;
  const odd = targets.find(({ connection }) => connection.group !== group);
  if (odd)
    throw new TypeError(
      `${callOf(target)}: each connection must be a view of the same group, not of ${inGroup(group)} and ${inGroup(odd.connection.group)}`,
    );
  const { serverTimeout = Math.min(target.connection.requestTimeoutMs / 4, 1000) } = options;
  const limitMs = inCall(
    () => callOf(target),
    () => toMs(serverTimeout, "serverTimeout"),
  );
  const servers = targets.map((each) => ({ ...each, limitMs })) as unknown as Servers;
  const calls = majorityCalls(servers);
  const kind: AcquirableKind = {
    target,
    ...calls,
    takes: withoutReplicas(TRY_OPTIONS),
    ask: (request, call) => acquireByRounds(servers, request, call),
    look: async (call) => occupantOf(await inspectAll(servers, undefined, call)),
  };
  // Independent of the order of the servers, even if their prefixes differ.
  const orderKey = targets.map(({ keys }) => keys[0] as string).sort()[0] as string;
  const lock = acquirable(kind, options, { parts: [{ ...partOf(kind, options), orderKey, isSpread: true }] });

  return {
    name,
    ...lock,
    inspect: (joint?: Joint) => inspectAll(servers, joint),
    forceRelease: (joint?: Joint) => forceAll(servers, lock, joint),
    resume: (ticket) => resumeAs(target.connection, ticket, [], { target, ...calls }),
  };
}
