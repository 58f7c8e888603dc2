/** Prints rulings for readers. */
import { type Operation, tell } from "../histories/history.ts";
import type { Ruling } from "./judge.ts";
import type { LockState } from "./locks.ts";
import type { OnceState } from "./onces.ts";
import type { TokenState } from "./tokens.ts";

const MAX_STATES = 5;
const MAX_LINES = 40;

const showHeld = ({ held, last, written }: LockState): string => {
  const holds = held.map(
    ({ hold, owner, side, permits, endsFrom, endsBy }) =>
      `#${hold}${owner && ` of ${owner}`}${side === "read" ? ", read" : ""}${permits > 0 ? `, ${permits} permits` : ""}, until between ${endsFrom.toFixed(2)} and ${endsBy.toFixed(2)}`,
  );
  return `held: ${holds.join("; ") || "nothing"}; last token ${last}; highest written ${written}`;
};

function showOnce({ registers, runner, last }: OnceState): string {
  const slots = [...registers].map(([slot, { attempts, newest, isOver, done }]) => {
    const what = done
      ? `done by #${done.by} with ${done.value}`
      : `${attempts} attempts, the newest #${newest}${isOver ? ", over" : ""}`;
    return slot ? `${slot}: ${what}` : what;
  });
  const running = runner
    ? `#${runner.hold} runs until between ${runner.endsFrom.toFixed(2)} and ${runner.endsBy.toFixed(2)}`
    : "nothing runs";
  return [...slots, running, `last token ${last}`].join("; ");
}

function showState(state: LockState | OnceState | TokenState): string {
  if ("held" in state) return showHeld(state);
  if ("registers" in state) return showOnce(state);
  return `last token ${state.last}; highest written ${state.written}`;
}

/** The lines of an "unexplained" ruling: the return that no order explains, and the possible states before it. */
export function show(name: string, history: readonly Operation[], { verdict, at, states, open }: Ruling): string[] {
  if (!at) return [`${name}: ${verdict}`];
  const isOpen = new Set(open.map(({ id }) => id));
  const inOrder = [...history].sort((a, b) => a.call - b.call).filter(({ call }) => call <= at.ret);
  const told = inOrder.map((operation) => {
    const mark = operation.id === at.id ? "→" : isOpen.has(operation.id) ? "?" : " ";
    return `  ${mark} ${tell(operation)}`;
  });
  const possible = [...new Set(states.map(showState))];
  return [
    `${name}: no order explains the operation marked →, which returned when those marked ? were open`,
    ...(told.length > MAX_LINES ? [`    (${told.length - MAX_LINES} earlier operations)`] : []),
    ...told.slice(-MAX_LINES),
    "  possible before it returned:",
    ...possible.slice(0, MAX_STATES).map((text) => `    ${text}`),
    ...(possible.length > MAX_STATES ? [`    and ${possible.length - MAX_STATES} other states`] : []),
  ];
}
