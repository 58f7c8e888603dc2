/**
 * The model of attempts under leases, of which one stores the result: of a once, of the slots of a cron job, and of a
 * message that hands a lock over. A once and a message have one slot; of the slots of a job, one runs at a time.
 */
import type { Model, Step } from "../checker.ts";
import { NOT_STORED, type Operation } from "../history.ts";
import {
  driftOf,
  extended,
  type Hold,
  holdOf,
  keyOfHold,
  LAST_TRIES,
  loosened,
  mayBeThere,
  whenOver,
} from "./holds.ts";

/** The rules that differ between kinds. */
export interface OnceRules {
  /**
   * Whether a client may fail an attempt whose start it did not report. It counts, other than a cancelled one. False by
   * default.
   */
  readonly abandons?: boolean;
  /**
   * Whether the attempts of a message run under the hold of its ticket while that lives. They share its token, so tokens
   * never fall instead of rising. Otherwise each attempt has a higher token than all before. False by default.
   */
  readonly handsOver?: boolean;
}

interface Slot {
  /** The running attempt, or the last one, which may still complete. */
  readonly attempt: Hold | undefined;
  readonly attempts: number;
  /** The number of further attempts that may have been counted: unreported starts, which may have been cancelled. */
  readonly doubted: number;
  /**
   * From when on an attempt whose start was not reported may have been counted: from the end of its lease, or earlier
   * where a client may fail it; Infinity if it was cancelled before, 0 without one. A cancelled attempt does not count.
   */
  readonly expires: number;
  /** Whether the client of the attempt may have failed it because an extension was answered too late. */
  readonly returned: boolean;
  /** The token under which the result was stored, and its attempt; 0 without a result. */
  readonly done: number;
  readonly by: number;
  readonly value: string;
}

export interface OnceState {
  readonly slots: ReadonlyMap<string, Slot>;
  /** The highest token granted. */
  readonly last: number;
  /** The token of the ticket, and the latest time at which its hold can still exist; 0 without one. */
  readonly ticket: number;
  readonly ticketLast: number;
}

type Steps = readonly Step<OnceState>[];

const UNUSED: Slot = {
  ...{ attempt: undefined, attempts: 0, doubted: 0, expires: 0 },
  ...{ returned: false, done: 0, by: 0, value: "" },
};

const slotOf = ({ slots }: OnceState, { slot }: Operation): Slot => slots.get(slot) ?? UNUSED;

const withSlot = (state: OnceState, { slot }: Operation, own: Slot): OnceState => ({
  ...state,
  slots: new Map([...state.slots, [slot, own]]),
});

/** The slots while another one's attempt runs from `at` on: their own have ended. */
const ended = (slots: OnceState["slots"], at: number): OnceState["slots"] =>
  new Map(
    [...slots].map(([name, slot]) => {
      const { attempt } = slot;
      return [name, attempt ? { ...slot, attempt: { ...attempt, last: Math.min(attempt.last, at) } } : slot];
    }),
  );

/** The attempts that may run. */
const running = ({ slots }: OnceState, at: number): readonly Hold[] =>
  [...slots.values()].flatMap(({ attempt }) => (attempt && mayBeThere(attempt, at) ? [attempt] : []));

/** When an attempt can start, and how many others of its slot can have been counted by then. */
function starts({ doubted, expires }: Slot, when: number): { when: number; doubted: number }[] {
  if (expires === 0) return [{ when, doubted }];
  const cancelled = { when, doubted: doubted - 1 };
  return expires === Infinity ? [cancelled] : [cancelled, { when: Math.max(when, expires), doubted }];
}

/** Whether an attempt may have this token. */
function isGrantable({ handsOver }: OnceRules, { last, ticket, ticketLast }: OnceState, token: number, at: number) {
  if (token > last) return true;
  return handsOver === true && token === last && token === ticket && ticketLast >= at;
}

function begin(rules: OnceRules, state: OnceState, operation: Operation, at: number, by: number): Steps {
  const { status, token, lease } = operation;
  const own = slotOf(state, operation);
  const there = running(state, at);
  if (status === "refused") {
    // An unobserved start of the same call has its id, negated. The server would have repeated that start.
    return own.done === 0 && there.some(({ id }) => id !== -operation.id) ? [{ state, at }] : [];
  }
  if (own.done) return [];
  return starts(own, whenOver(there, at)).flatMap(({ when, doubted }) => {
    const others = { ...state, slots: ended(state.slots, when) };
    const started: Slot = { ...own, attempt: holdOf(operation, when, by), returned: false };
    const end = when + lease - driftOf(lease);
    // A call that failed or was later refused cancelled its attempt before it returned.
    const expires = rules.abandons ? when : end <= operation.ret ? end : Infinity;
    if (status !== "ok")
      return [{ state: withSlot(others, operation, { ...started, doubted: doubted + 1, expires }), at: when }];
    const counted = operation.attempt - own.attempts;
    if (!isGrantable(rules, state, token, when) || counted < 1 || counted > 1 + doubted) return [];
    const seen = { ...started, attempts: operation.attempt, doubted: 0, expires: 0 };
    return [{ state: { ...withSlot(others, operation, seen), last: token }, at: when }];
  });
}

