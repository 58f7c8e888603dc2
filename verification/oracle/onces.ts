/**
 * Histories of registers that are set once, by attempts of which one runs at a time: a once, a message that hands a lock
 * over, or the slots of a cron job, which are as many registers with one runner.
 */
import { NOT_STORED, type Operation } from "../histories/history.ts";
import { earliestEnd, earliestGivenUp, earliestOwnEnd, latestEnd, mostMissed } from "./durations.ts";
import type { Call, Game } from "./linear.ts";

/** The workload's description of its attempts. */
export interface OnceRules {
  /** Whether a client may end an attempt that it never reported, which then counts. */
  readonly abandons?: boolean;
  /** Whether attempts may share the token of a ticket, while its lease lives. */
  readonly handsOver?: boolean;
}

/** One register, with the attempts to set it. */
interface Register {
  /** The number of attempts started, without cancelled ones. */
  readonly attempts: number;
  /** The latest attempt; 0 before the first. */
  readonly newest: number;
  /** Whether the latest attempt was failed or cancelled. One that expired may still be completed. */
  readonly isOver: boolean;
  /** The completed attempt, with its result and token. */
  readonly done: { readonly by: number; readonly value: string; readonly token: number } | undefined;
}

/** The attempt that runs, with the earliest and the latest end of its lease. */
interface Runner {
  readonly slot: string;
  readonly hold: number;
  readonly endsFrom: number;
  readonly endsBy: number;
  /** The earliest time at which its client can consider it ended. */
  readonly ownEnd: number;
}

export interface OnceState {
  /** The earliest time at which all of this can have happened. */
  readonly now: number;
  readonly registers: ReadonlyMap<string, Register>;
  readonly runner: Runner | undefined;
  /** The last token shown by a response. */
  readonly last: number;
  /** The token of the ticket, and the latest end of its lease; 0 without one, or after its release. */
  readonly ticket: number;
  readonly ticketBy: number;
}

type Step = (state: OnceState, latest: number) => readonly OnceState[];
type OnceCall = Call<OnceState, Operation>;

const UNSET: Register = { attempts: 0, newest: 0, isOver: false, done: undefined };
const START: OnceState = { now: 0, registers: new Map(), runner: undefined, last: 0, ticket: 0, ticketBy: 0 };
const NOTHING: readonly OnceState[] = [];

const registerOf = ({ registers }: OnceState, slot: string): Register => registers.get(slot) ?? UNSET;

const withRegister = (state: OnceState, slot: string, changed: Partial<Register>): OnceState => ({
  ...state,
  registers: new Map([...state.registers, [slot, { ...registerOf(state, slot), ...changed }]]),
});

/** The state at the time of a call or later: an attempt's lease may have to have ended by then. */
function at(state: OnceState, time: number): OnceState {
  const now = Math.max(state.now, time);
  const isOver = state.runner !== undefined && state.runner.endsBy < now;
  return { ...state, now, ...(isOver && { runner: undefined }) };
}

const runs = ({ runner }: OnceState, hold: number): boolean => runner?.hold === hold;
const isDoneBy = (state: OnceState, { hold, slot }: Operation): boolean => registerOf(state, slot).done?.by === hold;

function mayComplete(state: OnceState, { hold, slot }: Operation): boolean {
  const { done, newest, isOver } = registerOf(state, slot);
  return !done && newest === hold && !isOver;
}

/** Whether a response may show this token: a higher one than all before, or that of a live ticket, which is the last. */
function isGrantable({ last, now, ticket, ticketBy }: OnceState, token: number, { handsOver = false }: OnceRules) {
  return token > last || (handsOver && token === last && token === ticket && ticketBy >= now);
}

/** The start of an attempt. The number and the token of an unobserved one are unknown. */
const beginning =
  ({ id, call, ret, lease, status, token, attempt, slot }: Operation, rules: OnceRules): Step =>
  (before, latest) => {
    const state = at(before, call);
    const register = registerOf(state, slot);
    if (register.done || state.runner) return NOTHING;
    const isSeen = status === "ok";
    const attempts = register.attempts + 1;
    if (isSeen && (!isGrantable(state, token, rules) || attempt !== attempts)) return NOTHING;
    const runner = {
      slot,
      hold: id,
      endsFrom: earliestEnd(state.now, lease),
      endsBy: latestEnd(latest, lease),
      // A response that repeats the start contains the remaining time.
      ownEnd: earliestOwnEnd(call, lease - (ret - call)),
    };
    const started = withRegister(state, slot, { attempts, newest: id, isOver: false });
    return [{ ...started, runner, last: isSeen ? token : state.last }];
  };

