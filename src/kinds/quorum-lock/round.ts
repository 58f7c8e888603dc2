import type { AcquireReply, AcquireRequest } from "../../lease/acquire.ts";
import type { Call, Ran } from "../../redis/call.ts";
import { stopwatch } from "../../redis/clock.ts";
import { Doubt } from "../../redis/doubt.ts";
import { retryPolicy } from "../../redis/retry-policy.ts";
import { runScript } from "../../redis/run.ts";
import { holdExtend, type LockAcquireReply, lockAcquire, lockCommit } from "../../redis/scripts.gen.ts";
import { randomId } from "../../shared/crypto.ts";
import { type LeaseholdError, OutcomeUnknownError } from "../../shared/errors.ts";
import { sleep } from "../../shared/timers.ts";
import { settled } from "../../shared/wait-until.ts";
import { cancel, leastOf } from "./majority-hold.ts";
import {
  askAll,
  isAnswered,
  isDecided,
  isMajority,
  noQuorum,
  replies,
  type Server,
  type ServerAnswer,
  type Servers,
  withStatus,
} from "./servers.ts";

/** One ID, under which rounds are repeated until a majority answers, and what each server may still hold or grant. */
interface Trial {
  readonly id: string;
  /** The time in ms since its first request. */
  readonly since: () => number;
  readonly doubts: ReadonlyMap<Server, Doubt>;
  /** Whether a majority answered once, so that it may be held on a majority. */
  wasAnswered: boolean;
}

/** Facts from a refused round for the next one. */
interface Refused {
  /** The number of consecutive rounds in which no contender had a majority. */
  readonly splits?: number;
  /** The servers that did not answer, fewer than half: they are retried only after a round without a majority. */
  readonly silent?: readonly Server[];
}

const isUnsent = ({ doubt, reply, error }: ServerAnswer<unknown>): boolean =>
  !reply && !doubt.isOpen() && (error as LeaseholdError | undefined)?.code === "unreachable";

const DAY_US = 86_400e6;
/** How often a token is proposed to the servers; each proposal is larger. */
const MAX_PROPOSALS = 4;
/** The maximum time over which contenders spread their next polls, after rounds without a majority, in ms. */
const MAX_SPREAD_MS = 1000;

type Answers<Reply> = readonly ServerAnswer<Reply>[];
type Grant = Extract<AcquireReply, { readonly status: "granted" }>;

/** When the blocking tenure began: equal to its token, unless that server's clock is behind the token. */
const begunAt = (reply: LockAcquireReply): number => (reply.status === "held" ? reply.now - reply.age : Number.NaN);

/** How long a request of this ID may have been in effect. */
const ageMs = ({ doubts }: Trial): number => Math.max(...[...doubts.values()].map((doubt) => doubt.ageMs()));

/** The servers on which the ID is or may be held. */
const holdersOf = (servers: Servers, { doubts }: Trial): Server[] =>
  servers.filter((server) => doubts.get(server)?.isOpen());

/**
 * Writes one token to a majority: the largest granted token that a majority accepts, since a server's clock may be far
 * off. A server that has a larger token returns it, and that one is written instead. Returns the grant, or the answers
 * if there is none.
 */
async function commit(
  servers: Servers,
  trial: Trial,
  acquired: Answers<LockAcquireReply>,
  step: Call,
): Promise<{ granted?: Ran<Grant>; answered: Answers<unknown> }> {
  const { id } = trial;
  const proposed = withStatus(acquired, "granted");
  const isAcceptable = (token: number): boolean =>
    isMajority(
      servers,
      proposed.filter(({ now }) => token <= now + DAY_US),
    );
  const largest = (tokens: readonly number[]): number => Math.max(0, ...tokens);
  let answered: Answers<unknown> = acquired;
  let token = largest(proposed.map((reply) => reply.token).filter(isAcceptable));
  for (let times = 0; token > 0 && times < MAX_PROPOSALS; times++) {
    const answers = await askAll(servers, holdersOf(servers, trial), step, (server, each) =>
      runScript(server, lockCommit, [id, token, server.connection.retentionMs], each),
    );
    answered = answers;
    const committed = withStatus(answers, "committed");
    if (isMajority(servers, committed))
      return { answered, granted: { ...leastOf(servers, committed), status: "granted", token, holds: 1, id } };
    token = largest(withStatus(answers, "behind").map((reply) => reply.token));
  }
  return { answered };
}

