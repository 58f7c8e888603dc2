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
function judgeName(tenures: readonly Tenure[]): Pick<Verdict, "lostEarly" | "twoHolders" | "tokensFell"> {
  const lost = new Set(tenures.filter(({ goneAt, until }) => goneAt !== undefined && goneAt < until));
  let twoHolders = 0;
  let tokensFell = 0;
  for (const [index, later] of tenures.entries()) {
    const earlier = tenures.slice(0, index);
    // The server's time of the grant is exact; that of the holder is rounded down to a millisecond.
    const from = Math.max(later.beganAt, later.at);
    if (endOf(later) > from && earlier.some((each) => endOf(each) > from)) twoHolders++;
    for (const each of earlier) if (endOf(each) > later.at) lost.add(each);
    if (earlier.some(({ beganAt, token }) => beganAt < later.at && token >= later.token)) tokensFell++;
  }
  return { lostEarly: lost.size, twoHolders, tokensFell };
}

function runAgain(runs: readonly WorkRun[]): number {
  const wasDone = (later: WorkRun) => (each: WorkRun) =>
    each.isStored || each.until > Math.max(later.beganAt, later.at);
  return runs.filter((later, index) => runs.slice(0, index).some(wasDone(later))).length;
}

export function judge({ tenures, runs, starved }: Facts): Verdict {
  const names = byName(tenures).map(judgeName);
  const sum = (of: "lostEarly" | "twoHolders" | "tokensFell"): number =>
    names.reduce((total, verdict) => total + verdict[of], 0);
  return {
    lostEarly: sum("lostEarly"),
    twoHolders: sum("twoHolders"),
    tokensFell: sum("tokensFell"),
    onceAgain: byName(runs).reduce((total, group) => total + runAgain(group), 0),
    starved,
  };
}