const seeing =
  ({ call }: Operation, isPossible: (state: OnceState) => boolean): Step =>
  (before) => {
    const state = at(before, call);
    return isPossible(state) ? [state] : NOTHING;
  };

/** The end of an attempt by its client, with which the lease of its ticket ends too. */
function stopped(state: OnceState, { hold, token }: Operation): OnceState {
  const after = runs(state, hold) ? { ...state, runner: undefined } : state;
  return token > 0 && token === state.ticket ? { ...after, ticket: 0 } : after;
}

const completing =
  (operation: Operation): Step =>
  (before) => {
    const { hold, call, value, token, status, slot } = operation;
    const state = at(before, call);
    if (isDoneBy(state, operation)) return [state];
    if (!mayComplete(state, operation)) return NOTHING;
    const ended = stopped(state, operation);
    // A client with its response knows whether there was memory for the result.
    const results = status === "ok" ? [value] : [value, NOT_STORED];
    return results.map((stored) =>
      withRegister(ended, slot, { isOver: true, done: { by: hold, value: stored, token } }),
    );
  };

const failing =
  (operation: Operation): Step =>
  (before) => {
    const { hold, call, slot } = operation;
    const state = at(before, call);
    return runs(state, hold) ? [withRegister(stopped(state, operation), slot, { isOver: true })] : NOTHING;
  };

/** A cancelled attempt does not count. */
const cancelling = (operation: Operation): Step => {
  const fail = failing(operation);
  const { slot } = operation;
  return (state, latest) =>
    fail(state, latest).map((ended) => {
      const { attempts } = registerOf(ended, slot);
      return withRegister(ended, slot, { attempts: attempts - 1 });
    });
};

const either =
  (...steps: readonly Step[]): Step =>
  (state, latest) =>
    steps.flatMap((step) => step(state, latest));

const extending =
  ({ hold, call, lease, token, status }: Operation): Step =>
  (before, latest) => {
    const state = at(before, call);
    const { runner } = state;
    if (runner?.hold !== hold) return NOTHING;
    const endsFrom = Math.max(runner.endsFrom, earliestEnd(state.now, lease));
    // It cannot be extended once it has ended.
    const endsBy = Math.max(runner.endsBy, latestEnd(Math.min(latest, runner.endsBy), lease));
    const ticketBy = token === state.ticket ? Math.max(state.ticketBy, endsBy) : state.ticketBy;
    // A client without a response does not count on more time.
    const ownEnd = status === "ok" ? Math.max(runner.ownEnd, earliestOwnEnd(call, lease)) : runner.ownEnd;
    return [{ ...state, runner: { ...runner, endsFrom, endsBy, ownEnd }, ticketBy }];
  };

/**
 * The client learned that its attempt has ended: from the server, or from its own clock, which is early. In that case it
 * fails the attempt, which may have been extended. The lease of a ticket may end before the attempt under it.
 */
const losing = (operation: Operation, { handsOver = false }: OnceRules): Step => {
  const { hold, call } = operation;
  const ways = either(
    seeing(operation, () => true),
    failing(operation),
    extending(operation),
  );
  return (before, latest) => {
    const state = at(before, call);
    const { runner } = state;
    if (runner?.hold !== hold) return [state];
    const since = handsOver ? state.now : earliestGivenUp(runner.ownEnd);
    return since <= latest ? ways(at(state, since), latest) : NOTHING;
  };
};

/** A hold whose ticket is issued. */
const issuing =
  ({ token, lease, call }: Operation): Step =>
  (before, latest) => {
    const state = at(before, call);
    return [{ ...state, last: token, ticket: token, ticketBy: latestEnd(latest, lease) }];
  };

