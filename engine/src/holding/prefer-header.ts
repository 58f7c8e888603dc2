/** The answer to a request that was held, in HTTP's words. */
export interface HoldHeaders {
  readonly "preference-applied": "wait";
  /** How long the request had been held when the run began that the answer is of. */
  readonly "server-timing": string;
}

/** A preference of RFC 7240: `wait=5`, perhaps with the parameter `ms` of a more exact time: `wait=5; ms=4500`. */
const WAIT = /(?:^|,)\s*wait\s*=\s*"?(\d{1,9})"?\s*(?:;([^,]*))?/i;
const EXACT = /(?:^|;)\s*ms\s*=\s*"?(\d{1,9})"?\s*(?:;|$)/i;

/**
 * Reads how long a request may be held from its header `Prefer`, in ms; undefined where it does not ask for that. A
 * parameter `ms` makes whole seconds more exact, and never longer.
 */
export function waitOf(prefer: string | null | undefined): number | undefined {
  const [, seconds, parameters = ""] = WAIT.exec(prefer ?? "") ?? [];
  if (seconds === undefined) return undefined;
  const [, exact] = EXACT.exec(parameters) ?? [];
  const longestMs = Number(seconds) * 1000;
  return exact === undefined ? longestMs : Math.min(Number(exact), longestMs);
}

/** The headers of the answer to a held request. */
export const holdHeaders = (heldMs: number): HoldHeaders => ({
  "preference-applied": "wait",
  "server-timing": `hold;dur=${Math.floor(heldMs)}`,
});
