import { memoized, type Tallies } from "./tally.ts";

/** The bounds of the histogram. A request is held within its client's time-out, 5 s by default. */
const HOLDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

const ENDINGS = ["answered", "refused", "aborted", "replaced", "closed", "failed"];
const RESULTS = ["answered", "refused"];

/** The numbers of held requests. Endings and results are from closed sets. */
export interface HoldingMetrics {
  /** Counts a held request that was run again. */
  tried(result: "refused" | "answered"): void;
  /** Counts a request that is no longer held. */
  ended(ending: string, seconds: number): void;
}

export function createHoldingMetrics(tallies: Tallies, prefix: string): (database: string) => HoldingMetrics {
  const holds = tallies.counter(`${prefix}holds_total`, "Requests that were held, by how their hold ended.");
  const tries = tallies.counter(`${prefix}hold_tries_total`, "Held requests that were run again, by the result.");
  const times = tallies.histogram(`${prefix}hold_duration_seconds`, "Time for which requests were held.", HOLDS);
  return memoized((database: string) => {
    const time = times.of({ database });
    const endedBy = memoized((ending: string) => holds.of({ database, ending }));
    const triedWith = memoized((result: string) => tries.of({ database, result }));
    // Prometheus sees no increase in a series that begins at 1.
    ENDINGS.forEach(endedBy);
    RESULTS.forEach(triedWith);
    return {
      tried: (result) => triedWith(result).add(),
      ended(ending, seconds) {
        endedBy(ending).add();
        time.observe(seconds);
      },
    };
  });
}
