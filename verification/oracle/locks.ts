/**
 * Histories of locks with leases, for models that know no leases. Each hold that was granted gets an expiry, which may
 * happen at any time from the earliest end of its lease, or never: so the oracle does not tell that a lease lasts too
 * long.
 */
import type { Operation } from "../histories/history.ts";
import { earliestEnd, earliestGivenUp, earliestOwnEnd } from "./durations.ts";
import type { Call, Game } from "./linear.ts";
import { type Asker, type Held, type LockModel, type LockRules, lockModelOf } from "./lock-models.ts";

interface LeasedHold extends Held {
  /** The earliest end of the lease by the server's clock. */
  readonly end: number;
  /** The earliest time at which its holder can believe that it has ended. */
  readonly ownEnd: number;
}

export interface LockState {
  /** The earliest time at which all of this can have happened. */
  readonly now: number;
  readonly held: readonly LeasedHold[];
  /** Holds that their clients closed while they extended them, which a later release reports as released. */
  readonly closed: readonly number[];
  /** The last token that anybody saw. */
  readonly last: number;
  /** The highest token that the fenced resource has seen. */
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

/**
 * The token of a grant, 0 while nobody has seen it, or undefined if it is impossible. A new tenure has a token above all
 * others; a hold that joins a tenure has the tenure's.
 */
function tokenOf(model: LockModel, { held, last }: LockState, seen: number): number | undefined {
  if (!model.isFenced) return 0;
  const [first] = held;
  const shared = model.sharesTokens && first ? first.token : 0;
  if (shared === 0) return seen === 0 || seen > last ? seen : undefined;
  return seen === 0 || seen === shared ? shared : undefined;
}

/** A grant. An unseen one has no token that is known. */
const granting =
  (model: LockModel, operation: Operation): Step =>
  (state) => {
    const asker = askerOf(operation);
    if (!model.admits(state.held, asker)) return NOTHING;
    const token = tokenOf(model, state, operation.status === "ok" ? operation.token : 0);
    if (token === undefined) return NOTHING;
    const { lease, call } = operation;
    const now = Math.max(state.now, call);
    const hold = { ...asker, token, end: earliestEnd(now, lease), ownEnd: earliestOwnEnd(call, lease) };
    // A tenure's token is known as soon as one of its holds has shown it.
    const others = state.held.map((other) => (model.sharesTokens ? { ...other, token } : other));
    const held = [...others, hold].sort((a, b) => a.hold - b.hold);
    return [{ ...state, now, held, last: Math.max(state.last, token) }];
  };

/** Something that was seen and changed nothing. */
const seeing =
  ({ call }: Operation, isPossible: (state: LockState) => boolean): Step =>
  (state) =>
    isPossible(state) ? [{ ...state, now: Math.max(state.now, call) }] : NOTHING;

/** The end of a hold that is live, by its holder's request. */
const ending =
  ({ hold, call }: Operation): Step =>
  (state) =>
    find(state, hold) ? [{ ...without(state, hold), now: Math.max(state.now, call) }] : NOTHING;

/** A release that reported success: the hold was live, or its client had closed it before. */
const releasing = (operation: Operation): Step => {
  const [end, wasClosed] = [ending(operation), seeing(operation, ({ closed }) => closed.includes(operation.hold))];
  return (state, latest) => [...end(state, latest), ...wasClosed(state, latest)];
};

const extending =
  ({ hold, call, lease, status }: Operation): Step =>
  (state) => {
    if (!find(state, hold)) return NOTHING;
    const now = Math.max(state.now, call);
    const held = state.held.map((each) => {
      if (each.hold !== hold) return each;
      const end = Math.max(each.end, earliestEnd(now, lease));
      // A client that gets no answer does not believe in more time.
      const ownEnd = status === "ok" ? Math.max(each.ownEnd, earliestOwnEnd(call, lease)) : each.ownEnd;
      return { ...each, end, ownEnd };
    });
    return [{ ...state, now, held }];
  };

/**
 * The caller learned that its hold has ended: from the server, or from its own clock, which is early. A client that
 * gives an extension up then closes the hold.
 */
const losing =
  ({ hold, call, action }: Operation): Step =>
  (state, latest) => {
    const known = find(state, hold);
    const since = known && action === "extend" ? earliestGivenUp(known.ownEnd) : (known?.ownEnd ?? 0);
    const now = Math.max(state.now, call, since);
    if (now > latest) return NOTHING;
    const noticed = { ...state, now };
    if (!known || action !== "extend") return [noticed];
    return [noticed, { ...without(noticed, hold), closed: [...state.closed, hold] }];
  };

/** A write to a resource that remembers the highest token it has seen. */
const writing =
  ({ token, call }: Operation): Step =>
  (state) =>
    token >= state.written ? [{ ...state, now: Math.max(state.now, call), written: token }] : NOTHING;

/** What an operation did to a lock; undefined if it says nothing about it. */
function stepOf(model: LockModel, operation: Operation): Step | undefined {
  const { action, status, hold, token } = operation;
  const isDone = status === "ok";
  const asker = askerOf(operation);
  const mayBeDone = isDone || status === "unknown";
  // A request never meets its own hold: to that it gets the grant again.
  const othersOf = (state: LockState): readonly Held[] => without(state, operation.id).held;
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
      return isDone ? seeing(operation, (state) => find(state, hold) !== undefined) : undefined;
    case "write":
      if (status === "refused") return seeing(operation, ({ written }) => written > token);
      return mayBeDone ? writing(operation) : undefined;
    default:
      return undefined;
  }
}

/**
 * What a client may have asked without learning the answer: an acquisition that ended without a hold may have been
 * granted by an earlier copy of its request, and was then cancelled before it ended. An unknown one may be cancelled at
 * any later time.
 */
function unseenCalls(model: LockModel, operation: Operation): readonly LockCall[] {
  const { action, status, call, ret, id } = operation;
  if (action !== "acquire" || status === "ok") return [];
  const times = { operation, call, ret };
  const isGone = (state: LockState): boolean => !find(state, id);
  const cancel: LockCall = { ...times, mayBeSkipped: isGone, step: ending(operation) };
  const grant: LockCall = { ...times, mayBeSkipped: () => true, step: granting(model, operation) };
  return status === "unknown" ? [cancel] : [grant, cancel];
}

/** Makes the history of a lock a game for the linearization. */
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
      `${held.map(({ hold, token }) => `${hold}:${token}`)} ${closed} ${last} ${written}`,
    timesOf: ({ now, held }) => [now, ...held.flatMap(({ end, ownEnd }) => [end, ownEnd])],
    drift: (state, latest) =>
      state.held
        .filter(({ end }) => end <= latest)
        .map(({ hold, end }) => ({ ...without(state, hold), now: Math.max(state.now, end) })),
  };
}
