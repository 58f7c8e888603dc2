/** The model of all kinds with leases: locks, both sides of a read-write lock, semaphores. */
import type { Model, Step } from "../checker.ts";
import type { Operation } from "../history.ts";
import { extended, type Hold, holdOf, keyOfHold, LAST_TRIES, loosened, mayBeThere, whenOver } from "./holds.ts";

/** The rules that differ between kinds. */
export interface Rules {
  /** Whether a re-entry key may acquire twice. False by default. */
  readonly reentrant?: boolean;
  /** Whether a grant has a token: the same for all holds of a tenure, and larger than any earlier one. */
  readonly fenced?: boolean;
  /** Whether only an existing hold can be released. Otherwise a release also frees the name of another holder. */
  readonly ownerAware?: boolean;
  /** The number of permits. Without it there is one holder, or many readers. */
  readonly permits?: number;
  /** Whether a refusal can be due to waiters. */
  readonly waiters?: boolean;
}

/** The rules with their defaults. Without permits: one holder, or many readers. */
type Settled = Required<Rules>;

export interface Held {
  readonly holds: readonly Hold[];
  /** The token of the current tenure; 0 if its grant was not reported. */
  readonly token: number;
  /** The highest token granted. */
  readonly last: number;
  /** The highest token accepted by the fenced resource. */
  readonly seen: number;
  /** Holds that their client may have released because an extension was answered too late. */
  readonly returned: readonly number[];
}

const permitsOf = (holds: readonly Hold[]): number => holds.reduce((sum, { permits }) => sum + permits, 0);

/** Every minimal set of holds whose end frees this many permits. */
function roomFor(holds: readonly Hold[], max: number): Hold[][] {
  const choices = Array.from({ length: 1 << holds.length }, (_, bits) => holds.filter((_, at) => (bits >> at) & 1));
  const enough = choices.filter((over) => permitsOf(holds) - permitsOf(over) <= max);
  return enough.filter((over) => over.every((one) => permitsOf(holds) - permitsOf(over) + one.permits > max));
}

const withHold = (state: Held, id: number, hold?: Hold, returned = state.returned): Held => ({
  ...state,
  returned,
  holds: state.holds.flatMap((other) => (other.id !== id ? [other] : hold ? [hold] : [])),
});

function extend(state: Held, operation: Operation, at: number, by: number): readonly Step<Held>[] {
  const { hold: id, status, ret } = operation;
  const hold = state.holds.find((one) => one.id === id && mayBeThere(one, at));
  if (status === "ok")
    return hold && !hold.isLost ? [{ state: withHold(state, id, extended(hold, operation, at, by)), at }] : [];
  if (!hold) return [{ state, at }];
  // A client whose own clock says that the lease has ended releases it. The server may have extended it before.
  const givenBack = Math.max(at, Math.min(hold.end, hold.local - LAST_TRIES));
  if (status === "lost" && ret < givenBack && !hold.isLost) return [];
  const last = Math.max(hold.last, Math.min(extended(hold, operation, at, by).last, ret));
  const loose = { ...loosened(hold, givenBack, last), isLost: hold.isLost || status === "lost" };
  return [{ state: withHold(state, id, loose, [...state.returned, id]), at }];
}

function verify(state: Held, { hold: id, status, ret }: Operation, at: number): readonly Step<Held>[] {
  const hold = state.holds.find((one) => one.id === id && mayBeThere(one, at));
  if (status === "ok") return hold && !hold.isLost ? [{ state, at }] : [];
  if (!hold || status !== "lost") return [{ state, at }];
  const isOver = hold.isLost || ret >= Math.min(hold.end, hold.local);
  return isOver ? [{ state: withHold(state, id, { ...hold, isLost: true }), at }] : [];
}

function write(state: Held, { token, status }: Operation, at: number): readonly Step<Held>[] {
  if (status === "refused") return token < state.seen ? [{ state, at }] : [];
  return token >= state.seen || status !== "ok" ? [{ state: { ...state, seen: Math.max(state.seen, token) }, at }] : [];
}

