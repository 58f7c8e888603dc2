import type { AcquireReply, AcquireRequest } from "../../engine/acquire.ts";
import type { Call, Ran } from "../../redis/call.ts";
import { stopwatch } from "../../redis/clock.ts";
import { AWAY_MS, LAST_MOMENT_MS, RETRY_BASE_MS } from "../../redis/retry-policy.ts";
import { runScript } from "../../redis/run.ts";
import { type LockAcquireReply, lockAcquire, lockCommit } from "../../redis/scripts.gen.ts";
import { randomId } from "../../shared/crypto.ts";
import { type LeaseholdError, OutcomeUnknownError } from "../../shared/errors.ts";
import { sleep } from "../../shared/timers.ts";
import { settled } from "../../shared/wait-until.ts";
import { cancel, leastOf, MOST_TRIES } from "./majority-hold.ts";
import {
  askAll,
  isAnswered,
  isMajority,
  noQuorum,
  replies,
  type Server,
  type ServerAnswer,
  type Servers,
  withStatus,
} from "./servers.ts";

/** Facts from a refused round for the next one. */
interface Refused {
  /** The number of consecutive rounds in which no contender had a majority. */
  readonly splits?: number;
  /** The servers that did not answer, fewer than half: they are asked again only after a round without a majority. */
  readonly silent?: readonly Server[];
}

/** What rounds found out about the servers, however they ended. */
interface Reach {
  /** Whether no server could be reached in the last round. */
  isAway: boolean;
}

const isUnsent = ({ doubt, reply, error }: ServerAnswer<unknown>): boolean =>
  !reply && !doubt.isOpen() && (error as LeaseholdError | undefined)?.code === "outcome_unknown";

const DAY_US = 86_400e6;
/** How many rounds may find no majority: with the tries of each round these are 8 requests in an outage. */
const MOST_ROUNDS = 4;
/** The default back-off takes no tenure to be shorter, as long as it knows of none. */
const TENURE_MS = 50;

type Answers<Reply> = readonly ServerAnswer<Reply>[];

/** When the tenure in the way began: the same number as its token, unless that server's clock is behind the token. */
const begunAt = (reply: LockAcquireReply): number => (reply.status === "held" ? reply.now - reply.age : Number.NaN);

/** The servers on which the id of a round is held, or may be. */
const grantingOf = (asked: Answers<LockAcquireReply>): Server[] =>
  asked.flatMap(({ doubt, reply, server }) => (doubt.isOpen() || reply?.status === "granted" ? server : []));

/**
 * Writes one token to a majority: the largest that was granted and that a majority accepts, since a server's clock may
 * be far off. A server that is ahead of it names a larger token, to be written instead. Gives the grant, or the answers
 * without it.
 */
async function commit(
  servers: Servers,
  id: string,
  asked: Answers<LockAcquireReply>,
  step: Call,
): Promise<{ granted?: Ran<AcquireReply>; heard: Answers<unknown> }> {
  const proposed = withStatus(asked, "granted");
  let heard: Answers<unknown> = asked;
  let token = Math.max(
    0,
    ...proposed.flatMap(({ token }) =>
      isMajority(
        servers,
        proposed.filter(({ now }) => token <= now + DAY_US),
      )
        ? token
        : [],
    ),
  );
  for (let times = 0; token > 0 && times < 4; times++) {
    const answers = await askAll(servers, grantingOf(asked), step, (server, each) =>
      runScript(server, lockCommit, [id, token, server.connection.retentionMs], each),
    );
    heard = answers;
    const committed = withStatus(answers, "committed");
    if (isMajority(servers, committed))
      return { heard, granted: { ...leastOf(servers, committed), status: "granted", token, holds: 1, ...{ id } } };
    token = Math.max(0, ...withStatus(answers, "behind").map((reply) => reply.token));
  }
  return { heard };
}

