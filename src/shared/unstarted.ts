import { inCall, misuse } from "./misuse.ts";

/** The members by which lazy work is recognized. */
interface Lazy {
  readonly subscribe?: unknown;
  readonly next?: unknown;
  readonly [Symbol.toStringTag]?: unknown;
}

/**
 * Names a value whose work runs only when it is asked for values; undefined for all others, and for a proxy that cannot
 * be looked at: its work has run.
 */
function lazyOf(value: object): string | undefined {
  try {
    return lazy(value);
  } catch {
    return undefined;
  }
}

function lazy(value: object): string | undefined {
  const { subscribe, next, [Symbol.toStringTag]: tag } = value as Lazy;
  // Libraries mark an Observable by "@@observable" where there is no `Symbol.observable`.
  if (typeof subscribe === "function" && ("pipe" in value || "@@observable" in value)) return "an Observable";
  const iterates = typeof next === "function" && (Symbol.asyncIterator in value || tag === "Generator");
  return iterates ? "a generator" : undefined;
}

/**
 * Refuses a result whose work has not run: it would run when the lease has ended. Streams and responses pass, since
 * their work may be done.
 *
 * @throws TypeError that names the call.
 */
export const refuseUnstarted = <T>(result: T, place: string | (() => string)): T =>
  inCall(place, () => {
    const what = lazyOf(Object(result));
    if (what) throw misuse(TypeError, `the work returned ${what}, which has not run: await its values in the work`);
    return result;
  });