/** Whether this acquisition joins the tenure. */
function joins({ reentrant, permits }: Settled, holds: readonly Hold[], { side, reentryKey }: Operation): boolean {
  if (permits > 0) return false;
  const reads = side === "read" && holds.every((hold) => hold.side === "read");
  return reads || (reentrant && reentryKey !== "" && holds.every((hold) => hold.reentryKey === reentryKey));
}

/** The tenures that an acquisition may have begun or joined. */
function* tenures(rules: Settled, state: Held, operation: Operation, at: number, by: number): Generator<Step<Held>> {
  const { fenced, permits } = rules;
  const { holds, last } = state;
  const { token } = operation;
  const grant = (left: readonly Hold[], when: number, tenure: number): Step<Held> => ({
    at: when,
    state: {
      ...state,
      holds: [...left, holdOf(operation, when, by)],
      token: tenure,
      last: Math.max(last, token),
    },
  });
  const there = holds.filter((hold) => mayBeThere(hold, at));
  if (there.length > 0 && joins(rules, there, operation)) {
    const isSame = !fenced || token === 0 || token === state.token || (state.token === 0 && token > last);
    if (isSame) yield grant(there, at, token || state.token);
  }
  const isRising = !fenced || token === 0 || token > last;
  if (!isRising) return;
  const choices = permits > 0 ? roomFor(there, permits - operation.permits) : [there];
  for (const over of choices) {
    const left = there.filter((hold) => !over.includes(hold));
    yield grant(left, whenOver(over, at), token);
  }
}

/** Whether the server had a reason for the refusal. */
function isRefusable(rules: Settled, { holds }: Held, operation: Operation, at: number): boolean {
  const { reentrant, permits, waiters } = rules;
  // An unobserved grant of the same acquisition has its id, negated. The server would have repeated that grant.
  const there = holds.filter((hold) => mayBeThere(hold, at) && hold.id !== -operation.id);
  if (operation.status === "own")
    return !reentrant && there.some(({ reentryKey }) => reentryKey === operation.reentryKey);
  if (permits > 0) return permitsOf(there) + operation.permits > permits;
  if (waiters) return true;
  // A caller whose re-entry key holds the name gets its own hold reported.
  const isOwn = ({ reentryKey }: Hold): boolean => reentryKey !== "" && reentryKey === operation.reentryKey;
  return there.some((hold) => !isOwn(hold)) && !joins(rules, there, operation);
}

function acquire(rules: Settled, state: Held, operation: Operation, at: number, by: number): readonly Step<Held>[] {
  const { status } = operation;
  if (status === "refused" || status === "own") return isRefusable(rules, state, operation, at) ? [{ state, at }] : [];
  return [...tenures(rules, state, operation, at, by)];
}

function release(
  { ownerAware }: Settled,
  state: Held,
  { hold: id, status }: Operation,
  at: number,
): readonly Step<Held>[] {
  const { holds, returned } = state;
  const hold = holds.find((one) => one.id === id && mayBeThere(one, at));
  if (status === "lost") return [{ state: withHold(state, id), at: hold ? whenOver([hold], at) : at }];
  if (hold) return [{ state: withHold(state, id), at }];
  if (ownerAware) return status !== "ok" || returned.includes(id) ? [{ state, at }] : [];
  return holds.length > 0 ? [{ state: { ...state, holds: [] }, at }] : [];
}

export function leaseModel(given: Rules): Model<Held> {
  const { reentrant = false, fenced = true, ownerAware = true, permits = 0, waiters = false } = given;
  const rules: Settled = { reentrant, fenced, ownerAware, permits, waiters };
  return {
    initial: { holds: [], token: 0, last: 0, seen: 0, returned: [] },
    keyOf: ({ holds, token, last, seen, returned }) =>
      `${token} ${last} ${seen} ${holds.map(keyOfHold).sort()} ${[...returned].sort()}`,
    step(state, operation, at, by) {
      switch (operation.action) {
        case "acquire":
          return acquire(rules, state, operation, at, by);
        case "release":
          return release(rules, state, operation, at);
        case "extend":
          return extend(state, operation, at, by);
        case "verify":
          return verify(state, operation, at);
        case "write":
          return write(state, operation, at);
        default:
          throw new TypeError(`no ${operation.action} of a lease`);
      }
    },
  };
}
