/**
 * Histories of locks with leases, for models without leases. Each granted hold gets an expiry, which may happen at any
 * time between the earliest and the latest end of its lease.
 */
import type { Operation } from "../histories/history.ts";
import { earliestEnd, earliestGivenUp, earliestOwnEnd, latestEnd, mostMissed } from "./durations.ts";
import type { Call, Game } from "./linear.ts";
import { type Asker, type Held, type LockModel, type LockRules, lockModelOf } from "./lock-models.ts";

interface LeasedHold extends Held {
  /** The acquisition that it was granted to; a separate number if the acquisition continued without it. */
  readonly of: number;
  /** The earliest and the latest end of the lease by the server's clock. */
  readonly endsFrom: number;
  readonly endsBy: number;
  /** The earliest time at which its holder can consider it ended. */
  readonly ownEnd: number;
  /**
   * `closes`: it was extended for a client that considers it ended before the response arrives, and then releases it.
   * `gone`: the client knows of the end.
   */
  readonly holder: "holds" | "closes" | "gone";
}

export interface LockState {
  /** The earliest time at which all of this can have happened. */
  readonly now: number;
  readonly held: readonly LeasedHold[];
  /** Holds that their clients released during an extension, which a later release reports as released. */
  readonly closed: readonly number[];
  /** The last token shown by a response. */
  readonly last: number;
  /** The highest token accepted by the fenced resource. */
  readonly written: number;
}

type Step = (state: LockState, latest: number) => readonly LockState[];
type LockCall = Call<LockState, Operation>;

const START: LockState = { now: 0, held: [], closed: [], last: 0, written: 0 };
const NOTHING: readonly LockState[] = [];

const askerOf = ({ id, reentryKey, side, permits }: Operation): Asker => ({
  hold: id,
  owner: reentryKey,
  side,
  permits,
});
const find = ({ held }: LockState, id: number): LeasedHold | undefined => held.find(({ hold }) => hold === id);
const without = (state: LockState, id: number): LockState => ({
  ...state,
  held: state.held.filter(({ hold }) => hold !== id),
});

/** The state at the time of a call or later, without the holds that must have expired by then. */
function at(state: LockState, time: number): LockState {
  const now = Math.max(state.now, time);
  return { ...state, now, held: state.held.filter(({ endsBy }) => endsBy >= now) };
}

/**
 * The token of a grant, 0 if no response has shown it, or undefined if the grant is impossible. A new tenure has a
 * token above all others; a hold that joins a tenure has the tenure's.
 */
function tokenOf(model: LockModel, { held, last }: LockState, seen: number): number | undefined {
  if (!model.isFenced) return 0;
  const [first] = held;
  const shared = model.sharesTokens && first ? first.token : 0;
  if (shared === 0) return seen === 0 || seen > last ? seen : undefined;
  return seen === 0 || seen === shared ? shared : undefined;
}

/** A grant. The token of an unobserved one is unknown. */
const granting =
  (model: LockModel, operation: Operation, of = operation.id): Step =>
  (before, latest) => {
    const { lease, call, ret } = operation;
    const state = at(before, call);
    const asker = askerOf(operation);
    if (!model.admits(state.held, asker)) return NOTHING;
    const token = tokenOf(model, state, operation.status === "ok" ? operation.token : 0);
    if (token === undefined) return NOTHING;
    const ends = { endsFrom: earliestEnd(state.now, lease), endsBy: latestEnd(latest, lease) };
    // A response that repeats the grant contains the remaining time, which its client counts from its last request.
    const hold = { ...asker, ...ends, of, token, ownEnd: earliestOwnEnd(call, lease - (ret - call)) };
    const granted: LeasedHold = { ...hold, holder: "holds" };
    // A tenure's token is known once a response to one of its holds has shown it.
    const others = state.held.map((other) => (model.sharesTokens ? { ...other, token } : other));
    const held = [...others, granted].sort((a, b) => a.hold - b.hold);
    return [{ ...state, held, last: Math.max(state.last, token) }];
  };

/** An observed operation without effect. */
const seeing =
  ({ call }: Operation, isPossible: (state: LockState) => boolean): Step =>
  (before) => {
    const state = at(before, call);
    return isPossible(state) ? [state] : NOTHING;
  };

