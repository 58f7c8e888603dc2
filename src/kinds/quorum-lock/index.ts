import { type Acquirable, type AcquireReply, type AcquireRequest, acquirable } from "../../engine/acquire.ts";
import { ACQUIRE_OPTIONS, type AcquireOptions, TRY_OPTIONS, withoutReplicas } from "../../engine/acquire-options.ts";
import type { Holding } from "../../engine/hold.ts";
import { type Lease, usableMs } from "../../engine/hold.ts";
import { openPlace } from "../../engine/place.ts";
import { resumeAs } from "../../engine/resume.ts";
import { stopwatch } from "../../redis/clock.ts";
import type { ConnectionSource } from "../../redis/connect.ts";
import { type Call, dueOf, LAST_MOMENT_MS, type Place, type Ran, RETRY_BASE_MS, runScript } from "../../redis/run.ts";
import type { Answered } from "../../redis/script.ts";
import { holdExtend } from "../../redis/scripts/hold-extend.gen.ts";
import { type LockAcquireReply, lockAcquire } from "../../redis/scripts/lock-acquire.gen.ts";
import { lockClose } from "../../redis/scripts/lock-close.gen.ts";
import { lockCommit } from "../../redis/scripts/lock-commit.gen.ts";
import { recordForce } from "../../redis/scripts/record-force.gen.ts";
import { recordInspect } from "../../redis/scripts/record-inspect.gen.ts";
import { type Duration, toMs } from "../../shared/checks.ts";
import { randomId } from "../../shared/crypto.ts";
import { LeaseholdError, type LeaseholdErrorCode, OutcomeUnknownError } from "../../shared/errors.ts";
import { LONGEST_TIMER_MS, sleep } from "../../shared/timers.ts";
import { noop, settled } from "../../shared/wait-until.ts";
import { type LockState, lockState } from "../lock.ts";

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

/** One server's part in a step. */
interface Said<Reply> {
  readonly server: Place;
  /** Open while it may have run without our knowing. */
  readonly doubt: { open: boolean };
  readonly tries: { made: number; most: number };
  reply?: Ran<Reply>;
  error?: unknown;
}

/** What one refused round leaves for the next. */
interface Before {
  /** Rounds in which nobody had a majority, one after the other. */
  readonly splits?: number;
  /** Those who did not answer are not asked again in the same acquisition, as long as there is a majority without them. */
  readonly silent?: readonly Place[];
}

const DAY_US = 86_400e6;
/** What servers are given at least that are slower than a majority: one that is left out makes the majority a bare one. */
const GRACE_MS = 100;
/** So often one server is asked in one step of a round, and so many rounds may find no majority: 8 requests in an outage. */
const MOST_TRIES = 2;
const MOST_ROUNDS = 4;
/** No tenure is taken to be shorter by the default back-off, as long as it knows of none. */
const TENURE_MS = 50;

const replies = <Reply>(said: readonly Said<Reply>[]): Ran<Reply>[] => said.flatMap(({ reply }) => reply ?? []);

const withStatus = <Reply extends Answered, Status extends Reply["status"]>(
  said: readonly Said<Reply>[],
  status: Status,
): Ran<Extract<Reply, { readonly status: Status }>>[] =>
  replies(said).filter((reply) => reply.status === status) as never;

/** When the tenure in the way began, its token unless that server's clock is behind it. */
const begunAt = (reply: LockAcquireReply): number => (reply.status === "held" ? reply.now - reply.age : Number.NaN);

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
 * @throws TypeError or RangeError for connections, a name or an option that cannot be.
 */
