/** The HTTP headers of the answer to a held request. */
export interface HoldHeaders {
  readonly "preference-applied": "wait";
  /**
   * How long the request had been held when the run of this answer began, and `offer` if the request would be granted
   * if it were sent again now.
   */
  readonly "server-timing": string;
}

/** The parts of a header between commas, or between semicolons; those within quotes do not separate. */
const PREFERENCES = /(?:[^",]|"(?:\\.|[^"\\])*"?)+/g;
const PARAMETERS = /(?:[^";]|"(?:\\.|[^"\\])*"?)+/g;
const ASSIGNMENT = /^\s*([\w-]+)\s*=\s*"?(\d+)"?\s*$/;

/** The number that a part assigns to a name; `undefined` for any other part. */
function numberIn(part: string, name: string): number | undefined {
  const [, assigned = "", digits] = ASSIGNMENT.exec(part) ?? [];
  return digits !== undefined && assigned.toLowerCase() === name ? Number(digits) : undefined;
}

/**
 * Reads from the header `Prefer` how long a request may be held, in ms; undefined without that preference. It is a
 * preference of RFC 7240: `wait=5`, or with the parameter `ms` for a more exact time, `wait=5; ms=4500`, which is never
 * longer. Of several, the first one counts.
 */
export function waitOf(prefer: string | null | undefined): number | undefined {
  for (const preference of prefer?.match(PREFERENCES) ?? []) {
    const [first = "", ...parameters] = preference.match(PARAMETERS) ?? [];
    const seconds = numberIn(first, "wait");
    if (seconds === undefined) continue;
    const exact = parameters.map((part) => numberIn(part, "ms")).find((ms) => ms !== undefined);
    return Math.min(seconds * 1000, exact ?? Number.POSITIVE_INFINITY);
  }
  return undefined;
}

/** The headers of the answer to a held request. */
export const holdHeaders = (heldMs: number, isOffered = false): HoldHeaders => ({
  "preference-applied": "wait",
  "server-timing": `hold;dur=${Math.floor(heldMs)}${isOffered ? ", offer" : ""}`,
});