function stepOf(operation: Operation, rules: OnceRules): Step | undefined {
  const { action, status, hold, value, token, slot, id } = operation;
  const mayBeDone = status === "ok" || status === "unknown";
  switch (action) {
    case "acquire":
      return status === "ok" ? issuing(operation) : undefined;
    case "begin":
      // A request is never refused because of its own attempt: its start is repeated.
      if (status === "refused")
        return seeing(
          operation,
          (state) => !registerOf(state, slot).done && state.runner !== undefined && state.runner.hold !== id,
        );
      return mayBeDone ? beginning(operation, rules) : undefined;
    case "result":
      return seeing(operation, (state) => {
        const { done } = registerOf(state, slot);
        return done?.value === value && done.token === token;
      });
    case "complete":
      if (status === "lost")
        return seeing(operation, (state) => !isDoneBy(state, operation) && !mayComplete(state, operation));
      return mayBeDone ? completing(operation) : undefined;
    case "fail": {
      const isElsewhere = seeing(operation, (state) => !runs(state, hold));
      if (status === "lost") return isElsewhere;
      if (status === "ended") return either(failing(operation), isElsewhere);
      return mayBeDone ? failing(operation) : undefined;
    }
    case "extend":
      if (status === "lost") return losing(operation, rules);
      return mayBeDone ? extending(operation) : undefined;
    default:
      return undefined;
  }
}

/** The maximum number of missed attempts of one call that are tried. */
const MAX_MISSED = 2;

/**
 * Attempts that were started and ended without their clients' knowledge, as with locks. A run of a slot whose lease had
 * ended when its start was answered begins again.
 */
function unseenCalls(operation: Operation, rules: OnceRules): readonly OnceCall[] {
  const { action, status, call, ret, id, slot, lease } = operation;
  const times = { operation, call, ret };
  const maybe = (step: Step): OnceCall => ({ ...times, mayBeSkipped: () => true, step });
  if (action === "extend") return status === "unknown" ? [maybe(failing(operation))] : [];
  if (action !== "begin") return [];
  const unseen = (asked: Operation): readonly [OnceCall, OnceCall] => {
    const end = rules.abandons ? either(cancelling(asked), failing(asked)) : cancelling(asked);
    return [maybe(beginning(asked, rules)), { ...times, mayBeSkipped: (state) => !runs(state, asked.hold), step: end }];
  };
  const count = slot === "" || ret === Infinity ? 0 : Math.min(mostMissed(call, ret, lease), MAX_MISSED);
  const missed = Array.from({ length: count }, (_, index) => {
    const other = -(MAX_MISSED * id + index);
    return unseen({ ...operation, id: other, hold: other, status: "failed", token: 0 });
  }).flat();
  if (status === "ok") return missed;
  const own = unseen({ ...operation, hold: id, status: status === "unknown" ? status : "failed", token: 0 });
  return status === "unknown" ? own.slice(1) : [...own, ...missed];
}

/** Translates the history of attempts for the linearization. */
export function onceGame(
  history: readonly Operation[],
  hasUnseen: boolean,
  rules: OnceRules = {},
): Game<OnceState, Operation> {
  const calls = history.flatMap((operation): readonly OnceCall[] => {
    const step = stepOf(operation, rules);
    const { call, ret } = operation;
    const seen = step ? [{ operation, call, ret, mayBeSkipped: () => false, step }] : [];
    return [...seen, ...(hasUnseen ? unseenCalls(operation, rules) : [])];
  });
  return {
    initial: START,
    calls,
    keyOf: ({ registers, runner, last, ticket }) =>
      [
        ...[...registers].map(
          ([slot, { attempts, newest, isOver, done }]) =>
            `${slot} ${attempts} ${newest} ${isOver} ${done?.by} ${done?.value}`,
        ),
      ]
        .sort()
        .concat(`${runner?.hold} ${last} ${ticket}`)
        .join(),
    // A ticket that lives longer permits more.
    timesOf: ({ now, runner, ticketBy }) => [
      now,
      ...(runner ? [runner.endsFrom, -runner.endsBy, runner.ownEnd] : []),
      -ticketBy,
    ],
    drift: (state, latest) => {
      const { runner } = state;
      if (!runner || runner.endsFrom > latest) return [];
      return [{ ...at(state, runner.endsFrom), runner: undefined }];
    },
  };
}