/**
 * Restores the full lease of a hold after repeated rounds used up a part of it. Without a majority, it stays unchanged.
 */
async function renew(servers: Servers, granted: Ran<Grant>, leaseMs: number, step: Call): Promise<Ran<Grant>> {
  const { id = "", token } = granted;
  const answers = await askAll(
    servers,
    servers,
    step,
    (server, each) => runScript(server, holdExtend, [id, token, leaseMs, server.connection.retentionMs], each),
    { ready: (some) => isDecided(servers, some, "extended") },
  );
  const extended = withStatus(answers, "extended");
  return isMajority(servers, extended) ? { ...granted, ...leastOf(servers, extended), status: "granted" } : granted;
}

/** The reply for a round that was not granted. */
function refusal(
  servers: Servers,
  acquired: Answers<LockAcquireReply>,
  splits: number,
  first: boolean,
  elapsedMs: number,
): Ran<AcquireReply> {
  const owned = withStatus(acquired, "not_reentrant");
  // In a later round, a hold with the same re-entry key may be from an earlier round of this acquisition.
  if (first && isMajority(servers, owned) && owned[0]) return owned[0];
  const held = withStatus(acquired, "held");
  const [some] = [...held, ...owned];
  if (!some) return { ...(replies(acquired)[0] as Ran<LockAcquireReply>), status: "closed" };
  const refused: Refused = {
    splits: splits + 1,
    silent: servers.filter((server) => !acquired.some((one) => one.server === server && one.reply)),
  };
  const tenures = held.filter((one) =>
    isMajority(
      servers,
      held.filter((other) => begunAt(other) === begunAt(one)),
    ),
  );
  const begunOnce: Refused = { ...refused, splits: 0 };
  if (tenures.length > 0) return { ...leastOf(servers, tenures), ...begunOnce };
  // No contender has a majority; the one that retries alone gets it.
  const tieSpreadMs = Math.min(MAX_SPREAD_MS, elapsedMs * 2 ** (splits + 2));
  return { ...some, status: "held", tieSpreadMs, ...refused };
}

/** The input of one round. */
interface Round {
  readonly servers: Servers;
  readonly trial: Trial;
  readonly request: AcquireRequest;
  /** The number of earlier rounds of this poll without a majority. */
  readonly failures: number;
  readonly step: Call;
}

/** The outcome of one round: a reply of the whole lock, or an error if no majority answered. */
type RoundOutcome =
  | { readonly type: "replied"; readonly reply: Ran<AcquireReply> }
  | { readonly type: "failed"; readonly error: unknown; readonly isAway: boolean };