/** The end of a live hold by its holder's request. */
const ending =
  ({ hold, call }: Operation): Step =>
  (before) => {
    const state = at(before, call);
    return find(state, hold) ? [without(state, hold)] : NOTHING;
  };

/** A release that reported success: the hold was live, or its client had released it before. */
const releasing = (operation: Operation): Step => {
  const [end, wasClosed] = [ending(operation), seeing(operation, ({ closed }) => closed.includes(operation.hold))];
  return (state, latest) => [...end(state, latest), ...wasClosed(state, latest)];
};

const extending =
  ({ hold, call, lease, status }: Operation): Step =>
  (before, latest) => {
    const state = at(before, call);
    const known = find(state, hold);
    const isLost = status === "lost";
    if (!known || (status !== "unknown" && known.holder === "gone")) return NOTHING;
    const held = state.held.map((each): LeasedHold => {
      if (each !== known) return each;
      const endsFrom = Math.max(each.endsFrom, earliestEnd(state.now, lease));
      // It cannot be extended once it has ended.
      const endsBy = Math.max(each.endsBy, latestEnd(Math.min(latest, each.endsBy), lease));
      // A client without a response does not count on more time.
      const ownEnd = status === "ok" ? Math.max(each.ownEnd, earliestOwnEnd(call, lease)) : each.ownEnd;
      return { ...each, endsFrom, endsBy, ownEnd, holder: isLost ? "closes" : each.holder };
    });
    return [{ ...state, held }];
  };

/** The state when a hold's own client can consider it lost; undefined if that is after `latest`. */
function givenUp(
  state: LockState,
  hold: LeasedHold,
  action: Operation["action"],
  latest: number,
): LockState | undefined {
  const since = action === "extend" ? earliestGivenUp(hold.ownEnd) : hold.ownEnd;
  return since <= latest ? at(state, since) : undefined;
}

/** The end of a hold by a client that considers it lost. */
const closing =
  ({ hold, call, action }: Operation): Step =>
  (before, latest) => {
    const state = at(before, call);
    const known = find(state, hold);
    const noticed = known && givenUp(state, known, action, latest);
    return noticed ? [{ ...without(noticed, hold), closed: [...state.closed, hold] }] : NOTHING;
  };

/** The client of a hold considers it lost and has not released it. */
const noticing =
  ({ hold, call, action }: Operation): Step =>
  (before, latest) => {
    const state = at(before, call);
    const known = find(state, hold);
    const noticed = known && givenUp(state, known, action, latest);
    if (!noticed) return NOTHING;
    return [{ ...noticed, held: noticed.held.map((each) => (each === known ? { ...each, holder: "gone" } : each)) }];
  };

/**
 * The caller learned that its hold has ended: from the server, or from its own clock, which is early. A client that
 * abandons an extension then releases the hold.
 */
const losing = (operation: Operation): Step => {
  const { hold, call, action } = operation;
  const [close, notice] = [closing(operation), noticing(operation)];
  return (before, latest) => {
    const state = at(before, call);
    const known = find(state, hold);
    if (!known || (action === "verify" && known.holder === "gone")) return [state];
    if (action === "verify") return notice(before, latest);
    return [...(known.holder === "closes" ? [] : notice(before, latest)), ...close(before, latest)];
  };
};

/** A write to a resource that stores the highest accepted token. */
const writing =
  ({ token, call }: Operation): Step =>
  (state) =>
    token >= state.written ? [{ ...at(state, call), written: token }] : NOTHING;