/** The reply for a round that was not granted. */
function refusal(
  servers: Servers,
  asked: Answers<LockAcquireReply>,
  splits: number,
  first: boolean,
  elapsedMs: number,
): Ran<AcquireReply> {
  const owned = withStatus(asked, "not_reentrant");
  // In a later round a hold of the same reentry key may be what a round of this acquisition left behind.
  if (first && isMajority(servers, owned) && owned[0]) return owned[0];
  const held = withStatus(asked, "held");
  const [some] = [...held, ...owned];
  if (!some) return { ...(replies(asked)[0] as Ran<LockAcquireReply>), status: "closed" };
  const refused: Refused = {
    splits: splits + 1,
    silent: servers.filter((server) => !asked.some((one) => one.server === server && one.reply)),
  };
  const tenures = held.filter((one) =>
    isMajority(
      servers,
      held.filter((other) => begunAt(other) === begunAt(one)),
    ),
  );
  if (tenures.length > 0) return { ...leastOf(servers, tenures), ...refused, ...{ splits: 0 } };
  // No contender has a majority, and the one that asks again alone gets it: this age makes the back-off's jitter wide.
  const spreadMs = Math.min(1000, elapsedMs * 2 ** (splits + 2));
  return { ...some, status: "held", age: (TENURE_MS + 2 * spreadMs) * 1000, tenure: 0, queue: 0, ...refused };
}

/** Tries once under an id of its own, which is cancelled before the round ends unless it was granted. */
async function round(
  servers: Servers,
  request: AcquireRequest,
  call: Call,
  first: boolean,
  reach: Reach,
): Promise<Ran<AcquireReply>> {
  const [{ name, connection, limitMs }] = servers;
  const { leaseMs, reentryKey, note, waitedMs, waitUntil } = request;
  const { operation, signal, heard, budgetMs = limitMs } = call;
  const { splits = 0, silent = [] } = (request.before ?? {}) as Refused;
  const elapsed = stopwatch(connection.clock);
  const id = randomId();
  const tries = { made: 0, most: MOST_TRIES };
  const step = { operation, signal, heard, tries, budgetMs: Math.min(limitMs, leaseMs / 4, budgetMs) };
  const willing = servers.filter((server) => !silent.includes(server));
  const asked = await askAll(servers, willing, step, (server, each) => {
    const { retentionMs } = server.connection;
    // A plain lock of the same reentry key must not be joined: the token of that tenure may yet change.
    const ours = reentryKey && `quorum:${reentryKey}`;
    // The beginning of a tenure is compared between servers, so each reads its clock.
    const knownTime = "";
    return runScript(server, lockAcquire, [id, leaseMs, retentionMs, ours, note, 0, waitedMs, knownTime], each);
  });
  reach.isAway = asked.every(isUnsent);
  const { granted, heard: answers } = await commit(servers, id, asked, step);
  if (granted) return granted;

  const granting = grantingOf(asked);
  if (granting.length > 0) {
    const known = await settled(cancel(servers, id, granting), waitUntil, signal);
    if (known === false && !signal?.aborted && isAnswered(servers, asked))
      throw new OutcomeUnknownError(name, "it may have been granted");
  }
  signal?.throwIfAborted();
  if (!isAnswered(servers, answers)) throw noQuorum(servers, answers);
  return refusal(servers, asked, splits, first, elapsed());
}

/** One poll of an acquisition: a round, and more of them while there is no majority and time is left. */
export async function acquireByRounds(
  servers: Servers,
  request: AcquireRequest,
  call: Call,
): Promise<Ran<AcquireReply>> {
  const [{ connection, limitMs, emit }] = servers;
  const { clock, random } = connection;
  const { operation, signal, heard, waits, tries = { made: 0, most: 1 } } = call;
  let { budgetMs = limitMs } = call;
  const reach: Reach = { isAway: false };
  const elapsed = stopwatch(clock);
  for (let failures = 0; ; failures++) {
    try {
      const before = failures > 0 ? undefined : request.before;
      const first = !request.before && failures === 0;
      const ran = await round(
        servers,
        { ...request, before },
        { operation, signal, heard, budgetMs: budgetMs - elapsed() },
        first,
        reach,
      );
      tries.made++;
      return ran;
    } catch (error) {
      if (reach.isAway && !waits) budgetMs = Math.min(budgetMs, AWAY_MS);
      const leftMs = budgetMs - elapsed();
      const growth = Math.max(1, budgetMs / RETRY_BASE_MS) ** (1 / (MOST_ROUNDS - 2));
      const delayMs = Math.min((0.5 + random() / 2) * RETRY_BASE_MS * growth ** failures, 0.8 * leftMs);
      const { code, message } = error as LeaseholdError;
      const last = failures === MOST_ROUNDS - 1 || ++tries.made >= tries.most || leftMs - delayMs < LAST_MOMENT_MS;
      if (code !== "no_quorum" || last) throw error;
      emit?.({ type: "retried", operation, why: message, delayMs });
      await sleep(delayMs, signal, clock);
    }
  }
}