export function quorumLock(
  connections: readonly ConnectionSource[],
  name: string,
  options: QuorumLockOptions = {},
): QuorumLock {
  if (!Array.isArray(connections as unknown)) throw new TypeError("quorumLock takes a list of connections");
  const known = `${withoutReplicas(ACQUIRE_OPTIONS)} serverTimeout group`;
  const servers = connections.map((connection) => openPlace(connection, "quorum", name, options, known));
  const [place] = servers;
  if (!place || servers.length > 9) throw new RangeError("quorumLock needs 1 to 9 connections");
  // Where it is not known which server it is, the connection stands for it.
  if (new Set(servers.map(({ connection }) => connection.server || connection)).size < servers.length)
    throw new TypeError("each connection must be to another server, whatever its prefix");
  const { clock, random, requestTimeoutMs } = place.connection;
  const serverMs = toMs(options.serverTimeout ?? Math.min(requestTimeoutMs, 1000), "serverTimeout");
  const majority = Math.floor(servers.length / 2) + 1;
  /** So many may be missing. */
  const minority = servers.length - majority;

  /**
   * Asks servers at once. When it is `ready` the others have as long again, or as `serverTimeout` gives them; then nothing is sent
   * again, but what is on its way goes on.
   */
  function askAll<Reply>(
    among: readonly Place[],
    call: Call,
    ask: (server: Place, call: Call) => Promise<Ran<Reply>>,
    ready: (said: readonly Said<Reply>[]) => boolean = answered,
    patient = false,
  ): Promise<readonly Said<Reply>[]> {
    const elapsed = stopwatch(clock);
    const said: Said<Reply>[] = among.map((server) => ({
      server,
      doubt: { open: false },
      tries: { made: 0, most: call.tries?.most ?? Number.POSITIVE_INFINITY },
    }));
    return new Promise((resolve) => {
      let open = said.length;
      let timer: ReturnType<typeof setTimeout> | undefined;
      const end = (): void => {
        if (timer) clearTimeout(timer);
        for (const { tries } of said) tries.most = 0;
        resolve(said);
      };
      for (const one of said) {
        ask(one.server, { ...call, doubt: one.doubt, tries: one.tries })
          .then(
            (reply) => {
              one.reply = reply;
            },
            (error: unknown) => {
              one.error = error;
            },
          )
          .then(() => {
            if (--open === 0) return end();
            if (timer || !ready(said)) return;
            const graceMs = Math.min(serverMs - elapsed(), patient ? serverMs : Math.max(elapsed(), GRACE_MS));
            timer = setTimeout(end, Math.min(Math.max(graceMs, 1), LONGEST_TIMER_MS));
          });
      }
    });
  }

  const answered = (said: readonly Said<unknown>[]): boolean => replies(said).length >= majority;
  /** A majority says so, or so many say that it is lost that no majority can. */
  const decided = (said: readonly Said<Answered>[], status: string): boolean =>
    withStatus(said, status).length >= majority || withStatus(said, "lost").length > minority;

  /** What most servers failed with, if that is one thing. */
  function noQuorum(said: readonly Said<unknown>[]): LeaseholdError {
    const errors = said.flatMap(({ error }) => (error instanceof LeaseholdError ? [error] : []));
    const common = errors.find(
      ({ code }) => code !== "outcome_unknown" && errors.filter((error) => error.code === code).length >= majority,
    );
    const why = `"${name}" has no majority: ${replies(said).length} of ${servers.length} servers answered`;
    return common ?? new LeaseholdError("no_quorum", why, { cause: errors[0] });
  }

  /** Of a majority the one with the least time left. */
  function least<Reply extends { readonly remaining: number }>(of: readonly Ran<Reply>[]): Ran<Reply> {
    const left = ({ remaining, since }: Ran<Reply>): number => usableMs(remaining) - since();
    return [...of].sort((a, b) => left(b) - left(a))[majority - 1] as Ran<Reply>;
  }

  /** Ends what is held under an id; with token 0 whatever came of it. */
  const closeAll = (among: readonly Place[], id: string, token: number, call: Call) =>
    askAll(
      among,
      call,
      async (server, each) => {
        const { retentionMs } = server.connection;
        const due = dueOf(server);
        const reply = await runScript(server, lockClose, [id, token, retentionMs, due], each);
        // It has another token there, or is still on its way: nothing may stay behind.
        if (token && reply.status === "lost" && /taken|gone|unknown/.test(reply.reason))
          await runScript(server, lockClose, [id, 0, retentionMs, due], each).catch(noop);
        return reply;
      },
      (said) => decided(said, "closed"),
      true,
    );

  /** Closes an id on those servers; false when it may go on to keep others out. */
  const takeBack = async (id: string, among: readonly Place[] = servers): Promise<boolean> => {
    const said = await closeAll(among, id, 0, {
      operation: "cancel",
      budgetMs: serverMs,
      tries: { made: 0, most: MOST_TRIES },
    });
    return said.length - replies(said).length <= minority;
  };

  const holding: Holding = {
    async extend(id, token, ms, call) {
      const said = await askAll(
        servers,
        call,
        (server, each) => runScript(server, holdExtend, [id, token, ms, server.connection.retentionMs], each),
        (some) => decided(some, "extended"),
      );
      const extended = withStatus(said, "extended");
      if (extended.length >= majority) return least(extended);
      const lost = withStatus(said, "lost");
      if (lost.length <= minority) {
        if (call.doubt) call.doubt.open = extended.length > 0 || said.some(({ doubt }) => doubt.open);
        throw noQuorum(said);
      }
      // Where it is still held it is in the way only.
      await takeBack(id);
      lost.sort((a, b) => (a.reason < b.reason ? -1 : 1));
      return lost[lost.length >> 1] as (typeof lost)[0];
    },
    async close(id, token, call) {
      const said = await closeAll(servers, id, token, call);
      const closed = withStatus(said, "closed");
      const answer = closed.length >= majority ? closed[0] : withStatus(said, "lost")[minority];
      if (!answer) throw noQuorum(said);
      return answer;
    },
  };

  /** One try under an id of its own, taken back before it ends unless it was granted. */
  async function round(request: AcquireRequest, call: Call, first: boolean): Promise<Ran<AcquireReply>> {
    const { leaseMs, owner, label, waitedMs, waitUntil } = request;
    const { operation, signal, budgetMs = serverMs } = call;
    const { splits = 0, silent = [] } = (request.before ?? {}) as Before;
    const elapsed = stopwatch(clock);
    const id = randomId();
    const tries = { made: 0, most: MOST_TRIES };
    const step = { operation, signal, tries, budgetMs: Math.min(serverMs, leaseMs / 4, budgetMs) };
    const willing = servers.filter((server) => !silent.includes(server));
    const asked = await askAll(willing.length < majority ? servers : willing, step, (server, each) => {
      const { retentionMs } = server.connection;
      // A plain lock's owner is not this one's: it would join a tenure whose token may yet change.
      const ours = owner && `quorum:${owner}`;
      return runScript(server, lockAcquire, [id, leaseMs, retentionMs, ours, label, 0, waitedMs], each);
    });
    const granting = (): Place[] =>
      asked.flatMap(({ doubt, reply, server }) => (doubt.open || reply?.status === "granted" ? server : []));

    let heard: readonly Said<unknown>[] = asked;
    const granted = withStatus(asked, "granted");
    if (granted.length >= majority) {
      // Not one that too many would refuse: a server's clock may be far off.
      const tokens = granted.flatMap(({ token }) =>
        granted.filter(({ now }) => token <= now + DAY_US).length < majority ? [] : token,
      );
      let token = Math.max(0, ...tokens);
      for (let times = 0; token > 0 && times < 4; times++) {
        const committing = await askAll(granting(), step, (server, each) =>
          runScript(server, lockCommit, [id, token, server.connection.retentionMs], each),
        );
        const committed = withStatus(committing, "committed");
        const holds = 1;
        if (committed.length >= majority) return { ...least(committed), status: "granted", token, holds, ...{ id } };
        heard = committing;
        token = Math.max(0, ...withStatus(committing, "behind").map((reply) => reply.token));
      }
    }

    const ghosts = granting();
    if (ghosts.length > 0) {
      const closing = takeBack(id, ghosts);
      const known = await settled(closing, waitUntil, signal);
      if (known === false && !signal?.aborted && answered(asked))
        throw new OutcomeUnknownError(name, "it may have been granted");
    }
    if (signal?.aborted) throw signal.reason;
    if (!answered(heard)) throw noQuorum(heard);

    const owned = withStatus(asked, "not_reentrant");
    // Later it may be what one of our own rounds left behind.
    if (first && owned.length >= majority && owned[0]) return owned[0];
    const held = withStatus(asked, "held");
    const [some] = [...held, ...owned];
    if (!some) return { ...(replies(asked)[0] as Ran<LockAcquireReply>), status: "closed" };
    const before: Before = {
      splits: splits + 1,
      silent: servers.filter((server) => !asked.some((one) => one.server === server && one.reply)),
    };
    const tenures = held.filter((one) => held.filter((other) => begunAt(other) === begunAt(one)).length >= majority);
    if (tenures.length > 0) return { ...least(tenures), ...before, ...{ splits: 0 } };
    // Nobody has a majority, and who comes back when the others do not will get it: an age that makes for a wide jitter.
    const spreadMs = Math.min(1000, elapsed() * 2 ** (splits + 2));
    return { ...some, status: "held", age: (TENURE_MS + 2 * spreadMs) * 1000, tenure: 0, queue: 0, ...before };
  }

  const lock = acquirable(
    {
      place,
      ...holding,
      takes: withoutReplicas(TRY_OPTIONS),
      several: true,
      async ask(request, call) {
        const { budgetMs = serverMs, operation, signal, tries = { made: 0, most: 1 } } = call;
        const elapsed = stopwatch(clock);
        for (let failures = 0; ; failures++) {
          try {
            const first = !request.before && failures === 0;
            const ran = await round(request, { operation, signal, budgetMs: budgetMs - elapsed() }, first);
            tries.made++;
            return ran;
          } catch (error) {
            const leftMs = budgetMs - elapsed();
            const growth = Math.max(1, budgetMs / RETRY_BASE_MS) ** (1 / (MOST_ROUNDS - 2));
            const delayMs = Math.min((0.5 + random() / 2) * RETRY_BASE_MS * growth ** failures, 0.8 * leftMs);
            const { code, message } = error as LeaseholdError;
            const last =
              failures === MOST_ROUNDS - 1 || ++tries.made >= tries.most || leftMs - delayMs < LAST_MOMENT_MS;
            if (code !== "no_quorum" || last) throw error;
            place.emit({ type: "retried", operation, why: message, delayMs });
            await sleep(delayMs, signal);
          }
        }
      },
    },
    options,
  );

  return {
    name,
    ...lock,
    async inspect() {
      const call = { operation: "inspect", budgetMs: serverMs };
      const said = await askAll(servers, call, (server, each) => runScript(server, recordInspect, ["lock"], each));
      if (!answered(said)) throw noQuorum(said);
      const states = said.map(
        ({ reply, error }): QuorumServerState =>
          reply ? lockState(reply) : { state: "unknown", code: (error as LeaseholdError | undefined)?.code },
      );
      const known = states.filter((state) => state.state !== "unknown");
      const held = known.filter((state) => state.state === "held").sort((a, b) => b.remaining - a.remaining);
      // Of a token that a majority has, or may have, the one that ends the majority.
      const tenure = held.find(({ token }, index) => {
        const same = held.filter((state) => state.token === token);
        const enough = same.length + states.length - known.length >= majority;
        return enough && held[index] === same[Math.min(same.length, majority) - 1];
      });
      const free = { state: "free" as const, token: Math.max(...known.map(({ token }) => token)) };
      return { ...(tenure ?? free), servers: states };
    },
    async forceRelease() {
      const id = randomId();
      const call = { operation: "forceRelease", budgetMs: serverMs };
      const force = (server: Place, each: Call) =>
        runScript(server, recordForce, [id, "lock", server.connection.retentionMs], each);
      const said = await askAll(servers, call, force, answered, true);
      if (!answered(said)) throw noQuorum(said);
      // Those who were not asked may know a larger token than those who were: a tenure brings a majority past it.
      await (await lock.tryAcquire({ lease: `${4 * serverMs}ms` }))?.release();
      return replies(said).some(({ had }) => had === 1);
    },
    resume: (ticket) => resumeAs(place.connection, ticket, [], { place, ...holding }),
  };
}
