import { ACQUIRE_OPTIONS, type Acquirable, type AcquireOptions, acquirable } from "../../engine/acquire.ts";
import type { Lease } from "../../engine/lease.ts";
import { openPlace } from "../../engine/place.ts";
import { resumeAs } from "../../engine/resume.ts";
import type { ConnectionSource } from "../../redis/connect.ts";
import { type Call, runScript } from "../../redis/run.ts";
import { recordForce } from "../../redis/scripts/record-force.gen.ts";
import { recordInspect } from "../../redis/scripts/record-inspect.gen.ts";
import { type Duration, toMs } from "../../shared/checks.ts";
import { randomId } from "../../shared/crypto.ts";
import type { LeaseholdError, LeaseholdErrorCode } from "../../shared/errors.ts";
import { type LockState, lockState } from "../lock.ts";
import { majorityHolding } from "./majority-hold.ts";
import { acquireByRounds } from "./round.ts";
import { askAll, isAnswered, noQuorum, replies, type Server, type Servers } from "./servers.ts";

/** Defaults for the acquisitions of one quorum lock, and what is its own. `replicas` cannot be: they are of one server. */
export interface QuorumLockOptions extends AcquireOptions {
  /**
   * How long one server is waited for in one step, and at most a quarter of the lease. When a majority has answered, the others are
   * given as long again, 100 ms at least, before it goes on without them. Default 1 s, or `requestTimeout` if that is shorter.
   */
  readonly serverTimeout?: Duration | undefined;
  /** As of a lock. */
  readonly group?: string | undefined;
}

/** What one server said, or the code of the error that came instead, if any came in time. */
export type QuorumServerState =
  | LockState
  | { readonly state: "unknown"; readonly code?: LeaseholdErrorCode | undefined };

/**
 * What a majority says. `held`: under one token by a majority, or by so many that those who did not answer could make one. The token of
 * a free lock is the largest that any server remembers.
 */
export type QuorumState = LockState & {
  /** In the order of the connections. */
  readonly servers: readonly QuorumServerState[];
};

export interface QuorumLock extends Acquirable {
  readonly name: string;
  /** @throws LeaseholdError `no_quorum` when fewer than a majority answered. */
  inspect(): Promise<QuorumState>;
  /**
   * Frees it whoever holds it, and moves the token on by a short tenure of its own. True when it was held on any server.
   *
   * @throws LeaseholdError `no_quorum` when fewer than a majority answered; to call it again does no harm.
   */
  forceRelease(): Promise<boolean>;
  /** The lease of a ticket of this very lock, as `resume` gives those of other kinds. @throws TypeError for any other text. */
  resume(ticket: string): Promise<Lease>;
}

/** The tenure that a majority has, or could have with the servers that did not answer: its state on the server that ends it. */
async function inspectAll(servers: Servers): Promise<QuorumState> {
  const call = { operation: "inspect", budgetMs: servers[0].limitMs };
  const answers = await askAll(servers, servers, call, (server, each) =>
    runScript(server, recordInspect, ["lock"], each),
  );
  if (!isAnswered(servers, answers)) throw noQuorum(servers, answers);
  const states = answers.map(
    ({ reply, error }): QuorumServerState =>
      reply ? lockState(reply) : { state: "unknown", code: (error as LeaseholdError | undefined)?.code },
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

async function forceAll(servers: Servers, lock: Acquirable): Promise<boolean> {
  const [{ limitMs }] = servers;
  const id = randomId();
  const call = { operation: "forceRelease", budgetMs: limitMs };
  const force = (server: Server, each: Call) =>
    runScript(server, recordForce, [id, "lock", server.connection.retentionMs], each);
  const answers = await askAll(servers, servers, call, force, undefined, true);
  if (!isAnswered(servers, answers)) throw noQuorum(servers, answers);
  // Servers that were not reached may know a larger token than the others: a tenure brings a majority past it.
  await (await lock.tryAcquire({ lease: `${4 * limitMs}ms` }))?.release();
  return replies(answers).some(({ had }) => had === 1);
}

/**
 * Mutual exclusion by a majority of independent servers, so that it goes on while fewer than half of them are down. Each connection
 * is to a server of its own (host and path tell: two names of one host are for you to notice); 3 or 5 are usual, up to 9 may be; an even
 * number stands no more failures than one less.
 *
 * - The token is the largest that a majority gave, and is written to a majority before the lock counts as acquired, so it rises
 *   from tenure to tenure although no server sees all of them. A plain `lock` of the same name on one of the servers is in the way too.
 * - Servers must keep what they answered: one that lost its data (a restart without `appendfsync always`, a failover, an eviction)
 *   could help a second majority. It must stay out for as long as the longest lease and the largest difference between clocks.
 * - Clocks may differ, by less than a day: each server counts the lease by its own, and only their rates must agree (to 1 %).
 *   The lease is what is left for a majority, counted from before each server was asked.
 * - With a majority down: `no_quorum`, tried again while there is time. With a minority down it goes on, and the answers of the
 *   others are waited for no longer than `serverTimeout`. What had no answer is taken back on every server: in the background with a
 *   `waitUntil`, else before the call ends, for `serverTimeout` at most. A server that did not hear of it is free when the lease ends;
 *   it is `outcome_unknown` when a majority had answered and so many did not hear of it that they keep others out until then.
 * - With n servers an acquisition makes 2 n requests, a refused one n and one for each server that had granted it, an extension or a
 *   release n. Of contenders who got some servers each none wins; they ask again after a random time, which doubles.
 * - Not reentrant: an owner that holds it gets a `not_reentrant` error.
 * - `maxPolls` counts rounds. Settings that are not the servers' own (lease, `ticketKey`, `onEvent`, …) are those of the first connection.
 *
 * @example
 * ```ts
 * const leader = quorumLock(connections, "leader", { lease: "10s" });
 * await leader.run({ wait: "5s" }, async ({ token, signal }) => {
 *   await charge({ invoice: 17, fencingToken: token, signal });
 * });
 * ```
 *
 * @throws TypeError or RangeError for connections, a name or an option that cannot be.
 */
export function quorumLock(
  connections: readonly ConnectionSource[],
  name: string,
  options: QuorumLockOptions = {},
): QuorumLock {
  if (!Array.isArray(connections as unknown)) throw new TypeError("quorumLock takes a list of connections");
  const known = `${ACQUIRE_OPTIONS} serverTimeout group`;
  const places = connections.map((connection) => openPlace(connection, "quorum", name, options, known));
  const [place] = places;
  if (!place || places.length > 9) throw new RangeError("quorumLock needs 1 to 9 connections");
  // Where it is not known which server it is, the connection stands for it.
  if (new Set(places.map(({ connection }) => connection.server || connection)).size < places.length)
    throw new TypeError("each connection must be to another server, whatever its prefix");
  const limitMs = toMs(options.serverTimeout ?? Math.min(place.connection.requestTimeoutMs, 1000), "serverTimeout");
  const servers = places.map((each) => ({ ...each, limitMs })) as unknown as Servers;
  const holding = majorityHolding(servers);
  const lock = acquirable(
    { place, ...holding, replicas: false, ask: (request, call) => acquireByRounds(servers, request, call) },
    options,
  );

  return {
    name,
    ...lock,
    inspect: () => inspectAll(servers),
    forceRelease: () => forceAll(servers, lock),
    resume: (ticket) => resumeAs(place.connection, ticket, { place, ...holding }),
  };
}