/** The state after an attempt under this token was completed or failed: the hold of the ticket ended with it. */
const released = (state: OnceState, { token }: Operation, at: number): OnceState =>
  token === state.ticket ? { ...state, ticketLast: Math.min(state.ticketLast, at) } : state;

function complete(state: OnceState, operation: Operation, at: number): Steps {
  const { hold, token, status, value } = operation;
  const own = slotOf(state, operation);
  const isOurs = own.attempt?.id === hold;
  if (status === "lost") return (isOurs && !own.returned) || own.by === hold ? [] : [{ state, at }];
  if (own.done) return own.by === hold ? [{ state, at }] : [];
  if (!isOurs) return [];
  const stored = status === "ok" ? [value] : [value, NOT_STORED];
  return stored.map((kept) => {
    const done = { ...own, attempt: undefined, done: token, by: hold, value: kept };
    return { state: released(withSlot(state, operation, done), operation, at), at };
  });
}

function fail(state: OnceState, operation: Operation, at: number): Steps {
  const { hold, status } = operation;
  const own = slotOf(state, operation);
  const { attempt, returned } = own;
  const withAttempt = (attempt: Hold | undefined): OnceState => withSlot(state, operation, { ...own, attempt });
  if (attempt?.id !== hold) return status === "ok" ? [] : [{ state, at }];
  // An attempt whose lease has ended may still complete.
  if (status === "lost") return [{ state: withAttempt({ ...attempt, last: at }), at: whenOver([attempt], at) }];
  if (!mayBeThere(attempt, at)) return status === "ok" && !returned ? [] : [{ state, at }];
  return [{ state: released(withAttempt(undefined), operation, at), at }];
}

function extend({ handsOver }: OnceRules, state: OnceState, operation: Operation, at: number, by: number): Steps {
  const { hold: id, status, ret, token } = operation;
  const own = slotOf(state, operation);
  const hold = own.attempt?.id === id && mayBeThere(own.attempt, at) ? own.attempt : undefined;
  if (!hold) return status === "ok" ? [] : [{ state, at }];
  const longer = extended(hold, operation, at, by);
  const ticketLast = token === state.ticket ? Math.max(state.ticketLast, longer.last) : state.ticketLast;
  const withAttempt = (attempt: Hold, returned: boolean): OnceState => ({
    ...withSlot(state, operation, { ...own, attempt, returned }),
    ticketLast,
  });
  if (status === "ok") return hold.isLost ? [] : [{ state: withAttempt(longer, own.returned), at }];
  // A client whose own clock says that the lease has ended fails the attempt. The server may have extended it before.
  // The lease of a ticket may end before the attempt under it.
  const givenBack = handsOver ? at : Math.max(at, Math.min(hold.end, hold.local - LAST_TRIES));
  if (status === "lost" && ret < givenBack && !hold.isLost) return [];
  const last = Math.max(hold.last, handsOver ? longer.last : Math.min(longer.last, ret));
  return [{ state: withAttempt({ ...loosened(hold, givenBack, last), isLost: status === "lost" }, true), at }];
}

/** The acquisition of the lock that is handed over. */
function issue(state: OnceState, operation: Operation, at: number, by: number): Steps {
  const { status, token, lease } = operation;
  if (status !== "ok") return [{ state, at }];
  return [{ state: { ...state, last: token, ticket: token, ticketLast: by + lease + driftOf(lease) }, at }];
}

const keyOfSlot = ({ attempt, attempts, doubted, expires, returned, done, by, value }: Slot): string =>
  `${attempt ? keyOfHold(attempt) : ""}, ${attempts} ${doubted} ${expires} ${returned} ${done} ${by} ${value}`;

export function onceModel(rules: OnceRules = {}): Model<OnceState> {
  return {
    initial: { slots: new Map(), last: 0, ticket: 0, ticketLast: 0 },
    keyOf: ({ slots, last, ticketLast }) =>
      `${last} ${ticketLast} ${[...slots].map(([name, slot]) => `${name}: ${keyOfSlot(slot)}`).sort()}`,
    step(state, operation, at, by) {
      const { done, value } = slotOf(state, operation);
      switch (operation.action) {
        case "acquire":
          return issue(state, operation, at, by);
        case "begin":
          return begin(rules, state, operation, at, by);
        case "result":
          return done === operation.token && value === operation.value ? [{ state, at }] : [];
        case "complete":
          return complete(state, operation, at);
        case "fail":
          return fail(state, operation, at);
        case "extend":
          return extend(rules, state, operation, at, by);
        default:
          throw new TypeError(`no ${operation.action} of a once`);
      }
    },
  };
}
