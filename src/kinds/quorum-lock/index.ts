import { type Acquirable, acquirable } from "../../engine/acquire.ts";
import { ACQUIRE_OPTIONS, type AcquireOptions, TRY_OPTIONS, withoutReplicas } from "../../engine/acquire-options.ts";
import type { Lease } from "../../engine/lease.ts";
import type { Look } from "../../engine/lock-timeout.ts";
import { usesOfMajority } from "../../engine/name-use.ts";
import { decoded, type Joint } from "../../engine/record.ts";
import { resumeAs } from "../../engine/resume.ts";
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
   * How long one server is waited for in one step; at most a quarter of the lease. When a majority has answered, the
   * other servers get as long again, at least 100 ms, before the step ends without them. Default 1 s, or a quarter of
   * `requestTimeout` if that is shorter, since an acquisition that does not wait has three steps: it asks, agrees on a
   * token, and cancels.
   */
  readonly serverTimeout?: Duration | undefined;
  /** Puts the keys of all names of the group into one slot of a cluster; part of the name, as with a lock. */
  readonly group?: string | undefined;
}

/** The state on one server, or the code of its error, if it answered in time. */
export type QuorumServerState =
  | LockState
  | { readonly state: "unknown"; readonly code?: LeaseholdErrorCode | undefined };

/**
 * The state on a majority of the servers. `held`: by a majority under one token, or by so many that the servers that
 * did not answer could make a majority. The token of a free lock is the largest that any server remembers.
 */
export type QuorumState = LockState & {
  /** In the order of the connections. */
  readonly servers: readonly QuorumServerState[];
};

/** A lock on a majority of servers. It holds nothing itself: every acquisition returns a lease of its own. */
export interface QuorumLock extends Acquirable<Lease, unknown, "replicas"> {
  readonly name: string;
  /** Reads the state on all servers. @throws LeaseholdError `no_quorum` when fewer than a majority answered. */
  inspect(): Promise<QuorumState>;
  /**
   * Takes the lock from its holder, and raises the token by a short tenure of its own. True when it was held on any
   * server.
   *
   * @throws LeaseholdError `no_quorum` when fewer than a majority answered; calling it again does no harm.
   */
  forceRelease(): Promise<boolean>;
  /**
   * Returns the lease of a ticket of this lock, as `resume` does for other kinds.
   *
   * @throws TypeError for any other text.
   */
  resume(ticket: string): Promise<Lease>;
}

/**
 * Finds the tenure that a majority has, or could have with the servers that did not answer, and when that majority
 * ends.
 */
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

/** Frees the lock on all servers, and moves the token on. */
async function forceAll(servers: Servers, lock: Acquirable, joint: Joint | undefined): Promise<boolean> {
  const [{ limitMs }] = servers;
  const id = randomId();
  const call = { operation: "forceRelease", budgetMs: limitMs, routes: joint?.routes };
  const force = (server: Server, each: Call) =>
    runScript(server, recordForce, [id, "lock", server.connection.retentionMs], each);
  const answers = await askAll(servers, servers, call, force, { patient: true });
  if (!isAnswered(servers, answers)) throw noQuorum(servers, answers);
  // Servers that were not reached may know a larger token than the others: a tenure brings a majority past it.
  await (await lock.tryAcquire({ lease: `${4 * limitMs}ms` }))?.release();
  return replies(answers).some(({ had }) => had === 1);
}

