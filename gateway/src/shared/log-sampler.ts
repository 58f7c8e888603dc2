import type { Log } from "./log.ts";

/** How long repetitions of a line are only counted. */
const INTERVAL_MS = 10_000;

/** Limits lines that would appear by the thousand during a failure. */
export interface Sampler {
  /**
   * Logs the first line of a kind in an interval at `warn`, and the others at `debug`; a line at the end of the
   * interval has their number.
   *
   * @param alike the fields that make two lines of one kind, with values from a closed set
   */
  warn(alike: object, more: object, message: string): void;
  /** Logs the numbers counted so far. */
  flush(): void;
}

interface Counted {
  readonly alike: object;
  count: number;
}

export function createSampler(log: Log, intervalMs: number = INTERVAL_MS): Sampler {
  const said = new Map<string, Counted>();

  function tell(entry: Counted): void {
    if (entry.count > 0) log.warn({ ...entry.alike, count: entry.count }, "more such requests");
    entry.count = 0;
  }

  function begin(key: string, alike: object): void {
    const entry = { alike, count: 0 };
    said.set(key, entry);
    const timer = setInterval(() => {
      const isQuiet = entry.count === 0;
      tell(entry);
      if (!isQuiet) return;
      clearInterval(timer);
      said.delete(key);
    }, intervalMs).unref();
  }

  return {
    warn(alike, more, message) {
      const key = JSON.stringify(alike);
      const entry = said.get(key);
      if (entry === undefined) begin(key, alike);
      else entry.count++;
      log[entry === undefined ? "warn" : "debug"]({ ...more, ...alike }, message);
    },
    flush() {
      for (const entry of said.values()) tell(entry);
    },
  };
}
