/** A member with its score. */
export interface Scored {
  readonly member: string;
  readonly score: number;
}

/** Members ordered by score, and by their bytes for equal scores. */
export interface SortedSet {
  readonly size: number;
  /** In order. */
  readonly all: readonly Scored[];
  score(member: string): number | undefined;
  set(member: string, score: number): void;
  delete(member: string): boolean;
  /** Removes as many members from a position, and returns them. */
  cut(from: number, count: number): readonly Scored[];
  /** Runs a function that changes many members, and restores the order once after it. */
  batch(change: () => void): void;
  /** How many members are moved when this score is set, or when the member is removed without a score. */
  moves(member: string, score?: number): number;
  /** The position of a member from 0, or -1. */
  rank(member: string): number;
  /** How many members have a lower score, or the same one with `orEqual`. */
  below(score: number, orEqual: boolean): number;
}

/** @param note called with each member that is set or removed */
export function createSortedSet(note?: (member: string) => void): SortedSet {
  const scores = new Map<string, number>();
  const order: Scored[] = [];

  /** The first position with an entry at or after this one. */
  function placeOf(score: number, member: string): number {
    let low = 0;
    let high = order.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const entry = order[middle] as Scored;
      if (entry.score < score || (entry.score === score && entry.member < member)) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Whether the order is restored later. */
  let isBatch = false;

  const set: SortedSet = {
    get size() {
      return scores.size;
    },
    all: order,
    score: (member) => scores.get(member),
    set(member, score) {
      note?.(member);
      set.delete(member);
      scores.set(member, score);
      if (isBatch) return;
      const last = order.at(-1);
      if (!last || last.score < score) order.push({ member, score });
      else order.splice(placeOf(score, member), 0, { member, score });
    },
    delete(member) {
      const score = scores.get(member);
      if (score === undefined) return false;
      note?.(member);
      if (!isBatch) order.splice(placeOf(score, member), 1);
      scores.delete(member);
      return true;
    },
    cut(from, count) {
      const gone = order.splice(from, count);
      for (const { member } of gone) {
        note?.(member);
        scores.delete(member);
      }
      return gone;
    },
    batch(change) {
      isBatch = true;
      try {
        change();
      } finally {
        isBatch = false;
        order.length = 0;
        for (const [member, score] of scores) order.push({ member, score });
        order.sort((a, b) => (a.score === b.score ? (a.member < b.member ? -1 : 1) : a.score < b.score ? -1 : 1));
      }
    },
    moves(member, score) {
      const before = scores.get(member);
      const places = [before, score].flatMap((each) => (each === undefined ? [] : [placeOf(each, member)]));
      return order.length - Math.min(order.length, ...places);
    },
    rank(member) {
      const score = scores.get(member);
      return score === undefined ? -1 : placeOf(score, member);
    },
    below(score, orEqual) {
      let low = 0;
      let high = order.length;
      while (low < high) {
        const middle = (low + high) >> 1;
        const here = (order[middle] as Scored).score;
        if (here < score || (orEqual && here === score)) low = middle + 1;
        else high = middle;
      }
      return low;
    },
  };
  return set;
}
