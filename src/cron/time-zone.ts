/** Local times of a zone, each as ms since 1970 as if its clock showed UTC. */
export interface TimeZone {
  /** The local time at an instant. */
  localTime(ms: number): number;
  /**
   * The instants at which the clock shows a local time: two if the clock is set back over it. If the clock skips it,
   * there is none, and `jump` is the moment of the jump.
   */
  instantsOf(localMs: number): { readonly instants: readonly number[]; readonly jump?: number };
}

const DAY_MS = 86_400_000;

/** Makes a time zone from its IANA name. @throws RangeError for an unknown one. */
export function timeZone(name: string): TimeZone {
  const fields = { year: "numeric", month: "numeric", day: "numeric" } as const;
  const times = { hour: "numeric", minute: "numeric", second: "numeric", hourCycle: "h23" } as const;
  const format = new Intl.DateTimeFormat("en", { timeZone: name, ...fields, ...times });
  const localTime = (ms: number): number => {
    const parts = format.formatToParts(ms).map(({ type, value }) => [type, +value]);
    const { year = 0, month = 0, day, hour, minute, second } = Object.fromEntries(parts) as Record<string, number>;
    return Date.UTC(year, month - 1, day, hour, minute, second);
  };
  const offset = (ms: number): number => localTime(ms) - Math.floor(ms / 1000) * 1000;
  return {
    localTime,
    instantsOf(localMs) {
      // The offsets before and after every nearby change of the clock.
      const [early, late] = [localMs - offset(localMs - DAY_MS), localMs - offset(localMs + DAY_MS)];
      const instants = [...new Set([early, late])].filter((ms) => localTime(ms) === localMs).sort((a, b) => a - b);
      if (instants.length > 0) return { instants };
      let [from, to] = [Math.min(early, late), Math.max(early, late)];
      const before = offset(from);
      while (to - from > 1000) {
        const middle = Math.floor((from + to) / 2000) * 1000;
        if (offset(middle) === before) from = middle;
        else to = middle;
      }
      return { instants, jump: to };
    },
  };
}
