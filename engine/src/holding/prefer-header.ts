/** The HTTP headers of the answer to a held request. */
export interface HoldHeaders {
  readonly "preference-applied": "wait";
  /** How long the request had been held when the run of this answer began. */
  readonly "server-timing": string;
}

/** A preference of RFC 7240: `wait=5`, or with the parameter `ms` for a more exact time: `wait=5; ms=4500`. */
const WAIT = /(?:^|,)\s*wait\s*=\s*"?(\d{1,9})"?\s*(?:;([^,]*))?/i;
const EXACT = /(?:^|;)\s*ms\s*=\s*"?(\d{1,9})"?\s*(?:;|$)/i;

/**
 * Reads from the header `Prefer` how long a request may be held, in ms; undefined without that preference. A parameter
 * `ms` makes whole seconds more exact, never longer.
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
