import type { Log } from "./log.ts";

/** How long what has been said once is only counted. */
const INTERVAL_MS = 10_000;

/** Lines that come by the thousand when something is wrong. */
export interface Sampler {
  /**
   * Says it at `warn` if nothing alike was said in this interval, and else at `debug`; how many those were is one line at its end.
   *
   * @param alike what makes it the same as another one: from a closed set
   */
  warn(alike: object, more: object, message: string): void;
  /** Says what was counted so far. */
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
