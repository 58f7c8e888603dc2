import type { Target } from "../redis/target.ts";
import type { Around } from "../shared/around.ts";
import { noop } from "../shared/wait-until.ts";

/** A lease that work runs under. */
interface Held {
  readonly target: Target;
  readonly token: number;
  readonly lease: object;
  /** Milliseconds since it was granted. */
  readonly heldMs: () => number;
}

/** Receives what the work leaves running in the background, such as a release; it counts as part of the work. */
export type LeaveRunning = (promise: Promise<unknown>) => void;

/** Leases under which the hook runs work now. Nested work is part of the outer work. */
const surrounded = new WeakSet<object>();

/**
 * Calls the hook. Whatever the hook does, the work runs exactly once, without delay, and the hook does not see its
 * result.
 */
function callHook<T>(
  hook: Around,
  { target, token, heldMs }: Held,
  run: () => Promise<T>,
  rest: Set<unknown>,
): Promise<T> {
  let running: Promise<T> | undefined;
  const start = (): Promise<T> => {
    running ??= run();
    return running;
  };
  const { kind, name } = target;
  const observed = async (): Promise<void> => {
    await start().then(noop, noop);
    await Promise.all(rest);
  };
  const call = async (): Promise<unknown> => hook({ kind, name, token, heldMs: heldMs() }, observed);
  call().catch(noop);
  return start();
}

/** Runs work under a lease inside the connection's `around`, or directly if there is none. */
export function runAround<T>(held: Held, work: (leaveRunning: LeaveRunning) => Promise<T>): Promise<T> {
  const { lease, target } = held;
  const { around } = target.connection;
  if (!around || surrounded.has(lease)) return work(noop);
  const rest = new Set<unknown>();
  surrounded.add(lease);
  const run = async (): Promise<T> => {
    try {
      return await work((promise) => rest.add(promise.catch(noop)));
    } finally {
      surrounded.delete(lease);
    }
  };
  return callHook(around, held, run, rest);
}
