import { inCall, misuse } from "./misuse.ts";

/** How libraries mark an Observable where there is no `Symbol.observable`. */
const OBSERVABLE = "@@observable";

/** The members by which lazy work is recognized. */
interface Lazy {
  readonly subscribe?: unknown;
  readonly pipe?: unknown;
  readonly next?: unknown;
  readonly [Symbol.toStringTag]?: unknown;
  readonly [OBSERVABLE]?: unknown;
}

/** Names a value whose work runs only when it is asked for values, and how to run it; undefined for all others. */
function lazy(value: unknown): [what: string, advice: string] | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const { subscribe, pipe, next, [OBSERVABLE]: mark } = value as Lazy;
  if (typeof subscribe === "function" && (typeof pipe === "function" || mark !== undefined))
    return ["an Observable", "return its last value, as in await lastValueFrom(observable)"];
  if (typeof next !== "function") return undefined;
  if (Symbol.asyncIterator in value) return ["an async iterator", "read it in the work"];
  return (value as Lazy)[Symbol.toStringTag] === "Generator" ? ["a generator", "read it in the work"] : undefined;
}

/**
 * Refuses a result whose work has not run: it would run when the lease has ended. Streams and responses pass, since
 * their work may be done.
 *
 * @throws TypeError that names the call.
 */
export const refuseUnstarted = <T>(result: T, place: string | (() => string)): T =>
  inCall(place, () => {
    const [what, advice] = lazy(result) ?? [];
    if (what !== undefined) throw misuse(TypeError, `the work returned ${what}, which has not run: ${advice}`);
    return result;
  });