/**
 * Mutual exclusion by a majority of independent servers, which works while fewer than half of them are down. Nothing
 * is sent yet.
 *
 * Each connection must be to another server, identified by host and path: two host names of one server go unnoticed. 3
 * or 5 servers are usual, 9 the most; an even number tolerates no more failures than one less.
 *
 * - **Tokens**: an acquisition takes the largest token that a majority returned, and writes it to a majority before the
 *   lock counts as acquired. So tokens rise from tenure to tenure although no server sees all tenures. A plain `lock`
 *   of the same name on one of the servers keeps the quorum lock out there, and only there; over one connection it is a
 *   `TypeError`.
 * - **Data loss**: servers must keep what they answered. A server that lost its data (a restart without
 *   `appendfsync always`, a failover, an eviction) could help a second majority: keep it out for the longest lease plus
 *   the largest difference of clocks.
 * - **Clocks** may differ by less than a day: each server counts the lease by its own clock, and only the rates must
 *   agree, to 1 %. `remaining` is what is left on a majority, counted from before each server was asked.
 * - **Failures**: with a majority down the error is `no_quorum`, after tries for as long as there is time. With a
 *   minority down the lock works, and waits for the other answers for `serverTimeout` at most. Unanswered requests are
 *   cancelled on every server: in the background with a `waitUntil`, otherwise before the call ends, for
 *   `serverTimeout` at most. A server that no cancel reached is free when the lease ends. If these are so many that
 *   they keep others out until then, though a majority had answered, the error is `outcome_unknown`.
 * - **Requests**: with n servers an acquisition makes 2 n requests; a refused one makes n, and one more for each server
 *   that had granted it; an extension or a release makes n. If no contender gets a majority, each asks again after a
 *   random time, which doubles. `maxPolls` counts the rounds.
 * - **Reentry** is a `not_reentrant` error.
 * - **Settings** that apply to the lock as a whole (`lease`, `ticketKey`, `onEvent`, …) are those of the first
 *   connection.
 *
 * @example
 * ```ts
 * const leader = quorumLock(connections, "leader", { lease: "10s" });
 * await leader.run({ wait: "5s" }, async ({ token, signal }) => {
 *   await charge({ invoice: 17, fencingToken: token, signal });
 * });
 * ```
 *
 * @throws TypeError or RangeError for connections, a name or an option that is not valid.
 * @see https://redis.io/docs/latest/develop/clients/patterns/distributed-locks/ for Redlock, which this extends by
 * rising tokens
 */
export function quorumLock(
  connections: readonly ConnectionSource[],
  name: string,
  options: QuorumLockOptions = {},
): QuorumLock {
  if (!Array.isArray(connections as unknown))
    throw new TypeError(`quorumLock: connections must be a list of 1 to 9, not ${shown(connections)}`);
  const known = `${withoutReplicas(ACQUIRE_OPTIONS)} serverTimeout group`;
  const targets = connections.map((connection) => toTarget(connection, "quorum", name, options, known));
  const [target] = targets;
  if (!target || targets.length > 9)
    throw new RangeError(`quorumLock: connections must be a list of 1 to 9, not ${targets.length}`);
  // Where the server's address is not known, the connection stands for it.
  if (new Set(targets.map(({ connection }) => connection.server || connection)).size < targets.length)
    throw new TypeError(`${callOf(target)}: each connection must be to another server, whatever its prefix`);
  const { serverTimeout = Math.min(target.connection.requestTimeoutMs / 4, 1000) } = options;
  const limitMs = inCall(
    () => callOf(target),
    () => toMs(serverTimeout, "serverTimeout"),
  );
  const servers = targets.map((each) => ({ ...each, limitMs })) as unknown as Servers;
  const calls = majorityCalls(servers);
  const lock = acquirable(
    {
      target,
      ...calls,
      takes: withoutReplicas(TRY_OPTIONS),
      isSpread: true,
      uses: usesOfMajority(targets),
      // The same in whatever order the servers are listed, also where their prefixes differ.
      orderKey: targets.map(({ keys }) => keys[0] as string).sort()[0] as string,
      ask: (request, call) => acquireByRounds(servers, request, call),
      look: async (call) => occupantOf(await inspectAll(servers, undefined, call)),
    },
    options,
  );

  return {
    name,
    ...lock,
    inspect: (joint?: Joint) => inspectAll(servers, joint),
    forceRelease: (joint?: Joint) => forceAll(servers, lock, joint),
    resume: (ticket) => resumeAs(target.connection, ticket, [], { target, ...calls }),
  };
}