/** Requests the lock from every server once, and then their agreement on the token. */
async function round({ servers, trial, request, failures, step }: Round): Promise<RoundOutcome> {
  const { leaseMs, reentryKey, note, waitedMs } = request;
  const isFirst = failures === 0 && !request.before;
  // After a round without a majority, all servers are asked.
  const { splits = 0, silent = [] } = failures > 0 ? {} : ((request.before ?? {}) as Refused);
  const elapsed = stopwatch(servers[0].connection.clock);
  const willing = servers.filter((server) => !silent.includes(server));
  const ask = async (server: Server, each: Call): Promise<Ran<LockAcquireReply>> => {
    const { retentionMs } = server.connection;
    // A plain lock with the same re-entry key must not be joined, since the token of that tenure may still change.
    const ownKey = reentryKey && `quorum:${reentryKey}`;
    // The beginning of a tenure is compared between servers, so each reads its clock.
    const knownTime = "";
    const args = [trial.id, leaseMs, retentionMs, ownKey, note, 0, waitedMs, knownTime, 0] as const;
    const reply = await runScript(server, lockAcquire, args, each);
    // Also if the answer arrives after the round.
    if (reply.status === "granted") each.doubt?.granted(reply.since);
    if (reply.status === "closed") each.doubt?.idClosed(trial.since);
    return reply;
  };
  const acquired = await askAll(servers, willing, step, ask, { doubts: trial.doubts });
  trial.wasAnswered ||= isAnswered(servers, acquired);
  const { granted, answered } = await commit(servers, trial, acquired, step);
  if (granted) {
    const reply = failures > 0 ? await renew(servers, granted, leaseMs, step) : granted;
    return { type: "replied", reply };
  }
  step.signal?.throwIfAborted();
  if (isAnswered(servers, answered)) {
    const reply = refusal(servers, acquired, splits, isFirst, elapsed());
    return { type: "replied", reply };
  }
  return { type: "failed", error: noQuorum(servers, answered, step), isAway: acquired.every(isUnsent) };
}

/** Repeats the round of one id until a majority has answered or no time is left. */
async function repeatRounds(
  servers: Servers,
  trial: Trial,
  request: AcquireRequest,
  call: Call,
): Promise<Ran<AcquireReply>> {
  const [{ connection, limitMs, emit }] = servers;
  const { clock, random } = connection;
  const { operation, signal, onReply, waits = false, budgetMs = limitMs, tries = { made: 0, max: 1 } } = call;
  const elapsed = stopwatch(clock);
  let awayAtMs: number | undefined;
  for (let failures = 0; ; failures++) {
    const stepMs = Math.min(limitMs, request.leaseMs / 4, budgetMs - elapsed());
    const step = { operation, signal, onReply, settlesDoubt: true, tries: { made: 0, max: 1 }, budgetMs: stepMs };
    const outcome = await round({ servers, trial, request, failures, step });
    const { made } = tries;
    tries.made++;
    if (outcome.type === "replied") return outcome.reply;
    const { error, isAway } = outcome;
    if (isAway) awayAtMs ??= 0;
    const { code, message } = error as LeaseholdError;
    const decision = retryPolicy({
      setback: code === "no_quorum" ? "passing" : "final",
      late: 0,
      failures,
      made,
      max: tries.max,
      elapsedMs: elapsed(),
      budgetMs,
      spreadMs: budgetMs,
      awayAtMs,
      waits,
      insists: waits,
      rememberedMs: connection.retentionMs - ageMs(trial),
      retryAfterMs: 0,
      random,
    });
    if (decision.type !== "later") throw error;
    emit?.({ type: "retried", operation, why: message, delayMs: decision.delayMs });
    await sleep(decision.delayMs, signal, clock);
  }
}

/**
 * One poll of an acquisition: a round, repeated while no majority answers and time is left. It has its own ID, which is
 * cancelled before the poll ends unless it was granted.
 */
export async function acquireByRounds(
  servers: Servers,
  request: AcquireRequest,
  call: Call,
): Promise<Ran<AcquireReply>> {
  const { signal } = call;
  const doubts = new Map(servers.map((server) => [server, new Doubt()]));
  const since = stopwatch(servers[0].connection.clock);
  const trial: Trial = { id: randomId(), since, doubts, wasAnswered: false };
  async function closeTrial(): Promise<void> {
    const holders = holdersOf(servers, trial);
    if (holders.length === 0) return;
    const isClosed = await settled(cancel(servers, trial.id, holders), request.waitUntil, signal);
    signal?.throwIfAborted();
    if (isClosed === false && trial.wasAnswered)
      throw new OutcomeUnknownError(servers[0].name, "it may have been granted");
  }
  let reply: Ran<AcquireReply>;
  try {
    reply = await repeatRounds(servers, trial, request, call);
  } catch (error) {
    await closeTrial();
    throw error;
  }
  if (reply.status !== "granted") await closeTrial();
  return reply;
}
