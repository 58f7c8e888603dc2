import type { Place } from "../redis/run.ts";
import type { Hold, Holding } from "./hold.ts";

/** A hold of several names: its lease has a token for each, and hears by name which of them were lost. */
export function several(place: Place, { extend, close }: Holding): Holding & Required<Pick<Hold, "adds">> {
  const { names } = place;
  /** The scripts give their numbers. */
  const named = <Answer extends { readonly status: string }>(answer: Answer & { readonly names?: string }) =>
    answer.status === "lost" && names.length > 1
      ? { ...answer, lost: names.filter((_, n) => answer.names?.split(" ").includes(`${n + 1}`)) }
      : answer;
  return {
    adds: ({ token }) => ({ tokens: Object.fromEntries(names.map((name) => [name, token])) }),
    extend: async (...asked) => named(await extend(...asked)),
    close: async (...asked) => named(await close(...asked)),
  };
}
