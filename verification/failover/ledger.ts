/**
 * What servers granted and what holders did, and the judge of both. A grant is what the server replied, taken off the
 * wire before the SDK reads it, with the server's own times. All servers of a run share the clock of one machine, so
 * these times can be compared with each other and with those of the holders. All times are in µs since 1970.
 */

/** A grant, as the server replied. */
export interface Grant {
  readonly token: number;
  /** When it was granted. */
  readonly at: number;
  /** The end of the lease. */
  readonly until: number;
}

/** A tenure of a lock: what was granted, and when its holder worked. */
export interface Tenure extends Grant {
  readonly name: string;
  readonly beganAt: number;
  /** When the holder had ended its work, before it asked for the release. */
  stoppedAt?: number;
  /** When a server said, or its record showed, that the tenure was not held any more although its holder worked. */
  goneAt?: number;
}

/** A run of the work of a `once`. */
export interface WorkRun extends Grant {
  readonly name: string;
  readonly beganAt: number;
  /** Whether the server confirmed that it has the result. */
  isStored?: boolean;
}

export interface Facts {
  readonly tenures: readonly Tenure[];
  readonly runs: readonly WorkRun[];
  /** The number of waiters that had no turn in time although the server was back. */
  readonly starved: number;
}

/** What the judge counts. */
export interface Verdict {
  /** Leases that ended before the time that the server had given, without a release. */
  readonly lostEarly: number;
  /** Tenures that began to work while another one of the same name worked under a lease. */
  readonly twoHolders: number;
  /** Tenures whose token was not above that of every tenure that had begun before it was granted. */
  readonly tokensFell: number;
  /** Runs of work that had run and whose result was confirmed, or whose attempt had not ended. */
  readonly onceAgain: number;
  readonly starved: number;
}

export type Tell = (finding: string, ...about: readonly (Tenure | WorkRun)[]) => void;

/** When a tenure stopped being one: its holder had ended its work, or its lease was over. */
const endOf = ({ until, stoppedAt = Number.POSITIVE_INFINITY }: Tenure): number => Math.min(until, stoppedAt);

function byName<T extends { readonly name: string; readonly beganAt: number }>(list: readonly T[]): readonly T[][] {
  const found = new Map<string, T[]>();
  for (const each of [...list].sort((a, b) => a.beganAt - b.beganAt)) {
    const group = found.get(each.name) ?? [];
    group.push(each);
    found.set(each.name, group);
  }
  return [...found.values()];
}

/** Judges the tenures of one name, in the order in which they began. */
function judgeName(tenures: readonly Tenure[], tell: Tell): Pick<Verdict, "lostEarly" | "twoHolders" | "tokensFell"> {
  const lost = new Set(tenures.filter(({ goneAt, until }) => goneAt !== undefined && goneAt < until));
  for (const each of lost) tell("the server did not hold it", each);
  let twoHolders = 0;
  let tokensFell = 0;
  for (const [index, later] of tenures.entries()) {
    const earlier = tenures.slice(0, index);
    // The server's time of the grant is exact; that of the holder is rounded down to a millisecond.
    const from = Math.max(later.beganAt, later.at);
    const other = earlier.find((each) => endOf(each) > from);
    if (other && endOf(later) > from) {
      twoHolders++;
      tell("two holders", other, later);
    }
    for (const each of earlier) {
      if (endOf(each) <= later.at) continue;
      lost.add(each);
      tell("another was granted", each, later);
    }
    const higher = earlier.find(({ beganAt, token }) => beganAt < later.at && token >= later.token);
    if (!higher) continue;
    tokensFell++;
    tell("the token fell", higher, later);
  }
  return { lostEarly: lost.size, twoHolders, tokensFell };
}

function runAgain(runs: readonly WorkRun[], tell: Tell): number {
  let again = 0;
  for (const [index, later] of runs.entries()) {
    const from = Math.max(later.beganAt, later.at);
    const other = runs.slice(0, index).find((each) => each.isStored || each.until > from);
    if (!other) continue;
    again++;
    tell("it ran again", other, later);
  }
  return again;
}

/** @param tell gets each finding, with what it is about */
export function judge({ tenures, runs, starved }: Facts, tell: Tell = () => {}): Verdict {
  const names = byName(tenures).map((group) => judgeName(group, tell));
  const sum = (of: "lostEarly" | "twoHolders" | "tokensFell"): number =>
    names.reduce((total, verdict) => total + verdict[of], 0);
  return {
    lostEarly: sum("lostEarly"),
    twoHolders: sum("twoHolders"),
    tokensFell: sum("tokensFell"),
    onceAgain: byName(runs).reduce((total, group) => total + runAgain(group, tell), 0),
    starved,
  };
}
