import type { Target } from "../redis/target.ts";
import type { Hold, HoldCalls } from "./hold.ts";

/**
 * Extends and closes a hold of several names. Its lease has a token for each, and a loss reports which names were lost.
 */
export function several(target: Target, { extend, close }: HoldCalls): HoldCalls & Pick<Hold, "adds"> {
  const { names } = target;
  /** Replaces the numbers of the lost names, as returned by the scripts, with the names. */
  const named = <Answer extends { readonly status: string }>(answer: Answer & { readonly names?: string }) =>
    answer.status === "lost" && names.length > 1
      ? { ...answer, lost: names.filter((_, n) => answer.names?.split(" ").includes(`${n + 1}`)) }
      : answer;
  return {
    adds: ({ token }) => ({ tokens: Object.fromEntries(names.map((name) => [name, token])) }),
    extend: async (...args) => named(await extend(...args)),
    close: async (...args) => named(await close(...args)),
  };
}