/** The effect of an operation on a lock; undefined if it has none. */
function stepOf(model: LockModel, operation: Operation): Step | undefined {
  const { action, status, hold, token } = operation;
  const isDone = status === "ok";
  const asker = askerOf(operation);
  const mayBeDone = isDone || status === "unknown";
  // A request is never refused because of its own hold: its grant is repeated.
  const othersOf = ({ held }: LockState): readonly Held[] => held.filter(({ of }) => of !== operation.id);
  switch (action) {
    case "acquire":
      if (mayBeDone) return granting(model, operation);
      if (status === "refused") return seeing(operation, (state) => model.explainsRefusal(othersOf(state), asker));
      return status === "own" ? seeing(operation, (state) => model.isOwn(othersOf(state), asker)) : undefined;
    case "release":
      if (status === "lost") return seeing(operation, (state) => !find(state, hold));
      return isDone ? releasing(operation) : mayBeDone ? ending(operation) : undefined;
    case "extend":
      return status === "lost" ? losing(operation) : mayBeDone ? extending(operation) : undefined;
    case "verify":
      if (status === "lost") return losing(operation);
      return isDone ? seeing(operation, (state) => (find(state, hold)?.holder ?? "gone") !== "gone") : undefined;
    case "write":
      if (status === "refused") return seeing(operation, ({ written }) => written > token);
      return mayBeDone ? writing(operation) : undefined;
    default:
      return undefined;
  }
}

/** The maximum number of missed grants of one waiter that are tried. */
const MAX_MISSED = 2;

/**
 * Grants to a waiter that ended before it knew of them. It cancelled each and retried under another id until it
 * returned.
 */
function missedCalls(model: LockModel, operation: Operation): readonly LockCall[] {
  const { id, call, ret, lease } = operation;
  const count = ret === Infinity ? 0 : Math.min(mostMissed(call, ret, lease), MAX_MISSED);
  return Array.from({ length: count }, (_, index): readonly LockCall[] => {
    const missed: Operation = { ...operation, id: -(MAX_MISSED * id + index), status: "failed" };
    const times = { operation, call, ret };
    const isGone = (state: LockState): boolean => !find(state, missed.id);
    return [
      { ...times, mayBeSkipped: () => true, step: granting(model, missed, id) },
      { ...times, mayBeSkipped: isGone, step: ending({ ...missed, hold: missed.id }) },
    ];
  }).flat();
}

/**
 * Operations whose response the client may have missed. An acquisition that ended without a hold may have been granted
 * by an earlier attempt, and was then cancelled before it ended; an unknown one may be cancelled at any later time. An
 * extension may have been done although its response was too late for its caller. A caller without a response may have
 * considered the hold lost, and have missed the response to its release too.
 */
function unseenCalls(model: LockModel, operation: Operation): readonly LockCall[] {
  const { action, status, call, ret, id } = operation;
  const times = { operation, call, ret };
  const maybe = (step: Step): LockCall => ({ ...times, mayBeSkipped: () => true, step });
  if (action === "extend") {
    if (status === "unknown") return [maybe(noticing(operation)), maybe(closing(operation))];
    return status === "lost" ? [maybe(extending(operation))] : [];
  }
  if (action !== "acquire") return [];
  const missed = missedCalls(model, operation);
  if (status === "ok") return missed;
  const isGone = (state: LockState): boolean => !find(state, id);
  const cancel: LockCall = { ...times, mayBeSkipped: isGone, step: ending(operation) };
  return status === "unknown" ? [cancel] : [maybe(granting(model, operation)), cancel, ...missed];
}

/** Translates the history of a lock for the linearization. */
export function lockGame(
  kind: string,
  rules: LockRules,
  history: readonly Operation[],
  hasUnseen: boolean,
): Game<LockState, Operation> {
  const model = lockModelOf(kind, rules);
  const calls = history.flatMap((operation): readonly LockCall[] => {
    const step = stepOf(model, operation);
    const { call, ret } = operation;
    const seen = step ? [{ operation, call, ret, mayBeSkipped: () => false, step }] : [];
    return [...seen, ...(hasUnseen ? unseenCalls(model, operation) : [])];
  });
  return {
    initial: START,
    calls,
    keyOf: ({ held, closed, last, written }) =>
      `${held.map(({ hold, token, holder }) => `${hold}:${token}:${holder}`)} ${closed} ${last} ${written}`,
    // A state permits more the earlier its holds can end and the longer they can last.
    timesOf: ({ now, held }) => [now, ...held.flatMap(({ endsFrom, endsBy, ownEnd }) => [endsFrom, -endsBy, ownEnd])],
    drift: (state, latest) =>
      state.held
        .filter(({ endsFrom }) => endsFrom <= latest)
        .map(({ hold, endsFrom }) => at(without(state, hold), endsFrom)),
  };
}
